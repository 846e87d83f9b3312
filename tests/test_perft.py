"""Perft of every game against the numbers in tests/data/perft, one copy for C++ and Python."""

from __future__ import annotations

from typing import Any

import game_data
import pytest
from game_data import PerftLine, perft_lines

from tempo.games import Game

# Larger counts are left to the C++ tests and to `tempo perft`.
MOST = 120_000_000


def check(game: Game, position: Any, depth: int, expected: int) -> None:
    found = game.perft(depth, position)
    if found == expected:
        return
    parts = "\n".join(f"{move:>8} {count}" for move, count in game.core.divide(position, depth))
    pytest.fail(
        f"{position!r} depth {depth}: {found} instead of {expected}; by first move:\n{parts}"
    )


CASES = [(name, line) for name in game_data.NAMES for line in perft_lines(name)]


@pytest.mark.parametrize(("name", "line"), CASES, ids=[f"{n}-{x.position}" for n, x in CASES])
def test_perft(name: str, line: PerftLine) -> None:
    game = game_data.load(line.spec)
    position = game.parse(line.position)
    for depth, expected in line.counts:
        if expected <= MOST:
            check(game, position, depth, expected)


@pytest.mark.parametrize("name", game_data.NAMES)
def test_the_start_is_among_them(name: str) -> None:
    starts = {game_data.load(line.spec).start().text for line in perft_lines(name)}
    assert starts & {line.position for line in perft_lines(name)}


def test_a_failure_prints_the_count_of_each_first_move() -> None:
    game = game_data.load("chess")
    with pytest.raises(pytest.fail.Exception) as caught:
        check(game, game.start(), 3, 8901)
    message = str(caught.value)
    assert "8902 instead of 8901" in message
    assert "    e2e4 600" in message


def test_depths_that_make_no_sense_are_refused() -> None:
    game = game_data.load("gomoku(size=5)")
    assert game.perft(0) == 1
    with pytest.raises(ValueError, match="0 or more, not -1"):
        game.perft(-1)
