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
from tempo.agents.jiu.library import LibraryPlacer
from tempo.agents.jiu.placing import (
    AREA,
    Boards,
    Layouts,
    Placer,
    Points,
    RandomPlacer,
    Seeds,
    both_ways,
    central,
    ends,
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
    battle: str = "paper",
) -> tuple[Row, Ledger]:
    """What the first placer scored in a number of pairs of games, and what playing them cost."""
    ledger = Ledger()
    with ledger.timing():
        seeds = pair_seeds(pairs, seed)
        sides = (Wavering(placer, wavers), Wavering(opponent, wavers))
        layouts = lay_out(options, sides, both_ways(pairs), seeds)
        battles = jiu_players.battles(options, layouts.boards)
        scores, turns, why, _ = jiu_players.play_battles(battles, seeds, (battle, battle))
    ledger.games = 2 * pairs
    ledger.moves = layouts.placements.size + int(turns.sum())
    own = (1 + np.stack([scores[0::2, 0], scores[1::2, 1]], axis=1).astype(np.float64)) / 2
    row: Row = {
        "pairs": list(Pairs.of(own.sum(axis=1).tolist())),
        "score": round(float(own.mean()), 5),
        "as_white": round(float(own[:, 0].mean()), 5),
        "as_black": round(float(own[:, 1].mean()), 5),
        "draws": int(np.count_nonzero(own == 0.5)),
        "ends": dict(sorted(Counter(why).items())),
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


def centre_spread(
    options: Options, centres: int | Boards, games: int, seed: int, battle: str = "paper"
) -> tuple[Row, Ledger]:
    """How much the central stones matter at all: centres, each played `games` times.

    They are given as boards, or drawn at random, as many as said; the score is that of White.

    A centre gives either side 18 stones, its forced one among them. Half of the games are played
    with the colours swapped and the board turned by half, so that the same side owns the centre.
    If the centre mattered, scores of centres would differ by more than chance does; `limit` is the
    largest standard deviation among centres that chance would hide in one of twenty such trials.
    """
    ledger = Ledger()
    with ledger.timing():
        random = np.random.default_rng(seed)
        if isinstance(centres, int):
            centres = _random_centres(options, centres, random)
        count = len(centres)
        boards = np.repeat(centres, games, axis=0)
        seeds = random.integers(0, 2**63, len(boards), np.uint64)
        turned = np.arange(len(boards)) % 2 == 1
        boards[turned] = np.where(boards[turned] > 0, 3 - boards[turned], 0)[:, ::-1]
        full, _ = jiu_players.expert_fill(options, boards, seeds)
        scores, turns, _, _ = jiu_players.play_battles(
            jiu_players.battles(options, full), seeds, (battle, battle)
        )
    ledger.games = len(boards)
    ledger.moves = full.size + int(turns.sum())
    won = (1 + scores[np.arange(len(boards)), turned.astype(int)].astype(np.float64)) / 2
    found = won.reshape(count, games)
    chance = float(found.var(axis=1, ddof=1).mean()) / games
    spread = float(found.mean(axis=1).var(ddof=1))
    # Wilson and Hilferty's cube: the 5 % point of chi-squared over its degrees of freedom.
    narrow = 2 / (9 * (count - 1))
    least = (1 - narrow - 1.645 * np.sqrt(narrow)) ** 3
    row: Row = {
        "centres": count,
        "games": games,
        "score": round(float(won.mean()), 5),
        "spread": round(spread**0.5, 5),
        "chance": round(chance**0.5, 5),
        "limit": round(float(max(0.0, spread / least - chance)) ** 0.5, 5),
    }
    return row, ledger


def _random_centres(options: Options, count: int, random: np.random.Generator) -> Boards:
    """[count, P] boards with the forced stones and every other central point filled."""
    games = Layouts.start(options, np.zeros(count, np.uint64))
    free = np.flatnonzero(central(games.size, AREA) & ~ends(options))
    first, second = np.flatnonzero(ends(options))
    boards = games.boards
    boards[:, first], boards[:, second] = 1, 2
    for board in boards:
        board[random.permutation(free)] = np.arange(len(free)) % 2 + 1
    return boards
