"""Adam (Kingma and Ba 2015) for the weights of terms: learners that need no JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


class Adam:
    """Running means of a gradient and of its squares, and the steps that they give.

    The larger `damping`, the less weights move whose gradients are small; `forgets` is the part of
    the mean of squares that every step makes anew.
    """

    def __init__(self, count: int, *, damping: float, forgets: float = 0.001) -> None:
        self._damping, self._forgets = damping, forgets
        self._mean, self._square = np.zeros(count), np.zeros(count)

    def step(self, gradient: Doubles, rate: float, number: int) -> Doubles:
        """The step to subtract from the weights; steps are numbered from 1."""
        kept = 1 - self._forgets
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = kept * self._square + self._forgets * gradient**2
        mean, square = self._mean / (1 - 0.9**number), self._square / (1 - kept**number)
        return np.asarray(rate * mean / (np.sqrt(square) + self._damping), np.float64)

    def step_at(self, which: Any, gradient: Doubles, rate: float, number: int) -> Doubles:
        """The same of some weights alone, by their numbers; all others keep their means."""
        kept = 1 - self._forgets
        mean = self._mean[which] = 0.9 * self._mean[which] + 0.1 * gradient
        square = self._square[which] = (
            kept * self._square[which] + self._forgets * gradient * gradient
        )
        found = rate * (mean / (1 - 0.9**number))
        found /= np.sqrt(square / (1 - kept**number)) + self._damping
        return np.asarray(found, np.float64)

    def arrays(self) -> dict[str, Doubles]:
        """The means, for a checkpoint."""
        return {"mean": self._mean, "square": self._square}

    def restore(self, arrays: dict[str, Doubles]) -> None:
        """Restores a checkpoint."""
        self._mean, self._square = arrays["mean"], arrays["square"]


PREFIX = "adam."  # the optimizer's state among the arrays of an approximator


def stored(adam: Adam, steps: int) -> dict[str, NDArray[Any]]:
    """The means and the number of steps, by names that tell them from weights."""
    return {f"{PREFIX}{name}": a for name, a in (*adam.arrays().items(), ("steps", _one(steps)))}


def restored(adam: Adam, arrays: Mapping[str, NDArray[Any]]) -> int:
    """Restores what is stored and returns the number of steps; 0 for weights alone."""
    if f"{PREFIX}steps" not in arrays:
        return 0
    adam.restore({name: arrays[f"{PREFIX}{name}"] for name in ("mean", "square")})
    return int(arrays[f"{PREFIX}steps"][0])


def _one(number: int) -> NDArray[np.int64]:
    return np.array([number], np.int64)


def falling(step_size: float, final_share: float, done: int, total: int) -> float:
    """A step size that falls on a straight line, towards a share of itself."""
    return step_size * (final_share + (1 - final_share) * (1 - done / total))
