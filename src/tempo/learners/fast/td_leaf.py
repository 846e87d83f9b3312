"""Learning the weights of a game's terms by TD-Leaf(λ), from whole games of the search with itself.

One iteration plays some games with one set of weights, so that the number of threads changes
nothing, and is one step of Adam. The value of a search is the evaluation of a leaf; that evaluation
is moved towards the λ-return of what followed (`td.td_leaf`, Baxter et al. 1998), which ends in the
result of the game. Games and gradient are the core's (`core/learning/leaf_game.h`): a shallow
search is so quick that Python would take longer to ask for it.

Stages go from cheap to dear: which terms are learnt, how deep is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo.errors import ParseError
from tempo.ledger import Ledger
from tempo.nets.adam import Adam, falling

if TYPE_CHECKING:
    from tempo.games.protocol import Position


@dataclass(frozen=True)
class Stage:
    """A part of the schedule."""

    iterations: int
    games: int = 16  # an iteration
    depth: int = 1  # of the search
    positions: int = 2000  # of a search at most; 0: no limit
    terms: int = 0  # only the first ones learn; 0: all of them


@dataclass(frozen=True)
class Settings:
    """The settings of this learner."""

    stages: tuple[Stage, ...]
    trace: float = 0.9  # λ
    step_size: float = 0.1  # of Adam
    final_share: float = 0.02  # of the step size, reached on a straight line
    damping: float = 1e-6  # of Adam
    square_decay: float = 0.99  # of Adam: the mean of squares forgets as quickly as games change
    random_share: float = 0.03  # moves played at random
    opening: int = 16  # random moves at most before a game counts
    quiescence_turns: int = 6  # untaught values let captures go on for ever
    table: int = 256  # KiB of transposition table, for depths of more than 1


class TDLeaf:
    """The learner: weights and Adam's averages."""

    def __init__(
        self,
        core: ModuleType,
        start: Position,
        settings: Settings,
        seed: int,
        *,
        threads: int = 1,
    ) -> None:
        if not settings.stages:
            raise ParseError("TD-Leaf learns in stages, and the recipe has none: [[stages]]")
        self.core = core
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.begun = 0  # games so far; each has a random stream of its own
        self.ledger = Ledger()
        count = len(core.term_names)
        self.weights = np.zeros(count, np.float32)  # nothing but the rules
        self._adam = Adam(count, damping=settings.damping, forgets=1 - settings.square_decay)
        self._start = start
        self._threads = threads

    @property
    def total(self) -> int:
        """The number of iterations."""
        return sum(stage.iterations for stage in self.settings.stages)

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= self.total

    def iterate(self) -> dict[str, Any]:
        """Games, and one step of Adam."""
        stage = self._stage()
        cost = Ledger(gradient_steps=1, games=stage.games)
        with cost.timing():
            played = self._play(stage)
            self._learn(played.gradient / max(played.leaves, 1), stage)
        cost.moves, cost.positions = played.moves, played.positions
        cost.evaluations = played.evaluations
        self.step += 1
        self.begun += stage.games
        self.ledger += cost
        return {
            "step": self.step,
            "games": self.begun,
            "won": (played.score / stage.games + 1) / 2,
            "moves": played.moves / stage.games,
            "loss": played.squares / max(played.leaves, 1),
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _stage(self) -> Stage:
        before = 0
        for stage in self.settings.stages:
            before += stage.iterations
            if self.step < before:
                return stage
        raise IndexError(f"the schedule has {self.total} iterations, and all are done")

    def _play(self, stage: Stage) -> Any:
        s = self.settings
        search = _core.AlphaBetaSettings(
            depth=stage.depth,
            positions=stage.positions,
            table_bytes=s.table << 10 if stage.depth > 1 else 0,
            quiescence_turns=s.quiescence_turns,
            reduce=stage.depth > 2,
        )
        return self.core.leaf_games(
            self.core.Evaluator.linear(self.weights),
            self._start,
            search,
            trace=s.trace,
            random_share=s.random_share,
            opening=s.opening,
            seed=self.seed,
            first=self.begun,
            count=stage.games,
            threads=self._threads,
        )

    def _learn(self, gradient: NDArray[np.float64], stage: Stage) -> None:
        """One step of Adam."""
        s = self.settings
        rate = falling(s.step_size, s.final_share, self.step, self.total)
        change = self._adam.step(gradient, rate, self.step + 1)
        if stage.terms:
            change[stage.terms :] = 0
        self.weights = np.asarray(self.weights - change, np.float32)

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights and Adam's averages, for a checkpoint."""
        return {"weights": self.weights, **self._adam.arrays()}

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint."""
        return {"begun": self.begun, "seed": self.seed}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step, self.begun, self.seed = step, state["begun"], state["seed"]
        self.weights = arrays["weights"]
        self._adam.restore(arrays)
