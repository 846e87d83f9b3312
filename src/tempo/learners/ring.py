"""The latest examples, in arrays that are filled again from the front when they are full."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.nets.approximator import Arrays
from tempo.nets.guided import COLUMNS, Examples

PREFIX = "replay."  # among the arrays of a checkpoint


class Ring:
    """Room for `size` examples. Rows are a few hundred bytes: a million fits a machine."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._at = 0  # where the next example goes
        self._held = 0
        self._all: Examples | None = None

    def __len__(self) -> int:
        return self._held

    def add(self, examples: Examples) -> None:
        """Takes in examples; the oldest give way."""
        examples = examples[-self.size :]
        if not len(examples):
            return
        kept = self._room(examples)
        wide = examples.widened(kept.moves.shape[1])
        places = (self._at + np.arange(len(wide))) % self.size
        for name in COLUMNS:
            getattr(kept, name)[places] = getattr(wide, name)
        self._at = int(places[-1] + 1) % self.size
        self._held = min(self._held + len(wide), self.size)

    def _room(self, like: Examples) -> Examples:
        """The arrays, wide enough for these examples."""
        if self._all is None:
            parts = (getattr(like, name) for name in COLUMNS)
            self._all = Examples(*(np.zeros((self.size, *p.shape[1:]), p.dtype) for p in parts))
        self._all = self._all.widened(like.moves.shape[1])
        return self._all

    def __getitem__(self, which: NDArray[np.int64]) -> Examples:
        """Some of them, by numbers below the length."""
        assert self._all is not None
        return self._all[which]

    def arrays(self) -> Arrays:
        """For a checkpoint."""
        if self._all is None:
            return {}
        held: dict[str, NDArray[Any]] = {
            name: getattr(self._all, name)[: self._held] for name in COLUMNS
        }
        return {PREFIX + name: a for name, a in (*held.items(), ("at", np.array([self._at])))}

    def restore(self, arrays: Arrays) -> None:
        """Goes back to a checkpoint."""
        if PREFIX + "at" not in arrays:
            return
        self._at = self._held = 0
        self._all = None
        self.add(Examples(*(arrays[PREFIX + name] for name in COLUMNS)))
        self._at = int(arrays[PREFIX + "at"][0])
