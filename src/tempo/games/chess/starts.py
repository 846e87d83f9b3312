"""Where games of chess may start besides the usual place: any position of an ending."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tempo._core import endings
from tempo.games.chess.endings import Ending

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tempo._core import chess

    Draw = Callable[[np.random.Generator], chess.Position]


def starts(name: str) -> Draw:
    """Draws positions of an ending, each as likely as any other that is not over."""
    family, numbers = _going_on(name.upper())
    return lambda random: family.position(int(random.choice(numbers)))


def practice(name: str) -> Draw:
    """Draws decided positions of an ending, each distance to mate as likely as any other.

    Few positions are near a mate, and a learner that never sees one learns nothing.
    """
    family, distances = _by_distance(name.upper())

    def draw(random: np.random.Generator) -> chess.Position:
        return family.position(int(random.choice(distances[random.integers(len(distances))])))

    return draw if distances else starts(name)


@lru_cache(8)
def _going_on(name: str) -> tuple[endings.Family, NDArray[np.int64]]:
    family = endings.Family(name)
    _, first, after = family.members[0]
    return family, first + np.flatnonzero(family.ends()[first:after] == 0)


@lru_cache(8)
def _by_distance(name: str) -> tuple[endings.Family, list[NDArray[np.int64]]]:
    """The decided positions of an ending that are not over, nearest to mate first."""
    ending, (family, numbers) = Ending(name), _going_on(name)
    plies = ending.plies[numbers]
    order = np.argsort(plies, kind="stable")[np.count_nonzero(plies < 0) :]
    parts = np.split(numbers[order], np.flatnonzero(np.diff(plies[order])) + 1)
    return family, [part for part in parts if len(part)]
