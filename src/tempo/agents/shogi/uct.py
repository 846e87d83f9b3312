"""Shogi by the UCT of a published comparison of tree search with deep Q-learning.

Every move grows a new tree: UCB1 picks the way down, all children of a leaf are made, a rollout of
at most 15 random moves is valued by what its moves and those above it have won (`values`;
core/games/shogi/move_values.h), and the most visited move is played. See docs/learners/uct.md for
what the paper leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tempo import _core
from tempo.agents.registry import declare
from tempo.agents.search import FINAL_CHOICES, MEBIBYTE, TREES, URGENCY, SearchAgent
from tempo.agents.settings import (
    COUNT,
    FACTOR,
    MEMORY,
    SECONDS,
    THREADS,
    AgentSettings,
    setting,
    text_of,
)
from tempo.errors import ParseError

if TYPE_CHECKING:
    from tempo.agents.base import Choice
    from tempo.games.game import Game
    from tempo.games.protocol import View

GAMES = ("shogi", "minishogi")
PUBLISHED_NODES = 150_000
PRINTED_C, THEORY_C = 1.187, 1.414  # √1.41 as printed, √2 as probably meant


@dataclass(frozen=True)
class ShogiUctSettings(AgentSettings):
    """Budgets are exact and the first one reached ends the search; with none, nodes is 150,000."""

    sims: int = setting(0, "simulations a move, exactly; 0: no limit", COUNT)
    nodes: int = setting(
        0, "nodes of the tree, unvisited children too, never more; 0: no limit", COUNT
    )
    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    constant: float = setting(
        THEORY_C, "C of UCB1, for rewards in [0, 1]; the paper prints 1.187", FACTOR
    )
    rule: str = setting("ucb1", "how a child is picked: ucb1 or tuned", choices=("ucb1", "tuned"))
    fpu: float = setting(-1.0, "urgency of unvisited moves; negative: try each once first", URGENCY)
    rollout: int = setting(15, "random moves of a rollout at most", (0, 10**6))
    values: str = setting(
        "path",
        "moves that count: of the whole path, or of the rollout alone",
        choices=("path", "rollout"),
    )
    choice: str = setting(
        "robust", "final choice: robust, max, robust_max or secure", choices=FINAL_CHOICES
    )
    extra: int = setting(0, "further simulations that robust_max may take", COUNT)
    security: float = setting(1.0, "of secure: reward less security / sqrt(visits)", FACTOR)
    trees: int = setting(1, "independent trees, added up at the root", TREES)
    threads: int = setting(1, "trees grown at a time; never changes the result", THREADS)
    memory: int = setting(256, "MiB for all trees, never more", (1, MEMORY[1]))


@declare(
    "shogi-uct",
    ShogiUctSettings,
    "a published UCT, rollouts valued by what was captured",
    games=GAMES,
)
class ShogiUct(SearchAgent):
    """Plays shogi on 9x9 and on 5x5."""

    def __init__(self, settings: ShogiUctSettings | None = None) -> None:
        self.settings = settings or ShogiUctSettings()
        super().__init__(text_of("shogi-uct", self.settings))

    def choose(self, view: View) -> Choice:
        """The move that the tree likes best."""
        game = str(getattr(view, "game", "games with hidden ranks"))
        if game.partition("(")[0] not in GAMES:
            raise ParseError(f"shogi-uct plays {' and '.join(GAMES)}, not {game}")
        return super().choose(view)

    def _make(self, game: Game) -> Any:
        s, core = self.settings, game.core
        unbounded = s.sims == 0 and s.nodes == 0 and s.time == 0
        nodes = PUBLISHED_NODES if unbounded else s.nodes
        settings = _core.MonteCarloSettings(
            simulations=s.sims,
            nodes=nodes,
            seconds=s.time,
            selection=s.rule,
            exploration=s.constant,
            first_play=None if s.fpu < 0 else s.fpu,
            rollout_moves=s.rollout,
            cut_value=s.values,
            # Children at once or at the second visit: the same search, but nodes count them.
            expand_after=0 if nodes else 1,
            final_choice=s.choice,
            extra_simulations=s.extra,
            security=s.security,
            trees=s.trees,
            threads=s.threads,
            memory=s.memory * MEBIBYTE,
            seed=self._seed,
        )
        return core.MonteCarlo(core.Evaluator.none(), settings, reuse=False)

    def _restart(self, searcher: Any) -> None:
        searcher.reset(self._seed)
