"""The critic in NumPy: one hidden layer, sigmoids, no biases (Zhao, Zhang, Dai 2012).

The plain form of what `tempo._core.gomoku_critic` does with sparse inputs: for games without a core
of their own, and to check the core by. Letters: I inputs, H hidden units, N positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Rule:
    """How a critic is taught. The paper's letters: α, l1, l2, γ; α enters twice."""

    alpha: float = 0.2
    rate_in: float = 0.05
    rate_out: float = 0.05
    discount: float = 1.0
    repeats: int = 50  # of every transition
    target: Literal["moving", "fixed"] = "moving"  # whether V(x') is looked up anew at each repeat


@dataclass
class Critic:
    """Weights into [I, H] and out of [H] the hidden layer. Learning changes them in place."""

    first: Floats
    second: Floats

    @classmethod
    def random(cls, inputs: int, hidden: int, seed: int, spread: float = 0.5) -> Critic:
        """Weights drawn evenly from -spread to spread."""
        draw = np.random.default_rng(seed)
        return cls(
            draw.uniform(-spread, spread, (inputs, hidden)).astype(np.float32),
            draw.uniform(-spread, spread, hidden).astype(np.float32),
        )

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of one evaluation, all inputs counted."""
        return self.first.size + self.second.size

    def values(self, x: Floats) -> Floats:
        """[N] of inputs [N, I]: how likely player 1 is to win."""
        return sigmoid(sigmoid(x @ self.first) @ self.second)

    def learn(self, rule: Rule, x: Floats, target: Floats | float) -> None:
        """Moves V(x) [I] towards V of the next inputs [I], or towards a number.

        e = α [γ V(x') - V(x)],  Δw2 = l2 α e V(1-V) g,  Δw1 = l1 α e V(1-V) w2 g(1-g) x
        """
        wanted = np.float32(0)
        for repeat in range(rule.repeats):
            if not isinstance(target, np.ndarray):
                wanted = np.float32(target)
            elif repeat == 0 or rule.target == "moving":
                wanted = np.float32(rule.discount) * self.values(target[None])[0]
            g = sigmoid(x @ self.first)
            v = sigmoid(g @ self.second)
            error = np.float32(rule.alpha) * (wanted - v)
            push = np.float32(rule.alpha) * error * v * (1 - v)
            change = np.float32(rule.rate_in) * push * self.second * g * (1 - g)
            self.second += np.float32(rule.rate_out) * push * g
            self.first += np.outer(x, change)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + e^-x), for any x without a warning."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -87, 87))), np.float32)
