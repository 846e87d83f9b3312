"""Networks in integers, for evaluators of any game."""

from collections.abc import Sequence

import numpy
import numpy.typing


class Incremental:
    """A sum of rows that is kept up while a search moves, then layers."""

    def __init__(self, features: str, rows: numpy.typing.NDArray[numpy.int8], bias: numpy.typing.NDArray[numpy.int16], layers: Sequence[tuple[numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.int32]]]) -> None:
        """
        The version of the game's features, rows [features, width], bias [width], and layers of (weights [out, in], bias [out]); the first takes both seats' sums.
        """

    @property
    def features(self) -> str: ...

    @property
    def multiply_adds(self) -> int: ...

class Lines:
    """Patterns of the lines through every point, then layers."""

    def __init__(self, version: str, rows: numpy.typing.NDArray[numpy.int8], bias: numpy.typing.NDArray[numpy.int16], layers: Sequence[tuple[numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.int32]]], policy: numpy.typing.NDArray[numpy.int8]) -> None:
        """
        Rows [patterns, width], bias [width], layers from totals over the board to one number, policy [width].
        """

    @property
    def version(self) -> str: ...

    @property
    def multiply_adds(self) -> int: ...

def line_patterns() -> numpy.typing.NDArray[numpy.uint16]:
    """
    [4^9] the number of the pattern of nine points, two bits each: 0 empty, 1 own, 2 the other's, 3 off the board; the number of patterns for what cannot be.
    """

line_pattern_count: int = 22143

def kernels() -> list[str]:
    """
    The forms of the arithmetic that this processor can run; the first is used.
    """
