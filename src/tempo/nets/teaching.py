"""Networks in integers as they are taught: in floats, in JAX, on a CPU or a GPU.

Weights are kept within what integers can hold after every step, and every value is computed as the
integers compute it: rounded weights, sums cut off to units (quantization-aware training; gradients
pass as if nothing were rounded). So what is taught is what plays. Taught in plain floats, a network
of shogi that imitated another evaluation to 0.025 was off by 0.08 once it was rounded.

Letters: N positions, F features, W width, A active features, S size of a board.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from numpy.typing import NDArray

from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.nets import devices, quantized
from tempo.nets.adam import PREFIX
from tempo.nets.approximator import Arrays, Floats, Inputs
from tempo.nets.incremental import Incremental, Sparse
from tempo.nets.lines import NO_MOVE, TOTALS, Lines, pattern_numbers, patterns_of, split
from tempo.nets.registry import Shape

Weights = dict[str, Array]
LEAST = 64  # positions of a batch; batches are padded to powers of two, so that few are compiled
SHARE = 0.4  # of what a row can hold that is shared by all places of a king
USUAL_HIDDEN = 16  # units after those of the points, where none are named
# Adam moves what is seldom seen far: rows that differ by a king's place learn more slowly than
# those that all places share. Without this, 58,000 positions of shogi were learnt by heart.
OWN_RATE = 0.2
OPTIMIZER = optax.adam(1.0)  # one for all, so that its steps are compiled once
EXACT = 1e-3  # of a unit: what sums of floats may fall short of a whole number by
POLICY_LOSS = 0.1  # weight of the moves beside the values
POLICY_SCALE = 8.0  # of its logits: weights of a policy are small numbers


class Taught(ABC):
    """A network that is taught in floats and plays in integers."""

    sees = "packed"
    limits: tuple[tuple[str, float], ...]  # of weights, by the beginning of their names

    def __init__(self, game: Game) -> None:
        self._game = game
        self.weights: Weights = self._first()
        self._state = OPTIMIZER.init(self.weights)
        self._multiply_adds = int(self.rounded().network.multiply_adds)

    @abstractmethod
    def _first(self) -> Weights:
        """The weights to start from."""

    @abstractmethod
    def _prepared(self, packed: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
        """Arrays for JAX, the first axis of each N."""

    @abstractmethod
    def rounded(self) -> Incremental | Lines:
        """The network in integers."""

    @abstractmethod
    def _floats(self, network: Any) -> dict[str, Any]:
        """Weights that round to those of a network in integers."""

    @staticmethod
    @abstractmethod
    def forward(weights: Weights, *inputs: Array) -> tuple[Array, Array]:
        """[N] values in floats, and [N] what else there is to lose."""

    @property
    def multiply_adds(self) -> int:
        """Of one evaluation in a search."""
        return self._multiply_adds

    def values(self, inputs: Inputs) -> Floats:
        """[N] the value of each position for the seat to move, in floats."""
        count = len(inputs)
        arrays = devices.split(*_padded(self._prepared(inputs.features)))
        return np.asarray(_forward(type(self).forward, self.weights, *arrays))[:count]

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step of Adam down the mean squared error of the values."""
        padded = _padded((*self._prepared(inputs.features), np.asarray(targets, np.float32)))
        arrays = devices.split(*padded)
        self.weights, self._state, loss = _step(
            type(self).forward, self.limits,
            *devices.everywhere((self.weights, self._state)), arrays[:-1], arrays[-1], len(targets),
            step_size,
        )  # fmt: skip
        return float(loss)

    def evaluator(self) -> Any:
        """The rounded network, for searches of any kind in the core."""
        return self._game.core.Evaluator.quantized(self.rounded().network)

    def player(self) -> Any:
        """The same for the game's own search."""
        return self._game.search.Evaluator.quantized(self.rounded().network)

    def begin_with(self, network: Incremental | Lines) -> None:
        """Goes on from a network in integers of the same shape."""
        if not isinstance(network, type(self.rounded())):
            raise ParseError(f"a network of the kind {network.name} fits another net")
        floats = self._floats(network)
        self.restore({name: np.asarray(part, np.float32) for name, part in floats.items()})

    def arrays(self) -> Arrays:
        """Weights and Adam's averages."""
        parts = {name: np.array(part) for name, part in self.weights.items()}
        leaves = jax.tree.leaves(self._state)
        return {**parts, **{f"{PREFIX}{i}": np.array(leaf) for i, leaf in enumerate(leaves)}}

    def restore(self, arrays: Arrays) -> None:
        """Goes back to a checkpoint."""
        for name, part in self.weights.items():
            if name not in arrays:
                raise ParseError(f"there are no weights '{name}'")
            if arrays[name].shape != part.shape:
                raise ParseError(f"'{name}' has the shape {arrays[name].shape}, not {part.shape}")
        self.weights = {name: jnp.array(arrays[name]) for name in self.weights}
        if f"{PREFIX}0" not in arrays:  # weights alone, for playing
            return
        leaves, structure = jax.tree.flatten(self._state)
        stored = [jnp.array(arrays[f"{PREFIX}{i}"]) for i in range(len(leaves))]
        self._state = jax.tree.unflatten(structure, stored)


class TaughtIncremental(Taught):
    """Rows of sparse features for both seats, W of `hidden` wide; then its other layers."""

    limits = (
        ("own", (1 - SHARE) * quantized.MOST_ROW), ("shared", SHARE * quantized.MOST_ROW),
        ("dense", quantized.MOST),
    )  # fmt: skip

    def __init__(self, game: Game, shape: Shape) -> None:
        self.sparse = Sparse.of(game.core)
        self._hidden, self._seed = shape.hidden, shape.seed
        super().__init__(game)

    def _first(self) -> Weights:
        width, *hidden = self._hidden
        first, rest = jax.random.split(jax.random.key(self._seed))
        shared = jax.random.normal(first, (self.sparse.kinds, width))
        return {
            "own": jnp.zeros((self.sparse.count, width)),
            "shared": shared * 0.5 / np.sqrt(self.sparse.most),
            "bias": jnp.full(width, 0.25),
            **_dense(rest, [2 * width, *hidden, 1]),
        }

    def _prepared(self, packed: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
        return (self.sparse.active(packed),)

    def rounded(self) -> Incremental:
        """Rows and shared rows are one row then."""
        return Incremental.rounded(self.weights, self.sparse)

    def _floats(self, network: Any) -> dict[str, Any]:
        rows = network.arrays["rows"] / quantized.ACCUMULATOR
        groups = rows.reshape(-1, self.sparse.kinds, rows.shape[1])
        most = SHARE * quantized.MOST_ROW
        shared = np.clip(groups.mean(axis=0), -most, most)
        return {
            "own": (groups - shared).reshape(rows.shape),
            "shared": shared,
            "bias": network.arrays["bias"] / quantized.ACCUMULATOR,
            **quantized.float_layers(network.arrays),
        }

    @staticmethod
    def forward(weights: Weights, *inputs: Array) -> tuple[Array, Array]:
        """Sums of rows, rectified, then layers."""
        active = inputs[0].astype(jnp.int32)
        count, kinds = len(weights["own"]), len(weights["shared"])
        there = (active < count)[..., None]
        rows = weights["own"] + jnp.tile(weights["shared"], (count // kinds, 1))
        sums = jnp.where(there, _near(rows, quantized.ACCUMULATOR)[active], 0).sum(axis=2)
        units = _units(sums + _near(weights["bias"], quantized.ACCUMULATOR))
        return _value(weights, units.reshape(len(active), -1)), jnp.zeros(len(active))


class TaughtLines(Taught):
    """Patterns of lines through every point, W of `hidden` units; then its other layers.

    A pattern is its mirror image and all directions share their rows: a board that is turned has
    the same value, so that there is nothing to learn from symmetries.
    """

    limits = (
        ("rows", quantized.MOST_ROW), ("policy", quantized.MOST), ("dense", quantized.MOST)
    )  # fmt: skip

    def __init__(self, game: Game, shape: Shape) -> None:
        if not hasattr(game.core, "line_board"):
            raise ParseError(f"{game.name} has no board of lines: take another net")
        units, *rest = shape.hidden
        self._hidden, self._seed = (units, *(rest or [USUAL_HIDDEN])), shape.seed
        super().__init__(game)

    def _first(self) -> Weights:
        width, *hidden = self._hidden
        first, rest = jax.random.split(jax.random.key(self._seed))
        patterns = int(pattern_numbers().max())  # what cannot be has the last number
        return {
            "rows": 0.05 * jax.random.normal(first, (patterns, width)),
            "bias": jnp.full(width, 0.05),
            "policy": jnp.zeros(width),
            **_dense(rest, [width, *hidden, 1]),
        }

    def _prepared(self, packed: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
        return split(packed)

    def rounded(self) -> Lines:
        """Of the game's version of lines."""
        return Lines.rounded(self.weights, self._game.core.line_board)

    def _floats(self, network: Any) -> dict[str, Any]:
        arrays = network.arrays
        return {
            "rows": arrays["rows"] / quantized.ACCUMULATOR,
            "bias": arrays["bias"] / quantized.ACCUMULATOR,
            "policy": arrays["policy"] / quantized.WEIGHT,
            **quantized.float_layers(arrays, TOTALS),
        }

    @staticmethod
    def forward(weights: Weights, *inputs: Array) -> tuple[Array, Array]:
        """Sums of rows at every point, rectified and added up, then layers."""
        cells, best = inputs
        numbers = patterns_of(cells, jnp.asarray(pattern_numbers()), jnp)
        rows, bias = (_near(weights[name], quantized.ACCUMULATOR) for name in ("rows", "bias"))
        units = _units(rows[numbers].sum(axis=1) + bias)
        logits = POLICY_SCALE * (units @ _near(weights["policy"], quantized.WEIGHT))
        logits = jnp.where(cells == 0, logits, -jnp.inf).reshape(len(cells), -1)
        known = best != NO_MOVE
        chosen = jnp.where(known, best, 0)[:, None]
        likely = jnp.take_along_axis(jax.nn.log_softmax(logits), chosen, axis=1)[:, 0]
        lost = jnp.where(known, -likely, 0)
        return _value(weights, units.sum(axis=(1, 2)) * TOTALS, TOTALS), POLICY_LOSS * lost


def _dense(key: Array, sizes: list[int]) -> Weights:
    found: Weights = {}
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        key, own = jax.random.split(key)
        last = i == len(sizes) - 2
        spread = 0.1 if last else np.sqrt(2 / inputs)
        found[f"dense{i}.weights"] = spread * jax.random.normal(own, (outputs, inputs))
        found[f"dense{i}.bias"] = jnp.zeros(outputs) if last else jnp.full(outputs, 0.1)
    return found


def _near(floats: Array, scale: float) -> Array:
    """Rounded to whole numbers of 1 / scale. The gradient is that of the floats."""
    return floats + jax.lax.stop_gradient(jnp.round(floats * scale) / scale - floats)


def _units(sums: Array) -> Array:
    """Rectified units, whole numbers of 1 / 127: integers are shifted, and so rounded down."""
    down = jnp.floor(sums * quantized.UNIT + EXACT) / quantized.UNIT
    return jnp.clip(sums + jax.lax.stop_gradient(down - sums), 0, 1)


def _value(weights: Weights, units: Array, first: float = 1.0) -> Array:
    """[N] values of units [N, in]; those of the first layer count `first` times."""
    layers = quantized.layer_count(weights)
    for i in range(layers):
        scale = quantized.UNIT * quantized.WEIGHT / (first if i == 0 else 1.0)
        rows = _near(weights[f"dense{i}.weights"], quantized.WEIGHT).T
        sums = jnp.matmul(units, rows, precision="highest")
        sums = sums + _near(weights[f"dense{i}.bias"], scale)
        units = sums if i == layers - 1 else _units(sums)
    return units[:, 0] / (1 + jnp.abs(units[:, 0]))


def _padded(arrays: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
    count = len(arrays[0])
    size = max(LEAST, 1 << max(count - 1, 0).bit_length())
    if size == count:
        return arrays
    return tuple(np.pad(a, ((0, size - count), *((0, 0),) * (a.ndim - 1))) for a in arrays)


@partial(jax.jit, static_argnums=0)
def _forward(forward: Any, weights: Weights, *inputs: Array) -> Array:
    values: Array = forward(weights, *inputs)[0]
    return values


@partial(jax.jit, static_argnums=(0, 1), donate_argnums=(2, 3))
def _step(
    forward: Any,
    limits: tuple[tuple[str, float], ...],
    weights: Weights,
    state: optax.OptState,
    inputs: tuple[Array, ...],
    targets: Array,
    count: Array,
    step_size: Array,
) -> tuple[Weights, optax.OptState, Array]:
    there = jnp.arange(len(targets)) < count

    def loss_of(given: Weights) -> tuple[Array, Array]:
        values, more = forward(given, *inputs)
        error = jnp.sum(jnp.where(there, (values - targets) ** 2, 0)) / count
        return error + jnp.sum(jnp.where(there, more, 0)) / count, error

    (_, error), gradient = jax.value_and_grad(loss_of, has_aux=True)(weights)
    change, state = OPTIMIZER.update(gradient, state, weights)
    moved: Weights = {}
    for name, part in weights.items():
        moved[name] = part + (OWN_RATE if name == "own" else 1.0) * step_size * change[name]
        for begins, limit in limits:
            if name.startswith(begins) and not name.endswith("bias"):
                moved[name] = jnp.clip(moved[name], -limit, limit)
    return moved, state, error
