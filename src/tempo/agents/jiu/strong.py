"""The strongest player of Jiu here: places by trying boards out, fights by alpha-beta.

Placing: the expert names candidates; for each, boards are filled to the end by the expert for both
sides, and a short search values the battle that would begin. The expert goes by weights that
matches have tuned (tools/jiu_expert.py). The candidate with the best mean is
placed (policy improvement by rollouts, Tesauro and Galperin 1996). A short search is a good judge:
on 1,200 boards filled by various hands, the value after 100 positions and the result of the whole
battle correlate at 0.70.

Fighting: alpha-beta over whole turns with weights of terms learnt by TreeStrap; inside a turn only
the best captures are tried.

`jiu-strong-1` is the first version, which later ones are measured against: it places by the
expert's priorities and tries every capture.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core, weights
from tempo._core import jiu, jiu_players
from tempo.agents.jiu.library import SHIPPED, LibraryPlacer, opened
from tempo.agents.jiu.placing import (
    PLACING,
    Boards,
    ExpertPlacer,
    Layouts,
    Placer,
    Points,
    expert_weights,
)
from tempo.agents.jiu.players import JiuAgent
from tempo.agents.registry import Runs, declare
from tempo.agents.search import (
    EVALUATORS,
    STEPS,
    AlphaBetaAgent,
    AlphaBetaSettings,
    learnt_evaluator,
)
from tempo.agents.settings import COUNT, DRAWS, MEMORY, SECONDS, AgentSettings, setting, text_of
from tempo.agents.steps import steps_of
from tempo.stopping import stopped

FILLS = 8  # boards filled for each candidate, where time does not decide
JUDGED = 100  # positions searched to value a filled board


@dataclass(frozen=True)
class RolloutPlacer:
    """The candidate whose filled boards are worth most to the seat that places."""

    candidates: int = 12
    fills: int = FILLS
    seconds: float = 0.0  # a placement; no further round of fills begins after it; 0: no limit
    positions: int = JUDGED
    expert: ExpertPlacer = field(default_factory=ExpertPlacer)

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        worth = self.expert.scores(games, allowed)
        usual = self.expert.place(games, allowed)
        chosen = [self._best(games, i, worth[i], int(usual[i])) for i in range(len(usual))]
        return np.array(chosen, np.int32)

    def _best(self, games: Layouts, game: int, worth: NDArray[np.float64], usual: int) -> int:
        """The best candidate of one game; of equals the expert's own choice, which comes first."""
        random = np.random.default_rng([int(games.seeds[game]), games.placed])
        open_points = np.flatnonzero(np.isfinite(worth))
        order = np.lexsort((random.random(len(open_points)), -worth[open_points]))
        others = [int(point) for point in open_points[order] if point != usual]
        tried = np.array([usual, *others[: self.candidates - 1]])
        if len(tried) == 1:
            return usual
        boards = np.repeat(games.boards[game : game + 1], len(tried), axis=0)
        boards[np.arange(len(tried)), tried] = games.seat + 1
        judge, weights = _judge(self.positions), expert_weights(self.expert.weights)
        total, until = np.zeros(len(tried)), time.perf_counter() + self.seconds
        for _ in range(self.fills):
            # One seed for all: they differ by the candidate and what follows from it.
            seeds = np.repeat(random.integers(0, 2**63, 1, np.uint64), len(tried))
            full, _ = jiu_players.expert_fill(games.options, boards, seeds, weights)
            battles = jiu_players.battles(games.options, full)
            found = [judge.search(battle).scores[games.seat] for battle in battles]
            if stopped():  # a round is for all candidates or for none
                break
            total += found
            if self.seconds and time.perf_counter() > until:
                break
        return int(tried[np.argmax(total)])


def _judge(positions: int) -> Any:
    """A short search with the learnt evaluation."""
    settings = _core.AlphaBetaSettings(positions=positions, reduce=True, table_bytes=1 << 16)
    return jiu.AlphaBeta(jiu.Evaluator.linear(weights.terms("jiu")), settings)


@dataclass(frozen=True)
class StrongSettings(AgentSettings):
    """Budgets of a placement and of a turn, and how boards are tried out."""

    time: float = setting(0.2, "seconds a placement and a turn; 0: no limit", SECONDS)
    nodes: int = setting(0, "positions visited a turn, never more; 0: no limit", COUNT)
    candidates: int = setting(12, "points tried a placement", (1, 1000))
    fills: int = setting(FILLS, "boards filled for each of them, at most", DRAWS)
    placing: str = setting(
        "tuned", "weights of the expert: tuned, priority or score", choices=PLACING
    )
    eval: str = setting(
        "learned",
        "what values a leaf in battle: learned, static or a run folder",
        choices=EVALUATORS,
        opens="run",
    )
    table: int = setting(16, "MiB of transposition table", MEMORY)
    library: str = setting(
        "",
        "opening library: sarsa, q_learning or an SGF file; none helped",
        choices=SHIPPED,
        opens="file",
    )
    steps: str = setting("follow", STEPS)

    def __post_init__(self) -> None:
        super().__post_init__()
        steps_of(self.steps)


@dataclass(frozen=True)
class FirstSettings(StrongSettings):
    """The first version's."""

    placing: str = setting(
        "priority", "weights of the expert: tuned, priority or score", choices=PLACING
    )
    steps: str = setting("none", STEPS)


@declare(
    "jiu-strong",
    StrongSettings,
    "tries boards out, then searches with learnt weights",
    games=("jiu",),
    weights=("jiu/terms", "jiu/expert"),
    runs=Runs(
        {"tree_strap": "", "td_leaf": ""},
        lambda folder, _: StrongSettings(eval=folder),
        learnt_evaluator,
    ),
)
def strong_agent(settings: StrongSettings | None = None, name: str = "") -> JiuAgent:
    """Rollouts on all points, then alpha-beta."""
    return _agent("jiu-strong", settings or StrongSettings(), name)


@declare(
    "jiu-strong-1",
    FirstSettings,
    "jiu-strong as it first was: what later versions are measured against",
    games=("jiu",),
    weights=("jiu/terms",),
)
def first_agent(settings: FirstSettings | None = None) -> JiuAgent:
    """The first version."""
    return _agent("jiu-strong-1", settings or FirstSettings())


def _agent(agent: str, chosen: StrongSettings, name: str = "") -> JiuAgent:
    expert = ExpertPlacer(weights=chosen.placing)
    placer: Placer = RolloutPlacer(chosen.candidates, chosen.fills, chosen.time, expert=expert)
    if chosen.library:
        placer = LibraryPlacer(opened(chosen.library), "symmetry", placer)
    battle = AlphaBetaAgent(
        AlphaBetaSettings(
            nodes=chosen.nodes,
            time=chosen.time,
            eval=chosen.eval,
            table=chosen.table,
            reduce=True,
            steps=chosen.steps,
        )
    )
    return JiuAgent(name or text_of(agent, chosen), placer, battle, area=0)
