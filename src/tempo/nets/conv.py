"""A small convolutional network in JAX: 3x3 windows over the board, then a dense head.

Batches are padded to powers of two, so that few shapes are compiled.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from tempo.games.game import Game
from tempo.nets.adam import PREFIX
from tempo.nets.approximator import Arrays, Floats, Inputs
from tempo.nets.devices import everywhere, split

Weights = dict[str, Array]
LEAST = 64  # positions of a batch


class Convolution:
    """Layers of `channels` each, rectified, and one hidden layer, on a game's planes."""

    sees = "features"

    def __init__(self, game: Game, channels: tuple[int, ...], hidden: int, seed: int) -> None:
        self._core = game.core
        planes, rows, columns = game.feature_shape
        keys = iter(jax.random.split(jax.random.key(seed), len(channels) + 2))
        self.weights: Weights = {}
        before = planes
        for i, width in enumerate(channels):
            self.weights[f"window{i}"] = _normal(next(keys), (9 * before, width))
            self.weights[f"window_bias{i}"] = jnp.zeros(width)
            before = width
        self.weights["hidden"] = _normal(next(keys), (before * rows * columns, hidden))
        self.weights["hidden_bias"] = jnp.zeros(hidden)
        self.weights["last"] = 0.1 * _normal(next(keys), (hidden, 1))
        self.weights["last_bias"] = jnp.zeros(1)
        self._optimizer = optax.adam(1.0)
        self._state = self._optimizer.init(self.weights)
        self._shape = (planes, rows, columns)

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of one forward pass."""
        _, rows, columns = self._shape
        sizes = {name: part.size for name, part in self.weights.items() if part.ndim == 2}
        return sum(
            size * (rows * columns if name.startswith("window") else 1)
            for name, size in sizes.items()
        )

    def values(self, inputs: Inputs) -> Floats:
        """[N] the network's output."""
        return self._values(inputs.features)

    def _values(self, features: Floats) -> Floats:
        count = len(features)
        padded = _padded(features.reshape(count, *self._shape))
        return np.asarray(_forward(self.weights, *split(padded)))[:count]

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step of Adam down the mean squared error."""
        count = len(targets)
        planes = _padded(inputs.features.reshape(count, *self._shape))
        goals = np.zeros(len(planes), np.float32)
        goals[:count] = targets
        self.weights, self._state, loss = _step(
            self._optimizer, *everywhere((self.weights, self._state)), *split(planes, goals),
            count, step_size,
        )  # fmt: skip
        return float(loss)

    def evaluator(self) -> Any:
        """Asks this network, in batches as large as the search has."""
        return self._core.Evaluator.callback(self._values)

    def arrays(self) -> Arrays:
        """Weights and Adam's averages."""
        parts = {f"weights.{name}": np.asarray(part) for name, part in self.weights.items()}
        leaves = jax.tree.leaves(self._state)
        return {**parts, **{f"{PREFIX}{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}}

    def restore(self, arrays: Arrays) -> None:
        """Restores a checkpoint."""
        self.weights = {name: jnp.asarray(arrays[f"weights.{name}"]) for name in self.weights}
        if f"{PREFIX}0" not in arrays:  # weights alone, for playing
            return
        leaves, structure = jax.tree.flatten(self._state)
        stored = [jnp.asarray(arrays[f"{PREFIX}{i}"]) for i in range(len(leaves))]
        self._state = jax.tree.unflatten(structure, stored)


def _normal(key: Array, shape: tuple[int, int]) -> Array:
    return jnp.sqrt(2 / shape[0]) * jax.random.normal(key, shape)


def _padded(planes: Floats) -> Floats:
    size = max(LEAST, 1 << max(len(planes) - 1, 0).bit_length())
    return np.pad(planes, ((0, size - len(planes)), (0, 0), (0, 0), (0, 0)))


@jax.jit
def _forward(weights: Weights, planes: Array) -> Array:
    x = jnp.moveaxis(planes, 1, 3)
    layers = sum(name.startswith("window_bias") for name in weights)
    for i in range(layers):
        x = jax.nn.relu(_windows(x) @ weights[f"window{i}"] + weights[f"window_bias{i}"])
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ weights["hidden"] + weights["hidden_bias"])
    return jnp.tanh(x @ weights["last"] + weights["last_bias"])[:, 0]


def _windows(x: Array) -> Array:
    """[B, rows, columns, C] to [B, rows, columns, 9 C]: what a window of 3x3 sees.

    A product of matrices on them is a convolution, and on CPUs its gradient is far faster.
    """
    rows, columns = x.shape[1:3]
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    shifted = [padded[:, i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return jnp.concatenate(shifted, axis=3)


@partial(jax.jit, static_argnums=0)
def _step(
    optimizer: optax.GradientTransformation,
    weights: Weights,
    state: optax.OptState,
    planes: Array,
    targets: Array,
    count: Array,
    step_size: Array,
) -> tuple[Weights, optax.OptState, Array]:
    def loss_of(given: Weights) -> Array:
        error = _forward(given, planes) - targets
        return jnp.sum(jnp.where(jnp.arange(len(targets)) < count, error**2, 0)) / count

    loss, gradient = jax.value_and_grad(loss_of)(weights)
    change, state = optimizer.update(gradient, state, weights)
    return optax.apply_updates(weights, jax.tree.map(lambda c: step_size * c, change)), state, loss
