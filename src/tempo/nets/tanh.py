"""The Siguo paper's network in NumPy: one hidden layer and one output, tanh throughout.

130-5-1 without biases has 655 weights, with them 661. Letters: I inputs, H hidden units, N rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError

Floats = NDArray[np.float64]


@dataclass
class TanhNetwork:
    """Weights into [I, H] and out of [H] the hidden units. Biases stay 0 unless it `has_biases`."""

    first: Floats
    bias: Floats  # [H]
    second: Floats
    last: Floats  # []
    has_biases: bool = False

    @classmethod
    def random(
        cls, inputs: int, hidden: int, seed: int, spread: float = 0.5, has_biases: bool = False
    ) -> TanhNetwork:
        """Weights drawn evenly from -spread to spread, biases 0."""
        draw = np.random.default_rng(seed)
        first = draw.uniform(-spread, spread, (inputs, hidden))
        second = draw.uniform(-spread, spread, hidden)
        return cls(first, np.zeros(hidden), second, np.zeros(()), has_biases)

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[np.generic]], source: str) -> TanhNetwork:
        """A network as `arrays` gave it away; biases that are not 0 go on being learnt."""
        names = ("first", "bias", "second", "last")
        if not set(names) <= set(arrays):
            raise ParseError(f"{source} holds {', '.join(arrays)}; expected {', '.join(names)}")
        first, bias, second, last = (np.array(arrays[name], np.float64) for name in names)
        if first.ndim != 2 or not bias.shape == second.shape == first.shape[1:] or last.shape:
            raise ParseError(
                f"{source} has weights {first.shape} and {second.shape} that do not fit"
            )
        if not all(np.isfinite(part).all() for part in (first, bias, second, last)):
            raise ParseError(f"{source} holds numbers that are not finite")
        return cls(first, bias, second, last, bool(bias.any() or last.any()))

    def arrays(self) -> dict[str, Floats]:
        """Copies of all weights by name."""
        parts = {"first": self.first, "bias": self.bias, "second": self.second, "last": self.last}
        return {name: np.array(part) for name, part in parts.items()}

    @property
    def weights(self) -> int:
        """The number of trained parameters."""
        biases = self.bias.size + 1 if self.has_biases else 0
        return int(self.first.size + self.second.size + biases)

    @property
    def size(self) -> float:
        """Root of the mean square of all weights, biases left out."""
        return float(np.sqrt(np.mean(np.append(self.first, self.second) ** 2)))

    def values(self, x: NDArray[np.floating]) -> Floats:
        """[N] of rows [N, I], in (-1, 1)."""
        hidden = np.tanh(x @ self.first + self.bias)
        return np.asarray(np.tanh(hidden @ self.second + self.last))

    def push(self, x: NDArray[np.floating], by: Floats) -> None:
        """Adds Σ_n by_n ∇Q(x_n) to the weights, every gradient taken before any is added."""
        hidden = np.tanh(x @ self.first + self.bias)
        value = np.tanh(hidden @ self.second + self.last)
        out = by * (1 - value**2)
        inner = out[:, None] * self.second * (1 - hidden**2)
        self.second += out @ hidden
        self.first += x.T @ inner
        if self.has_biases:
            self.last += out.sum()
            self.bias += inner.sum(axis=0)
