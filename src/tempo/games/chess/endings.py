"""An ending as arrays: every legal position by number, what it is worth, where its moves lead.

>>> from tempo.games.chess.endings import Ending
>>> krk = Ending("KRK")
>>> number = krk.family.number(krk.family.position(1000))
>>> int(krk.plies[number]), int(krk.values[number])
(27, 1)

Letters: n numbers of the family (`len(ending.family)`), the last of which stands for all positions
in which nobody can mate. Positions that mirror each other share a number; `orbits` says how many.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tempo import _core
from tempo.errors import ParseError
from tempo.games.chess.tablebase import Progress, Tablebase
from tempo.games.registry import load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.games.game import Game


class Ending:
    """One ending with its family and its exact table, each made when first asked for.

    White is the stronger side: KRKQ is refused in favour of KQKR, its mirror image.
    """

    def __init__(
        self, name: str, tablebase: Tablebase | None = None, progress: Progress | None = None
    ) -> None:
        _core.endings.Tables.needed(name)  # refuses what is no ending
        self.name = name
        self.tablebase = Tablebase() if tablebase is None else tablebase
        self._progress = progress

    def __repr__(self) -> str:
        return f"<ending {self.name}>"

    @property
    def game(self) -> Game:
        """The rules by which it is played."""
        return load("chess")

    @cached_property
    def family(self) -> _core.endings.Family:
        """All legal positions of the ending and of what it can become, in one numbering."""
        return _core.endings.Family(self.name)

    @cached_property
    def verdicts(self) -> NDArray[np.uint8]:
        """[n] 0 a draw, else plies to mate and one: odd plies win for the side to move."""
        self.tablebase.need(self.name, self._progress)
        return self.tablebase.core.verdicts(self.family)

    @cached_property
    def plies(self) -> NDArray[np.int16]:
        """[n] plies to mate with perfect play; -1 for a draw."""
        return self.verdicts.astype(np.int16) - 1

    @cached_property
    def turns(self) -> NDArray[np.uint8]:
        """[n] the seat to move."""
        return self.family.turns()

    @cached_property
    def orbits(self) -> NDArray[np.uint8]:
        """[n] how many positions share the number."""
        return self.family.orbits()

    @cached_property
    def values(self) -> NDArray[np.int8]:
        """[n] what perfect play gives White: 1, 0 or -1, whichever side is to move."""
        mover_wins = self.verdicts % 2 == 0
        winner = np.where(mover_wins, self.turns, 1 - self.turns)
        return np.where(self.verdicts == 0, 0, 1 - 2 * winner.astype(np.int8)).astype(np.int8)

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """[n] whether a number is of the ending itself, not of what it can become."""
        _, begin, end = self.family.members[0]
        numbers = np.arange(len(self.family))
        return (numbers >= begin) & (numbers < end)

    def decided(self, winner: int, turn: int) -> NDArray[np.int32]:
        """The ending's own positions that `winner` wins with `turn` to move, mates left out."""
        score = 1 if winner == 0 else -1
        mask = self.own & (self.values == score) & (self.turns == turn) & (self.plies > 0)
        return np.flatnonzero(mask).astype(np.int32)

    def starts(self, count: int, seed: int, *, winner: int = 0, turn: int = 0) -> NDArray[np.int32]:
        """Numbers drawn so that every position is equally likely and no distance comes too often.

        The positions stand in a row by distance to mate, and every `count`-th part of the row gives
        one: the share of each distance is exact up to one game.
        """
        numbers = self.decided(winner, turn)
        if not len(numbers):
            who = ("White", "Black")
            raise ParseError(
                f"{who[winner]} has no won position of {self.name}, {who[turn]} to move"
            )
        random = np.random.default_rng(seed)
        # Shuffled first, so that positions of one distance stand in no order.
        numbers = random.permutation(numbers)
        numbers = numbers[np.argsort(self.plies[numbers], kind="stable")]
        reach = np.cumsum(self.orbits[numbers], dtype=np.int64)
        places = (np.arange(count) + random.random(count)) / count * reach[-1]
        drawn: NDArray[np.int32] = numbers[np.searchsorted(reach, places, side="right")]
        return drawn
