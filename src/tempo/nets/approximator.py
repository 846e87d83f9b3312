"""What a learner trains: the value of a position for the seat to move there.

An approximator sees a position as the seat to move does: its planes (or, where a game has them and
the approximator is linear, its terms) and its key. Values lie from -1 to 1. Q(s, a) is the value of
the position after the move, counted for or against the mover by its team, so that whatever learns
Q has an evaluator for searches, too.

Letters: N positions, F features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]

# Turns of captures that a search with an approximator follows past its horizon: a capture and its
# answer. Values still being learnt rank captures almost at random, and without a limit these few
# plies can take a hundred times as many positions as the search itself.
QUIESCENCE_TURNS = 2


@dataclass(frozen=True)
class Inputs:
    """What an approximator sees of N positions: keys [N] and features [N, F]."""

    keys: NDArray[np.uint64]
    features: Floats

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, which: Any) -> Inputs:
        """A subset, by indices or a mask."""
        return Inputs(self.keys[which], self.features[which])

    @staticmethod
    def joined(parts: list[Inputs]) -> Inputs:
        """Several, concatenated."""
        return Inputs(
            np.concatenate([part.keys for part in parts]),
            np.concatenate([part.features for part in parts]),
        )


class Approximator(Protocol):
    """A value of positions that can be trained towards targets."""

    sees: str  # "features", "terms" or "keys": what of `Inputs` it needs

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of one evaluation."""

    def values(self, inputs: Inputs) -> Floats:
        """[N] the value of each position for the seat to move."""

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step towards targets [N]; returns the mean squared error before it."""

    def evaluator(self) -> Any:
        """The same for searches of the core."""

    def arrays(self) -> Arrays:
        """Weights and the optimizer's state, for a checkpoint."""

    def restore(self, arrays: Arrays) -> None:
        """Restores a checkpoint."""
