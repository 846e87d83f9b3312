"""Board games that teach themselves, with what that learning cost.

>>> import tempo
>>> game = tempo.load("gomoku(size=9)")
>>> position = game.start().play("e5").play("d4")
>>> "e6" in position.legal_moves
True
>>> print(position.outcome)
None
"""

from tempo.errors import IllegalMove, ParseError, TempoError
from tempo.games import Game, load
from tempo.stopping import Stop

__all__ = ["Game", "IllegalMove", "ParseError", "Stop", "TempoError", "load"]
