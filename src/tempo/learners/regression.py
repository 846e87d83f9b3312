"""Regression: every position towards the result of its game, or its searched value, or both."""

from __future__ import annotations

from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare, samples_of
from tempo.learners.settings import Settings
from tempo.learners.targets import faded, learnable, with_asides


@declare(
    "regression", "moves every position towards the result of its game", any_sides=True,
    results=0.5,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input s_t, target a mixture of its search and of the game's result, the share `results`."""
    share, kept = settings.results, learnable(played, settings)
    targets = (1 - share) * played.best + share * faded(played, settings, played.result)
    return with_asides(samples_of(played.inputs[kept], targets[kept]), played)
