"""How strong an approximator is while it learns: games against random moves, in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import _core
from tempo.learners.experience import TABLE, Start, random_moves

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.nets.approximator import Approximator


def against_random(
    game: Game,
    approximator: Approximator,
    *,
    games: int,
    seed: int,
    depth: int = 1,
    longest: int = 300,
    start: Start | None = None,
    threads: int = 1,
) -> float:
    """Scores the search of an approximator against random moves: wins, and draws by half.

    It plays every other game for the first seat's team, whose partners sit opposite in games of
    four. A game that is too long is drawn.
    """
    evaluator = approximator.evaluator()
    batch: Any = game.batch(games, seed=seed, threads=threads)
    random = np.random.default_rng([seed, 0x6578616D])
    if start is not None:
        for i in range(0, games, 2):  # both sides of every start
            position = start(random)
            for j in (i, i + 1):
                if j < games:
                    batch.place(j, position)
    teams = np.array(game.teams)
    own_team = np.arange(games) % 2
    settings = _core.AlphaBetaSettings(depth=depth, table_bytes=TABLE)
    for _ in range(longest):
        over = batch.over
        if over.all():
            break
        moves = random_moves(batch, random.random(games))
        ours = (teams[batch.turns] == own_team) & ~over
        if ours.any():
            chosen = batch.search(evaluator, settings, inputs="keys").moves
            moves = np.where(ours, chosen, moves)
        batch.play(np.where(over, -1, moves).astype(np.int32))
    first = batch.scores[:, 0]
    return float(np.mean((np.where(own_team == teams[0], first, -first) + 1) / 2))
