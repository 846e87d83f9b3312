"""Value networks on sets of squares: 64 bits a plane, unpacked inside the network.

Letters: B positions, P planes, G global numbers. `planes` [B, P, 2] uint32 are the low and the high
half of each set, `globals` [B, G] float32. A network's value is that of seat 0, in (-1, 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from tempo.errors import ParseError


def unpack(planes: Array) -> Array:
    """[B, P, 2] sets as [B, P, 64] zeros and ones, square a1 first."""
    bits = (planes[..., None] >> jnp.arange(32, dtype=jnp.uint32)) & 1
    return bits.reshape(*planes.shape[:-1], 64).astype(jnp.float32)


def halves(planes: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """[B, P] 64-bit sets as [B, P, 2] halves, low first: JAX counts in 32 bits."""
    return np.ascontiguousarray(planes).view(np.uint32).reshape(*planes.shape, 2)


class Dense(eqx.Module):
    """Planes and globals through fully connected layers (the paper's Figure 3a has one hidden)."""

    layers: list[eqx.nn.Linear]

    def __init__(self, planes: int, numbers: int, hidden: Sequence[int], key: Array) -> None:
        sizes = [64 * planes + numbers, *hidden, 1]
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [
            _glorot(eqx.nn.Linear(a, b, key=k), k)
            for a, b, k in zip(sizes, sizes[1:], keys, strict=False)
        ]

    def __call__(self, planes: Array, numbers: Array) -> Array:
        """[B] values."""
        x = jnp.concatenate([unpack(planes).reshape(len(planes), -1), numbers], axis=1)
        return _through(self.layers, x)


class Convolution(eqx.Module):
    """Small convolutions over the board, then a dense head (the paper's Figure 3b)."""

    convolutions: list[eqx.nn.Conv2d]
    layers: list[eqx.nn.Linear]

    def __init__(
        self, planes: int, numbers: int, channels: Sequence[int], hidden: Sequence[int], key: Array
    ) -> None:
        first, second = jax.random.split(key)
        widths = [planes, *channels]
        keys = jax.random.split(first, len(channels))
        self.convolutions = [
            _glorot(eqx.nn.Conv2d(a, b, 3, padding=1, key=k), k)
            for a, b, k in zip(widths, widths[1:], keys, strict=False)
        ]
        sizes = [64 * widths[-1] + numbers, *hidden, 1]
        keys = jax.random.split(second, len(sizes) - 1)
        self.layers = [
            _glorot(eqx.nn.Linear(a, b, key=k), k)
            for a, b, k in zip(sizes, sizes[1:], keys, strict=False)
        ]

    def __call__(self, planes: Array, numbers: Array) -> Array:
        """[B] values."""
        x = jnp.moveaxis(unpack(planes), 1, 2).reshape(-1, 8, 8, planes.shape[1])
        for convolution in self.convolutions:
            x = jax.nn.relu(_convolved(convolution, x))
        x = jnp.moveaxis(x.reshape(len(planes), 64, -1), 2, 1)
        x = jnp.concatenate([x.reshape(len(planes), -1), numbers], axis=1)
        return _through(self.layers, x)


Network = Dense | Convolution


def _convolved(convolution: eqx.nn.Conv2d, x: Array) -> Array:
    """[B, 8, 8, C] through a 3x3 convolution, as products of matrices on whole rows of the board.

    Two thirds of that matrix are zeros. On CPUs it is faster all the same: XLA runs the gradient of
    a convolution inside a loop by scalar code, some twenty times slower.
    """
    # shifts[j, a, b]: does column a reach column b through column j of the 3x3 window?
    shifts = np.stack([np.eye(8, k=1 - j, dtype=np.float32) for j in range(3)])
    rows = jnp.einsum("jab,ocij->iacbo", shifts, convolution.weight)
    inside, outside = 8 * convolution.in_channels, 8 * convolution.out_channels
    padded = jnp.pad(x.reshape(-1, 8, inside), ((0, 0), (1, 1), (0, 0)))
    three = jnp.concatenate([padded[:, i : i + 8] for i in range(3)], axis=-1)
    out = three @ rows.reshape(3 * inside, outside)
    assert convolution.bias is not None  # ours always have one
    return out.reshape(*x.shape[:3], -1) + convolution.bias[:, 0, 0]


def _through(layers: list[eqx.nn.Linear], x: Array) -> Array:
    *hidden, last = (jax.vmap(layer) for layer in layers)
    for layer in hidden:
        x = jax.nn.relu(layer(x))
    return jnp.tanh(last(x))[:, 0]


def _glorot(layer: Any, key: Array) -> Any:
    """Glorot-uniform weights and zero biases."""
    shape = layer.weight.shape
    field = int(np.prod(shape[2:]))
    bound = float(np.sqrt(6 / (field * (shape[0] + shape[1]))))
    weight = jax.random.uniform(key, shape, minval=-bound, maxval=bound)
    return eqx.tree_at(lambda a: (a.weight, a.bias), layer, (weight, jnp.zeros_like(layer.bias)))


def make(kind: str, planes: int, numbers: int, sizes: dict[str, Any], seed: int) -> Network:
    """A fresh network by name: `dense` (hidden) or `convolution` (channels, hidden)."""
    key = jax.random.key(seed)
    if kind == "dense":
        return Dense(planes, numbers, sizes["hidden"], key)
    if kind == "convolution":
        return Convolution(planes, numbers, sizes["channels"], sizes["hidden"], key)
    raise ParseError(f"there is no network '{kind}'; there are dense and convolution")


def multiply_adds(network: Network) -> int:
    """Multiply-adds of one forward pass, counted from the shapes."""
    total = sum(layer.weight.size for layer in network.layers)
    for convolution in getattr(network, "convolutions", []):
        total += convolution.weight.size * 64
    return int(total)


def arrays_of(tree: Any, prefix: str = "") -> dict[str, NDArray[Any]]:
    """The arrays of a network or an optimizer's state by name, for a checkpoint."""
    found = jax.tree_util.tree_flatten_with_path(eqx.filter(tree, eqx.is_array))[0]
    return {prefix + jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in found}


def with_arrays(tree: Any, arrays: dict[str, NDArray[Any]], prefix: str = "") -> Any:
    """The same tree with the arrays that `arrays_of` named; ParseError if they do not fit."""
    kept, rest = eqx.partition(tree, eqx.is_array)
    found, structure = jax.tree_util.tree_flatten_with_path(kept)
    leaves = []
    for path, leaf in found:
        name = prefix + jax.tree_util.keystr(path)
        stored = arrays.get(name)
        if stored is None or stored.shape != leaf.shape:
            shape = "nothing" if stored is None else f"shape {list(stored.shape)}"
            raise ParseError(f"'{name}' is stored with {shape}; expected {list(leaf.shape)}")
        leaves.append(jnp.asarray(stored, dtype=leaf.dtype))
    return eqx.combine(jax.tree_util.tree_unflatten(structure, leaves), rest)
