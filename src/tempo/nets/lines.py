"""Networks of line patterns in integers, for games with stones on a square board.

Every point lies on four lines, and the nine points of each around it are a pattern. A row of
numbers for every pattern is added to the units of the point; the units, rectified, are added up
over the board, and small layers make a value of the totals. One more row makes of a point's units
how promising a move there is. The core keeps all of it up from board to board; here it is computed
anew, in NumPy, with the same result to the bit.

Letters: N positions, S size of the board, W units of a point.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo.errors import ParseError
from tempo.nets import quantized
from tempo.nets.quantized import ACCUMULATOR, SHIFT, WEIGHT, Arrays

REACH = 4
TOTALS = 1 / 16  # what a total counts in the first layer
TOTAL_SHIFT = 4
NO_MOVE = 0xFFFF
STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # rows and columns from point to point of a line
KINDS = {
    "rows": (np.int8, 2), "bias": (np.int16, 1), "version": (np.uint8, 1), "policy": (np.int8, 1),
    "dense0.weights": (np.int8, 2), "dense0.bias": (np.int32, 1),
    "dense1.weights": (np.int8, 2), "dense1.bias": (np.int32, 1),
}  # fmt: skip


@cache
def pattern_numbers() -> NDArray[np.int32]:
    """[4^9] the pattern of nine points by their code, two bits each from one end."""
    return np.asarray(_core.networks.line_patterns(), np.int32)


def split(packed: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Cells [N, S, S] (0 empty, 1 own, 2 the other's) and best moves [N], from packed inputs."""
    size = int(np.sqrt(packed.shape[1] - 2))
    cells = packed[:, :-2].reshape(len(packed), size, size)
    best = np.ascontiguousarray(packed[:, -2:]).view(np.uint16)[:, 0].astype(np.int32)
    return cells, best


def patterns_of(cells: Any, numbers: Any, xp: Any = np) -> Any:
    """[N, 4, S, S] the patterns of the lines through every point; `xp` is numpy or jax.numpy."""
    size = cells.shape[1]
    edge = ((0, 0), (REACH, REACH), (REACH, REACH))
    padded = xp.pad(cells.astype(xp.int32), edge, constant_values=3)
    codes = []
    for rows, columns in STEPS:
        code = 0
        for k in range(-REACH, REACH + 1):
            top, left = REACH + k * rows, REACH + k * columns
            code = code + (padded[:, top : top + size, left : left + size] << (2 * (k + REACH)))
        codes.append(code)
    return numbers[xp.stack(codes, axis=1)]


class Lines:
    """A network that was rounded: arrays for a file, for the core, and for NumPy."""

    name = "lines"  # of its file

    def __init__(self, arrays: Mapping[str, NDArray[Any]], source: str = "a network") -> None:
        quantized.checked(arrays, KINDS, source)
        self.arrays: Arrays = dict(arrays)
        try:
            self.version = bytes(arrays["version"]).decode("ascii")
            self.network = _core.networks.Lines(
                self.version, arrays["rows"], arrays["bias"], quantized.layers_of(arrays),
                arrays["policy"],
            )  # fmt: skip
        except ValueError as error:
            raise ParseError(f"{source}: {error}") from None

    @classmethod
    def rounded(cls, floats: Mapping[str, Any], version: str) -> Lines:
        """From weights as they are taught."""
        return cls(
            {
                "version": np.frombuffer(version.encode(), np.uint8),
                "rows": quantized.rounded(floats["rows"], ACCUMULATOR, np.int8, 127),
                "bias": quantized.rounded(floats["bias"], ACCUMULATOR, np.int16, 16000),
                "policy": quantized.rounded(floats["policy"], WEIGHT, np.int8, 127),
                **quantized.rounded_layers(floats, TOTALS),
            }
        )

    def units(self, cells: NDArray[np.uint8]) -> NDArray[np.int64]:
        """[N, S, S, W] the units of every point."""
        rows = self.arrays["rows"].astype(np.int64)
        sums = rows[patterns_of(cells, pattern_numbers())].sum(axis=1) + self.arrays["bias"]
        return quantized.units_of(sums, 1)

    def values(self, cells: NDArray[np.uint8]) -> NDArray[np.float32]:
        """[N] the value of positions to the seat to move, from cells [N, S, S]."""
        (weights, bias), *layers = quantized.layers_of(self.arrays)
        totals = self.units(cells).sum(axis=(1, 2))
        first = quantized.units_of(totals @ weights.astype(np.int64).T + bias, SHIFT + TOTAL_SHIFT)
        return quantized.value_of(first, layers)
