# The peers are not installed where types are checked.
# mypy: ignore-errors

"""bulletchess: chess in C behind Python objects."""

from importlib import metadata
from random import random, seed

from bulletchess import (
    FIFTY_MOVE_TIMEOUT,
    INSUFFICIENT_MATERIAL,
    THREEFOLD_REPETITION,
    Board,
)

NAME = "bulletchess"
VERSION = metadata.version("bulletchess")


def playout():
    """One random game; returns its moves."""
    board = Board()
    count = 0
    while True:
        moves = board.legal_moves()
        # The three tests are faster than `board in DRAW`, which looks for stalemate again.
        if (
            not moves
            or board in INSUFFICIENT_MATERIAL
            or board in FIFTY_MOVE_TIMEOUT
            or board in THREEFOLD_REPETITION
        ):
            return count
        board.apply(moves[int(random() * len(moves))])
        count += 1


def playouts():
    """Random games, always the same ones."""
    seed(1)
    return playout


TASKS = {"chess-playouts": ("moves", playouts), "chess-loop": ("moves", playouts)}
