"""axe on every view: nothing that stands in the way of people who see badly, or not at all.

axe comes with `axe-playwright-python`, a package of the development tools; nothing is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

import tempo
from tempo.runs import Run

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
GIVEN = ("--allow-training",)  # for the server of this module
DRESSES = [("light", "en"), ("dark", "zh-CN")]
ROOMS = (
    "#/", "#/new/siguo", "#/join/none/none", "#/learn", "#/learn/siguo",
    "#/learn/siguo/tutorial/deduce", "#/learn/jiu/rules", "#/study/game/chess", "#/replay",
    "#/runs", "#/runs/run/young", "#/runs/report/paper",
)  # fmt: skip
RECORD = "1. e4 e5 2. Nf3 Nc6 *"
WON = "9/9/9/9/xxxx5/oooo5/9/9/9 x"
KRK = "8%2F8%2F8%2F8%2F4k3%2F8%2FR7%2F4K3%20w%20-%20-%200%201"

Visit = Callable[..., Any]


def found(page: Any) -> list[str]:
    """What axe objects to, in the rules of WCAG and of good practice."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    answer = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{rule['impact']} {rule['id']}: {rule['nodes'][0]['html'][:200]}"
        for rule in answer["violations"]
    ]


@pytest.mark.parametrize(("scheme", "locale"), DRESSES)
def test_axe_finds_nothing_in_any_room(visit: Visit, run: Run, scheme: str, locale: str) -> None:
    assert run.folder.is_dir()
    page = visit("#/", color_scheme=scheme, locale=locale)
    for room in ROOMS:
        page.evaluate(f"location.hash = {json.dumps(room)}")
        page.locator(f'body[data-room="{room.split("/")[1] or "home"}"] main h1').first.wait_for()
        page.wait_for_load_state("networkidle")
        assert found(page) == [], room


@pytest.mark.parametrize(("scheme", "locale"), [("light", "zh-CN"), ("dark", "en")])
def test_axe_finds_nothing_at_any_table(visit: Visit, scheme: str, locale: str) -> None:
    page = visit("#/", color_scheme=scheme, locale=locale)
    for game in tempo.games.names():
        page.evaluate("location.hash = '#/'")
        page.locator(f'[data-play="{game}"]').click()
        page.locator("[data-place].may").first.wait_for()
        assert found(page) == [], game
    page.get_by_role("button", name="认输" if locale == "zh-CN" else "Resign").click()
    page.get_by_role("dialog").wait_for()
    assert found(page) == []


@pytest.mark.parametrize(("scheme", "locale"), DRESSES)
def test_axe_finds_nothing_in_what_has_come_about(
    visit: Visit, sit: Visit, scheme: str, locale: str
) -> None:
    """A result, a record that was opened, an analysis under way, a solved exercise."""
    page = sit("gomoku(size=9)", ["person", "person"], WON, color_scheme=scheme, locale=locale)
    page.locator('[data-place="e5"].may').click()
    page.locator("#rematch").wait_for()
    assert found(page) == []
    page.evaluate("location.hash = '#/replay'")
    page.locator("textarea").first.fill(RECORD)
    page.locator("main button.strong").first.click()
    page.locator(".ply").nth(3).wait_for()
    assert found(page) == []
    page.evaluate(f"location.hash = '#/study/game/chess/{KRK}'")
    page.locator(".analyse").click()
    page.locator(".exact").wait_for()
    assert found(page) == []
    page.evaluate("location.hash = '#/learn/gomoku/tutorial/five'")
    page.locator(".show").click()
    page.locator(".again.strong").wait_for()
    assert found(page) == []


def test_axe_finds_nothing_while_pieces_are_put_up_and_boards_edited(sit: Visit) -> None:
    page = sit("siguo", ["person", "random", "random", "random"])
    page.locator("#ready").wait_for()
    assert found(page) == []
    page.evaluate("location.hash = '#/study/game/shogi'")
    page.locator(".edit").click()
    page.locator(".palette").wait_for()
    assert found(page) == []


# At 200 % zoom: what is done in each room, and whether it is seen without scrolling.
DONE = {
    "#/": ("[data-play]", True), "#/new/chess": ("#start", False),
    "#/join/none/none": ("button.strong", True), "#/learn": (".button.strong", True),
    "#/learn/jiu": (".begin", True), "#/learn/siguo/tutorial/deduce": (".asked-kinds button", True),
    "#/learn/chess/tutorial/mate": (".show", True), "#/learn/jiu/rules": (".rule svg", False),
    "#/study/game/shogi": (".analyse", True), "#/replay": ("button.strong", True),
    "#/runs": (".start", True), "#/runs/run/young": (".chart .line", False),
    "#/runs/report/paper": ("button.verdict", False),
}  # fmt: skip


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_every_room_can_be_used_at_twice_its_size(
    server: Any, sit: Visit, run: Run, locale: str
) -> None:
    """A desk of 1440 by 900 at 200 %: nothing sticks out, and what is done there is in reach."""
    assert run.folder.is_dir()
    how = {"viewport": {"width": 720, "height": 450}, "locale": locale}
    page = sit("siguo", ["person", "random", "random", "random"], **how)
    page.locator("#ready").wait_for()
    inviting = server.table("siguo", ["person", "open", "random", "random"])
    kept = {inviting["table"]: {"tokens": list(inviting["tokens"].values()), "invites": {}}}
    page.evaluate(f"localStorage.setItem('tempo.tables', {json.dumps(json.dumps(kept))})")
    waiting = f"#/table/{inviting['table']}"
    done = {"deployment": ("#ready", True), waiting: ("#fill", True), **DONE}
    for room, (button, at_once) in done.items():
        if room.startswith("#"):
            page.evaluate(f"location.hash = {json.dumps(room)}")
        if room == waiting:
            page.locator("#fill").wait_for()
            ready = page.locator("#ready").bounding_box()
            assert ready["width"] > ready["height"], ready
        one = page.locator(f"main {button}").first
        one.wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), room
        if not at_once:
            one.scroll_into_view_if_needed()
        box = one.bounding_box()
        assert box["x"] >= 0 <= box["y"], (room, box)
        assert box["x"] + box["width"] <= 720, (room, box)
        assert box["y"] + min(box["height"], 60) <= 450, (room, box)


def test_axe_finds_something_where_there_is_something(visit: Visit) -> None:
    page = visit("#/learn")
    page.locator("main h1").wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any("button-name" in fault for fault in found(page))
