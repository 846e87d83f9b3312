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

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
GIVEN = ("--allow-training",)  # for the server of this module
ROOMS = (
    "#/", "#/new/siguo", "#/learn", "#/learn/siguo", "#/learn/siguo/tutorial/deduce",
    "#/learn/jiu/rules", "#/study/game/chess", "#/replay", "#/runs",
)  # fmt: skip

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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_room(visit: Visit, scheme: str) -> None:
    page = visit("#/", color_scheme=scheme)
    for room in ROOMS:
        page.evaluate(f"location.hash = {json.dumps(room)}")
        page.locator(f'body[data-room="{room.split("/")[1] or "home"}"] main h1').first.wait_for()
        page.wait_for_load_state("networkidle")
        assert found(page) == [], room


def test_axe_finds_nothing_at_any_table(visit: Visit) -> None:
    page = visit("#/", locale="zh-CN")
    for game in tempo.games.names():
        page.evaluate("location.hash = '#/'")
        page.locator(f'[data-play="{game}"]').click()
        page.locator("[data-place].may").first.wait_for()
        assert found(page) == [], game
    page.get_by_role("button", name="认输").click()
    page.get_by_role("dialog").wait_for()
    assert found(page) == []


def test_axe_finds_nothing_while_pieces_are_put_up_and_boards_edited(sit: Visit) -> None:
    page = sit("siguo", ["person", "random", "random", "random"])
    page.locator("#ready").wait_for()
    assert found(page) == []
    page.evaluate("location.hash = '#/study/game/shogi'")
    page.locator(".edit").click()
    page.locator(".palette").wait_for()
    assert found(page) == []


def test_axe_finds_something_where_there_is_something(visit: Visit) -> None:
    page = visit("#/learn")
    page.locator("main h1").wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any("button-name" in fault for fault in found(page))
