"""Searches made short, for the tests of searches and evaluators."""

from __future__ import annotations

from typing import Any

import tempo
from tempo import _core

CORE: Any = _core
CHESS: Any = tempo.load("chess")
SMALL: Any = tempo.load("gomoku(size=7)")


def alpha_beta(game: Any, evaluator: Any = None, **settings: Any) -> Any:
    chosen = evaluator or game.core.Evaluator.static()
    return game.core.AlphaBeta(chosen, CORE.AlphaBetaSettings(**settings))


def monte_carlo(game: Any, evaluator: Any = None, reuse: bool = True, **settings: Any) -> Any:
    chosen = evaluator or game.core.Evaluator.none()
    return game.core.MonteCarlo(chosen, CORE.MonteCarloSettings(**settings), reuse)


def opened(game: Any, moves: str) -> Any:
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    return position


def story(result: Any) -> list[Any]:
    """All of a result but the time it took."""
    root = [(move.move, move.visits, move.scores) for move in result.root]
    return [result.move, result.scores, result.line, root, result.depth, result.positions]
