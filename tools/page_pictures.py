"""Makes the documents' pictures of the page anew, in the system's Chromium.

python tools/page_pictures.py            docs/pictures/*.png
python tools/page_pictures.py --to DIR

A game of Siguo as South sees it, a chess ending with the tablebase's verdict on every move, and a
paper's report. The same seeds give the same pictures, as far as fonts and Chromium are the same.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import tempfile
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote

from page_server import PageServer
from PIL import Image
from playwright.sync_api import sync_playwright

import tempo
from tempo import agents
from tempo.files import replacing

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 1000, 720
COLOURS = 128  # of a picture: small files, and nobody sees a difference
PLIES = 40  # of the game of Siguo
ENDING = "8/8/8/3k4/8/2K5/6R1/8 w - - 0 1"


def siguo_position() -> str:
    """A game between four careful players, in its middle."""
    position: Any = tempo.load("siguo(deal=sound)").start(7)
    players = [agents.load("siguo-heuristic") for _ in range(4)]
    for seat, player in enumerate(players):
        player.reset(seat)
    while position.ply < PLIES or position.turn != 0:
        position = position.play(players[position.turn].choose(position.view(position.turn)).move)
    return str(position.text)


def sit(url: str, game: str, seats: list[str], start: str) -> tuple[str, list[str]]:
    """A new table and the tokens of its persons."""
    wishes = [
        {"person": {"kind": "person", "name": "Ann"}, "open": {"kind": "open"}}.get(
            seat, {"kind": "agent", "agent": seat}
        )
        for seat in seats
    ]
    body = json.dumps({"game": game, "seats": wishes, "start": start}).encode()
    request = urllib.request.Request(
        f"{url}/api/tables", body, {"content-type": "application/json"}
    )
    made = json.load(urllib.request.urlopen(request, timeout=30))
    return made["table"], list(made["tokens"].values())


def siguo_game(page: Any, url: str) -> None:
    """South's turn in a game of Siguo."""
    seats = ["person", *["siguo-heuristic"] * 3]
    table, tokens = sit(url, "siguo", seats, siguo_position())
    kept = json.dumps({table: {"tokens": tokens, "invites": {}, "title": "Siguo", "at": 1}})
    page.evaluate(f"localStorage.setItem('tempo.tables', {json.dumps(kept)})")
    page.goto(f"{url}/#/table/{table}")
    own = page.locator("[data-place].may")
    own.first.click()
    page.locator(".mark.target").first.wait_for()


def ending(page: Any, url: str) -> None:
    """Every move of a chess ending with how far it is from mate."""
    page.goto(f"{url}/#/study/game/chess/{quote(ENDING, safe='')}")
    page.locator(".analyse").click()
    page.locator(".exact").wait_for()
    page.locator(".overlay .heat.best").wait_for()
    page.locator(".analysis [role=status]", has_text="positions").wait_for()
    page.locator(".desk").scroll_into_view_if_needed()


def report(page: Any, url: str) -> None:
    """What a paper says, and what came of it here."""
    page.goto(f"{url}/#/runs/report/endgames")
    page.locator(".interval .published").first.wait_for()
    page.locator(".interval").first.scroll_into_view_if_needed()


PICTURES = {"siguo": siguo_game, "ending": ending, "report": report}


def main() -> None:
    """Makes all pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures")
    folder: Path = parser.parse_args().to.resolve()
    os.chdir(ROOT)  # where the server finds the reports
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as data, PageServer(Path(data)) as server:
        url = f"http://127.0.0.1:{server.port}"
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for name, show in PICTURES.items():
                page = browser.new_page(
                    viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce"
                )
                page.goto(url)
                show(page, url)
                page.wait_for_timeout(300)
                picture = Image.open(io.BytesIO(page.screenshot()))
                with replacing(folder / f"{name}.png") as file:
                    picture.convert("RGB").quantize(COLOURS).save(file, "PNG", optimize=True)
            browser.close()


if __name__ == "__main__":
    main()
