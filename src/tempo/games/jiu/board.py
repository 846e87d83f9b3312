"""What records need to know of a Jiu position beyond its moves: stones, stage, options, centre."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tempo.games.stones import Point, parse_rows, rows_text, size_of

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

__all__ = [
    "BLACK",
    "LETTERS",
    "SEATS",
    "WHITE",
    "Point",
    "centre_points",
    "position_text",
    "size_of",
    "stage",
    "stones_of",
]

WHITE, BLACK = 0, 1
SEATS = ("white", "black")
LETTERS = ("o", "x")  # by seat, in a position's text


def centre_points(game: Game) -> tuple[Point, Point]:
    """The two points of the marked diagonal: filled first, and emptied before the battle."""
    lower = size_of(game) // 2
    upper = lower - 1
    if game.chosen["diagonal"] == "anti":
        return (upper, lower), (lower, upper)
    return (upper, upper), (lower, lower)


def stage(position: Position) -> str:
    """`prep` or `battle`."""
    return position.text.split(" ", 3)[2]


def stones_of(position: Position) -> dict[Point, int]:
    """The seat whose stone stands on each point, in the order of the points."""
    return parse_rows(position.text.split(" ", 1)[0], LETTERS)


def position_text(stones: Mapping[Point, int], size: int, turn: int, rest: str) -> str:
    """The text that the core reads; `rest` is the stage and, in battle, the clocks."""
    return f"{rows_text(stones, size, LETTERS)} {LETTERS[turn]} {rest}"
