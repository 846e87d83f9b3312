"""The preparation stage of Jiu, to learn from."""

import numpy
import numpy.typing


class Preparation:
    """
    `games` games side by side in which the central 6x6 points are filled, White first. Moves are row * 6 + column there. White begins on the upper left end of the marked diagonal, unless `either_end`. `keys` tell apart each `sequence` of moves, or each `position` up to symmetry. A reward is the sum of `place` (e1), `control` (e2) and `shape` (e3), each of which can be switched off; unfilled points count there as `wall` or `empty`, and a chain is a `pair` or a `line` of three.
    """

    def __init__(self, games: int, *, size: int = 14, either_end: bool = False, keys: str = 'sequence', place: bool = True, control: bool = True, shape: bool = True, unfilled: str = 'wall', chain: str = 'pair', threads: int = 1) -> None: ...

    @property
    def games(self) -> int:
        """How many games there are."""

    @property
    def seats(self) -> int:
        """White and Black: 2."""

    @property
    def size(self) -> int:
        """Points on a side of the whole board."""

    @property
    def is_tree(self) -> bool:
        """
        Whether every key is reached in one way only, as those of sequences are.
        """

    @property
    def placed(self) -> int:
        """Stones in each game."""

    @property
    def turns(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[B] the seat to move in each game: 0 White, 1 Black."""

    @property
    def points(self) -> numpy.typing.NDArray[numpy.int32]:
        """[36] the point of each move on the whole board, row * size + column."""

    def restart(self) -> None:
        """Begins all games anew."""

    def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """[B, 36] which moves are legal; none when the points are filled."""

    def next_keys(self) -> numpy.typing.NDArray[numpy.uint64]:
        """[B, 36] the key of what each legal move leads to; 0 for the others."""

    def play(self, moves: numpy.typing.NDArray[numpy.integer]) -> numpy.typing.NDArray[numpy.float64]:
        """
        Plays a move in every game; [B] what each earns its seat. An illegal move raises IllegalMove and nothing is played.
        """
