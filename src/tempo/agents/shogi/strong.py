"""The strongest player of shogi here: mate by checks first, then alpha-beta.

The search looks for a mate at the root, values leaves by terms whose weights TD-Leaf has learnt,
from games it played itself and nothing but the rules, and sees mates in one before that. It
lives in the core: see core/games/shogi.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tempo import _core, weights
from tempo._core import shogi, shogi_strong
from tempo.agents.base import Choice, Cloned
from tempo.agents.evaluators import evaluator
from tempo.agents.registry import declare
from tempo.agents.search import MEBIBYTE, choice_of
from tempo.agents.settings import (
    COUNT,
    DEPTH,
    MEMORY,
    SECONDS,
    AgentSettings,
    setting,
    text_of,
)
from tempo.errors import ParseError

if TYPE_CHECKING:
    from tempo.games.protocol import View

MARGIN = 0.08  # near the horizon, what a quiet move is thought to change the score by at most


@dataclass(frozen=True)
class ShogiStrongSettings(AgentSettings):
    """Budgets are exact and the first one reached ends the search; with none, time is 0.5."""

    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    nodes: int = setting(
        0, "positions visited, never more, those of mates included; 0: no limit", COUNT
    )
    depth: int = setting(0, "moves below the root; 0: no limit", DEPTH)
    eval: str = setting(
        "learned",
        "weights: learned, static (material), none or a run's folder",
        choices=("learned", "static", "none"),
        opens="file",
    )
    mate: int = setting(
        8, "one part in this many of the budget looks for mates first; 0: none does", (0, 10**6)
    )
    leaf: int = setting(1, "plies of mates looked for at leaves: 0, 1 or 3", (0, 3))
    table: int = setting(32, "MiB of transposition table; 0: none", MEMORY)
    keep: bool = setting(True, "keep the table from move to move")
    cut: bool = setting(True, "leave out and reduce moves that promise little")
    exact: bool = setting(False, "a true value for every move, not just the best: for study")


@declare(
    "shogi-strong",
    ShogiStrongSettings,
    "looks for mates, then alpha-beta with cuts",
    games=("shogi",),
    weights=("shogi/terms",),
)
class ShogiStrong(Cloned):
    """Plays shogi on 9x9."""

    def __init__(self, settings: ShogiStrongSettings | None = None) -> None:
        self.settings = settings or ShogiStrongSettings()
        self.name = text_of("shogi-strong", self.settings)
        self._evaluator = _evaluator(self.settings.eval)
        self._search = shogi_strong.AlphaBeta(
            self._evaluator,
            _core_settings(self.settings),
            leaf_mates=self.settings.leaf,
            root_share=self.settings.mate,
        )

    def choose(self, view: View) -> Choice:
        """A mate where one is found, else what alpha-beta likes best."""
        if not isinstance(view, shogi.Position):
            other = getattr(view, "game", "games with hidden ranks")
            raise ParseError(f"shogi-strong plays shogi, not {other}")
        return choice_of(self._search.search(view), self._evaluator.multiply_adds)

    def reset(self, seed: int) -> None:
        """Forgets the last game. Nothing is drawn from the seed."""
        self._search.reset()


def _evaluator(name: str) -> shogi_strong.Evaluator:
    made = shogi_strong.Evaluator
    known = {
        "learned": lambda: made.linear(weights.terms("shogi")),
        "static": made.static,
        "none": lambda: made.linear(np.zeros(len(shogi_strong.term_names), np.float32)),
    }
    return evaluator("shogi-strong", name, known, made.linear)


def _core_settings(chosen: ShogiStrongSettings) -> _core.AlphaBetaSettings:
    unbounded = chosen.depth == 0 and chosen.nodes == 0 and chosen.time == 0
    return _core.AlphaBetaSettings(
        depth=chosen.depth,
        positions=chosen.nodes,
        seconds=0.5 if unbounded else chosen.time,
        table_bytes=chosen.table * MEBIBYTE,
        keep=chosen.keep,
        exact_root=chosen.exact,
        reduce=True,
        null_move=chosen.cut,
        steep=chosen.cut,
        margin=MARGIN if chosen.cut else 0.0,
    )
