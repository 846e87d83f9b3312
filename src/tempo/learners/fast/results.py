"""Learning the weights of an evaluation's terms from results of games, by logistic regression.

The evaluation says log odds = w · φ(s), with φ the terms of a whole position, hidden ranks
included. Games are played by others, so nothing is bootstrapped: every step plays a few games, sums
the gradient of the log loss at positions drawn from them, and makes one step of Adam. No game is
seen twice; the loss of a step, taken before its update, is therefore that of games not yet seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError
from tempo.ledger import Ledger
from tempo.nets.adam import Adam, falling

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """The settings of this learner."""

    steps: int = 1000
    games: int = 32  # played for each step
    step_size: float = 0.02  # of Adam
    damping: float = 1e-3  # of Adam: the larger, the less terms move whose gradients are small
    final_share: float = 0.02  # of the step size, reached on a straight line
    random_share: float = 0.1  # moves of the games played at random

    def __post_init__(self) -> None:
        """Raises ParseError for settings that make no sense."""
        if self.steps < 1 or self.games < 1:
            raise ParseError("a recipe's steps and games are 1 or more")
        if not 0 <= self.random_share <= 1:
            raise ParseError("a recipe's random_share is from 0 to 1")


class SelfPlay(Protocol):
    """Games whose results teach."""

    def first_weights(self) -> Floats:
        """[T] the weights to start from."""

    def gradient(
        self, weights: Floats, games: int, *, seed: int, begin: int, random_share: float
    ) -> tuple[NDArray[np.float64], float, int, int, float]:
        """[T] the gradient of the log loss, the loss, both summed; positions, moves, and games won.

        Seat 0 wins them, draws count half. Game i by (seed, begin + i) alone.
        """


class Results:
    """The learner: weights and Adam's averages."""

    def __init__(self, self_play: SelfPlay, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.ledger = Ledger()
        self.weights = np.array(self_play.first_weights())
        self._adam = Adam(len(self.weights), damping=settings.damping)
        self._self_play = self_play

    @property
    def total(self) -> int:
        """The number of iterations."""
        return self.settings.steps

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= self.settings.steps

    def iterate(self) -> dict[str, Any]:
        """A few games, and one update."""
        s = self.settings
        cost = Ledger(gradient_steps=1, games=s.games)
        with cost.timing():
            gradient, loss, positions, moves, won = self._self_play.gradient(
                self.weights,
                s.games,
                seed=self.seed,
                begin=self.step * s.games,
                random_share=s.random_share,
            )
            self._learn(gradient / max(positions, 1))
        cost.moves, cost.evaluations = moves, positions
        self.step += 1
        self.ledger += cost
        return {
            "step": self.step,
            "games": self.step * s.games,
            "won": won / s.games,
            "loss": loss / max(positions, 1),
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _learn(self, gradient: NDArray[np.float64]) -> None:
        s = self.settings
        rate = falling(s.step_size, s.final_share, self.step, s.steps)
        change = self._adam.step(gradient, rate, self.step + 1)
        self.weights = np.asarray(self.weights - change, np.float32)

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights and Adam's averages, for a checkpoint."""
        return {"weights": self.weights, **self._adam.arrays()}

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint."""
        return {"seed": self.seed}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step, self.seed = step, state["seed"]
        self.weights = arrays["weights"]
        self._adam.restore(arrays)
