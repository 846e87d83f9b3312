"""Endings of chess with at most four pieces."""

from collections.abc import Callable

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

    def features(self, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32]]:
        """
        planes [n, P]: sets of squares, for each kind of piece where White's and Black's stand and can go; numbers [n, 6]: turn, check, piece counts, the kings' distance, 1.
        """

    def features_of(self, numbers: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32]]:
        """
        planes [m, P] and numbers [m, 6] of some positions, as `features` has them.
        """

    def successors_of(self, numbers: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int8]]:
        """
        offsets [m + 1] and successors of some positions, and how each ended [m], as `graph` and `ends` have them.
        """

    def graph(self, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]:
        """
        offsets [n + 1] and successors: those of number i are successors[offsets[i]:offsets[i + 1]], one for each legal move of position(i) in their order.
        """

class Tables:
    """
    Solved endings. A verdict is one byte: 0 a draw, else plies to mate and one; the side to move wins if the plies are odd and loses if even.
    """

    def __init__(self) -> None: ...

    @staticmethod
    def needed(name: str) -> list[str]:
        """The endings that must be solved for this one, in order, itself last."""

    @staticmethod
    def material(position: tempo._core.chess.Position) -> tuple[str, bool]:
        """
        The ending that a position of at most four pieces belongs to, and whether nobody can mate in it.
        """

    @property
    def names(self) -> list[str]: ...

    def add(self, name: str, verdicts: numpy.typing.NDArray[numpy.uint8]) -> None:
        """Takes in a solved ending. The array is kept, not copied."""

    def solve(self, name: str, threads: int = 1, progress: Callable[[str, int, int], None] | None = None) -> numpy.typing.NDArray[numpy.uint8]:
        """[n] the verdicts of an ending whose smaller endings are here."""

    def probe(self, position: tempo._core.chess.Position) -> int:
        """The verdict of a position."""

    def moves(self, position: tempo._core.chess.Position) -> list[tuple[int, int]]:
        """
        Each legal move with the verdict that it leads to, for the side that makes it.
        """

    def verdicts(self, family: Family, threads: int = 1) -> numpy.typing.NDArray[numpy.uint8]:
        """[n] the verdicts of a whole family by number."""

    def summary(self, name: str, seat: int) -> dict[str, int]:
        """Counts of an ending with this seat to move; positions, not numbers."""

def play_attack(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], starts: numpy.typing.NDArray[numpy.int32], choice: numpy.typing.NDArray[numpy.int32] | None = None, *, mate_plies: int = 0, cap: int = 100, seed: int = 0, threads: int = 1) -> numpy.typing.NDArray[numpy.int32]:
    """
    Games of a fixed choice, or of random moves, against perfect defence: plies to mate, 0 where there was none within `cap`. Mates within `mate_plies` are always found.
    """

def play_defence(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], starts: numpy.typing.NDArray[numpy.int32], choice: numpy.typing.NDArray[numpy.int32] | None = None, *, seed: int = 0, threads: int = 1) -> numpy.typing.NDArray[numpy.int32]:
    """Games against perfect attack: plies until mate."""

def attack_worth(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], choice: numpy.typing.NDArray[numpy.int32], *, seat: int = 0, moves: int = 50, any_defence: bool = False, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
    """
    [n] the probability that a fixed choice mates within `moves` moves, and the expected plies counting only games that do; 0 where the seat has not won. Against perfect defence, or against any at all: the worst case.
    """

def defence_worth(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], choice: numpy.typing.NDArray[numpy.int32], *, seat: int = 1, threads: int = 1) -> numpy.typing.NDArray[numpy.float32]:
    """
    [n] the expected plies until perfect attack mates, where the seat has lost; 0 elsewhere.
    """
