"""Gomoku's threats and continuous fours against slow definitions, played out and drawn."""

from __future__ import annotations

from functools import cache
from random import Random

import gomoku_problems
import pytest
from gomoku_problems import Problem
from reference.gomoku_fours import Board

from tempo import ParseError
from tempo._core import gomoku, gomoku_threats
from tempo.games.protocol import Position

RULES = ("freestyle", "exactly_five")


def scattered(size: int, rule: str, stones: int, seed: int) -> gomoku.Position | None:
    """Stones close together at random; nothing if somebody has won already."""
    random = Random(f"{size}/{rule}/{stones}/{seed}")
    position = gomoku.start(gomoku.Options({"size": str(size), "rule": rule}))
    middle, spread = (size - 1) / 2, max(size / 4.5, 1.4)
    while not position.is_over and size * size - len(position.legal_moves) < stones:
        x, y = round(random.gauss(middle, spread)), round(random.gauss(middle, spread))
        if 0 <= x < size and 0 <= y < size and y * size + x in position.legal_moves:
            position = position.play(y * size + x)
    return None if position.is_over else position


def many(sizes: tuple[int, ...], stones: tuple[int, int], count: int) -> list[gomoku.Position]:
    random = Random(9)
    found = []
    for seed in range(count):
        size, rule = sizes[seed % len(sizes)], RULES[seed % 2]
        number = min(random.randint(*stones), size * size - 3)
        position = scattered(size, rule, number, seed)
        if position is not None:
            found.append(position)
    return found


def board_of(position: gomoku.Position) -> Board:
    return Board.parse(position.text, "exactly_five" in position.game)


def numbers(points: set[tuple[int, int]], size: int) -> list[int]:
    return sorted(y * size + x for x, y in points)


def size_of(position: Position) -> int:
    return len(position.text.split("/"))


def test_fives_and_fours_are_those_of_the_book() -> None:
    positions = many((5, 6, 7, 8, 9, 17), (6, 30), 70)
    assert len(positions) > 40
    for position in positions:
        board = board_of(position)
        for seat in (0, 1):
            found = gomoku_threats.threats(position, seat)
            assert found["five"] == numbers(board.fives("xo"[seat]), board.size)
            assert found["four"] == numbers(board.fours("xo"[seat]), board.size)


def test_winning_points_and_threes_do_what_they_say() -> None:
    winning = threes = 0
    for position in many((9, 10, 15, 20), (8, 24), 600):
        seat = position.turn
        found = gomoku_threats.threats(position, seat)
        if found["five"] or gomoku_threats.threats(position, 1 - seat)["five"]:
            continue
        for point in found["winning"]:
            assert len(gomoku_threats.threats(position.play(point), seat)["five"]) >= 2
            winning += 1
        for point in found["three"]:
            assert gomoku_threats.threats(position.play(point), seat)["winning"]
            threes += 1
    assert winning > 100
    assert threes > 300


def test_nothing_else_stops_an_open_four() -> None:
    """Where the other seat is about to win, moves that the search leaves out lose to it."""
    checked = 0
    for position in many((7, 9, 11), (8, 20), 200):
        seat = position.turn
        own = gomoku_threats.threats(position, seat)
        enemy = gomoku_threats.threats(position, 1 - seat)
        if own["five"] or enemy["five"] or own["winning"] or not enemy["winning"]:
            continue
        tried = {*enemy["stops"], *enemy["four"], *own["four"]}
        for move in set(position.legal_moves) - tried:
            after = gomoku_threats.threats(position.play(move), 1 - seat)
            assert after["winning"]
            checked += 1
    assert checked > 300


@cache
def searched() -> list[tuple[gomoku.Position, str, list[int]]]:
    """Positions in which fours can be made, with what the search says of them."""
    found = []
    for position in many((6, 7, 8, 9), (10, 30), 1500):
        verdict, line, _ = gomoku_threats.fours(position, 1_000_000)
        if len(gomoku_threats.threats(position, position.turn)["four"]) > 2 and len(line) != 1:
            found.append((position, verdict, line))
    return found


def test_fours_agree_with_trying_everything() -> None:
    wins = [entry for entry in searched() if len(entry[2]) > 3]
    fails = [entry for entry in searched() if entry[1] == "none"]
    assert len(wins) >= 10
    for position, verdict, _ in wins[:8] + fails[:10]:
        expected = board_of(position).wins_by_fours("xo"[position.turn])
        assert verdict == ("win" if expected else "none"), position.text


def won_against_every_defence(position: gomoku.Position, line: list[int]) -> bool:
    """The line, left only to complete a five that the defender failed to stop."""
    seat = position.turn
    after = position.play(line[0])
    if after.is_over:
        return after.outcome is not None and after.outcome.scores[seat] == 1
    for reply in after.legal_moves:
        answered = after.play(reply)
        if answered.is_over:
            return False
        fives = gomoku_threats.threats(answered, seat)["five"]
        if not fives and not (reply == line[1] and won_against_every_defence(answered, line[2:])):
            return False
    return True


def test_no_false_win_on_any_size() -> None:
    wins = 0
    for position in many((5, 8, 9, 11, 15, 19, 20), (10, 60), 1000):
        verdict, line, _ = gomoku_threats.fours(position, 20_000)
        assert (verdict == "win") == bool(line)
        if verdict == "win":
            assert won_against_every_defence(position, line), (position.text, line)
            wins += len(line) > 3
    assert wins > 20


def test_budget_is_exact_and_enough_is_enough() -> None:
    for position, verdict, line in searched():
        _, _, whole = gomoku_threats.fours(position, 1_000_000)
        assert gomoku_threats.fours(position, whole) == (verdict, line, whole)
        for budget in {0, whole // 2, whole - 1} - {-1}:
            cut, _, visited = gomoku_threats.fours(position, budget)
            assert visited <= budget
            if budget < whole:
                assert cut == "unknown"


def test_the_same_board_turned_is_the_same() -> None:
    for position, verdict, _ in searched():
        for symmetry in range(8):
            turned = position.transformed(symmetry)
            assert gomoku_threats.fours(turned, 1_000_000)[0] == verdict


def drawn(rows: str, rule: str = "freestyle") -> gomoku.Position:
    size = len(rows.split("/"))
    return gomoku.parse(rows, gomoku.Options({"size": str(size), "rule": rule}))


def test_an_overline_is_no_four_where_five_must_be_exact() -> None:
    # x has xx.xx.x along the bottom: c1 makes five, f1 makes a row with a gap at c.
    rows = "7/o6/o1o4/o1o4/7/7/xx1xx1x x"
    assert gomoku_threats.threats(drawn(rows), 0)["five"] == [2]
    longer = "7/o6/o1o4/o1o4/7/7/xx1xxx1 x"
    assert gomoku_threats.threats(drawn(longer), 0)["five"] == [2]
    assert gomoku_threats.threats(drawn(longer, "exactly_five"), 0)["five"] == []


@pytest.mark.parametrize("problem", gomoku_problems.read(), ids=lambda problem: problem.name)
def test_problems_are_solved(problem: Problem) -> None:
    position = problem.position()
    verdict, line, _ = gomoku_threats.fours(position, 1_000_000)
    assert verdict == "win"
    assert len(line) >= 5
    assert won_against_every_defence(position, line)


def test_there_are_enough_problems_of_both_rules() -> None:
    specs = [problem.spec for problem in gomoku_problems.read()]
    assert len(specs) >= 50
    assert sum("exactly_five" in spec for spec in specs) >= 10


def test_bad_questions_are_refused() -> None:
    start = gomoku.start(gomoku.Options({}))
    with pytest.raises(ParseError, match="seats 0 and 1"):
        gomoku_threats.threats(start, 2)
    with pytest.raises(ParseError, match="fewer than 0"):
        gomoku_threats.fours(start, -1)
    over = drawn("5/ooo2/o4/5/xxxxx o")
    with pytest.raises(ParseError, match="over"):
        gomoku_threats.fours(over, 10)


def test_continuous_threats_are_found_at_once() -> None:
    problems = gomoku_problems.read_threats()
    assert len(problems) == gomoku_problems.THREATS_WANTED
    for problem in problems[::4]:
        position = problem.position()
        verdict, line, _ = gomoku_threats.continuous_threats(position, gomoku_problems.EXPANDED)
        assert verdict == "win", problem
        assert (len(line) + 1) // 2 == problem.moves
        for move in line[: 2 * problem.moves - 1]:
            position = position.play(move)
        assert position.outcome is not None
        assert position.outcome.scores[problem.position().turn] == 1


def test_threats_hold_against_every_reply() -> None:
    """As all problems did when they were mined: here the quickest of them."""
    short = sorted(
        gomoku_problems.read_threats(), key=lambda problem: (problem.moves, problem.name)
    )
    for problem in short[:3]:
        assert gomoku_threats.fours(problem.position(), 20_000)[0] == "none"
        assert gomoku_problems.Confirmed()(problem.position()), problem


def test_what_is_no_win_by_threats() -> None:
    open_four = gomoku.parse("9/9/9/3xxx3/9/3ooo3/9/9/9 x", gomoku.Options({"size": "9"}))
    assert gomoku_threats.continuous_threats(open_four, 100)[0] == "win"
    alone = gomoku.parse("9/9/9/9/4x4/9/9/9/8o x", gomoku.Options({"size": "9"}))
    assert gomoku_threats.continuous_threats(alone, 100)[0] == "none"
    with pytest.raises(ParseError, match="fewer than 0"):
        gomoku_threats.continuous_threats(alone, -1)
