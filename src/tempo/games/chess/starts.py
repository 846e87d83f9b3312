"""Where games of chess may start besides the usual place: any position of an ending."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tempo._core import chess, endings


def starts(name: str) -> Callable[[np.random.Generator], chess.Position]:
    """Draws positions of an ending, each as likely as any other that is not over."""
    family, numbers = _going_on(name.upper())
    return lambda random: family.position(int(random.choice(numbers)))


@lru_cache(8)
def _going_on(name: str) -> tuple[endings.Family, NDArray[np.int64]]:
    family = endings.Family(name)
    _, first, after = family.members[0]
    return family, first + np.flatnonzero(family.ends()[first:after] == 0)
