"""TD(λ) (Sutton 1988): every position towards the values of those that followed."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import episodes, returns, towards


@declare(
    "td", "moves every position towards the values of those that followed", any_sides=True,
    results=0.3,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input s_t, target its λ-return."""
    own = played.sign * played.value
    found = td.td(own, **episodes(played, own), **returns(played, settings))
    return towards(played, settings, played.inputs, found, played.sign, ~played.explored)
