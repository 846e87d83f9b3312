"""Ending work early: a move that takes too long, a table that was closed, a `stop` from a GUI.

>>> from tempo import agents, load
>>> from tempo.stopping import Stop
>>> position = load("gomoku(size=9)").start()
>>> with Stop(seconds=0.05):
...     choice = agents.load("alphabeta:depth=50").choose(position)
>>> choice.move in position.legal_moves
True

All that a thread does in the block obeys, in the core and in the loops of agents. Another thread
ends it with `set()`. A search then gives its best move so far, as if its time were up; work without
a partial result (perft, playouts, self-play, solving a table) raises `tempo.errors.Stopped`.
"""

from tempo._core import Stop, stopped
from tempo.errors import Stopped

__all__ = ["Stop", "check", "stopped"]


def check() -> None:
    """Raises Stopped if a Stop that this thread obeys is set."""
    if stopped():
        raise Stopped("stopped before the work was done")
