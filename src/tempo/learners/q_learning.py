"""Q-learning (Watkins 1989): every move towards the best move that followed."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import of_moves, rewards


@declare("q_learning", "moves every move towards the best move that followed", learns="Q")
def samples(played: Experience, settings: Settings) -> Samples:
    """Input (s_t, a_t), target r_t + γ max_b Q(s+, b)."""
    reward = rewards(played, settings.successor)
    targets = td.q_learning(
        reward, played.best, played.turn, played.last, settings.discount, settings.successor
    )
    return of_moves(played, settings, targets)
