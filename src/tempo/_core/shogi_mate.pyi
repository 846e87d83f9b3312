"""Mates of shogi and mini-shogi, by checks alone."""

from typing import overload

import tempo._core.minishogi
import tempo._core.shogi


class Mate:
    """What a mate search found."""

    @property
    def verdict(self) -> str:
        """`win`, `none`, or `unknown` where the budget ended first."""

    @property
    def line(self) -> list[int]:
        """Of a win: move numbers up to the mate."""

    @property
    def length(self) -> int:
        """Plies of the mate, useless interpositions left out; 0 without one."""

    @property
    def shortest(self) -> bool:
        """Whether no mate is faster."""

    @property
    def positions(self) -> int:
        """How many positions were looked into."""

@overload
def search(position: tempo._core.shogi.Position, positions: int, seconds: float = 0.0) -> Mate: ...

@overload
def search(position: tempo._core.minishogi.Position, positions: int, seconds: float = 0.0) -> Mate:
    """
    Whether the side to move mates by giving check with every move, and how fast.
    """

@overload
def quick(position: tempo._core.shogi.Position, plies: int) -> int: ...

@overload
def quick(position: tempo._core.minishogi.Position, plies: int) -> int:
    """The number of a move that mates within 1 or 3 plies, or -1."""
