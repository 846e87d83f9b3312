"""A position of Siguo set up by hand: pieces of four armies; what is not placed is absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games import scene
from tempo.games.editing import Placed
from tempo.games.public import laid_open
from tempo.games.siguo.face import KINDS

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

_SEATS = "SENW"
ORDER = "987654321BMF"
SIDES = (("S", "south"), ("E", "east"), ("N", "north"), ("W", "west"))


def samples(game: Game) -> list[Position]:
    """The start has every piece."""
    return [game.start()]


def read(game: Game, position: Position) -> dict[str, tuple[str, int]]:
    """Every piece with its seat: `S.9`."""
    shown = laid_open(game, position)
    short = {words[1]: letter for letter, words in KINDS.items()}
    return {
        piece.place: (f"{_SEATS[piece.seat]}.{short[piece.short]}", 1)
        for piece in scene.face_of(shown).pieces(shown.view(0), 0)
    }


def compose(game: Game, placed: Placed, side: str) -> str:
    """As positions are given by hand."""
    pieces = " ".join(f"{code}@{place}" for place, (code, _) in placed.items())
    return f"{pieces} turn={side}".strip()
