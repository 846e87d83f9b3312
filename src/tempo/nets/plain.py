"""The value networks of `nets.squares` in NumPy, for playing without JAX.

Letters as there: B positions, P planes, G global numbers. The arrays are those of a checkpoint,
`network.layers[0].weight` and so on; convolutions come first where there are any. Weights that ship
may be whole numbers, each row with a scale, `network.layers[0].scale`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError

Floats = NDArray[np.float32]
Layer = tuple[Floats, Floats]  # weight and bias

CHUNK = 8192  # positions at a time: 8192 of 12 planes are 25 MB unpacked
_name = re.compile(r"network\.(layers|convolutions)\[(\d+)\]\.(weight|bias|scale|more)")


def unpack(planes: NDArray[np.uint64]) -> Floats:
    """[B, P] sets of squares as [B, P, 64] zeros and ones, square a1 first."""
    octets = np.ascontiguousarray(planes, dtype="<u8").view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")
    return bits.reshape(*planes.shape, 64).astype(np.float32)


@dataclass(frozen=True)
class Plain:
    """A network that only answers. Values are those of seat 0, in (-1, 1)."""

    convolutions: tuple[Layer, ...]
    layers: tuple[Layer, ...]

    def __call__(self, planes: NDArray[np.uint64], numbers: Floats) -> Floats:
        """[B] values of planes [B, P] and numbers [B, G]."""
        values = np.empty(len(planes), np.float32)
        for at in range(0, len(planes), CHUNK):
            part = slice(at, at + CHUNK)
            values[part] = self._through(unpack(planes[part]), numbers[part])
        return values

    def _through(self, x: Floats, numbers: Floats) -> Floats:
        if self.convolutions:
            x = x.reshape(*x.shape[:2], 8, 8)
            for weight, bias in self.convolutions:
                x = np.maximum(_convolved(x, weight) + bias, 0)
        x = np.concatenate([x.reshape(len(x), -1), numbers], axis=1)
        *hidden, (weight, bias) = self.layers
        for hidden_weight, hidden_bias in hidden:
            x = np.maximum(x @ hidden_weight.T + hidden_bias, 0)
        values: Floats = np.tanh(x @ weight.T + bias)[:, 0]
        return values

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of one forward pass, counted from the shapes."""
        dense = sum(weight.size for weight, _ in self.layers)
        return dense + 64 * sum(weight.size for weight, _ in self.convolutions)

    def check(self, planes: int, numbers: int) -> None:
        """Raises ParseError unless the layers fit each other and such inputs."""
        width = planes
        for i, (weight, bias) in enumerate(self.convolutions):
            _fit(f"convolutions[{i}]", weight, bias, (len(weight), width, 3, 3))
            width = len(weight)
        width = 64 * width + numbers
        for i, (weight, bias) in enumerate(self.layers):
            last = i == len(self.layers) - 1
            _fit(f"layers[{i}]", weight, bias, (1 if last else len(weight), width))
            width = len(weight)


def read(arrays: Mapping[str, NDArray[Any]]) -> Plain:
    """The network among the arrays of a checkpoint, whatever else is there."""
    found: dict[str, dict[int, dict[str, Any]]] = {"layers": {}, "convolutions": {}}
    for name, array in arrays.items():
        if match := _name.fullmatch(name):
            kind, place, part = match.groups()
            found[kind].setdefault(int(place), {})[part] = array
    for parts in (*found["layers"].values(), *found["convolutions"].values()):
        if "scale" in parts and "weight" in parts:
            scale, more = parts.pop("scale"), parts.pop("more", None)
            parts["weight"] = _scaled(parts["weight"], scale, more)
        for part, array in parts.items():
            parts[part] = array.astype(np.float32)
    if not found["layers"]:
        raise ParseError("there is no network in it")
    return Plain(_layers(found, "convolutions"), _layers(found, "layers"))


def narrowed(arrays: Mapping[str, NDArray[Any]], bits: int) -> dict[str, NDArray[Any]]:
    """The same with weights of 8 to 16 bits, by the largest of each row; `read` undoes it.

    The sign is the last bit, and bits after the first eight stand apart: so they compress well.
    """
    most, more = 2 ** (bits - 1) - 1, bits - 8
    found: dict[str, NDArray[Any]] = {}
    for name, array in arrays.items():
        exact = array.astype(np.float32)
        if not name.endswith(".weight"):
            found[name] = exact
            continue
        rows, stem = exact.reshape(len(exact), -1), name.removesuffix("weight")
        scale = np.maximum(np.abs(rows).max(axis=1) / most, np.finfo(np.float32).tiny)
        whole = np.rint(rows / scale[:, None]).astype(np.int32).reshape(exact.shape)
        coded = (whole << 1) ^ (whole >> 31)
        found[f"{stem}scale"] = scale.astype(np.float32)
        found[name] = (coded >> more).astype(np.uint8)
        if more:
            last = (coded.reshape(-1, 1) >> np.arange(more)) & 1
            found[f"{stem}more"] = np.packbits(last.astype(np.uint8))
    return found


def _scaled(weight: NDArray[Any], scale: Floats, more: NDArray[Any] | None) -> Floats:
    """Weights of coded numbers; ParseError where parts do not fit."""
    if scale.shape != weight.shape[:1]:
        raise ParseError(f"{len(weight)} rows of weights have scales of the shape {scale.shape}")
    coded = weight.astype(np.int32)
    if more is not None:
        bits = 8 * more.size // max(coded.size, 1)
        if more.ndim != 1 or not 1 <= bits <= 8 or more.size != -(-bits * coded.size // 8):
            raise ParseError(f"{coded.size} weights have {more.size} bytes of further bits")
        last = np.unpackbits(more.astype(np.uint8), count=bits * coded.size).reshape(-1, bits)
        added = last.astype(np.int32) @ (1 << np.arange(bits, dtype=np.int32))
        coded = (coded << bits) + added.reshape(coded.shape)
    whole = ((coded >> 1) ^ -(coded & 1)).astype(np.float32)
    return np.asarray(whole * scale.reshape(-1, *[1] * (whole.ndim - 1)), np.float32)


def _layers(found: dict[str, dict[int, dict[str, Floats]]], kind: str) -> tuple[Layer, ...]:
    layers = []
    for place in range(len(found[kind])):
        parts = found[kind].get(place, {})
        for part in ("weight", "bias"):
            if part not in parts:
                raise ParseError(f"'network.{kind}[{place}].{part}' is missing")
            if not np.isfinite(parts[part]).all():
                raise ParseError(f"'network.{kind}[{place}].{part}' has values that are not finite")
        layers.append((parts["weight"], parts["bias"]))
    return tuple(layers)


def _fit(name: str, weight: Floats, bias: Floats, expected: tuple[int, ...]) -> None:
    if weight.shape != expected or bias.size != expected[0]:
        raise ParseError(
            f"'network.{name}' has shapes {list(weight.shape)} and {list(bias.shape)}; "
            f"expected {list(expected)} and one bias a row"
        )


def _convolved(x: Floats, weight: Floats) -> Floats:
    """[B, C, 8, 8] through [D, C, 3, 3] to [B, D, 8, 8], the board surrounded by zeros."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    total = np.zeros((len(x), len(weight), 8, 8), np.float32)
    for row in range(3):
        for column in range(3):
            seen = padded[:, :, row : row + 8, column : column + 8]
            total += np.einsum("dc,bcij->bdij", weight[:, :, row, column], seen, optimize=True)
    return total
