# The peers are not installed where types are checked.
# mypy: ignore-errors

"""chessmg: a C++ move generator behind Python, counting in bulk at the last ply."""

from importlib import metadata

from chessmg import ChessPosition

NAME = "chessmg"
VERSION = metadata.version("chessmg")
DEPTH = 6


def perft():
    """Counting the leaves of the move tree."""
    position = ChessPosition()
    return lambda: position.perft(DEPTH)


TASKS = {"chess-perft": ("nodes", perft)}
