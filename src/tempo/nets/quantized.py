"""Networks in integers: what the core evaluates with, in NumPy, to the bit.

A network is taught in floats (`tempo.nets.teaching`) and rounded when it is to play. A rectified
unit is a byte, 127 for 1; a weight of a dense layer 64 for 1; a number of an accumulator 254 for 1.
A value is z / (1 + |z|), with z the last sum over 127 * 64. Files hold the rounded arrays alone.

Letters: N positions, W units of the first layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError

Arrays = dict[str, NDArray[Any]]
Layers = list[tuple[NDArray[np.int8], NDArray[np.int32]]]

UNIT, WEIGHT, ACCUMULATOR = 127, 64, 254
SHIFT = 6  # of a sum to a unit: a product of both has 64 too many
MOST = 127 / WEIGHT  # of a weight
MOST_ROW = 127 / ACCUMULATOR  # of a number of a row
LARGEST = 8_000_000  # bytes of a file that ships


def rounded(array: Any, scale: float, kind: Any, most: int) -> NDArray[Any]:
    """An array of floats as integers, cut off where they do not fit."""
    floats = np.asarray(array, np.float64)
    if not np.isfinite(floats).all():
        raise ParseError("a network holds weights that are not finite")
    return np.clip(np.rint(floats * scale), -most, most).astype(kind)


def rounded_layers(arrays: Mapping[str, Any], first: float = 1.0) -> Arrays:
    """Dense layers `dense0.weights` [out, in], `dense0.bias` [out] and so on.

    The inputs of the first layer count `first` times a unit.
    """
    found: Arrays = {}
    for i in range(layer_count(arrays)):
        scale = UNIT * WEIGHT / (first if i == 0 else 1.0)
        found[f"dense{i}.weights"] = rounded(arrays[f"dense{i}.weights"], WEIGHT, np.int8, 127)
        found[f"dense{i}.bias"] = rounded(arrays[f"dense{i}.bias"], scale, np.int32, 1 << 28)
    return found


def float_layers(arrays: Mapping[str, NDArray[Any]], first: float = 1.0) -> dict[str, Any]:
    """Dense layers as they were taught, up to rounding: the inverse of `rounded_layers`."""
    found: dict[str, Any] = {}
    for i in range(layer_count(arrays)):
        scale = UNIT * WEIGHT / (first if i == 0 else 1.0)
        found[f"dense{i}.weights"] = arrays[f"dense{i}.weights"] / WEIGHT
        found[f"dense{i}.bias"] = arrays[f"dense{i}.bias"] / scale
    return found


def layer_count(arrays: Mapping[str, Any]) -> int:
    """How many dense layers there are."""
    return next(i for i in count() if f"dense{i}.weights" not in arrays)


def layers_of(arrays: Mapping[str, NDArray[Any]]) -> Layers:
    """The dense layers as the core takes them."""
    return [
        (
            np.ascontiguousarray(arrays[f"dense{i}.weights"]),
            np.ascontiguousarray(arrays[f"dense{i}.bias"]),
        )
        for i in range(layer_count(arrays))
    ]


def units_of(sums: NDArray[Any], shift: int) -> NDArray[np.int64]:
    """Rectified units of sums."""
    found: NDArray[np.int64] = np.clip(np.asarray(sums, np.int64) >> shift, 0, UNIT)
    return found


def value_of(units: NDArray[np.int64], layers: Layers) -> NDArray[np.float32]:
    """[N] values from units [N, in] and the layers that follow."""
    for i, (weights, bias) in enumerate(layers):
        sums = units @ weights.astype(np.int64).T + bias
        units = sums if i == len(layers) - 1 else units_of(sums, SHIFT)
    last = units[:, 0].astype(np.float32)
    return np.asarray(last / (np.abs(last) + np.float32(UNIT * WEIGHT)), np.float32)


def checked(
    arrays: Mapping[str, NDArray[Any]], kinds: Mapping[str, tuple[Any, int]], source: str
) -> None:
    """Raises ParseError unless every array is there, of its kind and number of axes."""
    for name, (kind, axes) in kinds.items():
        if name not in arrays:
            raise ParseError(f"{source} has no '{name}'; it holds {', '.join(arrays) or 'nothing'}")
        found = arrays[name]
        if found.dtype != kind or found.ndim != axes:
            raise ParseError(
                f"{source}: '{name}' is {found.dtype} of {found.ndim} axes; "
                f"expected {np.dtype(kind)} of {axes}"
            )
