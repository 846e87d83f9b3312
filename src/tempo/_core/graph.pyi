"""Games small enough to be written down."""

import numpy
import numpy.typing


class Graph:
    """
    Positions as nodes, moves as edges: offsets [n + 1] and next [edges] in compressed rows, turn [n] the seat to move, end [n] 0 none, 1 won, 2 lost, 3 drawn, for seat 0.
    """

    def __init__(self, offsets: numpy.typing.NDArray[numpy.int64], next: numpy.typing.NDArray[numpy.int32], turn: numpy.typing.NDArray[numpy.uint8], end: numpy.typing.NDArray[numpy.int8], threads: int = 1) -> None: ...

    def __len__(self) -> int: ...

    def sweep(self, values: numpy.typing.NDArray[numpy.float32], leaves: numpy.typing.NDArray[numpy.int32], discount: float = 1.0) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]:
        """
        One ply of minimax everywhere: values, leaves and best successors, one deeper.
        """

    def play(self, best: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.int32], *, random_share: float = 0.0, opening: int = 0, cap: int = 100, seed: int = 0, first_game: int = 0) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]:
        """
        Games along `best`: states [games, cap] padded by -1, lengths and outcomes [games].
        """
