# The peers are not installed where types are checked.
# mypy: ignore-errors

"""rust-chess: the Rust crate `chess` behind Python objects."""

from importlib import metadata
from random import random, seed

from rust_chess import Board

NAME = "rust-chess"
VERSION = metadata.version("rust-chess")


def playout():
    """One random game; returns its moves."""
    board = Board()
    count = 0
    while True:
        moves = list(board.generate_legal_moves())
        # The three tests are faster than `get_status`, which looks for mate and stalemate again.
        if (
            not moves
            or board.is_insufficient_material()
            or board.is_fifty_moves()
            or board.is_threefold_repetition()
        ):
            return count
        board.make_move(moves[int(random() * len(moves))], False)  # legal: skip the check
        count += 1


def playouts():
    """Random games, always the same ones."""
    seed(1)
    return playout


TASKS = {"chess-playouts": ("moves", playouts)}
