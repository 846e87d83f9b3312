"""Dense networks in NumPy: they learn without JAX, and play in the core with the same numbers.

Hidden layers are rectified, the output is a tanh. A network without hidden layers is linear.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.games.game import Game
from tempo.nets.adam import Adam, restored, stored
from tempo.nets.approximator import Arrays, Floats, Inputs

DAMPING = 1e-8


class Dense:
    """Layers of weights [out, in] and biases [out] on a game's planes."""

    sees = "features"

    def __init__(self, game: Game, hidden: tuple[int, ...], seed: int) -> None:
        self._game = game
        random = np.random.default_rng([seed, 0x6E6574])
        sizes = [int(np.prod(game.feature_shape)), *hidden, 1]
        self.weights: list[Floats] = []
        self.biases: list[Floats] = []
        for inputs, outputs in pairwise(sizes):
            last = outputs == 1 and len(self.weights) == len(hidden)
            # The first values are small: nothing is known yet.
            spread = 0.1 / np.sqrt(inputs) if last else np.sqrt(2 / inputs)
            drawn = random.normal(0, spread, (outputs, inputs))
            self.weights.append(drawn.astype(np.float32))
            self.biases.append(np.zeros(outputs, np.float32))
        self._steps = 0
        self._adam = Adam(sum(part.size for part in self._parts()), damping=DAMPING)

    def _parts(self) -> list[Floats]:
        return [*self.weights, *self.biases]

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of one forward pass, every input counted."""
        return sum(weights.size for weights in self.weights)

    def values(self, inputs: Inputs) -> Floats:
        """[N] the network's output."""
        return self._forward(_flat(inputs.features))[-1][:, 0]

    def _forward(self, x: Floats) -> list[Floats]:
        layers = [x]
        for i, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = x @ weights.T + bias
            x = np.tanh(x) if i == len(self.weights) - 1 else np.maximum(x, 0)
            layers.append(x)
        return layers

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step of Adam down the mean squared error."""
        layers = self._forward(_flat(inputs.features))
        error = layers[-1][:, 0] - targets
        back = (2 * error * (1 - layers[-1][:, 0] ** 2) / len(error))[:, None]
        by_weights: list[NDArray[Any]] = []
        by_biases: list[NDArray[Any]] = []
        for i in range(len(self.weights) - 1, -1, -1):
            by_weights.append(back.T @ layers[i])
            by_biases.append(back.sum(axis=0))
            back = (back @ self.weights[i]) * (layers[i] > 0)
        gradient = np.concatenate([g.ravel() for g in (*by_weights[::-1], *by_biases[::-1])])
        self._steps += 1
        change = self._adam.step(gradient, step_size, self._steps)
        at = 0
        for part in self._parts():
            part[...] -= change[at : at + part.size].reshape(part.shape).astype(np.float32)
            at += part.size
        return float(np.mean(error**2))

    def evaluator(self) -> Any:
        """The same network in the core."""
        kinds = ["relu"] * (len(self.weights) - 1) + ["tanh"]
        layers = [
            (weights.copy(), bias.copy(), kind)
            for weights, bias, kind in zip(self.weights, self.biases, kinds, strict=True)
        ]
        return self._game.core.Evaluator.dense(self._game.options, layers)

    def arrays(self) -> Arrays:
        """Weights, biases and Adam's averages."""
        names = [f"{kind}{i}" for kind in ("weights", "biases") for i in range(len(self.weights))]
        parts = dict(zip(names, self._parts(), strict=True))
        return {**parts, **stored(self._adam, self._steps)}

    def restore(self, arrays: Arrays) -> None:
        """Restores a checkpoint."""
        for kind, parts in (("weights", self.weights), ("biases", self.biases)):
            for i, part in enumerate(parts):
                part[:] = arrays[f"{kind}{i}"]
        self._steps = restored(self._adam, arrays)


def _flat(features: Floats) -> Floats:
    return features.reshape(len(features), -1)
