"""What records need to know of a Jiu position beyond its moves: stones, stage, options, centre."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tempo.games.registry import parse_spec

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

Point = tuple[int, int]  # row from the top, column from the left, both from 0

WHITE, BLACK = 0, 1
SEATS = ("white", "black")
LETTERS = ("o", "x")  # by seat, in a position's text


def options_of(game: Game) -> dict[str, str]:
    """Every rule option with its value."""
    defaults = {option.name: option.default for option in game.option_fields}
    return defaults | parse_spec(game.spec)[1]


def size_of(game: Game) -> int:
    """Points on a side."""
    return int(options_of(game)["size"])


def centre_points(game: Game) -> tuple[Point, Point]:
    """The two points of the marked diagonal: filled first, and emptied before the battle."""
    lower = size_of(game) // 2
    upper = lower - 1
    if options_of(game)["diagonal"] == "anti":
        return (upper, lower), (lower, upper)
    return (upper, upper), (lower, lower)


def stage(position: Position) -> str:
    """`prep` or `battle`."""
    return position.text.split(" ", 3)[2]


def stones_of(position: Position) -> dict[Point, int]:
    """The seat whose stone stands on each point, in the order of the points."""
    stones: dict[Point, int] = {}
    for row, line in enumerate(position.text.split(" ", 1)[0].split("/")):
        column = 0
        for part in re.findall(r"\d+|[xo]", line):
            if part in LETTERS:
                stones[row, column] = LETTERS.index(part)
            column += 1 if part in LETTERS else int(part)
    return stones


def position_text(stones: Mapping[Point, int], size: int, turn: int, rest: str) -> str:
    """The text that the core reads; `rest` is the stage and, in battle, the clocks."""
    rows = []
    for row in range(size):
        line = (stones.get((row, column)) for column in range(size))
        drawn = "".join("." if seat is None else LETTERS[seat] for seat in line)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), drawn))
    return f"{'/'.join(rows)} {LETTERS[turn]} {rest}"
