"""The strongest player of Gomoku here: continuous fours first, then alpha-beta.

The search lists only moves worth searching (forced ones where something is forced), looks for
continuous fours at the root, inside the tree and at every leaf, and values patterns and threats by
a small network that learnt from games of this search. It lives in the core: see core/games/gomoku.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo import _core, weights
from tempo._core import gomoku, gomoku_threats
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
from tempo.nets.relu import layers_of

if TYPE_CHECKING:
    from tempo.games.protocol import View


@dataclass(frozen=True)
class StrongSettings(AgentSettings):
    """Budgets are exact and the first one reached ends the search; with none, time is 0.1."""

    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    nodes: int = setting(
        0, "positions visited, never more, those of fours included; 0: no limit", COUNT
    )
    depth: int = setting(0, "moves below the root; 0: no limit", DEPTH)
    eval: str = setting(
        "learned",
        "what values a leaf: learned (a network), terms (learnt weights), static (hand-tuned) "
        "or a run's folder",
        choices=("learned", "terms", "static"),
        opens="file",
    )
    fours: int = setting(60, "positions of a search for fours at each leaf; 0: none", (0, 10**6))
    inner: int = setting(
        60, "the same at positions inside the tree that are new; 0: none", (0, 10**6)
    )
    table: int = setting(16, "MiB of transposition table; 0: none", MEMORY)
    keep: bool = setting(False, "keep the table from move to move")
    exact: bool = setting(False, "a true value for every move, not just the best: for study")


@declare(
    "gomoku-strong",
    StrongSettings,
    "continuous fours, then alpha-beta with threats",
    games=("gomoku",),
    weights=("gomoku/network",),
)
class GomokuStrong(Cloned):
    """Plays Gomoku of any size and rule."""

    def __init__(self, settings: StrongSettings | None = None) -> None:
        self.settings = settings or StrongSettings()
        self.name = text_of("gomoku-strong", self.settings)
        self._evaluator = _evaluator(self.settings.eval)
        self._search = gomoku_threats.AlphaBeta(
            self._evaluator,
            _core_settings(self.settings),
            self.settings.fours,
            self.settings.inner,
        )

    def choose(self, view: View) -> Choice:
        """A win by fours where there is one, else what alpha-beta likes best."""
        if not isinstance(view, gomoku.Position):
            other = getattr(view, "game", "games with hidden ranks")
            raise ParseError(f"gomoku-strong plays gomoku, not {other}")
        return choice_of(self._search.search(view), self._evaluator.multiply_adds)

    def reset(self, seed: int) -> None:
        """Forgets the last game. Nothing is drawn from the seed."""
        self._search.reset()


def _evaluator(name: str) -> gomoku_threats.Evaluator:
    made = gomoku_threats.Evaluator
    known = {
        "learned": lambda: made.network(layers_of(weights.network("gomoku"))),
        "terms": lambda: made.linear(weights.terms("gomoku")),
        "static": made.static,
    }
    return evaluator(
        "gomoku-strong", name, known, made.linear, lambda *found: made.network(layers_of(*found))
    )


def _core_settings(chosen: StrongSettings) -> _core.AlphaBetaSettings:
    unbounded = chosen.depth == 0 and chosen.nodes == 0 and chosen.time == 0
    return _core.AlphaBetaSettings(
        depth=chosen.depth,
        positions=chosen.nodes,
        seconds=0.1 if unbounded else chosen.time,
        table_bytes=chosen.table * MEBIBYTE,
        keep=chosen.keep,
        exact_root=chosen.exact,
        reduce=True,
        steep=True,
    )
