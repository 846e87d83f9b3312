"""What happened on a board, one thing at a time, as it is written down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tempo.games.line import noted_text
from tempo.games.public import UNKNOWN

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position


@dataclass(frozen=True)
class Ply:
    """One thing that happened on the board: a move, or a turn lost, or a seat that gave up."""

    seat: int
    move: int | None
    text: str
    is_exit: bool = False  # the seat is out of the game
    native: str = ""  # as players write it, where that is not the text
    own: str = ""  # the same with what only the seat that moved knows

    @cached_property
    def mine(self) -> Ply:
        """As the seat that moved sees it."""
        return replace(self, native=self.own)

    @cached_property
    def hidden(self) -> Ply:
        """As others see it where moves are hidden."""
        return replace(self, move=None, text=UNKNOWN, native="", own="")


def written(game: Game, before: Position, seat: int, move: int) -> Ply:
    """A move as it is written down, for everybody and for the seat that makes it."""
    text = noted_text(before, move)
    if not before.is_legal(move):
        return Ply(seat, move, text)  # playing it says what is wrong
    face = game.description.face
    view = before.view(seat)
    own = face.notation(view, move).replace(view.move_text(move), text)
    own = "" if own == text else own
    native = "" if game.is_hidden else own  # what everybody saw is in the text
    return Ply(seat, move, text, native=native, own=own)
