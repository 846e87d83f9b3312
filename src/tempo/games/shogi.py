"""The Python face of shogi on both its boards: how a position is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.drawing import Drawing, Mark, register_face

if TYPE_CHECKING:
    from tempo.games.protocol import Position

# One character a piece, as on diagrams; the seat decides the fill.
_plain = dict(zip("PLNSGBRK", "歩香桂銀金角飛玉", strict=True))
_promoted = dict(zip("PLNSBR", "と杏圭全馬龍", strict=True))


def describe(position: Position) -> Drawing:
    """Pieces on the squares, Black at the bottom; the title has the hands."""
    ranks = position.text.split(" ", maxsplit=1)[0].split("/")
    size = len(ranks)
    return Drawing(
        title=f"{position.game}: {position.text}",
        columns=size,
        rows=size,
        places="squares",
        marks=tuple(
            mark for row, rank in enumerate(ranks) for mark in _pieces(rank, size - 1 - row)
        ),
        column_names=tuple(str(size - i) for i in range(size)),
        row_names=tuple(chr(ord("a") + size - 1 - i) for i in range(size)),
    )


def _pieces(rank: str, row: int) -> list[Mark]:
    marks = []
    column = 0
    glyphs = _plain
    for letter in rank:
        if letter.isdigit():
            column += int(letter)
        elif letter == "+":
            glyphs = _promoted
        else:
            seat = 0 if letter.isupper() else 1
            marks.append(Mark(column, row, "glyph", seat, glyphs[letter.upper()]))
            column += 1
            glyphs = _plain
    return marks


register_face("shogi", describe)
register_face("minishogi", describe)
