"""Adaptive dynamic programming (the Gomoku paper): a critic of positions after one's own moves.

The critic J is moved towards r + γ J of the position after the same seat's next move, several times
for every game.
"""

from __future__ import annotations

from tempo.learners import sarsa
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings


@declare(
    "adp", "a critic of moves, taught by that of the seat's next move", learns="Q",
    passes=4, trace=0.0, results=0.3,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input (s_t, a_t), target r_t + γ J(s+, a+), whichever was made."""
    return sarsa.samples(played, settings)
