"""Who places the stones of Jiu, for many games side by side.

Letters: B games, P points of a board, T placements so far. All games of a batch have as many
stones, so that one seat places in all of them. A board is a row of P numbers, point
row * size + column: 0 nothing, 1 White's stone, 2 Black's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo import weights as stored
from tempo._core import jiu_players
from tempo._core.jiu import Options
from tempo.errors import ParseError
from tempo.games.registry import load, parse_spec

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.nets.bayes import BlockNetwork

Boards = NDArray[np.uint8]
Points = NDArray[np.int32]
Seeds = NDArray[np.uint64]
Scores = NDArray[np.float64]

AREA = 6  # side of the central square that opening engines are compared on
PLACING = ("priority", "score", "tuned")  # the expert's weights


@dataclass(frozen=True)
class Layouts:
    """Boards on their way to being full, with what a placer may want to know of them."""

    options: Options
    boards: Boards  # [B, P]
    placements: Points  # [B, T] the points in the order in which they were filled
    seeds: Seeds  # [B] a random stream for each game

    @classmethod
    def start(cls, options: Options, seeds: Seeds) -> Layouts:
        """Empty boards, one for each seed."""
        points = side(options) ** 2
        count = len(seeds)
        return cls(
            options, np.zeros((count, points), np.uint8), np.zeros((count, 0), np.int32), seeds
        )

    @property
    def size(self) -> int:
        """Points on a side."""
        return side(self.options)

    @property
    def placed(self) -> int:
        """Stones on each board."""
        return int(self.placements.shape[1])

    @property
    def seat(self) -> int:
        """Whose turn it is to place."""
        return (_choice(self.options, "first_placer", "white", "black") + self.placed) % 2

    @property
    def last(self) -> Points:
        """[B] the other seat's last stone, -1 before there is one."""
        if self.placed == 0:
            return np.full(len(self.boards), -1, np.int32)
        return np.ascontiguousarray(self.placements[:, -1])

    def some(self, rows: NDArray[np.intp]) -> Layouts:
        """The games of these rows alone."""
        return replace(
            self,
            boards=self.boards[rows],
            placements=self.placements[rows],
            seeds=self.seeds[rows],
        )

    def place(self, points: Points) -> Layouts:
        """After one more stone in every game."""
        boards = self.boards.copy()
        rows = np.arange(len(boards))
        if np.any(boards[rows, points]):
            game = int(np.flatnonzero(boards[rows, points])[0])
            raise ParseError(f"game {game}: point {points[game]} is not empty")
        boards[rows, points] = self.seat + 1
        placements = np.concatenate([self.placements, points[:, None].astype(np.int32)], axis=1)
        return replace(self, boards=boards, placements=placements)

    def allowed(self, area: int = 0) -> Boards:
        """[B, P] ones on empty points: of the central square first, while it has any.

        The first two stones go to the ends of the marked diagonal, whatever the area.
        """
        empty = self.boards == 0
        inside = empty & (ends(self.options) if self.placed < 2 else central(self.size, area))
        chosen: Boards = np.where(inside.any(axis=1, keepdims=True), inside, empty).astype(np.uint8)
        return chosen


def rules(game: Game | str = "jiu") -> Options:
    """The options of a game of Jiu; of no other."""
    options = load(game).options
    if not isinstance(options, Options):
        raise ParseError(f"stones are placed in jiu, not in {options.spec}")
    return options


def side(options: Options) -> int:
    """Points on a side of the board."""
    return int(parse_spec(options.spec)[1].get("size", "14"))


def _choice(options: Options, name: str, default: str, other: str) -> int:
    return int(parse_spec(options.spec)[1].get(name, default) == other)


def central(size: int, area: int) -> NDArray[np.bool_]:
    """[P] the points of the central square with sides of `area` points; 0: all points."""
    margin = (size - area) // 2 if 0 < area < size else 0
    inside = np.zeros((size, size), np.bool_)
    inside[margin : size - margin, margin : size - margin] = True
    return inside.reshape(-1)


def ends(options: Options) -> NDArray[np.bool_]:
    """[P] the two points of the marked diagonal, filled first and emptied before the battle."""
    size = side(options)
    upper, lower = size // 2 - 1, size // 2
    found = np.zeros((size, size), np.bool_)
    if _choice(options, "diagonal", "main", "anti"):
        found[upper, lower] = found[lower, upper] = True
    else:
        found[upper, upper] = found[lower, lower] = True
    return found.reshape(-1)


@cache
def expert_weights(name: str) -> Scores:
    """One of PLACING as numbers, in the order of `expert_features`."""
    if name != "tuned":
        return jiu_players.expert_weights(name)
    return stored.terms("jiu", "expert").astype(np.float64)


class Placer(Protocol):
    """What places stones. Randomness comes from the seeds of the games alone."""

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] a point for each game, empty and allowed."""
        ...


@dataclass(frozen=True)
class RandomPlacer:
    """Any allowed point, each as likely as the next."""

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        scores = np.where(allowed != 0, 0.0, -np.inf)
        return jiu_players.pick(scores, 1.0, games.seeds, games.placed)


@dataclass(frozen=True)
class ExpertPlacer:
    """Defend before attack before connection, or by a sum of weights."""

    temperature: float = 0.0
    weights: str = "priority"  # of PLACING

    def scores(self, games: Layouts, allowed: Boards) -> Scores:
        """[B, P] what each allowed point is worth, -inf for the others."""
        return jiu_players.expert_scores(
            games.options, games.boards, games.seat, allowed, expert_weights(self.weights)
        )

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        scores = self.scores(games, allowed)
        return jiu_players.pick(scores, self.temperature, games.seeds, games.placed)


@dataclass(frozen=True)
class BayesPlacer:
    """By the Bayesian network of 2x2 shapes: one placement, no look-ahead."""

    network: BlockNetwork
    temperature: float = 0.0

    def scores(self, games: Layouts, allowed: Boards) -> Scores:
        """[B, P] log odds of a stone on each allowed point, -inf for the others."""
        return jiu_players.block_scores(
            games.boards, games.seat, games.last, allowed, self.network.log_odds
        )

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        scores = self.scores(games, allowed)
        return jiu_players.pick(scores, self.temperature, games.seeds, games.placed)


def lay_out(
    options: Options,
    placers: Sequence[Placer],
    by_seat: NDArray[np.intp],
    seeds: Seeds,
    area: int = AREA,
    threads: int = 1,
) -> Layouts:
    """Full boards: the central square by the placers, the rest by the expert for everybody.

    by_seat [B, 2] says which of the placers plays White, and which Black, in each game.
    """
    games = Layouts.start(options, seeds)
    inside = int(central(games.size, area).sum())
    while games.placed < inside:
        allowed = games.allowed(area)
        points = np.empty(len(seeds), np.int32)
        for number, placer in enumerate(placers):
            rows = np.flatnonzero(by_seat[:, games.seat] == number)
            if len(rows):
                points[rows] = placer.place(games.some(rows), allowed[rows])
        games = games.place(points)
    boards, order = jiu_players.expert_fill(options, games.boards, seeds, threads=threads)
    return replace(
        games, boards=boards, placements=np.concatenate([games.placements, order], axis=1)
    )


def both_ways(pairs: int) -> NDArray[np.intp]:
    """[2 pairs, 2] who plays White and Black: every pair of games once either way."""
    return np.tile(np.array([[0, 1], [1, 0]]), (pairs, 1))


def pair_seeds(pairs: int, seed: int) -> Seeds:
    """[2 pairs] seeds, the same for both games of a pair."""
    drawn = np.random.default_rng(seed).integers(0, 2**63, pairs, np.uint64)
    return np.repeat(drawn, 2)


def compare(
    options: Options,
    placers: tuple[Placer, Placer],
    pairs: int,
    seed: int,
    battle: str = "paper",
    area: int = AREA,
    threads: int = 1,
) -> NDArray[np.float64]:
    """[pairs, 2] what the first placer scored, as White and as Black: 1 won, 1/2 drawn, 0 lost.

    Both games of a pair have the same seed, with the seats swapped; one engine fights for both.
    """
    seeds = pair_seeds(pairs, seed)
    games = lay_out(options, placers, both_ways(pairs), seeds, area, threads)
    scores, _, _, _ = jiu_players.play_battles(
        jiu_players.battles(options, games.boards), seeds, (battle, battle), threads=threads
    )
    own = np.stack([scores[0::2, 0], scores[1::2, 1]], axis=1)
    return (1 + own.astype(np.float64)) / 2
