"""Deep Q-learning (Mnih et al. 2015): Q-learning from a memory of moves, with a target network.

Moves are chosen by the network that learns. A move that is remembered keeps where its seat moved
next; when it is drawn, the target network says what the best move there is worth.
"""

from __future__ import annotations

import numpy as np

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.memory import Transitions
from tempo.learners.registry import declare
from tempo.learners.settings import Settings
from tempo.learners.targets import faded, rewards


@declare(
    "dqn", "Q-learning from a memory of earlier moves, with a target network", learns="Q",
    recalls=True, passes=1, replay=20_000, refresh=5,
)  # fmt: skip
def transitions(played: Experience, settings: Settings) -> Transitions:
    """Input (s_t, a_t), target r_t + γ max_b Q(s+, b) by the target network of the moment."""
    assert played.positions is not None  # `recalls` sees to it
    following, sign = td.successors(played.turn, played.last, settings.successor)
    share, got = settings.results, faded(played, settings, played.result)
    own = 1 - share
    gain = own * rewards(played, settings.successor) + share * got
    factor = np.where(following < 0, 0.0, own * settings.discount * sign)
    # The position after a move is valued, unless the move ended the game, which is exact.
    kept = np.flatnonzero(~played.last)
    there = played.positions[following[kept]]
    there[following[kept] < 0] = None
    return Transitions(
        played.inputs[kept + 1],
        played.sign[kept] * played.sign[kept + 1],
        gain[kept].astype(np.float32),
        factor[kept].astype(np.float32),
        there,
    )
