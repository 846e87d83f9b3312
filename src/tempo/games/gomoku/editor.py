"""A position of Gomoku set up by hand: whose turn it is follows from the stones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.editing import Placed, read_rows, rows_text

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

ORDER = "XO"
SIDES = (("stones", ""),)


def samples(game: Game) -> list[Position]:
    """Two stones."""
    position: Position = game.start()
    for _ in range(2):
        position = position.play(position.legal_moves[0])
    return [position]


def read(game: Game, position: Position) -> dict[str, tuple[str, int]]:
    """The stones."""
    return read_rows(game, position.text.split(" ")[0])


def compose(game: Game, placed: Placed, side: str) -> str:
    """Black comes next if there are as many stones of both."""
    codes = [code for code, _ in placed.values()]
    return f"{rows_text(game, placed)} {'x' if codes.count('x') <= codes.count('o') else 'o'}"
