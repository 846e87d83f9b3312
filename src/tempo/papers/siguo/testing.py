"""Tests of the Siguo paper: two networks against two stand-ins, and what such games count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tempo import games
from tempo._core import siguo
from tempo.agents.siguo.learnt import core_player
from tempo.arena.statistics import Pairs
from tempo.learners.fast.truncated import Truncated
from tempo.ledger import Ledger
from tempo.papers.jobs import Row

GAME = "siguo"

# The stand-in and the limit of plies: nearest to 15, 78 and 7 % when the first grid was played for
# the first time, by seeds 101 to 105 as they are and 1,000 games: 15.4, 77.2 and 7.4 %.
NOTICES, MOST_PLIES = 0.2, 700


def examined(
    learner: Truncated, pairs: int, seed: int, ledger: Ledger, *, exploring: bool = False
) -> Row:
    """Against two stand-ins, without learning; `exploring` as it did in training."""
    epsilon = exploring and learner.settings.exploration == "epsilon"
    scores, counts, judged = against_stand_ins(
        learner,
        MOST_PLIES,
        pairs,
        seed,
        ledger,
        notices=NOTICES,
        random_share=learner.settings.random_share if epsilon else 0.0,
        temperature=learner.temperature if exploring else 0.0,
    )
    ledger.evaluations += judged
    made, explored = counts[..., 1] / 2, counts[..., 2] / 2  # of one seat
    return {
        "games": learner.games,
        "pairs": list(Pairs.of(((1 + scores) / 2).sum(axis=1).tolist())),
        "won": int(np.count_nonzero(scores > 0)),
        "drawn": int(np.count_nonzero(scores == 0)),
        "lost": int(np.count_nonzero(scores < 0)),
        "plies": round(float(counts[..., 0].mean()), 2),
        "moves": round(float(made.mean()), 3),
        "explored": round(float(explored.mean()), 3),
        "undone": round(float(counts[..., 3].sum() / max(1, counts[..., 1].sum())), 4),
    }


def against_stand_ins(
    learner: Truncated,
    most_plies: int,
    pairs: int,
    seed: int,
    ledger: Ledger,
    *,
    notices: float,
    random_share: float = 0.0,
    temperature: float = 0.0,
) -> tuple[NDArray[np.float32], NDArray[np.int32], int]:
    """Scores [P, 2]; counts [P, 2, 4] of moves: all, of the networks, explored, taken back; judged.

    Trainings of one number meet the same starts, whatever they learnt.
    """
    player = core_player(learner.network, learner.settings.inputs)
    options = games.load(f"{GAME}(max_plies={most_plies})").options
    assert isinstance(options, siguo.Options)
    with ledger.timing():
        scores, counts, judged = player.test(
            options,
            pairs,
            seed=seed,
            random_share=random_share,
            temperature=temperature,
            notices=notices,
        )
    ledger.games += scores.size
    ledger.moves += int(counts[..., 0].sum())
    return scores, counts, judged
