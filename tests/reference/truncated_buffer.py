"""TTD(λ, m) on line, a move at a time, as Cichosz (1995) gives it."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from tempo.td import Truncation


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
