"""RootStrap (Veness et al. 2009): every position towards the value of its own search."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import learnable, towards


@declare(
    "root_strap", "moves every position towards its own search",
    any_sides=True, depth=2, games=8, results=0.3,
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Input s_t, target V(l(s_t)). Alone it has a fixed point that knows nothing: results help."""
    targets = td.root_strap(played.sign * played.best)
    kept = learnable(played, settings)
    return towards(played, settings, played.inputs, targets, played.sign, kept)
