"""TD-Leaf(λ) (Baxter, Tridgell, Weaver 1998): the leaf of every search towards what followed."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import episodes, returns, towards


@declare(
    "td_leaf", "moves the leaf of every search towards the values that followed",
    leaves=True, depth=2, games=8, exploration="0.1", results=0.3,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input l(s_t), target the λ-return of the leaves' values; ends are exact and left out."""
    found = played.sign * played.best
    targets = td.td_leaf(found, **episodes(played, found), **returns(played, settings))
    kept = played.evaluated & ~played.explored
    sign = played.sign * played.leaf_sign
    return towards(played, settings, played.leaves, targets, sign, kept)
