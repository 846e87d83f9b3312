"""Gomoku's critic in NumPy, one position at a time, with its inputs written beforehand.

So the network alone is timed, and our side pays for its patterns and inputs too.
"""

from collections.abc import Callable

import numpy as np

import tempo
from tempo._core import gomoku, gomoku_critic

NAME = "numpy"
VERSION = np.__version__
PLIES = 30  # of random games; ours.py has the same positions
POSITIONS = 8

Burst = Callable[[], int]


def candidates() -> Burst:
    """What the network thinks of every candidate move."""
    games = tempo.load("gomoku(size=15)").batch(POSITIONS, seed=1)
    games.playout(PLIES)
    critic = gomoku_critic.Critic(gomoku.Options({}))
    rows = []
    for i in range(POSITIONS):
        moves, _, _ = critic.judge(games[i])
        rows += list(critic.encode([games[i].play(int(move)) for move in moves]))
    draw = np.random.default_rng(1)
    first = draw.uniform(-0.5, 0.5, (critic.input_count, critic.hidden)).astype(np.float32)
    second = draw.uniform(-0.5, 0.5, critic.hidden).astype(np.float32)

    def burst() -> int:
        for x in rows:
            hidden = 1 / (1 + np.exp(-(x @ first)))
            1 / (1 + np.exp(-(hidden @ second)))
        return len(rows)

    return burst


TASKS = {"gomoku-critic": ("positions", candidates)}
