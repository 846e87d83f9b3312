"""Evaluators that ask Python about whole positions: searches find the same as with the core's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tempo
from tempo import _core, games, testing
from tempo.errors import ParseError

STATIC = [name for name in games.names() if hasattr(games.load(name).core.Evaluator, "static")]


@pytest.mark.parametrize("name", STATIC)
def test_a_search_finds_the_same(name: str) -> None:
    game = games.load(name)
    core, asked = game.core, []
    static = core.Evaluator.static()

    def values(positions: list[Any]) -> list[Any]:
        asked.extend(positions)
        return [np.roll(static(position), -position.turn) for position in positions]

    settings = _core.AlphaBetaSettings(depth=2)
    start = game.start(seed=1) if game.is_dealt else game.start()
    own = core.AlphaBeta(static, settings).search(start)
    found = core.AlphaBeta(core.Evaluator.positions(values), settings).search(start)
    assert found.move == own.move
    assert found.scores == pytest.approx(own.scores, abs=1e-6)
    assert asked
    assert all(type(one) is type(start) for one in asked)


def test_one_value_is_that_of_the_seat_to_move() -> None:
    game = tempo.load("siguo")
    evaluator = game.core.Evaluator.positions(lambda positions: [0.5] * len(positions))
    position = game.start(seed=1).play(next(iter(game.start(seed=1).legal_moves)))
    seen = evaluator(position)
    assert [round(x, 6) for x in seen] == [
        0.5 if game.teams[seat] == game.teams[position.turn] else -0.5 for seat in range(4)
    ]


def test_faults_of_the_function_are_told() -> None:
    core = tempo.load("othello").core
    start = tempo.load("othello").start()
    with pytest.raises(ParseError, match=r"must have shape \[1\] or \[1, 2\]"):
        core.Evaluator.positions(lambda positions: [1.0, 2.0, 3.0])(start)
    with pytest.raises(ZeroDivisionError):
        core.Evaluator.positions(lambda positions: 1 / 0)(start)


@pytest.mark.parametrize("name", ["gomoku", "shogi"])
def test_the_evaluation_of_a_strong_search_values_single_positions(name: str) -> None:
    game = games.load(name)
    evaluator = game.search.Evaluator.static()
    for position in testing.sample_positions(game, seed=3, count=20):
        values = evaluator(position)
        assert sum(values) == pytest.approx(0)
        if position.outcome is not None:
            assert values == position.outcome.scores
