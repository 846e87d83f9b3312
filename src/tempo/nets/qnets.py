"""Networks that value moves: those of the shogi paper, and a small residual one for any game.

The paper's Table 4 gives weights layer by layer. They add up only if the 63 planes of 9 x 9 were
read as an image 63 high and 9 wide with the 9 columns for channels: `planes_as_height`. The
corrected network reads the board as an image with 63 channels.

Letters: B positions, P planes, R rows, C columns, O outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import DTypeLike

FILTERS = (63, 126, 126)  # the paper's, with windows of 5, 3 and 1
WINDOWS = (5, 3, 1)
HIDDEN = (2352, 441)


class Layer(eqx.Module):
    """Weights [..., in, out] and one bias for each output: a dense layer or a convolution."""

    weight: Array
    bias: Array

    def __init__(self, shape: Sequence[int], key: Array, scale: float = 1.0) -> None:
        field = int(np.prod(shape[:-2]))
        bound = scale * float(np.sqrt(6 / (field * (shape[-2] + shape[-1]))))  # Glorot
        self.weight = jax.random.uniform(key, tuple(shape), minval=-bound, maxval=bound)
        self.bias = jnp.zeros(shape[-1])

    def dense(self, x: Array) -> Array:
        """[B, in] to [B, out]."""
        return x @ self.weight.astype(x.dtype) + self.bias.astype(x.dtype)

    def slide(self, x: Array) -> Array:
        """[B, height, width, in] to [B, height, width, out], zeros beyond the edges."""
        y = jax.lax.conv_general_dilated(
            x,
            self.weight.astype(x.dtype),
            (1, 1),
            "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )
        return y + self.bias.astype(x.dtype)


class Paper(eqx.Module):
    """Three convolutions, two hidden layers, one output for each choice; linear at the end."""

    convolutions: list[Layer]
    layers: list[Layer]
    planes_as_height: bool = eqx.field(static=True)

    def __init__(
        self,
        shape: tuple[int, int, int],
        outputs: int,
        key: Array,
        *,
        planes_as_height: bool,
        filters: Sequence[int] = FILTERS,
        hidden: Sequence[int] = HIDDEN,
    ) -> None:
        planes, rows, columns = shape
        self.planes_as_height = planes_as_height
        height, width, channels = shape if planes_as_height else (rows, columns, planes)
        widths = [channels, *filters]
        sizes = [height * width * filters[-1], *hidden, outputs]
        keys = iter(jax.random.split(key, len(filters) + len(sizes) - 1))
        self.convolutions = [
            Layer((window, window, a, b), next(keys))
            for window, a, b in zip(WINDOWS, widths, filters, strict=False)
        ]
        self.layers = [Layer((a, b), next(keys)) for a, b in pairwise(sizes)]

    def __call__(self, planes: Array) -> Array:
        """[B, O] values of planes [B, P, R, C]."""
        x = planes if self.planes_as_height else jnp.moveaxis(planes, 1, 3)
        for convolution in self.convolutions:
            x = jax.nn.relu(convolution.slide(x))
        x = x.reshape(len(x), -1)
        *hidden, last = self.layers
        for layer in hidden:
            x = jax.nn.relu(layer.dense(x))
        return last.dense(x)


class Norm(eqx.Module):
    """Layer normalization: every cell's channels at mean 0 and variance 1, then scaled.

    It keeps Q from diverging.
    """

    scale: Array
    shift: Array

    def __init__(self, channels: int) -> None:
        self.scale = jnp.ones(channels)
        self.shift = jnp.zeros(channels)

    def __call__(self, x: Array) -> Array:
        """[..., channels], the same shape out."""
        wide = x.astype(jnp.float32)
        wide = wide - wide.mean(-1, keepdims=True)
        wide = wide * jax.lax.rsqrt(jnp.square(wide).mean(-1, keepdims=True) + 1e-5)
        return (wide * self.scale + self.shift).astype(x.dtype)


class Block(eqx.Module):
    """x + two convolutions of it, the first with what the whole board says beside each cell."""

    norms: tuple[Norm, Norm]
    first: Layer
    second: Layer
    everywhere: Layer

    def __init__(self, channels: int, key: Array) -> None:
        one, two, three = jax.random.split(key, 3)
        self.norms = Norm(channels), Norm(channels)
        self.first = Layer((3, 3, channels, channels), one)
        self.second = Layer((3, 3, channels, channels), two, scale=0.1)  # nearly nothing at first
        self.everywhere = Layer((channels, channels), three)

    def __call__(self, x: Array) -> Array:
        """[B, R, C, channels], the same shape out."""
        y = jax.nn.relu(self.norms[0](x))
        y = self.first.slide(y) + self.everywhere.dense(y.mean((1, 2)))[:, None, None]
        return x + self.second.slide(jax.nn.relu(self.norms[1](y)))


class Residual(eqx.Module):
    """A small residual network with two heads: what the position is worth, and each move beside it.

    Moves have `kinds` outputs a cell: output kind * R * C + cell.
    """

    stem: Layer
    blocks: list[Block]
    norm: Norm
    moves: Layer
    value: list[Layer]
    half: bool = eqx.field(static=True)  # compute in bfloat16

    def __init__(
        self,
        shape: tuple[int, int, int],
        kinds: int,
        key: Array,
        *,
        channels: int = 64,
        blocks: int = 4,
        half: bool = False,
    ) -> None:
        keys = jax.random.split(key, blocks + 4)
        self.stem = Layer((3, 3, shape[0], channels), keys[0])
        self.blocks = [Block(channels, k) for k in keys[4:]]
        self.norm = Norm(channels)
        self.moves = Layer((1, 1, channels, kinds), keys[1], scale=0.1)
        self.value = [Layer((2 * channels, channels), keys[2]), Layer((channels, 1), keys[3])]
        self.half = half

    def __call__(self, planes: Array) -> tuple[Array, Array]:
        """[B] what positions are worth and [B, O] how moves differ, of planes [B, P, R, C]."""
        dtype: DTypeLike = jnp.bfloat16 if self.half else jnp.float32
        x = self.stem.slide(jnp.moveaxis(planes, 1, 3).astype(dtype))
        for block in self.blocks:
            x = block(x)
        x = jax.nn.relu(self.norm(x)).astype(jnp.float32)
        pooled = jnp.concatenate([x.mean((1, 2)), largest(x)], axis=1)
        value = self.value[1].dense(jax.nn.relu(self.value[0].dense(pooled)))[:, 0]
        moves = jnp.moveaxis(self.moves.slide(x), 3, 1).reshape(len(x), -1)
        return value, moves


def largest(x: Array) -> Array:
    """[B, channels] the largest of each channel of [B, R, C, channels].

    Not by `max`: its gradient looks for equal numbers, and divides by none of them where the
    compiler has computed one a second time and rounded it otherwise.
    """
    cells = x.reshape(len(x), -1, x.shape[-1])
    where = jax.lax.stop_gradient(cells).argmax(1, keepdims=True)
    return jnp.take_along_axis(cells, where, 1)[:, 0]


def dueling(value: Array, moves: Array, legal: Array) -> Array:
    """Q = V + A - mean A over the legal moves (Wang et al. 2016), [B, O]."""
    count = jnp.maximum(legal.sum(1), 1)
    mean = jnp.where(legal, moves, 0.0).sum(1) / count
    return value[:, None] + moves - mean[:, None]


def weights(tree: Any) -> int:
    """The number of parameters of a network, or of the shapes of one that was never made."""
    return sum(int(np.prod(leaf.shape)) for leaf in jax.tree_util.tree_leaves(tree))


def multiply_adds(network: Paper | Residual, shape: tuple[int, int, int]) -> int:
    """Multiply-adds of one forward pass, counted from the shapes."""
    planes, rows, columns = shape
    if isinstance(network, Paper):
        cells = planes * rows if network.planes_as_height else rows * columns
        dense = sum(layer.weight.size for layer in network.layers)
        return int(dense + cells * sum(c.weight.size for c in network.convolutions))
    sliding = network.stem.weight.size + network.moves.weight.size
    sliding += sum(b.first.weight.size + b.second.weight.size for b in network.blocks)
    dense = sum(layer.weight.size for layer in network.value)
    dense += sum(b.everywhere.weight.size for b in network.blocks)
    return int(dense + rows * columns * sliding)
