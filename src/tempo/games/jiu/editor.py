"""A position of Jiu set up by hand: while stones are placed, or in the battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.editing import Placed, read_rows, rows_text

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

ORDER = "OX"
SIDES = (("x battle", "black"), ("o battle", "white"), ("prep", ""))


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
    """Rows and what comes next; while stones are placed, the seat with fewer of them."""
    rows = rows_text(game, placed)
    if side != "prep":
        return f"{rows} {side} 0 0"
    codes = [code for code, _ in placed.values()]
    first = game.start().text.split(" ")[1]
    other = "x" if first == "o" else "o"
    return f"{rows} {first if codes.count(first) <= codes.count(other) else other} prep"
