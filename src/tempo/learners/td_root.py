"""TD-Root (Veness et al. 2009): every position towards the search of the one that followed."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import episodes, learnable, returns, towards


@declare(
    "td_root", "moves every position towards the search of the next one",
    any_sides=True, depth=2, games=8, trace=0.0, exploration="0.1", results=0.3,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input s_t, target the searched value of s_{t+1}."""
    found = played.sign * played.best
    targets = td.td_root(found, **episodes(played, found), **returns(played, settings))
    kept = ~played.explored & learnable(played, settings)
    return towards(played, settings, played.inputs, targets, played.sign, kept)
