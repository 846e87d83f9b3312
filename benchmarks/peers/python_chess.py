# The peers are not installed where types are checked.
# mypy: ignore-errors

"""python-chess: chess in Python alone."""

from functools import partial
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


# Self-play of KRK: minimax by alpha-beta with a table of values at the leaves.

MOST_MOVES, OPENING, RANDOM_SHARE = 100, 6, 0.5


def place(board):
    """Where a position of KRK stands in a table of all of them."""
    rooks = board.rooks
    squares = board.king(chess.WHITE) << 12 | board.king(chess.BLACK) << 6 | rooks.bit_length() - 1
    return squares << 1 | board.turn


def search(board, depth, low, high, values):
    """The value for White, which takes the highest; Black takes the lowest."""
    if not board.rooks:
        return 0.0
    if depth == 0:
        return values[place(board)]
    best = None
    for move in board.legal_moves:
        board.push(move)
        value = search(board, depth - 1, low, high, values)
        board.pop()
        if best is None or (value > best if board.turn else value < best):
            best = value
            if board.turn:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
    if best is None:
        return (-1.0 if board.turn else 1.0) if board.is_check() else 0.0
    return best


def choose(board, moves, depth, values):
    """The best move by search."""
    best, chosen = None, None
    for move in moves:
        board.push(move)
        value = search(board, depth - 1, -2.0, 2.0, values)
        board.pop()
        if best is None or (value > best if board.turn else value < best):
            best, chosen = value, move
    return chosen


def start_position():
    """A random legal position of KRK."""
    while True:
        board = chess.Board(None)
        white, black, rook = (int(random() * 64) for _ in range(3))
        board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        board.set_piece_at(rook, chess.Piece(chess.ROOK, chess.WHITE))
        board.turn = random() < 0.5
        if len({white, black, rook}) == 3 and board.is_valid() and any(board.legal_moves):
            return board


def episode(depth, values):
    """One game of self-play, with a random opening and random moves mixed in."""
    board = start_position()
    opening = int(random() * (OPENING + 1))
    for number in range(opening + MOST_MOVES):
        moves = list(board.legal_moves)
        if not moves or not board.rooks:
            break
        if number < opening or random() < RANDOM_SHARE:
            board.push(moves[int(random() * len(moves))])
        else:
            board.push(choose(board, moves, depth, values))
    return 1


def episodes(depth):
    """Games of self-play with one table of values, as weights that stand still give."""
    seed(1)
    values = [random() - 0.5 for _ in range(64**3 * 2)]
    return lambda: episode(depth, values)


TASKS = {
    "chess-perft": ("nodes", perft),
    "chess-playouts": ("moves", playouts),
    "endgame-episodes-1": ("games", partial(episodes, 1)),
    "endgame-episodes-3": ("games", partial(episodes, 3)),
}
