"""Boards as SVG, drawn from a description that each game's face makes of a position.

A description knows places and marks, not rules: whoever draws (this module, the page) needs
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from tempo.games.protocol import Position

UNIT = 40  # pixels from one place to the next


@dataclass(frozen=True)
class Mark:
    """Something that stands on a place: a stone of a colour, or a letter or glyph."""

    column: int
    row: int  # from the bottom
    kind: Literal["stone", "glyph"]
    seat: int
    text: str = ""


@dataclass(frozen=True)
class Drawing:
    """A board of `columns` by `rows` places: points where lines cross, or squares."""

    title: str
    columns: int
    rows: int
    places: Literal["points", "squares"]
    marks: tuple[Mark, ...]
    dots: tuple[tuple[int, int], ...] = ()
    column_names: tuple[str, ...] = field(default=())
    row_names: tuple[str, ...] = field(default=())


# A game's face describes its positions; a game without one is drawn as its printed board.
_faces: dict[str, Callable[[Position], Drawing]] = {}


def register_face(game: str, describe: Callable[[Position], Drawing]) -> None:
    """Says how positions of a game are described for drawing."""
    _faces[game] = describe


def describe(position: Position) -> Drawing:
    """The drawing of a position, made by its game's face."""
    from tempo.games import chess, gomoku, jiu, shogi, siguo  # noqa: F401, PLC0415 - for faces

    return _faces.get(position.game.partition("(")[0], _as_text)(position)


def _as_text(position: Position) -> Drawing:
    lines = position.board.rstrip("\n").split("\n")
    marks = tuple(
        Mark(column, len(lines) - 1 - row, "glyph", 1, letter)
        for row, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter != " "
    )
    return Drawing(position.game, max(map(len, lines)), len(lines), "squares", marks)


def svg(position: Position) -> str:
    """A position as a self-contained SVG picture with a text alternative."""
    return render(describe(position))


def render(drawing: Drawing) -> str:
    """SVG of a description."""
    width = (drawing.columns + 1) * UNIT
    height = (drawing.rows + 1) * UNIT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif">',
        f"<title>{escape(drawing.title)}</title>",
        *(_points(drawing) if drawing.places == "points" else _squares(drawing)),
        *_names(drawing),
        *(_mark(drawing, mark) for mark in drawing.marks),
        "</svg>",
    ]
    return "\n".join(parts)


def _centre(drawing: Drawing, column: int, row: int) -> tuple[int, int]:
    return (column + 1) * UNIT, (drawing.rows - row) * UNIT


def _points(drawing: Drawing) -> list[str]:
    left, bottom = _centre(drawing, 0, 0)
    right, top = _centre(drawing, drawing.columns - 1, drawing.rows - 1)
    lines = [
        f'<rect width="{right + UNIT}" height="{bottom + UNIT}" fill="#e8c27a"/>',
        '<g stroke="#5b4526" stroke-width="1.2">',
    ]
    for column in range(drawing.columns):
        x, _ = _centre(drawing, column, 0)
        lines.append(f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"/>')
    for row in range(drawing.rows):
        _, y = _centre(drawing, 0, row)
        lines.append(f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}"/>')
    lines.append("</g>")
    for column, row in drawing.dots:
        x, y = _centre(drawing, column, row)
        lines.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#5b4526"/>')
    return lines


def _squares(drawing: Drawing) -> list[str]:
    half = UNIT // 2
    width, height = (drawing.columns + 1) * UNIT, (drawing.rows + 1) * UNIT
    squares = [f'<rect width="{width}" height="{height}" fill="#f7f3ea"/>']
    for column in range(drawing.columns):
        for row in range(drawing.rows):
            x, y = _centre(drawing, column, row)
            fill = "#a9794f" if (column + row) % 2 == 0 else "#efdcb8"
            squares.append(
                f'<rect x="{x - half}" y="{y - half}" width="{UNIT}" height="{UNIT}" '
                f'fill="{fill}"/>'
            )
    return squares


def _names(drawing: Drawing) -> list[str]:
    texts = ['<g font-size="13" fill="#5b4526" text-anchor="middle" dominant-baseline="central">']
    for column, name in enumerate(drawing.column_names):
        x, y = _centre(drawing, column, 0)
        texts.append(f'<text x="{x}" y="{y + 0.72 * UNIT:.0f}">{escape(name)}</text>')
    for row, name in enumerate(drawing.row_names):
        x, y = _centre(drawing, 0, row)
        texts.append(f'<text x="{x - 0.72 * UNIT:.0f}" y="{y}">{escape(name)}</text>')
    return [*texts, "</g>"]


def _mark(drawing: Drawing, mark: Mark) -> str:
    x, y = _centre(drawing, mark.column, mark.row)
    if mark.kind == "stone":
        fill = ("#1d1b19", "#fbfaf7", "#3f6ea8", "#a8433f")[mark.seat]
        return f'<circle cx="{x}" cy="{y}" r="{0.44 * UNIT}" fill="{fill}" stroke="#1d1b19"/>'
    fill = "#fbfaf7" if mark.seat == 0 else "#1d1b19"
    return (
        f'<text x="{x}" y="{y}" font-size="{0.85 * UNIT:.0f}" text-anchor="middle" '
        f'dominant-baseline="central" fill="{fill}" stroke="#1d1b19" stroke-width="2" '
        f'paint-order="stroke">{escape(mark.text)}</text>'
    )
