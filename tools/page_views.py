"""Pictures of every view of the page, to be looked at, in the system's Chromium.

python tools/page_views.py                          build/pictures/VIEW/SIZE-THEME-LANGUAGE.png
python tools/page_views.py home report --themes dark --languages zh --sizes phone
python tools/page_views.py --visits 12              how soon home is painted, and what it weighs

Each view is shown in both themes, in Chinese and English (tables of shogi in Japanese, too), at the
size of a desk, of a phone and of a desk at 200 % zoom; `build/pictures/VIEW.png` has all of them
side by side. What sticks out to the side is printed. Chinese needs a font (fonts-wqy-microhei).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from page_pictures import ENDING, siguo_position, sit
from page_server import PageServer
from PIL import Image
from playwright.sync_api import Error, sync_playwright

import tempo
from tempo.runs import Run

ROOT = Path(__file__).resolve().parent.parent
SIZES = {"desk": (1440, 900), "phone": (390, 844), "zoom": (720, 450)}
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
TALL = 2600  # pixels of a page that is taken whole
SHARE = 0.4  # of a picture in the overview
RECORD = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1"
WON = "9/9/9/9/xxxx5/oooo5/9/9/9 x"

View = Callable[[Any], None]


class Stage:
    """The server and what stands on it: a table of each kind, a run, a report."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.kept: dict[str, Any] = {}
        self._tables: dict[str, str] = {}

    def table(self, name: str, game: str, seats: list[str], start: str = "") -> str:
        """The address of a table that the browser has the seats of; made once."""
        if name not in self._tables:
            made, tokens = sit(self.url, game, seats, start)
            self._tables[name] = made
            title = tempo.load(game).description.face.title(tempo.load(game))
            self.kept[made] = {"tokens": tokens, "invites": {}, "title": title, "at": 1}
        return f"#/table/{self._tables[name]}"


def room(address: str, sign: str = "main h1") -> View:
    """A room without more."""

    def show(page: Any) -> None:
        page.evaluate(f"location.hash = {json.dumps(address)}")
        page.locator(sign).first.wait_for()

    return show


def clicked(address: str, button: str, sign: str) -> View:
    """A room after one button."""

    def show(page: Any) -> None:
        room(address, button)(page)
        page.locator(button).first.click()
        page.locator(sign).first.wait_for()

    return show


def record(page: Any) -> None:
    """A game that was opened, at its end."""
    room("#/replay", "textarea")(page)
    page.locator("textarea").first.fill(RECORD)
    page.locator("main button.strong").first.click()
    page.locator(".board svg").wait_for()
    page.locator(".ply").nth(9).click()


def solved(page: Any) -> None:
    """An exercise that was done."""
    room("#/learn/chess/tutorial/mate", ".board svg")(page)
    page.locator(".show").click()
    page.locator(".again.strong").wait_for()


def views(stage: Stage) -> dict[str, View]:
    """Every view of the page by its name."""
    face = {name: tempo.load(name).description.portrait for name in tempo.games.names()}
    two = ["person", "random"]
    found: dict[str, View] = {"home": room("#/", "[data-play] >> nth=-1")}
    for name, start in face.items():
        if name != "siguo":
            found[name] = room(stage.table(name, name, two, start), ".board svg")
    four = ["person", *["siguo-heuristic"] * 3]
    siguo = stage.table("siguo", "siguo", four, siguo_position())
    waiting = stage.table("waiting", "siguo", ["person", "open", "random", "random"])
    won = stage.table("won", "gomoku(size=9)", two, WON)
    study = f"#/study/game/chess/{quote(ENDING, safe='')}"

    def result(page: Any) -> None:
        room(won, ".board svg")(page)
        page.wait_for_timeout(300)
        if not page.locator("#rematch").count():
            page.locator('[data-place="e5"].may').click()
        page.locator("#rematch").wait_for()

    return found | {
        "siguo": room(siguo, ".board svg"),
        "deploy": room(stage.table("deploy", "siguo", four), "#ready"),
        "result": result,
        "invite": room(waiting, "#fill"),
        "join": room("#/join/none/none"),
        "gone": room("#/table/none", "main .card h1"),
        "new": room("#/new/siguo", "#start"),
        "learn": room("#/learn"),
        "game": room("#/learn/jiu"),
        "exercise": room("#/learn/siguo/tutorial/deduce", ".board svg"),
        "solved": solved,
        "rules": room("#/learn/jiu/rules", ".rule svg, .rule img"),
        "study": room("#/study/game/shogi", ".analyse"),
        "analysis": clicked(study, ".analyse", ".exact"),
        "editor": clicked("#/study/game/shogi", ".edit", ".palette"),
        "replay": room("#/replay", "textarea"),
        "record": record,
        "runs": room("#/runs"),
        "run": room("#/runs/run/young", ".chart .line"),
        "report": room("#/runs/report/endgames", ".interval .published"),
    }


def run_of(folder: Path) -> None:
    """A run that has begun."""
    young = Run.create(folder / "young", {"about": "learns", "learner": "td", "game": "gomoku"})
    for step in range(1, 30):
        young.log({"step": step, "games": 10 * step, "won": step / 60, "loss": 1 / step})


def picture(page: Any) -> bytes:
    """The whole page, unless it is very long."""
    height = page.evaluate("document.documentElement.scrollHeight")
    return bytes(page.screenshot(full_page=height <= TALL))


def overview(pictures: list[bytes], columns: int) -> Image.Image:
    """Pictures side by side, a row a size."""
    opened = [Image.open(io.BytesIO(one)).convert("RGB") for one in pictures]
    small = [one.resize([max(1, round(side * SHARE)) for side in one.size]) for one in opened]
    rows = [small[i : i + columns] for i in range(0, len(small), columns)]
    width = max(sum(one.width + 8 for one in row) for row in rows)
    sheet = Image.new("RGB", (width, sum(max(one.height for one in row) + 8 for row in rows)))
    y = 0
    for row in rows:
        x = 0
        for one in row:
            sheet.paste(one, (x, y))
            x += one.width + 8
        y += max(one.height for one in row) + 8
    return sheet


def shoot(browser: Any, stage: Stage, asked: argparse.Namespace) -> None:
    """Every view, in every dress."""
    shown = views(stage)
    taken: dict[str, list[bytes]] = {name: [] for name in shown}
    dresses = [(t, tongue) for tongue in asked.languages for t in asked.themes]
    for size in asked.sizes:
        width, height = SIZES[size]
        for theme, language in dresses:
            context = browser.new_context(
                viewport={"width": width, "height": height}, reduced_motion="reduce",
                color_scheme=theme, locale=language, has_touch=size == "phone",
            )  # fmt: skip
            page = context.new_page()
            page.set_default_timeout(30_000)
            page.add_init_script(
                f"localStorage.setItem('tempo.tables', {json.dumps(json.dumps(stage.kept))})"
            )
            page.goto(stage.url)
            for name, show in shown.items():
                if asked.views and name not in asked.views:
                    continue
                try:
                    show(page)
                except Error as error:
                    print(f"{name} {size} {theme} {language}: {str(error).splitlines()[0]}")
                page.wait_for_timeout(250)
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    print(f"{name} {size} {theme} {language}: {wide} pixels stick out")
                data = picture(page)
                taken[name].append(data)
                folder = asked.to / name
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{size}-{theme}-{language}.png").write_bytes(data)
            context.close()
    for name, pictures in taken.items():
        if pictures:
            overview(pictures, len(dresses)).save(asked.to / f"{name}.png")


MEASURED = """() => [
  performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000,
  performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0),
  performance.getEntries().filter((one) => one.transferSize).length,
]"""


def visit(browser: Any, url: str, visits: int) -> None:
    """First paint of home for somebody new, again and again, with the machine's load."""
    paints, weight, files = [], 0, 0
    for _ in range(visits):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(url)
        page.locator(".game img").last.wait_for()
        page.wait_for_load_state("networkidle")
        paint, weight, files = page.evaluate(MEASURED)
        paints.append(paint)
        page.close()
    load = os.getloadavg()[0]
    print(f"first paint {statistics.median(paints):.3f} s ({min(paints):.3f} to {max(paints):.3f})")
    print(
        f"{weight / 1024:.1f} KiB in {files} files; a load of {load:.1f} on {os.cpu_count()} cores"
    )


def main() -> None:
    """Makes all pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("views", nargs="*", help="all, if none is named")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "pictures")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=list(THEMES))
    parser.add_argument("--languages", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--visits", type=int, default=0)
    asked = parser.parse_args()
    asked.to = asked.to.resolve()
    os.chdir(ROOT)  # where the server finds the reports
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as data:
        run_of(Path(data) / "runs")
        with (
            PageServer(Path(data), runs=Path(data) / "runs") as server,
            sync_playwright() as driver,
        ):
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            url = f"http://127.0.0.1:{server.port}"
            if asked.visits:
                visit(browser, url, asked.visits)
            else:
                shoot(browser, Stage(url), asked)
            browser.close()
    print(f"{asked.to}: {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
