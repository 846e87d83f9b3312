# The peers are not installed where types are checked.
# mypy: ignore-errors

"""rsshogi: shogi in Rust behind Python objects."""

from importlib import metadata
from random import random, seed

from rsshogi.core import Board

NAME = "rsshogi"
VERSION = metadata.version("rsshogi")
DEPTH = 4
LONGEST = 500  # moves of a game, as ours


def count(board, depth):
    """Leaves below `board`, the last ply counted without playing it."""
    moves = board.legal_moves_move32()
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.apply_move32(move)
        nodes += count(board, depth - 1)
        board.undo_move32(move)
    return nodes


def perft():
    """Counting the leaves of the move tree."""
    return lambda: count(Board(), DEPTH)


def playout():
    """One random game; returns its moves. Repetition is not looked for: that would cost it more."""
    board = Board()
    for made in range(LONGEST):
        moves = board.legal_moves_move32()
        if not moves:
            return made
        board.apply_move32(moves[int(random() * len(moves))])
    return LONGEST


def playouts():
    """Random games, always the same ones."""
    seed(1)
    return playout


TASKS = {"shogi-perft": ("nodes", perft), "shogi-playouts": ("moves", playouts)}
