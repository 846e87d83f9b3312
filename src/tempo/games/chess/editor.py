"""A position of chess set up by hand: kings and rooks at home may castle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.editing import Placed, read_rows, rows_text

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

ORDER = "KQRBNP"
SIDES = (("w", "white"), ("b", "black"))
_CASTLING = (("K", "e1", "h1"), ("Q", "e1", "a1"), ("k", "e8", "h8"), ("q", "e8", "a8"))


def samples(game: Game) -> list[Position]:
    """The start has every piece."""
    return [game.start()]


def read(game: Game, position: Position) -> dict[str, tuple[str, int]]:
    """The pieces of the FEN."""
    return read_rows(game, position.text.split(" ")[0])


def compose(game: Game, placed: Placed, side: str) -> str:
    """A FEN."""
    rights = ""
    for right, king, rook in _CASTLING:
        wanted = ("K", "R") if right.isupper() else ("k", "r")
        if tuple(placed.get(place, ("", 0))[0] for place in (king, rook)) == wanted:
            rights += right
    return f"{rows_text(game, placed)} {side} {rights or '-'} - 0 1"
