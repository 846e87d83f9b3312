"""How a network fares against random moves: many games side by side, each seat in half of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.nets.encoding import Encoding


Best = Callable[[Any, Any], Any]  # outputs for stored positions and bits of legal outputs


def play_random(
    game: Game, encoding: Encoding, best: Best, *, games: int, cap: int, seed: int,
    threads: int = 1,
) -> tuple[NDArray[Any], NDArray[np.int32], int]:  # fmt: skip
    """[games] the network's scores and the lengths of games, and how many moves it chose.

    It sits at seat 0 in even games. A game that reaches `cap` moves counts as drawn.
    """
    batch = game.batch(games, seed=seed, threads=threads)
    random = np.random.default_rng(seed)
    own = np.arange(games) % 2
    lengths, asked = np.zeros(games, np.int32), 0
    for _ in range(cap):
        legal = encoding.legal(batch)
        going = np.diff(legal.offsets) > 0
        if not going.any():
            break
        chosen = np.asarray(best(encoding.observe(batch), legal.bits))
        mine = batch.turns == own
        places = np.where(mine, legal.places(chosen), legal.drawn(random.random(games)))
        batch.play(np.where(going, legal.moves[np.maximum(places, 0)].astype(np.int32), -1))
        asked += int((going & mine).sum())
        lengths += going
    return batch.scores[np.arange(games), own], lengths, asked


def against_random(game: Game, encoding: Encoding, best: Best, **how: int) -> dict[str, float]:
    """Shares won, drawn and lost by the network, and the mean length; `how` as of `play_random`."""
    scores, lengths, _ = play_random(game, encoding, best, **how)
    return {
        "exam_won": float(np.mean(scores > 0)),
        "exam_drawn": float(np.mean(scores == 0)),
        "exam_lost": float(np.mean(scores < 0)),
        "exam_length": round(float(lengths.mean()), 1),
    }
