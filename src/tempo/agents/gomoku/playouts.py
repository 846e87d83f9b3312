"""Gomoku by playouts that follow rules of thumb, alone or after a learnt critic.

After Tang, Zhao, Shao and Lv, "ADP with MCTS algorithm for Gomoku" (2016). HMCTS plays as many
games out after every candidate; UCT grows a tree; ADP-HMCTS and ADP-UCT do so for the critic's best
moves only, and mix both values. See docs/learners/adp-mcts.md for what the paper leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo._core import gomoku, gomoku_playouts
from tempo.agents.base import Choice, Cloned, Cost
from tempo.agents.gomoku.critic import (
    PLAYERS,
    VARIANTS,
    GomokuAgent,
    Weights,
    choice_among,
    read_weights,
)
from tempo.agents.registry import declare
from tempo.agents.search import MEBIBYTE, choice_of
from tempo.agents.settings import DRAWS, FACTOR, THREADS, AgentSettings, setting, text_of

if TYPE_CHECKING:
    pass

Doubles = NDArray[np.float64]

SHOWN = 5  # candidates that a choice names
PUBLISHED_C = 1 / math.sqrt(2)  # in Q/N + c sqrt(2 ln N_parent / N)


@dataclass(frozen=True)
class HmctsSettings(AgentSettings):
    """How many playouts."""

    playouts: int = setting(400, "after every candidate", DRAWS)
    threads: int = setting(1, "that share the candidates; the choice is the same", THREADS)


@dataclass(frozen=True)
class UctSettings(AgentSettings):
    """How many playouts, and how curious the tree is."""

    playouts: int = setting(400, "times the number of candidates, all in one tree", DRAWS)
    c: float = setting(PUBLISHED_C, "curiosity: c in Q/N + c sqrt(2 ln N_parent / N)", FACTOR)


@dataclass(frozen=True)
class AdpSettings(AgentSettings):
    """Which critic, how many of its moves are tried, and how both opinions are mixed."""

    playouts: int = setting(400, "after each move tried", DRAWS)
    top: int = setting(5, "moves of the critic's that are tried", (1, 1000))
    critic: float = setting(0.5, "λ: the critic's share of the verdict, 0 to 1", (0, 1))
    weights: str = setting(
        "", "run folder or file; empty: those that come with Tempo", opens="file"
    )
    variant: str = setting(
        "patterns", "which of those: by what the critic sees of a board", choices=tuple(VARIANTS)
    )
    player: str = setting(
        "one", "whom the critic is taken for: player one, two, or seat by seat", choices=PLAYERS
    )
    threads: int = setting(1, "that share the moves; the choice is the same", THREADS)


@declare(
    "hmcts",
    HmctsSettings,
    "playouts by rules of thumb after every candidate",
    games=("gomoku",),
)
class Hmcts(GomokuAgent, Cloned):
    """The candidate after which most playouts were won."""

    def __init__(self, settings: HmctsSettings | None = None) -> None:
        self.settings = settings or HmctsSettings()
        self.name = text_of("hmcts", self.settings)
        super().__init__()

    def _choose(self, view: gomoku.Position) -> Choice:
        s = self.settings
        moves = gomoku_playouts.candidates(view)
        worth, positions = gomoku_playouts.by_playouts(
            view, moves, s.playouts, self._random.getrandbits(64), s.threads
        )
        return choice_among(view, moves, worth, self._best(worth), s.playouts, Cost(positions))


@declare("uct", UctSettings, "a tree with playouts by rules of thumb", games=("gomoku",))
class Uct(GomokuAgent, Cloned):
    """A tree whose rollouts follow the rules, with as many playouts in all as HMCTS has."""

    def __init__(self, settings: UctSettings | None = None) -> None:
        self.settings = settings or UctSettings()
        self.name = text_of("uct", self.settings)
        super().__init__()

    def _choose(self, view: gomoku.Position) -> Choice:
        simulations = self.settings.playouts * len(gomoku_playouts.candidates(view))
        settings = _tree(simulations, self.settings.c, self._random.getrandbits(64))
        return choice_of(gomoku_playouts.search(view, settings))


class AdpMcts(GomokuAgent):
    """The critic names a few moves, playouts or trees try them, and both opinions are mixed."""

    def __init__(self, kind: str, settings: AdpSettings | None = None) -> None:
        self.kind = kind
        self.settings = settings or AdpSettings()
        self.name = text_of(f"adp-{kind}", self.settings)
        super().__init__()

    @cached_property
    def _weights(self) -> Weights:
        """Read when they are first needed."""
        return read_weights(self.settings.weights, self.settings.variant)

    def _choose(self, view: gomoku.Position) -> Choice:
        moves, liked, five = self._judge(view)
        judged = len(moves)
        evaluations = Cost(judged, judged, judged * self._weights.first.size)
        if five >= 0:  # as the critic alone plays it, without trying anything
            return choice_among(view, [five], np.ones(1), 0, 1, evaluations)
        tried = np.argsort(-liked, kind="stable")[: self.settings.top]
        named = [int(moves[i]) for i in tried]
        found, positions = self._try(view, named)
        share = self.settings.critic
        worth = share * liked[tried] + (1 - share) * found
        cost = Cost(judged + positions, judged, evaluations.multiply_adds)
        return choice_among(view, named, worth, self._best(worth), self.settings.playouts, cost)

    def _judge(self, view: gomoku.Position) -> tuple[NDArray[np.int32], Doubles, int]:
        """Candidates, how likely the seat to move is to win after each, and a winning one or -1."""
        moves, values, five, is_first = self._asked(view, self._weights, self.settings.player)
        likely = values.astype(np.float64)
        return moves, likely if is_first else 1 - likely, five

    def _try(self, view: gomoku.Position, moves: list[int]) -> tuple[Doubles, int]:
        s = self.settings
        if self.kind == "hmcts":
            return gomoku_playouts.by_playouts(
                view, moves, s.playouts, self._random.getrandbits(64), s.threads
            )
        settings = _tree(s.playouts, PUBLISHED_C, self._random.getrandbits(64), s.threads)
        return gomoku_playouts.by_trees(view, moves, settings)

    def clone(self) -> AdpMcts:
        """A copy, for another thread or seat."""
        return AdpMcts(self.kind, self.settings)


for _kind, _tried in (("hmcts", "playouts"), ("uct", "trees")):
    declare(
        f"adp-{_kind}",
        AdpSettings,
        f"the critic's best moves, tried by {_tried}",
        games=("gomoku",),
        weights=("gomoku/critic-patterns",),
    )(partial(AdpMcts, _kind))


def _tree(simulations: int, c: float, seed: int, threads: int = 1) -> _core.MonteCarloSettings:
    """The published formula; the core's is Q/N + C sqrt(ln N_parent / N)."""
    return _core.MonteCarloSettings(
        simulations=simulations,
        exploration=c * math.sqrt(2),
        final_choice="robust",
        memory=64 * MEBIBYTE,
        threads=threads,
        seed=seed,
    )
