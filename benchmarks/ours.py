"""Our side of every row, written as a user of the package would write it."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from random import random, seed
from typing import Any

import tempo
from tempo import agents

NAME = "tempo"
VERSION = str(tempo.__version__)
KRK = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"
GAMES = 2000  # in one batch
SIMULATIONS = 2000

Burst = Callable[[], int]


def perft() -> Burst:
    """Counting the leaves of the move tree."""
    game = tempo.load("chess")
    return lambda: int(game.perft(6))


def playouts(name: str, threads: int = 1) -> Burst:
    """Whole random games in one call: the border is crossed once for all of them."""
    game = tempo.load(name)
    seeds = iter(range(1, 1 << 62))

    def burst() -> int:
        lengths, _ = game.batch(GAMES, seed=next(seeds), threads=threads).playout()
        return int(lengths.sum())

    return burst


def loop(name: str) -> Burst:
    """One random game over single `Position` objects, with the chooser of the peers' loops."""
    seed(1)
    start = tempo.load(name).start()

    def playout() -> int:
        position: Any = start
        count = 0
        while not position.is_over:
            moves = position.legal_moves
            position = position.play(moves[int(random() * len(moves))])
            count += 1
        return count

    return playout


def search(name: str, position: str | None = None, threads: int = 1) -> Burst:
    """UCB1 with the peer's constant and one random rollout to the end for each simulation."""
    game = tempo.load(name)
    start = game.parse(position) if position else game.start()
    agent = agents.load(f"mcts:sims={SIMULATIONS},c={sqrt(2)},threads={threads}")

    def burst() -> int:
        agent.choose(start)
        return SIMULATIONS

    return burst


CHESS, GOMOKU = "chess", "gomoku(size=15)"
TASKS = {
    "chess-perft": ("nodes", perft),
    "chess-playouts": ("moves", partial(playouts, CHESS)),
    "gomoku-playouts": ("moves", partial(playouts, GOMOKU)),
    "chess-loop": ("moves", partial(loop, CHESS)),
    "gomoku-loop": ("moves", partial(loop, GOMOKU)),
    "mcts-chess": ("sims", partial(search, CHESS)),
    "mcts-krk": ("sims", partial(search, CHESS, KRK)),
    "mcts-gomoku": ("sims", partial(search, GOMOKU)),
    "threads-1": ("moves", partial(playouts, CHESS, threads=1)),
    "threads-2": ("moves", partial(playouts, CHESS, threads=2)),
    "mcts-threads-1": ("sims", partial(search, CHESS, threads=1)),
    "mcts-threads-2": ("sims", partial(search, CHESS, threads=2)),
}
