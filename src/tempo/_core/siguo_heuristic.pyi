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
