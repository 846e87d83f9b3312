"""A residual network with a policy and a value, in JAX: for the GPU, and small boards on a CPU.

Blocks of two convolutions of 3x3, the first of which is told the mean and the largest value of
every channel (global pooling: Wu 2019), so that far parts of a board are seen at once. There is no
normalisation: the second convolution of a block begins at zero (Zhang, Dauphin, Ma 2019).

Where a game has a move for every point (and perhaps one more, to pass), the policy is one number a
point; else it goes through a layer that all points feed. Rows come packed in bits and are unpacked
on the device; priors go back for legal moves alone. Numbers of positions and of moves are padded to
a few sizes, so that little is compiled.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from numpy.typing import NDArray

from tempo.games.game import Game
from tempo.nets.adam import PREFIX
from tempo.nets.approximator import Arrays, Floats, Inputs
from tempo.nets.devices import everywhere, split
from tempo.nets.guided import (
    NO_MOVE,
    SOON,
    Answer,
    Examples,
    Ints,
    Later,
    Losses,
    Packing,
    Rows,
    power_of_two,
    symmetry_tables,
)

Weights = dict[str, Array]
LOWEST = -60.0  # of a logit below the highest one: its prior is still a number
ILLEGAL = -1e9  # the logit of a move that cannot be made
DECAY = 1e-4  # of weights, a step of size 1
OPTIMIZER = optax.adamw(1.0, weight_decay=DECAY)  # steps are scaled by their size
NARROW = 4  # channels that values and policies of other games look at
BOTTLENECK = 128  # numbers between the points and the moves of other games


class Sizes(NamedTuple):
    """What a network is compiled for."""

    shape: tuple[int, int, int]
    scaled: tuple[int, ...]
    packed: bool
    blocks: int
    moves: int
    by_point: bool
    half: bool  # convolutions in bfloat16, by cuDNN


class Residual:
    """As many blocks as `channels` has entries, all as wide as the first."""

    sees = "features"

    def __init__(self, game: Game, channels: tuple[int, ...], hidden: int, seed: int) -> None:
        self._game, packing = game, Packing(game)
        self._packing = packing
        self.on_gpu = jax.default_backend() != "cpu"
        area = int(np.prod(packing.shape[1:]))
        tables = symmetry_tables(game)
        self._tables = tuple(jnp.asarray(table, jnp.int32) for table in tables)
        by_point = game.move_numbers in (area, area + 1) and _turns_alike(*tables, area)
        self.sizes = Sizes(
            packing.shape, packing.scaled, packing.is_packed, len(channels), game.move_numbers,
            by_point, self.on_gpu,
        )  # fmt: skip
        self.weights = _drawn(self.sizes, channels[0], hidden, seed)
        self._state = OPTIMIZER.init(self.weights)

    @property
    def multiply_adds(self) -> int:
        """Of one forward pass."""
        area = int(np.prod(self._packing.shape[1:]))
        return sum(
            part.size * (area if part.ndim == 4 else 1)
            for part in self.weights.values() if part.ndim > 1
        )  # fmt: skip

    def values(self, inputs: Inputs) -> Floats:
        """[N] the value of the game."""
        return self.answer(inputs.features)[0]

    def answer(self, features: Floats) -> tuple[Floats, Later]:
        """Values [N] and logits [N, A], as searches of the core ask for them."""
        count = len(features)
        plain = _padded(features.reshape(count, -1), power_of_two(count))
        values, logits = _forward(self.sizes, self.weights, *split(plain))
        return np.asarray(values)[:count, 0], Later(lambda: np.asarray(logits)[:count])

    def ask(self, rows: Rows, offsets: Ints, moves: NDArray[np.uint16]) -> Answer:
        """Begins to answer; JAX computes until the answer is asked for."""
        count, listed = len(rows), len(moves)
        positions = power_of_two(count)
        width = positions * power_of_two(-(-listed // positions))
        ends = np.full(positions, listed, np.int32)
        ends[:count] = offsets[1:]
        values, priors = _asked(
            self.sizes, self.weights, *split(_padded(rows, positions)), ends, _padded(moves, width)
        )
        return lambda: (np.asarray(values)[:count], np.asarray(priors)[:listed])

    def evaluator(self) -> Any:
        """Asks this network, in batches as large as the search has."""
        return self._game.core.Evaluator.callback(self.answer)

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step down the squared error of the value alone."""
        count = len(targets)
        size = power_of_two(count)
        plain = _padded(inputs.features.reshape(count, -1), size)
        self.weights, self._state, loss = _fit(
            self.sizes, *everywhere((self.weights, self._state)),
            *split(plain, _padded(targets, size)), count, step_size,
        )  # fmt: skip
        return float(loss)

    def improve(self, examples: Examples, symmetries: Ints, step_size: float) -> Losses:
        """One step down the sum of all losses."""
        self.weights, self._state, losses = _improve(
            self.sizes, *everywhere((self.weights, self._state, self._tables)),
            *split(examples.rows, examples.moves, examples.shares, examples.values, examples.soon,
                   symmetries.astype(np.int32)), step_size,
        )  # fmt: skip
        value, soon, policy = np.asarray(losses).tolist()
        return Losses(value, soon, policy)

    def arrays(self) -> Arrays:
        """Weights and Adam's averages."""
        parts = {f"weights.{name}": np.asarray(part) for name, part in self.weights.items()}
        leaves = jax.tree.leaves(self._state)
        return {**parts, **{f"{PREFIX}{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}}

    def restore(self, arrays: Arrays) -> None:
        """Goes back to a checkpoint."""
        self.weights = {name: jnp.asarray(arrays[f"weights.{name}"]) for name in self.weights}
        if f"{PREFIX}0" not in arrays:  # weights alone, for playing
            return
        leaves, structure = jax.tree.flatten(self._state)
        stored = [jnp.asarray(arrays[f"{PREFIX}{i}"]) for i in range(len(leaves))]
        self._state = jax.tree.unflatten(structure, stored)


def _turns_alike(features: Ints, moves: Ints, area: int) -> bool:
    """Whether symmetries take moves where they take points: else moves are not points."""
    return bool((np.argsort(features, axis=1)[:, :area] == moves[:, :area]).all())


def _drawn(sizes: Sizes, width: int, hidden: int, seed: int) -> Weights:
    """Weights to begin with; the first answers are almost even."""
    random = np.random.default_rng([seed, 0x726573])
    planes, rows, columns = sizes.shape
    found: dict[str, NDArray[Any]] = {}

    def add(name: str, shape: tuple[int, ...], gain: float) -> None:
        inputs = int(np.prod(shape[:-1]))
        found[name] = gain / np.sqrt(inputs) * random.normal(size=shape)
        found[f"{name}.bias"] = np.zeros(shape[-1])

    root2 = np.sqrt(2.0)
    add("stem", (3, 3, planes, width), root2)
    for i in range(sizes.blocks):
        add(f"block{i}.first", (3, 3, width, width), root2)
        add(f"block{i}.pooled", (2 * width, width), 0.5)
        add(f"block{i}.second", (3, 3, width, width), 0.0)
    add("value.hidden", (2 * width, hidden), root2)
    add("value.last", (hidden, 2), 0.1)
    if sizes.by_point:
        add("policy.point", (width, 1), 0.1)
        add("policy.pass", (2 * width, 1), 0.1)
    else:
        add("policy.narrow", (width, NARROW), root2)
        add("policy.hidden", (NARROW * rows * columns + 2 * width, BOTTLENECK), root2)
        add("policy.last", (BOTTLENECK, sizes.moves), 0.1)
    return {name: jnp.asarray(part, jnp.float32) for name, part in found.items()}


def _padded(array: NDArray[Any], size: int) -> NDArray[Any]:
    if len(array) == size:
        return array
    padded = np.zeros((size, *array.shape[1:]), array.dtype)
    padded[: len(array)] = array
    return padded


def _unpacked(sizes: Sizes, rows: Array) -> Array:
    """[N, W] rows as [N, F] features."""
    if not sizes.packed or rows.dtype != jnp.uint8:
        return rows
    numbers = int(np.prod(sizes.shape))
    octets = -(-numbers // 8)
    bits = rows[:, :octets, None] >> jnp.arange(8, dtype=jnp.uint8) & 1
    features = bits.reshape(len(rows), -1)[:, :numbers].astype(jnp.float32)
    if not sizes.scaled:
        return features
    words = rows[:, octets:].reshape(len(rows), len(sizes.scaled), 4)
    scales = jax.lax.bitcast_convert_type(words, jnp.float32)
    planes = features.reshape(len(rows), sizes.shape[0], -1)
    planes = planes.at[:, jnp.array(sizes.scaled)].multiply(scales[:, :, None])
    return planes.reshape(len(rows), -1)


def _convolved(sizes: Sizes, weights: Weights, name: str, x: Array) -> Array:
    kernel, bias = weights[name].astype(x.dtype), weights[f"{name}.bias"].astype(x.dtype)
    if sizes.half:
        form = ("NHWC", "HWIO", "NHWC")
        return (
            jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=form) + bias
        )
    # A product of matrices on all windows: on CPUs its gradient is far faster.
    rows, columns = x.shape[1:3]
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    shifted = [padded[:, i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return jnp.concatenate(shifted, axis=3) @ kernel.reshape(-1, kernel.shape[-1]) + bias


def _pooled(x: Array) -> Array:
    """[N, rows, columns, C] to [N, 2 C]: means and largest values."""
    return jnp.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=1)


def _dense(weights: Weights, name: str, x: Array) -> Array:
    return x @ weights[name].astype(x.dtype) + weights[f"{name}.bias"].astype(x.dtype)


def _network(sizes: Sizes, weights: Weights, features: Array) -> tuple[Array, Array]:
    """Both values [N, 2] and logits [N, A] of features [N, F]."""
    x = jnp.moveaxis(features.reshape(-1, *sizes.shape), 1, 3)
    x = x.astype(jnp.bfloat16 if sizes.half else jnp.float32)
    x = jax.nn.relu(_convolved(sizes, weights, "stem", x))
    for i in range(sizes.blocks):
        y = _convolved(sizes, weights, f"block{i}.first", x)
        y = jax.nn.relu(y + _dense(weights, f"block{i}.pooled", _pooled(y))[:, None, None])
        x = jax.nn.relu(x + _convolved(sizes, weights, f"block{i}.second", y))
    pooled = _pooled(x).astype(jnp.float32)
    hidden = jax.nn.relu(_dense(weights, "value.hidden", pooled))
    values = jnp.tanh(_dense(weights, "value.last", hidden))
    if sizes.by_point:
        points = _dense(weights, "policy.point", x).reshape(len(x), -1).astype(jnp.float32)
        rest = sizes.moves - points.shape[1]
        return values, jnp.concatenate(
            [points, _dense(weights, "policy.pass", pooled)[:, :rest]], axis=1
        )
    narrow = jax.nn.relu(_dense(weights, "policy.narrow", x)).reshape(len(x), -1)
    both = jnp.concatenate([narrow.astype(jnp.float32), pooled], axis=1)
    last = jax.nn.relu(_dense(weights, "policy.hidden", both))
    return values, _dense(weights, "policy.last", last)


@partial(jax.jit, static_argnums=0)
def _forward(sizes: Sizes, weights: Weights, rows: Array) -> tuple[Array, Array]:
    return _network(sizes, weights, _unpacked(sizes, rows))


@partial(jax.jit, static_argnums=0)
def _asked(
    sizes: Sizes, weights: Weights, rows: Array, ends: Array, moves: Array
) -> tuple[Array, Array]:
    """Values [N], and priors of the moves that end at `ends`."""
    values, logits = _network(sizes, weights, _unpacked(sizes, rows))
    likely = jnp.exp(jnp.maximum(logits - logits.max(axis=1, keepdims=True), LOWEST))
    of = jnp.cumsum(jnp.zeros(len(moves), jnp.int32).at[ends].add(1, mode="drop"))
    return values[:, 0], likely[jnp.minimum(of, len(rows) - 1), moves.astype(jnp.int32)]


@partial(jax.jit, static_argnums=0)
def _fit(
    sizes: Sizes,
    weights: Weights,
    state: optax.OptState,
    rows: Array,
    targets: Array,
    count: Array,
    step_size: Array,
) -> tuple[Weights, optax.OptState, Array]:
    def loss_of(given: Weights) -> Array:
        error = _network(sizes, given, _unpacked(sizes, rows))[0][:, 0] - targets
        return jnp.sum(jnp.where(jnp.arange(len(targets)) < count, error**2, 0)) / count

    loss, gradient = jax.value_and_grad(loss_of)(weights)
    return *_stepped(weights, state, gradient, step_size), loss


@partial(jax.jit, static_argnums=0)
def _improve(
    sizes: Sizes,
    weights: Weights,
    state: optax.OptState,
    tables: tuple[Array, Array],
    rows: Array,
    moves: Array,
    shares: Array,
    values: Array,
    soon: Array,
    symmetries: Array,
    step_size: Array,
) -> tuple[Weights, optax.OptState, Array]:
    features = jnp.take_along_axis(_unpacked(sizes, rows), tables[0][symmetries], axis=1)
    legal = moves != NO_MOVE
    turned = tables[1][symmetries[:, None], jnp.where(legal, moves, 0)]

    def loss_of(given: Weights) -> tuple[Array, Array]:
        both, logits = _network(sizes, given, features)
        listed = jnp.where(legal, jnp.take_along_axis(logits, turned, axis=1), ILLEGAL)
        surprise = jnp.where(legal, -shares * jax.nn.log_softmax(listed, axis=1), 0)
        errors = (both - jnp.stack([values, soon], axis=1)) ** 2
        losses = jnp.append(errors.mean(axis=0), surprise.sum(axis=1).mean())
        return losses @ jnp.array([1, SOON, 1]), losses

    gradient, losses = jax.grad(loss_of, has_aux=True)(weights)
    return *_stepped(weights, state, gradient, step_size), losses


def _stepped(
    weights: Weights,
    state: optax.OptState,
    gradient: Weights,
    step_size: Array,
) -> tuple[Weights, optax.OptState]:
    change, state = OPTIMIZER.update(gradient, state, weights)
    return optax.apply_updates(weights, jax.tree.map(lambda c: step_size * c, change)), state
