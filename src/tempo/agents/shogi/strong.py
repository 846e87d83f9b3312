"""The strongest player of shogi here: mate by checks first, then alpha-beta.

The search looks for a mate at the root, values leaves by terms whose weights TD-Leaf has learnt,
from games it played itself and nothing but the rules, and sees mates in one before that. It
lives in the core: see core/games/shogi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tempo import weights
from tempo._core import shogi, shogi_strong
from tempo.agents.books import BOOK
from tempo.agents.evaluators import evaluator
from tempo.agents.registry import Runs, declare
from tempo.agents.search import CPU, STEPS, THREADS_SHARE
from tempo.agents.settings import (
    COUNT,
    DEPTH,
    MEMORY,
    SECONDS,
    THREADS,
    AgentSettings,
    setting,
    text_of,
)
from tempo.agents.steps import steps_of
from tempo.agents.strong import LimitedAgent, strong_settings

KEPT = "aspiration+malus+continuation+counters+stands"  # steps that a match has accepted
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
        "learned (terms), static (material), none, a run's folder or a file with a network",
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
    steps: str = setting(KEPT, STEPS)
    threads: int = setting(1, THREADS_SHARE, THREADS)
    cpu: bool = setting(False, CPU)
    book: str = BOOK

    def __post_init__(self) -> None:
        super().__post_init__()
        steps_of(self.steps)


@declare(
    "shogi-strong",
    ShogiStrongSettings,
    "looks for mates, then alpha-beta with cuts",
    games=("shogi",),
    weights=("shogi/terms",),
    runs=Runs(
        {"tree_strap": "", "td_leaf": ""},
        lambda folder, _: ShogiStrongSettings(eval=folder),
        lambda run, _: _evaluator(str(run.folder)),
    ),
)
class ShogiStrong(LimitedAgent):
    """Plays shogi on 9x9."""

    def __init__(
        self, settings: ShogiStrongSettings | None = None, name: str | None = None
    ) -> None:
        self.settings = s = settings or ShogiStrongSettings()
        evaluator = _evaluator(s.eval)
        cuts = strong_settings(
            s, 0.5, null_move=s.cut, steep=s.cut, margin=MARGIN if s.cut else 0.0,
            steps=steps_of(s.steps), threads=s.threads, thread_time=s.cpu,
        )  # fmt: skip
        search = shogi_strong.AlphaBeta(evaluator, cuts, leaf_mates=s.leaf, root_share=s.mate)
        super().__init__(
            name or text_of("shogi-strong", s),
            shogi.Position,
            search,
            evaluator.multiply_adds,
            s.book,
        )


def _evaluator(name: str) -> shogi_strong.Evaluator:
    made = shogi_strong.Evaluator
    known = {
        "learned": lambda: made.linear(weights.terms("shogi")),
        "static": made.static,
        "none": lambda: made.linear(np.zeros(len(shogi_strong.term_names), np.float32)),
    }
    return evaluator("shogi-strong", name, known, made.linear, quantized=made.quantized)
