"""Mistakes that the type checker must see: were a type `Any`, its line would pass.

The comment on a line is the kind of error that must be reported there.
"""

import tempo
from tempo._core import Outcome, chess, gomoku


def extension(options: gomoku.Options, position: gomoku.Position, outcome: Outcome) -> None:
    gomoku.start("gomoku")  # arg-type
    gomoku.start(options).plays("h8")  # attr-defined
    position.play(1.5)  # call-overload
    position.turn + "black"  # operator
    position.legal_moves["h8"]  # index
    position.turn = 1  # misc
    outcome.winner  # attr-defined
    moves: list[str] = list(position.legal_moves)  # arg-type
    chess.perft(position, 3)  # arg-type
    chess.Batch(position, 4)  # arg-type
    gomoku.nothing()  # attr-defined


def public() -> None:
    tempo.load(15)  # arg-type
    tempo.load("gomoku").start().turns  # attr-defined
    tempo.load("gomoku").start().outcome.reason  # union-attr
    text: str = tempo.load("gomoku").start().key  # assignment
