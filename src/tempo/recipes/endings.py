"""Games as learners see them."""

from __future__ import annotations

import numpy as np

from tempo._core import endings
from tempo.learners.search_td import GameGraph


def ending_graph(name: str, threads: int = 1) -> GameGraph:
    """A chess ending with everything it can become; games start anywhere in the ending itself."""
    family = endings.Family(name)
    offsets, successors = family.graph(threads)
    ends = family.ends(threads)
    planes, numbers = family.features(threads)
    _, first, after = family.members[0]
    starts = np.arange(first, after, dtype=np.int32)
    return GameGraph(
        offsets=offsets,
        next=successors,
        turn=family.turns(),
        end=ends,
        starts=starts[ends[starts] == 0],
        planes=planes,
        numbers=numbers,
    )
