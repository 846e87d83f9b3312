"""TreeStrap(αβ) (Veness et al. 2009): every position of a search into the bounds it proved."""

from __future__ import annotations

from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare, samples_of
from tempo.learners.settings import Settings
from tempo.learners.targets import faded


@declare(
    "tree_strap", "moves every position of a search into the bounds that it proved",
    depth=2, games=8, record=30, results=0.5, passes=1, exploration="0.1",
)  # fmt: skip
def samples(played: Experience, settings: Settings) -> Samples:
    """Inputs are the nodes of all searches, which are moved only where they lie out of bounds.

    Bounds alone have a fixed point that knows nothing, from which only forced wins escape: a share
    `results` of the roots is moved towards the results of their games.
    """
    assert played.nodes is not None  # `record` sees to it
    proved = Samples(played.nodes.inputs, played.nodes.low, played.nodes.high)
    if settings.results == 0:
        return proved
    each = round(1 / settings.results)
    results = faded(played, settings, played.result)
    return Samples.joined([proved, samples_of(played.inputs[::each], results[::each])])
