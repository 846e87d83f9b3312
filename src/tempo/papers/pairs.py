"""What the papers' matches say that were played in pairs of games with colours exchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tempo.arena.statistics import Pairs, pair_interval
from tempo.papers.judging import Mean

Matches = Sequence[Mapping[str, Any]]


def games_of(*groups: Matches) -> int:
    """How many games matches had."""
    return sum(2 * sum(match["pairs"]) for group in groups for match in group)


def pooled(matches: Matches) -> Mean:
    """The score of all games together, with the pair as the unit."""
    pairs = Pairs(*np.sum([match["pairs"] for match in matches], axis=0).tolist())
    return Mean(pairs.mean, *pair_interval(pairs))
