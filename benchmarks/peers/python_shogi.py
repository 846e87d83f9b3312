# The peers are not installed where types are checked.
# mypy: ignore-errors

"""python-shogi: shogi in Python alone."""

from importlib import metadata
from random import random, seed

from shogi import Board

NAME = "python-shogi"
VERSION = metadata.version("python-shogi")
DEPTH = 3  # 25,000 nodes: the deeper trees of the compiled peers would take minutes
LONGEST = 500  # moves of a game, as ours


def count(board, depth):
    """Leaves below `board`, the last ply counted without playing it."""
    if depth == 1:
        return sum(1 for _ in board.legal_moves)
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += count(board, depth - 1)
        board.pop()
    return nodes


def perft():
    """Counting the leaves of the move tree."""
    return lambda: count(Board(), DEPTH)


def playout():
    """One random game; returns its moves."""
    board = Board()
    for made in range(LONGEST):
        moves = list(board.legal_moves)
        if not moves or board.is_fourfold_repetition():
            return made
        board.push(moves[int(random() * len(moves))])
    return LONGEST


def playouts():
    """Random games, always the same ones."""
    seed(1)
    return playout


TASKS = {"shogi-perft": ("nodes", perft), "shogi-playouts": ("moves", playouts)}
