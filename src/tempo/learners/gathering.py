"""Self-play by workers: each plays some of the games of an iteration with the weights as they are.

Games draw from their own random streams, so that what is gathered is what one process would have
played: the same entries in the same order. Weights go out once an iteration, games come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tempo.cluster.workers import Call, Workers
from tempo.games.registry import load
from tempo.learners.bulk import in_bulk
from tempo.learners.experience import Acting, Experience, Start, self_play
from tempo.ledger import Ledger
from tempo.nets import adam
from tempo.nets.approximator import Approximator, Arrays
from tempo.nets.registry import Shape, make

if TYPE_CHECKING:
    from tempo.games.game import Game


@dataclass(frozen=True)
class Asked:
    """What the games of an iteration are played by, apart from the weights."""

    game: str
    net: str
    shape: Shape
    acting: Acting
    seed: int
    first: int  # of the iteration
    games: int
    start: str = ""  # where games start, where a game has such places
    practice: bool = False  # from all distances to the end alike
    nodes: int = 0  # of a search by the game's own search
    given: bool = False  # played by the evaluation that ships with the package


def weights_alone(approximator: Approximator) -> Arrays:
    """What playing needs: no averages of the optimizer."""
    arrays = approximator.arrays()
    return {name: part for name, part in arrays.items() if not name.startswith(adam.PREFIX)}


def played(
    asked: Asked,
    game: Game,
    player: Approximator,
    first: int,
    games: int,
    start: Start | None,
    threads: int,
) -> Experience:
    """Some games of an iteration, from number `first` on."""
    if asked.nodes:
        return in_bulk(
            game, player, asked.acting, asked.nodes, games=games, seed=asked.seed, first=first,
            threads=threads, given=asked.given,
        )  # fmt: skip
    return self_play(
        game, player, asked.acting, games=games, seed=asked.seed, first=first, threads=threads,
        start=start, among=(asked.first, asked.games),
    )  # fmt: skip


def gathered(workers: Workers, asked: Asked, player: Approximator) -> Experience:
    """All games of an iteration, played by workers."""
    weights = workers.share(weights_alone(player))
    shared = workers.share(asked)
    count = min(workers.size, asked.games)
    edges = np.linspace(asked.first, asked.first + asked.games, count + 1).astype(int).tolist()

    def calls() -> Iterator[Call]:
        for begin, end in pairwise(edges):
            yield played_elsewhere, (shared, weights, begin, end - begin)

    found: dict[int, Experience] = dict(workers.results(calls()))
    return Experience.joined([found[number] for number in range(count)])


@lru_cache(2)
def _player(game: Game, net: str, shape: Shape) -> Approximator:
    return make(net, game, shape)


def played_elsewhere(asked: Asked, weights: Arrays, first: int, games: int) -> Experience:
    """Runs in a worker: some games, with the CPU time that they took."""
    spent, game = Ledger(), load(asked.game)
    with spent.timing():
        player = _player(game, asked.net, asked.shape)
        player.restore(dict(weights))
        start = None
        if asked.start:
            start = game.description.starts(asked.start, practice=asked.practice)
        found = played(asked, game, player, first, games, start, threads=1)
    spent.wall_seconds = 0.0  # the learner waits for all of them, and counts that
    return replace(found, cost=found.cost + spent)
