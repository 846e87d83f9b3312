"""Siguo by rules of thumb."""

import numpy
import numpy.typing

import tempo._core.siguo


def choose(view: tempo._core.siguo.View, seed: int) -> int:
    """
    The move that the rules of thumb like best; the seed decides between nearly equal ones.
    """

def scores(view: tempo._core.siguo.View) -> numpy.typing.NDArray[numpy.float32]:
    """
    [M] what each legal move is thought to be worth; only comparisons mean something.
    """

def chances(view: tempo._core.siguo.View) -> numpy.typing.NDArray[numpy.float32]:
    """[100, 12] quick chances of each kind for each piece, by seat and home."""

def try_moves(view: tempo._core.siguo.View, seed: int, truths: int = 100, seconds: float = 0.0, moves: int = 16, plies: int = 8, anchor: float = 1.0) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], int, int]:
    """
    Tries the moves that score highest on truths drawn from the view: [M] moves, best first, [M] the lead of the seat's team after each plus its score, truths and positions.
    """
