"""A clock: time for the game, time added after each move, time for each move after that.

Only persons are timed. Agents have budgets of their own, and a busy machine is not their fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

SKIPS = 5  # in games of four the so-manieth timeout takes a seat out; before, a turn is skipped
DEPLOYING = 300.0  # seconds to deploy at a table with a clock


@dataclass(frozen=True)
class ClockRule:
    """Seconds for the game, added after a move, and for each move when the first are used up."""

    base: float = 0.0
    increment: float = 0.0
    per_move: float = 0.0

    def granted(self, left: float) -> float:
        """How long the next move may take with so much left."""
        return left + self.per_move

    def after(self, left: float, used: float) -> float:
        """What is left of the game's time after a move that took so long."""
        return max(0.0, left - used) + self.increment


def steady(
    wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic
) -> Callable[[], float]:
    """Seconds since 1970 that pass evenly, even when the machine's clock is set meanwhile.

    The wall clock is read once. All that follows is counted from there, so no game ends because
    the machine learnt the time of day.
    """
    offset = wall() - monotonic()
    return lambda: offset + monotonic()
