"""Matches in bulk: searches of the core play many games side by side, each opening by both sides.

The moves are those of the agents `random` and `alphabeta`, asked for in all games at once. Hidden
games are searched in one determinization a move, and a turn of several moves anew at each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo.arena.seeds import derive
from tempo.arena.statistics import Pairs
from tempo.arena.table import seating
from tempo.learners.experience import TABLE, random_moves
from tempo.learners.guided_play import SIMULATION, TREE
from tempo.nets.approximator import QUIESCENCE_TURNS, Approximator
from tempo.nets.guided import grow
from tempo.stopping import check

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Batch, Position

__all__ = ["LONGEST", "Player", "match"]

LONGEST = 1000  # moves, after which a game is drawn


@dataclass(frozen=True)
class Player:
    """Alpha-beta of a depth with an evaluator of the core; without one, random moves."""

    evaluator: Any = None
    depth: int = 1
    quiescence_turns: int = 0  # as the game says
    net: Any = None  # that guides a search of `simulations` in place of alpha-beta
    simulations: int = 0

    @staticmethod
    def of(approximator: Approximator, depth: int, simulations: int = 0) -> Player:
        """One that plays what was learnt, by guided search where that is how it was learnt."""
        if simulations:
            return Player(net=approximator, simulations=simulations)
        return Player(approximator.evaluator(), depth, QUIESCENCE_TURNS)

    @staticmethod
    def static(game: Game, depth: int) -> Player:
        """One with the static evaluation, where a game has one; else it knows wins alone."""
        kinds = game.core.Evaluator
        return Player(kinds.static() if hasattr(kinds, "static") else kinds.none(), depth)

    def moves(
        self, game: Game, batch: Batch, own: NDArray[np.int64], seed: int, threads: int
    ) -> NDArray[np.int64]:
        """What it plays in the games `own` of a batch."""
        if self.evaluator is None and self.net is None:
            draws = np.random.default_rng(seed).random(len(batch))
            return random_moves(batch, draws)[own]
        positions = [batch[i] for i in own.tolist()]
        mine = game.batch(len(own), seed=seed, threads=threads, start=positions[0])
        mine.place_all(positions)
        if self.net is not None:
            return guided_moves(game, mine, self.net, self.simulations, seed, threads)
        settings = _core.AlphaBetaSettings(
            depth=self.depth,
            table_bytes=TABLE if self.depth > 1 else 0,
            quiescence_turns=self.quiescence_turns,
        )
        return mine.search(self.evaluator, settings, inputs="keys").moves.astype(np.int64)


def guided_moves(
    game: Game, batch: Any, net: Any, simulations: int, seed: int, threads: int
) -> NDArray[np.int64]:
    """[B] the best move of a guided search in every game of a batch."""
    count = len(batch)
    settings = _core.MonteCarloSettings(
        simulations=simulations, selection="gumbel", rollout_moves=0, threads=threads,
        memory=count * (TREE + SIMULATION * simulations),
    )  # fmt: skip
    search = game.core.ManySearch(settings, count)
    streams = np.random.default_rng(seed).integers(2**63, size=count).astype(np.uint64)
    search.begin(batch, np.full(count, simulations, np.int32), streams)
    grow([search], net)
    found: NDArray[np.int64] = search.policies()[0].astype(np.int64)
    return found


def match(
    game: Game,
    a: Player,
    b: Player,
    openings: Sequence[Position],
    *,
    seed: int = 1,
    longest: int = LONGEST,
    threads: int = 1,
) -> Pairs:
    """Plays every opening twice with the sides swapped; the pairs are seen from a's side.

    >>> import tempo
    >>> game = tempo.load("othello(size=4)")
    >>> match(game, Player(game.core.Evaluator.static(), 3), Player(), [game.start()])
    Pairs(zero=0, half=0, one=0, one_and_half=0, two=1)
    """
    games = 2 * len(openings)
    batch = game.batch(games, seed=derive(seed, "games"), threads=threads, start=openings[0])
    batch.place_all([position for position in openings for _ in range(2)])
    of_a = np.array([[side == "a" for side in seating(game, i)] for i in range(games)])
    table = np.arange(games)
    for ply in range(longest):
        check()
        going = ~batch.over
        if not going.any():
            break
        moves = np.full(games, -1, np.int32)
        turn_of_a = of_a[table, batch.turns]
        for side, player, mask in (("a", a, turn_of_a), ("b", b, ~turn_of_a)):
            own = table[going & mask]
            if len(own):
                stream = derive(seed, side, ply)
                moves[own] = player.moves(game, batch, own, stream, threads)
        batch.play(moves)
    # A win is a win, by however little.
    points = (np.sign(np.where(of_a, batch.scores, -batch.scores).sum(axis=1)) + 1) / 2
    return Pairs.of((points[0::2] + points[1::2]).tolist())
