"""The Python face of Siguo: how a board is drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tempo.games.drawing import Drawing, Mark, register_face

if TYPE_CHECKING:
    from tempo.games.protocol import Position

_SIZE = 17
_CELL = 4  # letters that a place takes on the printed board
_SEATS = "SENW"


def describe(position: Position) -> Drawing:
    """A disc in the seat's colour with the kind on it; camps and headquarters are dotted."""
    lines = position.board.split("\n")[:_SIZE]
    marks: list[Mark] = []
    dots: list[tuple[int, int]] = []
    for row, line in enumerate(lines):
        for column in range(_SIZE):
            cell = line[_CELL * column : _CELL * (column + 1)]
            if re.match(r"[({]", cell):
                dots.append((column, _SIZE - 1 - row))
            piece = re.search(r"([SENW])(.)", cell)
            if piece is None:
                continue
            seat = _SEATS.index(piece[1])
            marks.append(Mark(column, _SIZE - 1 - row, "stone", seat))
            marks.append(Mark(column, _SIZE - 1 - row, "glyph", 0, piece[2]))
    return Drawing(
        title=f"{position.game}: {lines[0].strip()}",
        columns=_SIZE,
        rows=_SIZE,
        places="points",
        marks=tuple(marks),
        dots=tuple(dots),
    )


register_face("siguo", describe)
