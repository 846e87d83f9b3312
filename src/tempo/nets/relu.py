"""A network of one hidden layer of rectified units and one output, by the names of its parts.

Letters: I inputs, H hidden units. `first` is [I, H], `bias` and `second` are [H], `last` is [1].
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError
from tempo.weights import checked

Floats = NDArray[np.float32]
Layers = list[tuple[Floats, Floats, str]]

PARTS = ("first", "bias", "second", "last")


def layers_of(parts: Mapping[str, NDArray[np.generic]], source: str = "the network") -> Layers:
    """The network as the core takes it: (weights [out, in], bias [out], activation) by layer."""
    if not set(PARTS) <= set(parts):
        raise ParseError(f"{source} holds {', '.join(parts)}; expected {', '.join(PARTS)}")
    axes = {"first": 2, "bias": 1, "second": 1, "last": 1}
    first, bias, second, last = (checked(parts, name, source, axes[name]) for name in PARTS)
    if not bias.shape == second.shape == first.shape[1:] or last.shape != (1,):
        raise ParseError(f"{source} has weights {first.shape} and {second.shape} that do not fit")
    return [(np.ascontiguousarray(first.T), bias, "relu"), (second[None], last, "linear")]
