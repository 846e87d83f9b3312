"""TTD(λ, m) (Cichosz 1995; the Siguo paper): Q-learning with traces of m moves, learnt at the end.

With `adaptive` λ falls with the games played; with a `temperature` moves are explored by
Metropolis.
"""

from __future__ import annotations

import numpy as np

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import truncated


@declare(
    "ttd", "Q-learning with traces of m moves", learns="Q",
    steps=20, temperature=0.1, cooling=1.0,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input (s_t, a_t), target z_t of m rewards."""
    by = td.Truncation(settings.trace, settings.steps or None, settings.discount)
    return truncated(played, settings, by, cut=np.zeros(len(played), bool))
