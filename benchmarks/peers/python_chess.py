# The peers are not installed where types are checked.
# mypy: ignore-errors

"""python-chess: chess in Python alone."""

from random import random, seed

import chess

NAME = "python-chess"
VERSION = chess.__version__
DEPTH = 4  # 200,000 nodes: the deeper trees of the compiled peers would take minutes


def count(board, depth):
    """Leaves below `board`, the last ply counted without playing it."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += count(board, depth - 1)
        board.pop()
    return nodes


def perft():
    """Counting the leaves of the move tree."""
    return lambda: count(chess.Board(), DEPTH)


def playout():
    """One random game; returns its moves."""
    board = chess.Board()
    moves = list(board.legal_moves)
    # One look at each draw: `is_game_over` would generate the moves a second time.
    while moves and not (
        board.is_insufficient_material() or board.is_fifty_moves() or board.is_repetition(3)
    ):
        board.push(moves[int(random() * len(moves))])
        moves = list(board.legal_moves)
    return board.ply()


def playouts():
    """Random games, always the same ones."""
    seed(1)
    return playout


TASKS = {"chess-perft": ("nodes", perft), "chess-playouts": ("moves", playouts)}
