"""A table: one value for every position ever learnt, by its key."""

from __future__ import annotations

from typing import Any

import numpy as np

from tempo._core.tables import ValueTable
from tempo.games.game import Game
from tempo.nets.approximator import Arrays, Floats, Inputs


class Table:
    """Values by key, 0 where nothing was learnt. Hidden games have the keys of views."""

    sees = "keys"
    multiply_adds = 0

    def __init__(self, game: Game) -> None:
        self._core = game.core
        self._table = ValueTable()

    def __len__(self) -> int:
        return len(self._table)

    def values(self, inputs: Inputs) -> Floats:
        """[N] what is stored."""
        return self._table.read(inputs.keys)[0]

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """Moves every value a share of the way, one after the other."""
        error = targets - self.values(inputs)
        self._table.approach(inputs.keys, targets.astype(np.float64), step_size)
        return float(np.mean(error**2)) if len(error) else 0.0

    def evaluator(self) -> Any:
        """Looks positions up in this table, as it then is."""
        return self._core.Evaluator.table(self._table)

    def arrays(self) -> Arrays:
        """Keys in ascending order, values and visits."""
        return dict(zip(("keys", "values", "visits"), self._table.entries(), strict=True))

    def restore(self, arrays: Arrays) -> None:
        """Restores a checkpoint."""
        self._table = ValueTable()
        self._table.load(arrays["keys"], arrays["values"], arrays["visits"])
