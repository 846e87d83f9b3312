"""Regression: every position towards the result of its game, or its searched value, or both."""

from __future__ import annotations

import numpy as np

from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import towards


@declare("regression", "moves every position towards the result of its game", results=1.0)
def samples(played: Experience, settings: Settings) -> Samples:
    """Input s_t, target a mixture of its search and of the game's result, the share `results`."""
    every = np.ones(len(played), bool)
    found = played.sign * played.best
    return towards(played, settings, played.inputs, found, played.sign, every)
