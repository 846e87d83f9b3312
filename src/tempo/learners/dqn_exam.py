"""How a network fares against random moves: many games side by side, each seat in half of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.nets.encoding import Encoding


def against_random(
    game: Game,
    encoding: Encoding,
    best: Callable[[Any, Any], Any],
    *,
    games: int,
    cap: int,
    seed: int,
    threads: int = 1,
) -> dict[str, float]:
    """Shares won, drawn and lost by the network, which sits at seat 0 in even games.

    `best` gives outputs for stored positions and bits of legal outputs. A game that reaches `cap`
    moves counts as drawn.
    """
    batch = game.batch(games, seed=seed, threads=threads)
    random = np.random.default_rng(seed)
    own = np.arange(games) % 2
    lengths = np.zeros(games, np.int32)
    for _ in range(cap):
        legal = encoding.legal(batch)
        going = np.diff(legal.offsets) > 0
        if not going.any():
            break
        chosen = np.asarray(best(encoding.observe(batch), legal.bits))
        drawn = legal.drawn(random.random(games))
        places = np.where(batch.turns == own, legal.places(chosen), drawn)
        batch.play(np.where(going, legal.moves[np.maximum(places, 0)].astype(np.int32), -1))
        lengths += going
    scores = batch.scores[np.arange(games), own]
    return {
        "exam_won": float(np.mean(scores > 0)),
        "exam_drawn": float(np.mean(scores == 0)),
        "exam_lost": float(np.mean(scores < 0)),
        "exam_length": round(float(lengths.mean()), 1),
    }
