"""Matches of the Jiu paper: two placers fill the central points, everything else is alike.

Only the 34 free placements on the central 6x6 points differ between the two sides. The other 160
points are filled by the expert for both, and one battle engine fights for both.

Two placers that never hesitate would play one game over and over. So the games of a match come to
differ in three ways, each alike for both sides and drawn from the seed of the pair: of the first
eight free placements every tenth goes to a random central point (`Wavering`); equals are chosen
among at random by the expert and by the Bayesian network; and so are equals in the battle. The two
games of a pair have the same seed, with the seats swapped: where one side wavers in the first game,
the other does in the second.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo._core import jiu_players
from tempo._core.jiu_preparation import Preparation
from tempo.agents.jiu_library import LibraryPlacer
from tempo.agents.jiu_placing import (
    AREA,
    Boards,
    Layouts,
    Placer,
    Points,
    RandomPlacer,
    Seeds,
    both_ways,
    central,
    lay_out,
    pair_seeds,
)
from tempo.arena.statistics import Pairs
from tempo.ledger import Ledger

if TYPE_CHECKING:
    from tempo._core.jiu import Options

FORCED = 2  # stones before anybody chooses
WAVERS = 0.1  # share of random placements
WAVERS_UNTIL = FORCED + 8
_OTHER_STREAM = np.uint64(0x9E3779B97F4A7C15)  # so that wavering does not move with ties

Row = dict[str, Any]


@dataclass(frozen=True)
class Wavering:
    """A placer whose first stones are now and then placed at random: `share` of them.

    The first two stones are nobody's choice: White's goes to the upper end of the marked diagonal,
    as in the games that libraries are learnt from, Black's to the other.
    """

    placer: Placer
    share: float = WAVERS

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        if games.placed < FORCED:
            upper: Points = np.argmax(allowed, axis=1).astype(np.int32)
            return upper
        points = self.placer.place(games, allowed)
        if games.placed >= WAVERS_UNTIL:
            return points
        others = replace(games, seeds=games.seeds ^ _OTHER_STREAM)
        wavers = uniform(others.seeds, games.placed) < self.share
        points[wavers] = RandomPlacer().place(others, allowed)[wavers]
        return points


def uniform(seeds: Seeds, number: int) -> NDArray[np.float64]:
    """[B] one number in [0, 1) for each seed and `number` (SplitMix64)."""
    with np.errstate(over="ignore"):
        x = seeds + np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    found: NDArray[np.float64] = (x >> np.uint64(11)) / 2.0**53
    return found


@dataclass(frozen=True)
class RewardPlacer:
    """The central point that earns most at once by the paper's reward, without any learning."""

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        points = Preparation(1).points
        moves = np.zeros(games.size**2, np.int64)
        moves[points] = np.arange(len(points))
        tried = Preparation(len(games.boards) * len(points))  # every move of every game
        for placed in games.placements.T:
            tried.play(np.repeat(moves[placed], len(points)))
        legal = tried.legal_mask()
        own = np.tile(np.arange(len(points)), len(games.boards))
        possible = legal[np.arange(len(own)), own]
        earned = tried.play(np.where(possible, own, np.argmax(legal, axis=1)))
        scores = np.full(games.boards.shape, -np.inf)
        scores[:, points] = np.where(possible, earned, -np.inf).reshape(-1, len(points))
        scores[allowed == 0] = -np.inf
        return jiu_players.pick(scores, 0.0, games.seeds, games.placed)


def match(
    options: Options,
    placer: Placer,
    opponent: Placer,
    pairs: int,
    seed: int,
    wavers: float = WAVERS,
) -> tuple[Row, Ledger]:
    """What the first placer scored in so many pairs of games, and what playing them cost."""
    ledger = Ledger()
    with ledger.timing():
        seeds = pair_seeds(pairs, seed)
        sides = (Wavering(placer, wavers), Wavering(opponent, wavers))
        layouts = lay_out(options, sides, both_ways(pairs), seeds)
        battles = jiu_players.battles(options, layouts.boards)
        scores, turns, ends, _ = jiu_players.play_battles(battles, seeds, ("paper", "paper"))
    ledger.games = 2 * pairs
    ledger.moves = layouts.placements.size + int(turns.sum())
    own = (1 + np.stack([scores[0::2, 0], scores[1::2, 1]], axis=1).astype(np.float64)) / 2
    row: Row = {
        "pairs": list(Pairs.of(own.sum(axis=1).tolist())),
        "score": round(float(own.mean()), 5),
        "as_white": round(float(own[:, 0].mean()), 5),
        "as_black": round(float(own[:, 1].mean()), 5),
        "draws": int(np.count_nonzero(own == 0.5)),
        "ends": dict(sorted(Counter(ends).items())),
        "turns": round(float(turns.mean()), 1),
        "distinct_centres": distinct(layouts.boards[:, central(layouts.size, AREA)]),
        "distinct_layouts": distinct(layouts.boards),
    }
    if isinstance(placer, LibraryPlacer) and placer.asked:
        row["known"] = round(placer.known / (2 * pairs), 3)
    return row, ledger


def distinct(boards: Boards) -> int:
    """How many boards there are without those that came before."""
    return len(np.unique(boards, axis=0))
