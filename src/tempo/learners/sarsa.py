"""Sarsa (Rummery and Niranjan 1994): every move towards the value of the seat's next move."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import of_moves, rewards


@declare("sarsa", "moves every move towards the next move that was made", learns="Q")
def samples(played: Experience, settings: Settings) -> Samples:
    """Input (s_t, a_t), target r_t + γ Q(s+, a+)."""
    reward = rewards(played, settings.successor)
    targets = td.sarsa(
        reward, played.taken, played.turn, played.last, settings.discount, settings.successor
    )
    return of_moves(played, settings, targets)
