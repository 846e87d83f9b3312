"""Jiu games that the expert plays against itself: what the Bayesian network learns from.

The shapes paper (Li, Wu, Li 2018) learnt from about 300 records, which are not public. These stand
in for them: both seats place by the expert's weighted score, drawn at temperature 0.3, with one
random stone in ten among the first twenty; the paper's battle engine fights it out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tempo._core import jiu_players
from tempo._core.jiu import Options
from tempo.agents.jiu.placing import Layouts, expert_weights, rules, side
from tempo.games.record import Record

Points = NDArray[np.int32]

AUTHOR = "expert by score, temperature 0.3"


@dataclass(frozen=True)
class Variety:
    """How the expert's games come to differ."""

    weights: str = "score"
    temperature: float = 0.3
    random_share: float = 0.1  # of the first placements
    random_until: int = 20


@dataclass(frozen=True)
class Games:
    """Whole games. Letters: B games, P points of a board."""

    options: Options
    placements: Points  # [B, P] points in the order of placing
    scores: NDArray[np.float32]  # [B, 2] of White and Black
    battles: list[Points]  # the moves of each battle

    def records(self) -> list[Record]:
        """As they are written down."""
        first = _first_placement(self.placements.shape[1])
        headers = {"PW": AUTHOR, "PB": AUTHOR}
        return [
            Record(
                self.options.spec, (*(first + order).tolist(), *battle.tolist()), headers=headers
            )
            for order, battle in zip(self.placements, self.battles, strict=True)
        ]


def play(
    count: int,
    seed: int,
    options: Options | None = None,
    variety: Variety | None = None,
    threads: int = 1,
) -> Games:
    """`count` games; game i depends on the seed and on i alone."""
    chosen, options = variety or Variety(), options or rules()
    seeds = np.random.default_rng(seed).integers(0, 2**63, count, np.uint64)
    boards, order = jiu_players.expert_fill(
        options,
        Layouts.start(options, seeds).boards,
        seeds,
        weights=expert_weights(chosen.weights),
        temperature=chosen.temperature,
        random_share=chosen.random_share,
        random_until=chosen.random_until,
        threads=threads,
    )
    scores, _, _, battles = jiu_players.play_battles(
        jiu_players.battles(options, boards),
        seeds,
        ("paper", "paper"),
        keep_moves=True,
        threads=threads,
    )
    return Games(options, order, scores, battles)


def _first_placement(points: int) -> int:
    """The number of the move that places on point 0: steps and jumps come before it."""
    return points * points + 8 * points


def placements_of(record: Record) -> Points:
    """[T] the points of a record's placements, in order."""
    points = side(rules(record.game)) ** 2
    moves = np.array(record.moves, np.int64) - _first_placement(points)
    return moves[(moves >= 0) & (moves < points)].astype(np.int32)


def winners(record: Record) -> tuple[bool, bool]:
    """Whether White won, and whether Black did."""
    return record.result.startswith("W"), record.result.startswith("B")
