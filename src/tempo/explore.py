"""Exploration: how often a random move is played, and which.

ε is always the probability of a *random* move. A schedule gives it for the index i of an iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError

# Those of the endgame paper: experiment 1 `i^(-3/4)`, experiment 2 `1 - 0.02 i` held above 0.
SCHEDULES: dict[str, Callable[[int], float]] = {
    "power": lambda i: 1.0 if i <= 0 else i**-0.75,
    "linear": lambda i: max(0.0, 1 - 0.02 * i),
    # That of the shogi paper's Table 7, by game: 0.8, 0.525, 0.357, ... towards 0.1.
    "exponential": lambda i: 0.1 + 0.7 * exp(-0.5 * (i - 1)),
    "none": lambda i: 0.0,
}


def schedule(name: str, index: int) -> float:
    """ε at an index: a schedule's name, or a constant such as `0.1`."""
    if name in SCHEDULES:
        return SCHEDULES[name](index)
    try:
        constant = float(name)
    except ValueError:
        constant = -1.0
    if not 0 <= constant <= 1:
        raise ParseError(
            f"there is no exploration '{name}'; there are {', '.join(SCHEDULES)} and constants"
        )
    return constant


def epsilon_greedy(
    values: NDArray[np.floating],
    legal: NDArray[np.bool_],
    epsilon: float,
    draws: NDArray[np.float64],
) -> NDArray[np.intp]:
    """[B] a move in each game: with probability ε any legal one, else one of the best.

    `values` and `legal` are [B, A]; every game has a legal move. `draws` [2, B], uniform in [0, 1),
    decide whether to explore and which of the moves in question is made: ties are broken at random.
    """
    choices = legal & (
        (values == best_values(values, legal)[:, None]) | (draws[0] < epsilon)[:, None]
    )
    counts = np.count_nonzero(choices, axis=1)
    # A draw just below 1 may round up to the count.
    picked = np.minimum((draws[1] * counts).astype(np.intp), counts - 1)
    before = np.cumsum(counts) - counts
    moves: NDArray[np.intp] = np.flatnonzero(choices)[before + picked] % values.shape[1]
    return moves


def best_values(values: NDArray[np.floating], legal: NDArray[np.bool_]) -> NDArray[np.floating]:
    """[B] the value of the best legal move in each game, of `values` and `legal` [B, A]."""
    best: NDArray[np.floating] = np.where(legal, values, -np.inf).max(axis=1)
    return best
