"""The Python face of chess: how a board is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.drawing import Drawing, Mark, register_face

if TYPE_CHECKING:
    from tempo.games.protocol import Position

# The solid shapes for both sides: the seat decides the fill.
_glyphs = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))


def describe(position: Position) -> Drawing:
    """Pieces on the squares, White at the bottom."""
    return Drawing(
        title=f"{position.game}: {position.text}",
        columns=8,
        rows=8,
        places="squares",
        marks=tuple(_pieces(position.text)),
        column_names=tuple("abcdefgh"),
        row_names=tuple("12345678"),
    )


def _pieces(fen: str) -> list[Mark]:
    marks = []
    for row, rank in enumerate(fen.split(maxsplit=1)[0].split("/")):
        column = 0
        for letter in rank:
            if letter.isdigit():
                column += int(letter)
                continue
            seat = 0 if letter.isupper() else 1
            marks.append(Mark(column, 7 - row, "glyph", seat, _glyphs[letter.lower()]))
            column += 1
    return marks


register_face("chess", describe)
