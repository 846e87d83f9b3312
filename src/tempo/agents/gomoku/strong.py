"""The strongest player of Gomoku here: continuous fours first, then alpha-beta.

The search lists only moves worth searching (forced ones where something is forced), looks for
continuous fours at the root, inside the tree and at every leaf, and values patterns and threats by
a small network that learnt from games of this search. It lives in the core: see core/games/gomoku.
"""

from __future__ import annotations

from dataclasses import dataclass

from tempo import weights
from tempo._core import gomoku, gomoku_threats
from tempo.agents.books import BOOK
from tempo.agents.evaluators import evaluator
from tempo.agents.registry import Runs, declare
from tempo.agents.settings import COUNT, DEPTH, MEMORY, SECONDS, AgentSettings, setting, text_of
from tempo.agents.strong import StrongAgent, strong_settings
from tempo.nets.relu import layers_of

FIRST_FOURS = 60  # positions of a search of fours in the first version


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
        "a run's folder or a file with a network of lines",
        choices=("learned", "terms", "static"),
        opens="file",
    )
    fours: int = setting(60, "positions of a search for fours at each leaf; 0: none", (0, 10**6))
    inner: int = setting(
        60, "the same at positions inside the tree that are new; 0: none", (0, 10**6)
    )
    threats: int = setting(
        0, "positions that a search for threes and fours looks into, at the same", (0, 10**6)
    )
    table: int = setting(16, "MiB of transposition table; 0: none", MEMORY)
    keep: bool = setting(False, "keep the table from move to move")
    exact: bool = setting(False, "a true value for every move, not just the best: for study")
    book: str = BOOK


@declare(
    "gomoku-strong",
    StrongSettings,
    "continuous fours, then alpha-beta with threats",
    games=("gomoku",),
    weights=("gomoku/network",),
    runs=Runs(
        {"tree_strap": "", "td_leaf": "", "regression": "gomoku", "lessons": "gomoku"},
        lambda folder, _: StrongSettings(eval=folder),
        lambda run, _: _evaluator(str(run.folder)),
    ),
)
class GomokuStrong(StrongAgent):
    """Plays Gomoku of any size and rule."""

    def __init__(self, settings: StrongSettings | None = None, name: str | None = None) -> None:
        self.settings = s = settings or StrongSettings()
        evaluator = _evaluator(s.eval)
        search = gomoku_threats.AlphaBeta(
            evaluator, strong_settings(s, 0.1, steep=True, widen=True), s.fours, s.inner, s.threats
        )
        super().__init__(
            name or text_of("gomoku-strong", s),
            gomoku.Position,
            search,
            evaluator.multiply_adds,
            s.book,
        )


@dataclass(frozen=True)
class FirstSettings(AgentSettings):
    """Budgets are exact and the first one reached ends the search; with none, time is 0.1."""

    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    nodes: int = setting(
        0, "positions visited, never more, those of fours included; 0: no limit", COUNT
    )
    depth: int = setting(0, "moves below the root; 0: no limit", DEPTH)
    table: int = setting(16, "MiB of transposition table; 0: none", MEMORY)


@declare(
    "gomoku-strong-1",
    FirstSettings,
    "gomoku-strong as it first was: what later versions are measured against",
    games=("gomoku",),
    weights=("gomoku/network",),
)
class GomokuStrong1(StrongAgent):
    """The first version: its search and its network are kept as they were.

    It lists twelve moves where nothing is forced and takes a position for lost when all of them
    lose; 60 positions of fours at leaves and inside the tree; nothing kept from move to move.
    """

    def __init__(self, settings: FirstSettings | None = None) -> None:
        self.settings = s = settings or FirstSettings()
        evaluator = gomoku_threats.Evaluator.network(layers_of(weights.network("gomoku")))
        chosen = StrongSettings(time=s.time, nodes=s.nodes, depth=s.depth, table=s.table)
        search = gomoku_threats.AlphaBeta(
            evaluator, strong_settings(chosen, 0.1, steep=True), FIRST_FOURS, FIRST_FOURS
        )
        super().__init__(
            text_of("gomoku-strong-1", s), gomoku.Position, search, evaluator.multiply_adds
        )


def _evaluator(name: str) -> gomoku_threats.Evaluator:
    made = gomoku_threats.Evaluator
    known = {
        "learned": lambda: made.network(layers_of(weights.network("gomoku"))),
        "terms": lambda: made.linear(weights.terms("gomoku")),
        "static": made.static,
    }
    return evaluator(
        "gomoku-strong", name, known, made.linear, lambda *found: made.network(layers_of(*found)),
        made.quantized,
    )  # fmt: skip
