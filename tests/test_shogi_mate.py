"""The mate search of shogi as Python sees it, and mined problems with their exact lengths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reference import tsume

import tempo
from tempo._core import minishogi, shogi, shogi_mate
from tempo.errors import ParseError

MINED = Path(__file__).parent / "data" / "shogi"
MODULES: dict[str, Any] = {"shogi": shogi, "minishogi": minishogi}
USELESS = "8k/6S2/8G/9/9/9/9/9/5R3 b gs2p 1"


def problem(text: str, game: str = "shogi") -> Any:
    module = MODULES[game]
    return module.parse_problem(text, module.Options({}))


def mined(most: int) -> list[dict[str, Any]]:
    lines = [
        line
        for path in sorted(MINED.glob("mates-*.jsonl"))
        for line in path.read_text().split("\n")
    ]
    problems = [json.loads(line) for line in lines if line]
    return [one for one in problems if one["plies"] <= most]


def replay(position: Any, line: list[int]) -> Any:
    """Plays a line in which every other move gives check."""
    for number, move in enumerate(line):
        if number % 2 == 0:
            assert move in position.checks
        position = position.play(move)
    return position


def test_the_mined_problems_are_mated_at_their_length() -> None:
    problems = mined(most=99)
    assert len(problems) >= 100
    assert {one["plies"] for one in problems} == {0, 1, 3, 5, 7}
    assert {one["game"] for one in problems} == {"shogi", "minishogi"}
    for one in problems:
        position = problem(one["sfen"], one["game"])
        mate = shogi_mate.search(position, 50_000)
        assert mate.length == one["plies"], one["sfen"]
        assert mate.shortest == (one["plies"] > 0)
        assert mate.verdict == ("win" if one["plies"] else "none")
        assert len(mate.line) == mate.length
        if mate.length:
            assert replay(position, mate.line).in_check


def test_trying_everything_finds_the_same_lengths() -> None:
    """Those of 7 plies were confirmed so when they were mined (tools/mine_tsume.py)."""
    for one in mined(most=5):
        position = problem(one["sfen"], one["game"])
        assert (tsume.length(position, min(one["checked"], 5)) or 0) == one["plies"], one["sfen"]


def test_useless_interpositions_do_not_count() -> None:
    position = problem(USELESS)
    mate = shogi_mate.search(position, 1000)
    assert (mate.verdict, mate.length, mate.shortest) == ("win", 1, True)
    assert tsume.length(position, 1) == 1
    assert [position.move_text(move) for move in mate.line] == ["4i4a"]
    assert not position.play("4i4a").is_over  # drops are left, none of them of use


def test_quick_mates_are_those_of_the_search() -> None:
    position = problem("7lk/7l1/8P/8L/9/9/9/9/9 b - 1")
    assert position.move_text(shogi_mate.quick(position, 1)) == "1c1b"
    for game in MODULES:
        start: Any = tempo.load(game).start()
        assert shogi_mate.quick(start, 3) == -1


def test_budgets_are_kept() -> None:
    position = problem("8k/9/7l1/5LRS1/9/9/9/9/9 b P 1")
    for budget in (0, 1, 20):
        mate = shogi_mate.search(position, budget)
        assert (mate.verdict, mate.line, mate.length) == ("unknown", [], 0)
        assert mate.positions <= budget
    assert shogi_mate.search(position, 10**12, 1e-9).verdict == "unknown"
    found = shogi_mate.search(position, 10**6, 60.0)
    assert (found.verdict, found.length, found.shortest) == ("win", 9, True)


def test_what_makes_no_sense_is_refused() -> None:
    start: Any = tempo.load("shogi").start()
    with pytest.raises(ParseError, match="fewer than 0"):
        shogi_mate.search(start, -1)
    with pytest.raises(ParseError, match="0 to 1e9 seconds"):
        shogi_mate.search(start, 1, float("nan"))
    with pytest.raises(ParseError, match="1 or 3"):
        shogi_mate.quick(start, 5)
    with pytest.raises(ParseError, match="no king"):
        shogi_mate.search(problem("9/9/9/9/4K4/9/9/9/9 b - 1"), 1)
