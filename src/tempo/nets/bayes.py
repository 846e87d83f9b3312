"""The Bayesian network of 2x2 shapes: how likely a block changes when a stone is placed.

A block of four points, seen by the seat that places, is of one of 21 classes (`BLOCK_NAMES`).
Letters: s a block's class, s' its class after the placement, g the phase (eight equal parts of the
placements), z the ring (within the central 2x2, 4x4, 6x6, or not), l whether the other seat's last
stone lies in the block or next to it.

    P(s'|s,g,z,l) = (n(s,g,z,l,s') + κ P(s'|s,g)) / (n(s,g,z,l) + κ)
    P(s'|s,g)     = (n(s,g,s')     + κ P(s'|s))   / (n(s,g) + κ)
    P(s'|s)       = (n(s,s') + 1/r(s)) / (n(s) + 1)      r(s): classes that s can become or stay

A placement on a point changes the at most four blocks around it and leaves all others alone, so
its value is the sum of log P(s'|..) - log P(s|..) over them; were the blocks independent, the
softmax of these values would be the probability of the placement.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from tempo._core.jiu_players import block_codes, block_names
from tempo.errors import ParseError

__all__ = ["BLOCK_NAMES", "SHAPE", "BlockNetwork", "reachable", "read", "stored"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

BLOCK_NAMES = tuple(block_names())
SHAPE = (21, 8, 4, 2, 21)  # s, g, z, l, s'


def reachable() -> NDArray[np.bool_]:
    """[21, 21] the classes that a class can become by one own stone, or stay."""
    classes = block_codes()
    found = np.eye(len(BLOCK_NAMES), dtype=np.bool_)
    for code, before in enumerate(classes):
        for worth in (27, 9, 3, 1):
            if code // worth % 3 == 0:
                found[before, classes[code + 2 * worth]] = True
    return found


@dataclass(frozen=True)
class BlockNetwork:
    """What was counted, and the tables that follow from it."""

    counts: Counts  # SHAPE
    smoothing: float = 10.0  # κ

    def __post_init__(self) -> None:
        if self.counts.shape != SHAPE:
            raise ParseError(f"counts have the shape {self.counts.shape}; expected {SHAPE}")
        if np.any(self.counts < 0) or np.any(self.counts.sum((1, 2, 3))[~reachable()]):
            raise ParseError("counts are negative, or of changes that no placement makes")

    @cached_property
    def tables(self) -> Floats:
        """P(s'|s,g,z,l), of SHAPE."""
        possible = reachable()
        coarse = self.counts.sum((1, 2, 3)) + possible / possible.sum(1, keepdims=True)
        coarse /= coarse.sum(1, keepdims=True)
        by_phase = self._backed_off(self.counts.sum((2, 3)), coarse[:, None])
        return self._backed_off(self.counts, by_phase[:, :, None, None])

    def _backed_off(self, counts: Counts, coarser: Floats) -> Floats:
        total = counts.sum(-1, keepdims=True) + self.smoothing
        table: Floats = (counts + self.smoothing * coarser) / total
        return table

    @cached_property
    def log_odds(self) -> Floats:
        """Of a change against being left alone, of SHAPE; -inf where it cannot be."""
        stays = np.einsum("sgzls->sgzl", self.tables)
        with np.errstate(divide="ignore"):
            odds: Floats = np.log(self.tables) - np.log(stays)[..., None]
        return odds


def stored(network: BlockNetwork) -> bytes:
    """The counts as a safetensors file; `read` gives an equal network."""
    if network.counts.max(initial=0) > np.iinfo(np.uint32).max:
        raise ParseError("counts of 2^32 and more are not stored")
    arrays = {
        "counts": network.counts.astype(np.uint32),
        "smoothing": np.array([network.smoothing]),
    }
    return save(arrays, {"format": "tempo block counts"})


def read(data: bytes, source: str) -> BlockNetwork:
    """The network that `stored` wrote. Raises ParseError on anything else, naming the source."""
    try:
        arrays = load(data)
        counts, (smoothing,) = arrays["counts"].astype(np.int64), arrays["smoothing"].tolist()
        return BlockNetwork(counts, smoothing)
    except (SafetensorError, KeyError, ValueError) as error:
        raise ParseError(f"{source} holds no block counts: {error}") from None
