"""Deep Q-learning (Mnih et al. 2015): Q-learning from a memory of moves, with a target network."""

from __future__ import annotations

from tempo.learners import q_learning
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings


@declare(
    "dqn", "Q-learning from a memory of earlier moves, with a target network", learns="Q",
    replay=20_000, refresh=5,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input (s_t, a_t), target r_t + γ max_b Q(s+, b) by the target network, which chose it."""
    return q_learning.samples(played, settings)
