"""Learning in a real browser: tutorials, rules, practice, hints, the editor, reports, trainings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GIVEN = ("--allow-training",)  # for the server of this module
ACCESS = (Path(__file__).parent / "access.js").read_text().replace("export ", "")
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BLUNDERS = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1"

Visit = Callable[..., Any]


def touch(page: Any, *places: str) -> None:
    for place in places:
        page.locator(f'[data-place="{place}"]').click()


def solved(page: Any, text: str = "Solved!") -> None:
    page.locator(".told.good", has_text=text).wait_for()


def fits(page: Any) -> bool:
    """Whether nothing sticks out of the window to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_tutorial_is_learnt_and_remembered(visit: Visit) -> None:
    page = visit("#/learn")
    page.click('.learn a[href="#/learn/jiu"]')
    page.click(".begin")
    page.locator("h1", has_text="Step 1 of 10").wait_for()
    touch(page, "C3")
    solved(page)
    page.click(".next")
    page.locator("h1", has_text="Step 2 of 10").wait_for()
    touch(page, "A1")  # not round C3
    page.locator(".told.fault").wait_for()
    page.click(".again")
    touch(page, "B3")
    solved(page)
    page.evaluate("location.hash = '#/learn/jiu/tutorial/square'")
    page.locator("h1", has_text="Step 6 of 10").wait_for()
    touch(page, "A1")
    page.locator(".told", has_text="no stone of yours").wait_for()
    touch(page, "D3", "C3")
    page.locator(".board .mark.target").first.wait_for()  # a stone is to be taken
    touch(page, "E1")
    solved(page)
    page.reload()
    page.locator("h1", has_text="Step 6 of 10").wait_for()
    assert page.locator("progress").evaluate("bar => bar.value") == 3
    page.evaluate("location.hash = '#/learn/jiu'")
    page.locator(".begin", has_text="Continue with step 3").wait_for()
    assert page.locator(".numbers a.solved").count() == 3


def test_a_solution_is_shown_and_a_hidden_piece_deduced(visit: Visit) -> None:
    page = visit("#/learn/siguo/tutorial/mine", **PHONE)
    page.locator("h1", has_text="Step 6 of 10").wait_for()
    page.click(".show")
    page.locator(".again.strong").wait_for()
    page.evaluate("location.hash = '#/learn/siguo/tutorial/deduce'")
    page.locator('[data-kind="M"]').click()
    page.locator(".told.fault").wait_for()
    page.click(".again")
    page.locator('[data-kind="9"]').click()
    solved(page, "Right: General.")
    assert fits(page)
    page.evaluate("location.hash = '#/learn/siguo/practice/deduce-1'")
    marked = page.locator(".moves .about .ply")
    marked.first.wait_for()
    page.locator(".moves").get_by_role("button", name="To the start").click()
    page.locator('[data-place="C1"][aria-label*="empty"]').wait_for()  # nothing has moved yet
    page.locator(".board .piece").nth(99).wait_for()  # names come before pieces
    assert page.locator(".board .piece").count() == 100
    marked.last.click()
    page.locator(".board .mark.last").first.wait_for()
    assert page.locator('[data-kind="9"]').get_attribute("aria-label") == "General"


def test_endings_are_practised_with_the_distance_shown(visit: Visit) -> None:
    page = visit("#/learn/chess/practice/kqk-1")
    facts = page.locator(".facts", has_text="Mate in")
    facts.wait_for()
    before = facts.inner_text()
    page.click(".show")
    page.locator(".again.strong").wait_for()
    page.click(".again.strong")
    page.locator(".facts", has_text=before).wait_for()
    page.evaluate("location.hash = '#/learn/gomoku/practice/fours3-1'")
    page.locator(".task", has_text="fours").wait_for()
    touch(page, "a1")
    page.locator(".told.fault", has_text="lets the win go").wait_for()


def test_rules_have_pictures_in_both_languages(visit: Visit) -> None:
    page = visit("#/learn/siguo/rules", locale="zh-CN", **PHONE)
    page.locator("h1", has_text="四国军棋").wait_for()
    assert page.locator(".rule svg").count() == 5
    assert "工兵" in page.locator(".rule").nth(2).inner_text()
    assert fits(page)


def test_places_of_an_exercise_are_named_in_the_letters_that_are_chosen(visit: Visit) -> None:
    page = visit("#/learn/shogi/tutorial/move")
    place = page.locator('[data-place="1a"]')
    place.wait_for()
    names = {place.get_attribute("aria-label").split(",")[0]}
    page.locator("#letters").click()
    page.wait_for_function(
        """before => !document.querySelector('[data-place="1a"]').ariaLabel.startsWith(before)""",
        arg=next(iter(names)),
    )
    names |= {place.get_attribute("aria-label").split(",")[0]}
    assert names == {"1a", "１一"}


def test_a_hint_at_the_table_has_a_reason(visit: Visit, sit: Visit) -> None:
    page = sit("gomoku(size=9)", ["person", "random"], "9/9/9/3o5/2xxxx3/3oo4/9/5o3/9 x")
    page.locator('[data-tool="hint"]:not(:disabled)').click()
    page.locator(".status", has_text="wins at once").wait_for()
    assert page.locator(".hinted").count() == 1
    touch(page, "g5")
    page.locator(".result").wait_for()
    assert page.locator(".hinted").count() == 0


def test_a_hint_in_a_quiet_position_is_in_the_games_unit_and_names_the_answer(sit: Visit) -> None:
    page = sit("chess", ["person", "random"])
    page.locator('[data-tool="hint"]:not(:disabled)').click()
    hint = page.locator(".status .hint.advice", has_text="best of 20 moves")
    said = re.compile(
        r"the best of 20 moves, [+−]?[0-9.]+ pawns for you\. The likely answer is \S+\."
    )
    hint.get_by_text(said).wait_for()


def test_the_bar_has_a_unit_where_the_evaluation_has_one(visit: Visit) -> None:
    for game, worth in (
        ("minishogi", r"Black [+−]?\d+ points\s*expected score \d+ %\s*White"),
        ("othello", r"Black\s*expected score \d+ %\s*White"),
    ):
        page = visit(f"#/study/game/{game}")
        page.click(".analyse")
        page.locator(".worth").get_by_text("expected score").wait_for()
        assert re.fullmatch(worth, page.locator(".worth").inner_text().strip())
        number = r"[+−]?\d+" if game == "minishogi" else r"\d+ %"
        assert re.fullmatch(number, page.locator(".candidate .value").first.inner_text())
        page.locator(".analysis .more summary").click()
        page.fill('[aria-label="Exact agent"]', "mcts:sims=2000")  # whose values have no unit
        page.locator('[aria-label="Exact agent"]').blur()
        page.locator(".analysis .help", has_text="mcts:sims=2000").wait_for()
        assert re.fullmatch(r"\d+ %", page.locator(".candidate .value").first.inner_text())


def test_a_board_is_set_up_by_hand_and_bad_input_leaves_it(visit: Visit) -> None:
    page = visit("#/study/game/chess")
    page.locator(".desk .status", has_text="White to move").wait_for()
    page.click(".edit")
    page.click(".clear")
    page.click(".use")
    page.locator(".editor .fault", has_text="king").wait_for()
    for code, place in (("K", "e1"), ("k", "e8"), ("R", "a1")):
        page.click(f'[data-code="{code}"]')
        page.click(f'.editor [data-place="{place}"]')
    page.click(".use")
    page.locator(".desk:not(.editor) .status", has_text="White to move").wait_for()
    assert page.locator(".board [data-on]").count() == 3
    page.locator(".opener summary").click()
    page.fill('[aria-label="Position"]', "not a position")
    page.click('.chosen button:has-text("Set up")')
    page.locator(".opener .fault").filter(has_text="FEN").wait_for()
    assert page.locator(".board [data-on]").count() == 3  # what was there


def test_a_game_has_a_report_mistakes_another_try_and_comments(visit: Visit) -> None:
    page = visit("#/replay")
    page.fill("textarea", BLUNDERS)
    page.click('button:has-text("Open")')
    page.locator(".desk .status", has_text="White to move").wait_for()
    page.locator(".graph").press("Enter")
    page.locator(".chart .dot-mark").first.wait_for()
    row = page.locator(".mistakes li", has_text="Nxf7")
    row.locator(".retry").wait_for()
    page.locator(".ply .sign").first.wait_for()
    row.locator(".retry").click()
    page.locator(".desk .told", has_text="find a better move than Nxf7").wait_for()
    touch(page, "e5", "f7")
    page.locator(".told.fault", has_text="the move of the game").wait_for()
    page.locator(".note").fill("Takes the wrong pawn")
    page.locator(".note").blur()
    with page.expect_download() as waiting:
        page.click('[data-format="pgn"]')
    assert "{Takes the wrong pawn}" in Path(waiting.value.path()).read_text()


def test_an_analysis_keeps_what_it_found(visit: Visit) -> None:
    page = visit("#/study/game/chess")
    page.click(".analyse")
    page.locator(".candidate").nth(2).wait_for()
    page.locator(".worth", has_text="expected score").wait_for()
    assert "pawns" in page.locator(".worth").inner_text()
    page.locator(".principal button").nth(1).wait_for()  # several lines
    page.locator(".analyse", has_text="Stop").click()
    found = page.locator(".candidate").first.inner_text()
    page.locator(".analysis .more summary").click()
    page.select_option('[aria-label="Time"]', "60")
    page.select_option('[aria-label="Lines"]', "5")
    assert page.locator(".candidate").first.inner_text() == found
    touch(page, "e2", "e4")
    page.locator(".desk .status", has_text="Black to move").wait_for()
    page.click('[data-step="back"]')
    page.locator(".candidate", has_text=found.split("\n")[0]).first.wait_for()


def test_a_training_is_started_watched_stopped_and_played(visit: Visit) -> None:
    page = visit("#/runs")
    page.locator(".train").wait_for()
    page.select_option('[aria-label="Learner"]', "td")
    page.locator(".train .help", has_text="moves every position").wait_for()
    page.select_option('[aria-label="Game"]', label="Othello (size=6)")
    page.fill('[aria-label="Seconds"]', "99999")
    page.click(".start")
    page.locator(".train .fault", has_text="at most").wait_for()
    page.fill('[aria-label="Seconds"]', "50")
    page.click(".start")
    page.locator(".controls", has_text="training").wait_for()
    page.locator(".chart .line, .chart .spot").first.wait_for()
    page.locator(".controls", has_text="left").wait_for()
    page.locator(".chart .line.dashed").wait_for()  # what is to be expected
    page.locator('.play-step[data-step="5"]').wait_for()
    page.locator(".stop").click()
    page.locator(".resume").wait_for()
    page.reload()
    page.locator(".watch-steps").click()  # an early step against the last one that was kept
    page.locator(".list li").nth(1).wait_for()
    page.go_back()
    page.locator(".play-last").click()
    page.wait_for_url("**/#/table/*")
    page.locator("[data-place].may").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_is_named_and_readable(visit: Visit, scheme: str) -> None:
    page = visit("#/learn", color_scheme=scheme)
    for room in ("#/learn", "#/learn/jiu", "#/learn/shogi/tutorial/mate", "#/learn/gomoku/rules",
                 "#/study/game/jiu", "#/runs"):  # fmt: skip
        page.evaluate(f"location.hash = {json.dumps(room)}")
        page.wait_for_timeout(500)
        page.locator("main h1").first.wait_for()
        found = page.evaluate(f"() => {{ {ACCESS}; return [nameless(), faint()]; }}")
        assert [one["faults"] for one in found] == [[], []], room
