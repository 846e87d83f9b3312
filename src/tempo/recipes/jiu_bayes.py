"""Learning the Bayesian network of shapes from games, and judging it.

Letters as in `tempo.nets.bayes`; B games, T placements of each, P points of a board; k the class
of the best block that shares a point with a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tempo._core import jiu_players
from tempo._core.jiu import Options
from tempo.agents.jiu.placing import BayesPlacer, ExpertPlacer, Layouts, side
from tempo.nets.bayes import BlockNetwork, reachable

Points = NDArray[np.int32]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

PARENTS = ("s", "g", "z", "l", "k")  # what s' may depend on, by the axes of a count


def count(
    placements: Points,
    options: Options,
    counted: NDArray[np.bool_] | None = None,
    neighbours: bool = False,
) -> Counts:
    """Changes of blocks [s, g, z, l, k, s'] in games [B, T]; without `neighbours`, k is only 0.

    counted [B, 2] leaves out the placements of White or of Black where it is false.
    """
    if counted is None:
        counted = np.ones((len(placements), 2), np.bool_)
    by_order = counted if _first(options) == 0 else counted[:, ::-1]
    return jiu_players.count_blocks(
        np.ascontiguousarray(placements, np.int32),
        side(options),
        np.ascontiguousarray(by_order, np.uint8),
        neighbours,
    )


def learn(
    placements: Points, options: Options, counted: NDArray[np.bool_] | None = None
) -> BlockNetwork:
    """The network of these games."""
    return BlockNetwork(count(placements, options, counted)[:, :, :, :, 0])


def _first(options: Options) -> int:
    """The seat that places first."""
    return Layouts.start(options, np.zeros(1, np.uint64)).seat


# ---- judging -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """How well games are foretold, by placement: mean log-likelihoods, and a share."""

    network: float
    rings: float  # a model that knows only how often each ring is placed in
    uniform: float  # any empty point
    agreement: float  # the network's best point is one of the expert's best


def judge(network: BlockNetwork, learnt: Points, held_out: Points, options: Options) -> Judged:
    """The network on games that it has not seen; the rings are counted in those it has."""
    placer, expert = BayesPlacer(network), ExpertPlacer(weights="score")
    rings = _ring_odds(learnt, options)
    rows = np.arange(len(held_out))
    found: list[tuple[float, float, float, float]] = []
    for games, points in _positions(held_out, options):
        allowed = games.allowed()
        scores = placer.scores(games, allowed)
        ringed = np.where(allowed != 0, rings, -np.inf)
        best = jiu_players.pick(scores, 0.0, games.seeds, games.placed)
        liked = expert.scores(games, allowed)
        found.append(
            (
                _log_likelihood(scores, points),
                _log_likelihood(ringed, points),
                _log_likelihood(np.where(allowed != 0, 0.0, -np.inf), points),
                float(np.mean(liked[rows, best] >= liked.max(axis=1))),
            )
        )
    return Judged(*(float(np.mean(column)) for column in zip(*found, strict=True)))


def _positions(placements: Points, options: Options) -> list[tuple[Layouts, Points]]:
    """Every position of games side by side with what is placed next, the forced stones left out."""
    games = Layouts.start(options, np.arange(len(placements), dtype=np.uint64))
    found = []
    for points in placements.T:
        if games.placed >= 2:
            found.append((games, points))
        games = games.place(points)
    return found


def _log_likelihood(scores: Floats, points: Points) -> float:
    """The mean log-probability of points under the softmax of scores."""
    top = scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0]
    return float(np.mean(scores[np.arange(len(points)), points] - total))


def _ring_odds(placements: Points, options: Options) -> Floats:
    """[P] the log of how often an empty point of each point's ring is the one placed on."""
    size = side(options)
    rows, columns = np.divmod(np.arange(size * size), size)
    off = np.maximum(np.abs(2 * rows - size + 1), np.abs(2 * columns - size + 1)) // 2
    ring = np.minimum(off, 3)  # central 2x2, 4x4, 6x6, outside
    offered, taken = np.zeros(4), np.ones(4)
    for games, points in _positions(placements, options):
        empty = games.boards == 0
        offered += [empty[:, ring == z].sum() for z in range(4)]
        taken += np.bincount(ring[points], minlength=4)
    odds: Floats = np.log(taken / np.maximum(offered, 1))[ring]
    return odds


def transition_log_likelihoods(network: BlockNetwork, counts: Counts) -> tuple[float, float, float]:
    """Of held-out changes [s, g, z, l, s'], by block: the network, P(s'|z), any reachable class."""
    total = counts.sum()
    by_ring = network.counts.sum((0, 1, 3)) + 1.0
    by_ring /= by_ring.sum(1, keepdims=True)
    held = counts.sum((0, 1, 3))
    possible = reachable().sum(1)
    seen = counts > 0
    return (
        float(np.sum(counts[seen] * np.log(network.tables[seen])) / total),
        float(np.sum(held * np.log(by_ring)) / total),
        float(-np.sum(counts.sum((1, 2, 3, 4)) * np.log(possible)) / total),
    )


# ---- structure -----------------------------------------------------------------------------------


def bic(counts: Counts, parents: Sequence[str], only_possible: bool = False) -> float:
    """The Bayesian information criterion of s' given these parents: higher is better.

    log-likelihood - log(n)/2 * free parameters, of n changes counted as [s, g, z, l, k, s']. A row
    of the table has 20 free parameters; with `only_possible` a row that knows s has as many as s
    can change into, since the rules forbid the rest.
    """
    others = tuple(axis for axis, name in enumerate(PARENTS) if name not in parents)
    table = counts.sum(others).reshape(-1, counts.shape[-1])
    rows = table.sum(1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(table > 0, table * np.log(table / rows), 0.0)
    parameters = len(table) * (counts.shape[-1] - 1)
    if only_possible and "s" in parents:
        parameters = int((reachable().sum(1) - 1).sum()) * len(table) // len(counts)
    return float(terms.sum() - np.log(counts.sum()) / 2 * parameters)


def structures(counts: Counts, only_possible: bool = False) -> list[tuple[float, tuple[str, ...]]]:
    """Every set of parents with its BIC, the best first."""
    sets = [parents for n in range(len(PARENTS) + 1) for parents in combinations(PARENTS, n)]
    return sorted(
        ((bic(counts, parents, only_possible), parents) for parents in sets), reverse=True
    )
