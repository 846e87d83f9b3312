"""Replay memory on the device: games side by side, one row a move, drawn evenly or by priority.

A position is stored once; what its target looks at stands `offset` rows later in the same column.
So nothing is copied to learn from a row but the row itself. When the memory is full the oldest row
makes room.

Letters: T rows, B games, W and L numbers stored of a position and of its legal outputs, N drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike


class Memory(NamedTuple):
    """What has been played.

    A row is written when its moves are chosen, and learnt from once the rows that its target needs
    are there: until then its priorities are 0.
    """

    positions: Array  # [T, B, W]
    legal: Array  # [T, B, L] bits
    outputs: Array  # [T, B] the moves made
    gains: Array  # [T, B] target = gain + factor * value of the row `offset` later
    factors: Array  # [T, B]
    offsets: Array  # [T, B]


class Drawn(NamedTuple):
    """Entries to learn from."""

    rows: Array  # [N]
    games: Array  # [N]
    weights: Array  # [N] that undo what drawing by priority does to averages, at most 1


def empty(
    rows: int, games: int, stored: tuple[int, type[np.generic]], bits: int
) -> tuple[Memory, Array]:
    """A memory with nothing in it, and its priorities [T, B]."""
    memory = Memory(
        positions=jnp.zeros((rows, games, stored[0]), stored[1]),
        legal=jnp.zeros((rows, games, bits), jnp.uint8),
        outputs=jnp.zeros((rows, games), jnp.int32),
        gains=jnp.zeros((rows, games), jnp.float32),
        factors=jnp.zeros((rows, games), jnp.float32),
        offsets=jnp.zeros((rows, games), jnp.int32),
    )
    return memory, jnp.zeros((rows, games), jnp.float32)


def put(
    memory: Memory, priorities: Array, row: ArrayLike, positions: ArrayLike, legal: ArrayLike
) -> Any:
    """Writes the positions of a row, and forgets what stood there."""
    return (
        memory._replace(
            positions=memory.positions.at[row].set(positions), legal=memory.legal.at[row].set(legal)
        ),
        priorities.at[row].set(0.0),
    )


def finish(
    memory: Memory, priorities: Array, row: ArrayLike, outputs: ArrayLike,
    ahead: tuple[ArrayLike, ArrayLike, ArrayLike], known: ArrayLike,
) -> Any:  # fmt: skip
    """Says what was played in a row and what came of it. It can be drawn from now on."""
    gains, factors, offsets = ahead
    highest = jnp.maximum(priorities.max(), 1.0)  # new entries are soon looked at
    return (
        memory._replace(
            outputs=memory.outputs.at[row].set(outputs),
            gains=memory.gains.at[row].set(gains),
            factors=memory.factors.at[row].set(factors),
            offsets=memory.offsets.at[row].set(offsets),
        ),
        priorities.at[row].set(jnp.where(known, highest, 0.0)),
    )


def draw(priorities: Array, key: Array, count: int, correction: ArrayLike) -> Drawn:
    """`count` entries with probability proportional to their priorities (Schaul et al. 2016).

    First a row by its sum, then a game within it: a sum over millions of entries at once would
    lose the small ones in rounding. `correction` is β.
    """
    by_row = priorities.sum(1)
    sums = jnp.cumsum(by_row)
    one, two = jax.random.split(key)
    # One draw from each of `count` equal parts.
    at = (jnp.arange(count) + jax.random.uniform(one, (count,))) / count * sums[-1]
    rows = jnp.minimum((sums <= at[:, None]).sum(1), len(sums) - 1)
    inside = jnp.cumsum(priorities[rows], axis=1)
    mark = jax.random.uniform(two, (count, 1)) * inside[:, -1:]
    games = jnp.minimum((inside <= mark).sum(1), priorities.shape[1] - 1)
    chance = priorities[rows, games] / sums[-1]
    entries = (priorities > 0).sum()
    weights = (entries * jnp.maximum(chance, 1e-12)) ** -jnp.asarray(correction)
    # Rounding may end beside an entry; that one counts for nothing.
    weights = jnp.where(priorities[rows, games] > 0, weights, 0.0)
    return Drawn(rows, games, weights / jnp.maximum(weights.max(), 1e-12))
