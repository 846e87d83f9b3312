"""TD-Stem(λ) (the endgame paper): every position towards the searched values that followed."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import episodes, returns, towards


@declare(
    "td_stem", "moves every position towards the searched values that followed",
    any_sides=True, depth=2, games=8, exploration="0.1",
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input s_t, target the λ-return of searched values, its own search included."""
    own, found = played.sign * played.value, played.sign * played.best
    targets = td.td_stem(own, found, **episodes(played, found), **returns(played, settings))
    return towards(played, settings, played.inputs, targets, played.sign, ~played.explored)
