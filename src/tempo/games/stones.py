"""Points and stones of a square board, as SGF and the core's texts have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tempo.errors import ParseError

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.records.sgf import Node

Point = tuple[int, int]  # row from the top, column from the left, both from 0


def size_of(game: Game) -> int:
    """Points on a side."""
    return int(game.chosen["size"])


# ---- SGF -----------------------------------------------------------------------------------------


def point_value(point: Point) -> str:
    """`ig` for row 6, column 8: column, then row."""
    return chr(ord("a") + point[1]) + chr(ord("a") + point[0])


def value_point(value: str, size: int) -> Point:
    """The point that two letters name; ParseError unless it is on the board."""
    column, row = (ord(letter) - ord("a") for letter in value) if len(value) == 2 else (-1, -1)
    if not (0 <= row < size and 0 <= column < size):
        last = chr(ord("a") + size - 1)
        raise ParseError(
            f"'{value}' is not a point; expected two letters a to {last}, column and row"
        )
    return row, column


def set_up(root: Node, size: int, seats: Mapping[str, int]) -> dict[Point, int]:
    """The seat whose stone stands on each point that AB and AW list; `seats` is by identifier."""
    stones: dict[Point, int] = {}
    for ident, seat in seats.items():
        for value in root.texts(ident):
            for point in _located(root, value, size):
                if point in stones:
                    raise root.error(f"{ident}[{value}]: two stones on one point")
                stones[point] = seat
    return stones


def _located(root: Node, value: str, size: int) -> list[Point]:
    try:
        return list(_listed(value, size))
    except ParseError as error:
        raise root.error(str(error)) from error


def _listed(value: str, size: int) -> Iterator[Point]:
    """A point, or the points of the rectangle `ab:cd`, as FF[4] may write a list of points."""
    first, colon, second = value.partition(":")
    top, left = value_point(first, size)
    bottom, right = value_point(second, size) if colon else (top, left)
    if top > bottom or left > right:
        raise ParseError(f"'{value}' is not a rectangle; expected upper left:lower right")
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            yield row, column


def set_up_properties(
    stones: Mapping[Point, int], seats: Mapping[str, int]
) -> Iterator[tuple[str, list[str]]]:
    """Stones as AB and AW."""
    for ident, seat in seats.items():
        if points := [point_value(point) for point, owner in stones.items() if owner == seat]:
            yield ident, points


# ---- the core's text -----------------------------------------------------------------------------


def parse_rows(rows: str, letters: tuple[str, str]) -> dict[Point, int]:
    """The seat whose stone stands on each point, in order; `letters` is by seat."""
    stones: dict[Point, int] = {}
    for row, line in enumerate(rows.split("/")):
        column = 0
        for part in re.findall(rf"\d+|{'|'.join(letters)}", line):
            if part in letters:
                stones[row, column] = letters.index(part)
            column += 1 if part in letters else int(part)
    return stones


def rows_text(stones: Mapping[Point, int], size: int, letters: tuple[str, str]) -> str:
    """Rows from the top, `3x1o` with numbers for runs of empty points, joined by `/`."""
    rows = []
    for row in range(size):
        line = (stones.get((row, column)) for column in range(size))
        drawn = "".join("." if seat is None else letters[seat] for seat in line)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), drawn))
    return "/".join(rows)
