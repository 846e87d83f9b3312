"""Several devices of JAX: each has the weights, and a share of every batch (data parallelism).

JAX adds up the gradients of all shares. With one device nothing is moved and nothing is changed.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

T = TypeVar("T")


@cache
def mesh() -> Mesh | None:
    """All devices in a row; None if there is one."""
    devices = jax.devices()
    return Mesh(np.array(devices), ("positions",)) if len(devices) > 1 else None


def split(*batches: Any, axis: int = 0) -> tuple[Any, ...]:
    """Arrays of positions, a share on each device if they can be divided equally."""
    row = mesh()
    if row is None or any(batch.shape[axis] % row.size for batch in batches):
        return batches
    shares = NamedSharding(row, PartitionSpec(*[None] * axis, "positions"))
    return tuple(jax.device_put(batch, shares) for batch in batches)


def divided(drawn: T) -> T:
    """The same inside what is compiled: a share of all arrays of positions on each device."""
    return _laid(drawn, ("positions",))


def alike(weights: T) -> T:
    """Inside what is compiled: the same on every device."""
    return _laid(weights, ())


def _laid(arrays: T, axes: tuple[str, ...]) -> T:
    row = mesh()
    leaves = jax.tree_util.tree_leaves(arrays)
    if row is None or (axes and any(len(leaf) % row.size for leaf in leaves)):
        return arrays
    found: T = jax.lax.with_sharding_constraint(arrays, NamedSharding(row, PartitionSpec(*axes)))
    return found


def everywhere(weights: T) -> T:
    """Weights on every device."""
    row = mesh()
    if row is None:
        return weights
    found: T = jax.device_put(weights, NamedSharding(row, PartitionSpec()))
    return found
