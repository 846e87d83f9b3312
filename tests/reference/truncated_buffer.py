"""TTD(λ, m) in two other forms: on line, as Cichosz (1995) gives it, and as a sum of errors."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tempo.td import Flags, Truncation, Values


class Step(NamedTuple):
    """A move on its way through a buffer: what was done, what it earned, and what followed."""

    entry: int
    reward: float
    utility: float  # max_b Q of the position after it, as first seen; 0 after the last


class TruncatedBuffer:
    """Cichosz's on-line procedure: every move gets its target m - 1 moves later, or at the end."""

    def __init__(self, by: Truncation) -> None:
        self._by = by
        self._waiting: deque[Step] = deque()  # oldest first

    def add(self, step: Step, *, done: bool = False) -> list[tuple[int, float]]:
        """Takes the newest move; (entry, target) of what is now to be learnt, oldest first."""
        self._waiting.append(step)
        ready = [self._pop()] if len(self._waiting) == self._by.steps else []
        return ready + self.flush() if done else ready

    def flush(self) -> list[tuple[int, float]]:
        """The targets of all that wait: at the end, and before a move that is not the best.

        The newest move's utility is then that of the position where the other move is made.
        """
        return [self._pop() for _ in range(len(self._waiting))]

    def _pop(self) -> tuple[int, float]:
        target = self._waiting[-1].utility
        for step in reversed(self._waiting):
            ahead = self._by.trace * target + (1 - self._by.trace) * step.utility
            target = step.reward + self._by.discount * ahead
        return self._waiting.popleft().entry, target


def truncated_errors(
    reward: Values,
    best: Values,
    taken: Values,
    following: NDArray[np.intp],
    sign: Values,
    cut: Flags,
    by: Truncation,
) -> NDArray[np.float64]:
    """Sums the errors of TTD(λ, m): what multiplies α ∇Q(s_t, a_t) after a game.

    Σ_{j=t}^{t+m-1} (γλ)^{j-t} d_j, d_j = r_j + γ max_b Q(s_{j+1}, b) - Q(s_j, a_j): eq. 7, put
    right. Equal to z_t - Q(s_t, a_t) while every later move within reach is a best one, as with
    cuts.
    """
    ends = following < 0
    own = reward + by.discount * np.where(ends, 0.0, sign * best[following]) - taken
    stops = ends | cut[following]
    total: NDArray[np.float64] = own
    for _ in range(len(reward) if by.steps is None else by.steps - 1):
        longer = own + by.discount * by.trace * np.where(stops, 0.0, sign * total[following])
        if np.array_equal(longer, total):
            break
        total = longer
    return total
