"""Exploration: how often a random move is played, and which.

ε is always the probability of a *random* move. A schedule gives it for the index i of an iteration.
Metropolis proposes a random move every time and accepts it by how much worse than the best it is.
Boltzmann draws every move by its value.
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
    """Gives ε at an index, by a schedule's name or a constant such as `0.1`.

    >>> schedule("linear", 10), schedule("0.1", 10)
    (0.8, 0.1)
    """
    if name in SCHEDULES:
        return SCHEDULES[name](index)
    try:
        constant = float(name)
    except ValueError:
        constant = -1.0
    if not 0 <= constant <= 1:
        raise ParseError(
            f"there is no exploration '{name}'; there are {', '.join(SCHEDULES)} and numbers from "
            "0 to 1"
        )
    return constant


def epsilon_greedy(
    values: NDArray[np.floating],
    legal: NDArray[np.bool_],
    epsilon: float,
    draws: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Chooses [B] a move in each game: with probability ε any legal one, else one of the best.

    `values` and `legal` are [B, A]; every game has a legal move. `draws` [2, B], uniform in [0, 1),
    decide whether to explore and which of the moves in question is made: ties are broken at random.

    Two games, of which the second explores and draws the last of its legal moves:

    >>> values, legal = np.array([[0.1, 0.9, 0.3]] * 2), np.array([[True, True, True]] * 2)
    >>> epsilon_greedy(values, legal, 0.1, np.array([[0.5, 0.05], [0.0, 0.99]]))
    array([1, 2])
    """
    best = values == best_values(values, legal)[:, None]
    return _pick(legal & (best | (draws[0] < epsilon)[:, None]), draws[1])


def greedy(
    values: NDArray[np.floating], legal: NDArray[np.bool_], draws: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Chooses [B] one of the best moves in each game; `draws` [B] break ties.

    >>> greedy(np.array([[0.1, 0.9, 0.9]]), np.array([[True, True, True]]), np.array([0.99]))
    array([2])
    """
    return _pick(legal & (values == best_values(values, legal)[:, None]), draws)


def metropolis(
    values: NDArray[np.floating],
    legal: NDArray[np.bool_],
    temperature: float,
    draws: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Chooses [B] a random move a_q with probability exp((Q(a_q) - Q(a_p)) / T), else the best a_p.

    `values` and `legal` are [B, A]; `draws` [3, B] decide whether, and which a_q and a_p. The
    Siguo paper's Algorithm 3 with its brackets put back (Guo, Liu, Malec 2004). T = 0 is greedy.
    """
    proposed, best = _pick(legal, draws[1]), greedy(values, legal, draws[2])
    if temperature <= 0:
        return best
    rows = np.arange(len(values))
    worse = values[rows, proposed].astype(np.float64) - values[rows, best]
    return np.where(draws[0] <= np.exp(worse / temperature), proposed, best)


def boltzmann(
    values: NDArray[np.floating],
    legal: NDArray[np.bool_],
    temperature: float,
    draws: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Chooses [B] a move a with probability proportional to exp(Q(a) / T); T = 0 is greedy.

    `values` and `legal` are [B, A]; every game has a legal move. `draws` [B], uniform in [0, 1).

    The third move is e² times as likely as the first, which a draw below 1 / (1 + e²) picks:

    >>> values, legal = np.array([[0.1, 0.9, 0.3]] * 2), np.array([[True, False, True]] * 2)
    >>> boltzmann(values, legal, 0.1, np.array([0.11, 0.12]))
    array([0, 2])
    """
    if temperature <= 0:
        return greedy(values, legal, draws)
    # The best has weight 1, so that nothing overflows. Each game is summed on its own: what others
    # there are changes nothing.
    better = values.astype(np.float64) - best_values(values, legal)[:, None]
    weights = np.exp(np.where(legal, better, -np.inf) / temperature)
    sums = np.cumsum(weights, axis=1)
    # A draw just below 1 may round up to the whole sum.
    drawn = np.minimum(draws * sums[:, -1], np.nextafter(sums[:, -1], 0))
    found: NDArray[np.intp] = np.count_nonzero(sums <= drawn[:, None], axis=1)
    return found


def cooled(first: float, games: int, rate: float = 0.99, lowest: float = 1e-3) -> float:
    """Gives the temperature after `games` games: times `rate` after each, at least `lowest`.

    >>> cooled(1.0, games=2, rate=0.5)
    0.25
    """
    return max(lowest, first * rate**games)


def _pick(choices: NDArray[np.bool_], draws: NDArray[np.float64]) -> NDArray[np.intp]:
    """[B] one of the chosen moves of each game, of which it has at least one."""
    counts = np.count_nonzero(choices, axis=1)
    # A draw just below 1 may round up to the count.
    picked = np.minimum((draws * counts).astype(np.intp), counts - 1)
    before = np.cumsum(counts) - counts
    moves: NDArray[np.intp] = np.flatnonzero(choices)[before + picked] % choices.shape[1]
    return moves


def best_values(values: NDArray[np.floating], legal: NDArray[np.bool_]) -> NDArray[np.floating]:
    """Gives [B] the value of the best legal move in each game, of `values` and `legal` [B, A]."""
    best: NDArray[np.floating] = np.where(legal, values, -np.inf).max(axis=1)
    return best
