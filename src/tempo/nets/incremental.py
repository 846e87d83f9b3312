"""Incremental networks in integers: a sum of rows for each seat, then small layers.

Rows belong to a game's sparse features (`core.sparse_features()`): few of them are active, and few
change with a move, so that the core keeps the sums up while it searches. Here the same is computed
anew for each position, in NumPy, with the same result to the bit.

Letters: N positions, F features, W width, A active features at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo.errors import ParseError
from tempo.nets import quantized
from tempo.nets.quantized import ACCUMULATOR, Arrays

KINDS = {
    "rows": (np.int8, 2), "bias": (np.int16, 1), "version": (np.uint8, 1),
    "dense0.weights": (np.int8, 2), "dense0.bias": (np.int32, 1),
}  # fmt: skip


@dataclass(frozen=True)
class Sparse:
    """The sparse features of a game."""

    version: str
    count: int  # F
    most: int  # A
    kinds: int  # features that are alike but for a king's place share their number modulo this

    @classmethod
    def of(cls, core: Any) -> Sparse:
        """Those of a game; ParseError where it has none."""
        if not hasattr(core, "sparse_features"):
            raise ParseError(f"{core.name} has no sparse features: take another net")
        return cls(*core.sparse_features())

    def active(self, packed: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """[N, 2, A] the features of the seat to move and of the other; F where there are fewer."""
        numbers = np.ascontiguousarray(packed).view(np.uint16)
        return numbers.reshape(len(packed), 2, self.most)


class Incremental:
    """A network that was rounded: arrays for a file, for the core, and for NumPy."""

    name = "incremental"  # of its file

    def __init__(self, arrays: Mapping[str, NDArray[Any]], source: str = "a network") -> None:
        quantized.checked(arrays, KINDS, source)
        self.arrays: Arrays = dict(arrays)
        try:
            self.version = bytes(arrays["version"]).decode("ascii")
            self.network = _core.networks.Incremental(
                self.version, arrays["rows"], arrays["bias"], quantized.layers_of(arrays)
            )
        except ValueError as error:
            raise ParseError(f"{source}: {error}") from None

    @classmethod
    def rounded(cls, floats: Mapping[str, Any], sparse: Sparse) -> Incremental:
        """From weights as they are taught: `own` rows [F, W] besides `shared` rows [kinds, W]."""
        groups = sparse.count // sparse.kinds
        rows = np.asarray(floats["own"]) + np.tile(np.asarray(floats["shared"]), (groups, 1))
        return cls(
            {
                "version": np.frombuffer(sparse.version.encode(), np.uint8),
                "rows": quantized.rounded(rows, ACCUMULATOR, np.int8, 127),
                "bias": quantized.rounded(floats["bias"], ACCUMULATOR, np.int16, 16000),
                **quantized.rounded_layers(floats),
            }
        )

    def values(self, active: NDArray[np.uint16]) -> NDArray[np.float32]:
        """[N] the value of positions to the seat to move, from their features [N, 2, A]."""
        rows = self.arrays["rows"].astype(np.int16)
        padded = np.concatenate([rows, np.zeros((1, rows.shape[1]), np.int16)])
        sums = padded[active].sum(axis=2, dtype=np.int64) + self.arrays["bias"]
        units = quantized.units_of(sums, 1).reshape(len(active), -1)
        return quantized.value_of(units, quantized.layers_of(self.arrays))
