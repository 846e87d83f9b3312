"""A position of Othello set up by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.editing import Placed, read_rows, rows_text

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

ORDER = "XO"
SIDES = (("x", "black"), ("o", "white"))


def samples(game: Game) -> list[Position]:
    """The start has discs of both."""
    return [game.start()]


def read(game: Game, position: Position) -> dict[str, tuple[str, int]]:
    """The discs."""
    return read_rows(game, position.text.split(" ")[0])


def compose(game: Game, placed: Placed, side: str) -> str:
    """Rows and whose turn it is."""
    return f"{rows_text(game, placed)} {side}"
