"""A weighted sum of a game's terms, squashed as the core squashes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.nets.adam import Adam, restored, stored
from tempo.nets.approximator import Arrays, Floats, Inputs

DAMPING = 1e-8


class Linear:
    """Weights [T] of terms: values s / (|s| + half) of sums s, from nothing but the rules."""

    sees = "terms"

    def __init__(self, game: Game) -> None:
        self._core = game.core
        self.weights = np.zeros(len(game.core.term_names), np.float32)
        self._half = float(game.core.half_win)
        self._steps = 0
        self._adam = Adam(len(self.weights), damping=DAMPING)

    @property
    def multiply_adds(self) -> int:
        """One for each term."""
        return len(self.weights)

    def values(self, inputs: Inputs) -> Floats:
        """[N] the squashed sums."""
        sums = inputs.features @ self.weights
        return np.asarray(sums / (np.abs(sums) + self._half), np.float32)

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step of Adam, with the loss whose slope by the sum is the error itself.

        It is convex in the weights, as the squared error is not (Auer, Herbster, Warmuth 1995).
        """
        error = self.values(inputs) - targets
        gradient = error.astype(np.float64) @ inputs.features / (self._half * len(error))
        self._steps += 1
        change = self._adam.step(gradient, step_size * self._half, self._steps)
        self.weights = np.asarray(self.weights - change, np.float32)
        return float(np.mean(error**2))

    def evaluator(self) -> Any:
        """The same sum in the core."""
        return self._core.Evaluator.linear(self.weights)

    def arrays(self) -> Arrays:
        """Weights and Adam's averages."""
        return {"weights": self.weights, **stored(self._adam, self._steps)}

    def restore(self, arrays: Arrays) -> None:
        """Restores a checkpoint."""
        if "weights" not in arrays:  # of a version in which fewer games had terms
            raise ParseError(
                f"this net is linear in planes, and {self._core.name} has "
                f"{len(self._core.term_names)} terms that it would learn today: train it anew"
            )
        self.weights = arrays["weights"]
        self._steps = restored(self._adam, arrays)
