"""Study in a real browser: replay, branch, play on, analyse, watch a run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tempo.runs import Run

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data" / "records"
KRK = "8%2F8%2F8%2F8%2F4k3%2F8%2FR7%2F4K3%20w%20-%20-%200%201"
SGF = "(;FF[4]GM[4]SZ[9]RU[freestyle]PB[Ann]PW[Ben];B[ee];W[dd];B[fe];W[de])"

Visit = Callable[..., Any]


def wait(page: Any, condition: str) -> None:
    """Waits for a condition; asked from here, as the page allows no code from strings."""
    for _ in range(150):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    said = page.locator("[role=status]").all_inner_texts()
    raise AssertionError(f"{condition}: the page says {said}")


def status(page: Any, text: str) -> None:
    """Waits until the line below the board says this."""
    page.locator(".desk .status", has_text=text).wait_for()


def fits(page: Any) -> bool:
    """Whether nothing sticks out of the window to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_record_is_stepped_through_branched_and_saved(visit: Visit) -> None:
    page = visit("#/replay")
    page.set_input_files("input[type=file]", DATA / "gomoku_game.sgf")
    status(page, "Black to move")
    for _ in range(3):
        page.keyboard.press("ArrowRight")  # faster than the server answers
    status(page, "3. g10 — White to move")
    assert page.locator(".board [data-on]").count() == 3
    page.keyboard.press("Home")
    page.keyboard.press("End")
    status(page, "Black wins: five in a row")
    page.click('.ply:has-text("g9")')
    status(page, "5. g9")
    page.click('[data-place="a1"]')  # another move than the record's
    status(page, "6. a1 — Black to move")
    assert page.locator(".variation .ply").inner_text().endswith("a1")
    with page.expect_download() as waiting:
        page.click('[data-format="sgf"]')
    saved = Path(waiting.value.path()).read_text()
    assert "W[ao]" in saved
    assert saved.count("(;") == 3  # the game, and two ways on after g9
    page.click('[data-step="removeBranch"]')
    status(page, "5. g9")
    assert page.locator(".variation").count() == 0


def test_play_goes_on_from_a_record(visit: Visit) -> None:
    page = visit("#/replay")
    page.fill("textarea", SGF)
    page.click('button:has-text("Open")')
    status(page, "Black to move")
    page.keyboard.press("End")
    status(page, "4. d5")
    page.click(".playon")
    page.select_option('[aria-label="Strength"]', index=0)
    page.click(".begin")
    page.wait_for_url("**/#/table/*")
    page.locator(".board [data-on]").nth(3).wait_for()
    page.click('[data-place="f4"]')
    page.locator(".board [data-on]").nth(5).wait_for()  # the agent has answered


def test_moves_are_written_as_at_the_table_and_a_refused_touch_says_why(visit: Visit) -> None:
    page = visit("#/study/game/shogi")
    letters = page.locator("#letters")
    if letters.get_attribute("aria-pressed") == "true":  # where fonts lack characters
        letters.click()
    status(page, "Black to move")
    for places, told in (
        (("7g", "7f"), "White to move"),
        (("8b", "9d"), "A rook cannot go there."),
    ):
        for place in places:
            page.click(f'[data-place="{place}"]')
        status(page, told)
    assert page.locator(".moves-card .ply").all_inner_texts() == ["1.☗７六歩"]
    for place, label in (("7f", "black pawn on ７六, last move"), ("5e", "５五, empty")):
        assert page.locator(f'[data-place="{place}"]').get_attribute("aria-label") == label
    page.click('[data-place="5e"]')
    status(page, "There is no piece on ５五.")
    letters.click()
    status(page, "1. 7g7f — White to move")
    for place, label in (("7f", "black pawn on 7f, last move"), ("5e", "5e, empty")):
        assert page.locator(f'[data-place="{place}"]').get_attribute("aria-label") == label
    page.click('[data-place="3c"]')
    page.click('[data-place="3d"]')
    status(page, "2. 3c3d — Black to move")


def test_a_record_says_its_result_and_is_edited(visit: Visit) -> None:
    page = visit("#/replay")
    page.fill("textarea", "1. f3 e5 2. g4 Qh4# 0-1")
    page.click('button:has-text("Open")')
    page.locator(".headers", has_text="Chess · Black wins").wait_for()
    page.click('[data-step="last"]')
    status(page, "2... Qh4# — Black wins: checkmate")
    page.click(".edit")
    page.locator('.editor [data-on="h4"]').wait_for()


@pytest.mark.parametrize("screen", [(844, 390), (390, 844), (360, 640)])
def test_board_and_moves_stay_in_sight(visit: Visit, screen: tuple[int, int]) -> None:
    page = visit("#/study/game/gomoku", viewport={"width": screen[0], "height": screen[1]})
    status(page, "Black to move")
    page.click('[data-place="h8"]')
    page.locator(".ply").wait_for()
    page.locator(".tools-card").scroll_into_view_if_needed()
    board, moves = (page.locator(one).bounding_box() for one in (".boardbox", ".moves-card .line"))
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= screen[1]
    if screen[0] < screen[1]:
        assert moves["y"] >= board["y"] + board["height"]  # the one does not hide the other
        assert moves["y"] + moves["height"] <= screen[1]


def test_a_damaged_record_is_shown_with_its_place(visit: Visit) -> None:
    page = visit("#/replay")
    page.fill("textarea", "1. e4 e5\n2. Ke3 *")
    page.click('button:has-text("Open")')
    page.locator(".opener .fault", has_text="Line 2, column 4: 2. Ke3 is not legal").wait_for()
    page.set_input_files("input[type=file]", DATA / "shogi_game.kif")  # and one that is whole
    status(page, "Black to move")


def test_an_ending_is_analysed_exactly(visit: Visit) -> None:
    page = visit(f"#/study/game/chess/{KRK}")
    status(page, "White to move")
    page.click(".analyse")
    page.locator(".exact", has_text="White mates in 13 moves").wait_for()
    page.locator(".overlay .heat.best").wait_for()
    assert page.locator(".overlay .heat").count() > 10
    first = page.locator(".candidate").first
    assert first.inner_text().startswith("Ra5")
    first.hover()
    page.locator(".overlay .step").nth(4).wait_for()  # the line, numbered on the board
    page.locator(".candidate").nth(3).hover()  # not the best one: its line is shown, too
    page.locator(".overlay .step").nth(4).wait_for()
    pointed = page.locator(".candidate b").nth(3).inner_text()
    page.locator(".principal button", has_text=re.compile(f"^{re.escape(pointed)} ")).wait_for()
    draw_anew = "document.querySelector('.toggles input').dispatchEvent(new Event('change'))"
    page.evaluate(draw_anew)  # as an answer does that comes late
    assert page.locator(".principal button").inner_text().startswith(f"{pointed} ")
    assert page.locator(".overlay .step").count() > 4
    first.focus()
    first.press("Enter")
    status(page, "1. Ra5 — Black to move")
    page.locator(".graph").press("Enter")  # by key: what is found meanwhile moves the button
    wait(page, "document.querySelectorAll('.chart .line').length > 0")
    page.locator(".analysis").screenshot()


def test_an_agent_shows_candidates_and_threats(visit: Visit) -> None:
    page = visit("#/replay", viewport={"width": 360, "height": 740}, has_touch=True)
    page.set_input_files("input[type=file]", DATA / "gomoku_game.sgf")
    status(page, "Black to move")
    for _ in range(9):
        page.tap('[data-step="forward"]')
    status(page, "9. e11")
    page.tap(".analyse")
    page.locator(".overlay .waits.five, .overlay .waits.four-that-wins").first.wait_for()
    page.locator(".candidate").first.wait_for()
    page.locator(".analyse", has_text="Stop").wait_for()
    page.tap(".zoom")  # points are too near each other for a finger
    page.locator(".boardbox.zoomed").wait_for()
    assert fits(page)
    page.tap(".analyse")
    page.locator(".analyse", has_text="Analyse").wait_for()


def test_beliefs_over_hidden_pieces(visit: Visit) -> None:
    page = visit("#/study/game/siguo")
    status(page, "South to move")
    page.select_option('[aria-label="Seen by"]', "0")
    wait(page, "document.querySelectorAll('.board .disc .text').length <= 25")
    page.click(".analysis summary")
    page.fill('[aria-label="Exact agent"]', "siguo-heuristic")
    page.click(".analyse")
    page.locator(".overlay .belief").nth(74).wait_for()
    page.locator(".beliefs li", has_text="Flag 50 %").first.wait_for()
    page.hover('[data-place="N62"]')
    page.locator(".beliefs li.here", has_text="N62").wait_for()


def test_a_run_is_watched_while_it_goes_on(visit: Visit, server: Any, run: Run) -> None:
    page = visit("#/runs")
    page.locator(".live").wait_for()
    page.click('a:has-text("young")')
    page.locator(".chart .line").first.wait_for()
    before = page.locator(".chart svg").first.get_attribute("aria-label")
    assert "in 29 points" in before
    run.log({"step": 30, "games": 300, "won": 0.9})
    with (run.folder / "log.jsonl").open("a") as file:
        file.write('{"step": 31, "wo')  # half a line, as a running program leaves it
    wait(page, "document.querySelector('.chart svg').ariaLabel.includes('in 30 points')")
    page.goto(f"{server.url}/#/runs/report/paper")
    page.locator("button.verdict", has_text="same direction").first.click()
    page.locator(".meanings[open]", has_text="between half and twice").wait_for()
    assert page.locator(".interval .published").count() > 30
    wait(page, "[...document.querySelectorAll('.figures img')].some((i) => i.naturalWidth > 100)")


@pytest.mark.parametrize("width", [360, 1400])
def test_no_room_is_wider_than_the_window(visit: Visit, run: Run, width: int) -> None:
    assert run.folder.is_dir()
    page = visit("#/runs", viewport={"width": width, "height": 800})
    for room in ("#/runs", "#/runs/run/young", "#/runs/report/paper", "#/study/game/siguo"):
        page.evaluate(f"location.hash = {json.dumps(room)}")
        page.wait_for_timeout(300)
        page.locator("main h1").first.wait_for()
        assert fits(page), room


def test_on_a_low_screen_board_and_panel_stand_side_by_side(visit: Visit) -> None:
    page = visit("#/study/game/chess", viewport={"width": 640, "height": 360}, has_touch=True)
    page.locator(".analysis .analyse").wait_for()
    front, side = (page.locator(f".desk > .{one}").bounding_box() for one in ("front", "side"))
    steps, board = (page.locator(one).bounding_box() for one in (".steps-row", ".board svg"))
    for box in (steps, board):
        assert front["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= side["x"]
    assert board["y"] + board["height"] <= 360  # all of it is seen at once
    assert side["width"] > 250


def test_beliefs_are_drawn_on_hidden_pieces_alone(visit: Visit) -> None:
    page = visit("#/study/game/siguo", viewport={"width": 1440, "height": 900})
    page.locator(".analysis .analyse").click()
    page.locator(".beliefs li").first.wait_for()
    assert page.locator(".overlay .belief").count() == 0  # every rank is seen already
    page.get_by_label("Seen by").select_option("0")
    page.locator(".overlay .belief").first.wait_for()
    assert page.locator(".overlay .belief").count() == 75


def test_a_report_speaks_chinese_in_its_figures_too(visit: Visit, run: Run) -> None:
    assert run.folder.exists()
    page = visit("#/runs/report/paper", locale="zh-CN", viewport={"width": 1440, "height": 900})
    figure = page.locator(".figures img").nth(3)
    figure.scroll_into_view_if_needed()
    page.wait_for_function("one => one.complete && one.naturalWidth", arg=figure.element_handle())
    words = page.evaluate("one => fetch(one.src).then((r) => r.text())", figure.element_handle())
    assert "随机着法的比例" in words
    assert "share of random moves" not in words
    assert page.locator(".figures figcaption").nth(3).inner_text().startswith("图 4：")
    shown = page.locator("h1 ~ .row .verdict").all_inner_texts()
    assert [one.split()[-1] for one in shown] == ["复现", "方向一致", "未定", "不成立"]
    assert page.locator(".figures img").nth(1).bounding_box()["width"] > 990
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".figures img").nth(1).bounding_box()["width"] > 990  # scrolls in its box
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
