"""Endings of chess with at most four pieces."""

import numpy
import numpy.typing

import tempo._core.chess


MATE: int = 1

STALEMATE: int = 2

INSUFFICIENT: int = 4

class Family:
    """
    An ending and every ending that it can become, all legal positions in one numbering; positions that mirror each other share a number.
    """

    def __init__(self, name: str) -> None: ...

    @property
    def name(self) -> str: ...

    def __len__(self) -> int:
        """How many numbers, `dead` included."""

    @property
    def dead(self) -> int:
        """
        The last number: all positions with which nobody can mate, a draw at once.
        """

    @property
    def members(self) -> list[tuple[str, int, int]]:
        """
        Name, first number and the number after the last, the ending itself first.
        """

    def number(self, position: tempo._core.chess.Position) -> int:
        """The number of a position in any orientation."""

    def numbers(self, texts: list[str]) -> numpy.typing.NDArray[numpy.int32]:
        """The numbers of positions given as FEN."""

    def position(self, number: int) -> tempo._core.chess.Position:
        """The position of a number, in its standard orientation."""

    def texts(self, numbers: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64]) -> list[str]:
        """The positions of numbers as FEN."""

    def turns(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[n] the seat to move."""

    def orbits(self) -> numpy.typing.NDArray[numpy.uint8]:
        """
        [n] how many positions share the number; 0 for `dead`, which no average should count.
        """

    def flags(self, threads: int = 1) -> numpy.typing.NDArray[numpy.uint8]:
        """[n] MATE, STALEMATE, INSUFFICIENT, or 0 where there are moves."""

    def ends(self, threads: int = 1) -> numpy.typing.NDArray[numpy.int8]:
        """[n] how it ended, for seat 0: 0 not yet, 1 won, 2 lost, 3 drawn."""

    def squares(self) -> numpy.typing.NDArray[numpy.int8]:
        """
        [n, 4] White's king, Black's king, the other pieces in the order of the member's name; -1 for none. En passant does not show: read texts for that.
        """

    def graph(self, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]:
        """
        offsets [n + 1] and successors: those of number i are successors[offsets[i]:offsets[i + 1]], one for each legal move of position(i) in their order.
        """
