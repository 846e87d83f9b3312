"""Gomoku's Python face: how a board is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.drawing import Drawing, Mark, register_face

if TYPE_CHECKING:
    from tempo.games.protocol import Position


def describe(position: Position) -> Drawing:
    """Stones on the crossings of a square grid."""
    lines = [line[3:].split(" ") for line in position.board.rstrip("\n").split("\n")[:-1]]
    size = len(lines)
    marks = tuple(
        Mark(column, size - 1 - row, "stone", "xo".index(letter))
        for row, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter in "xo"
    )
    return Drawing(
        title=f"{position.game}: {position.text}",
        columns=size,
        rows=size,
        places="points",
        marks=marks,
        dots=_star_points(size),
        column_names=tuple(chr(ord("a") + i) for i in range(size)),
        row_names=tuple(str(i + 1) for i in range(size)),
    )


def _star_points(size: int) -> tuple[tuple[int, int], ...]:
    if size % 2 == 0 or size < 9:
        return ()
    near, middle = 3, size // 2
    corners = [(x, y) for x in (near, size - 1 - near) for y in (near, size - 1 - near)]
    return (*corners, (middle, middle))


register_face("gomoku", describe)
