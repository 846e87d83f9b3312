"""Grounds that several games share: a grid of points, a grid of squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tempo.errors import IllegalMove, ParseError
from tempo.games.scene import Face, Form, Layout, Piece, Place, Shape
from tempo.texts import t, word

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position, View


@dataclass(frozen=True)
class Grid:
    """Columns and rows with their names, left to right and top to bottom as they are shown.

    `order` says how a place is named: `cr` by column and row (h8), `rc` by row and column (G7).
    """

    columns: Sequence[str]
    rows: Sequence[str]
    order: str = "cr"

    def turned(self) -> Grid:
        """Seen from the other side."""
        return Grid(self.columns[::-1], self.rows[::-1], self.order)

    def name(self, column: int, row: int) -> str:
        """The name of a place."""
        first, second = self.columns[column], self.rows[row]
        return first + second if self.order == "cr" else second + first

    def places(self, form: Form) -> tuple[Place, ...]:
        """Every place, row by row."""
        return tuple(
            Place(self.name(x, y), x, y, form, self.name(x, y))
            for y in range(len(self.rows))
            for x in range(len(self.columns))
        )

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Around a grid of points, with room for the names at the left and below."""
        return -1, -0.7, len(self.columns) + 0.7, len(self.rows) + 0.7

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """The same around a grid of squares, which reach half a place further."""
        return -1, -0.6, len(self.columns) + 0.6, len(self.rows) + 0.6

    def names(self) -> tuple[Shape, ...]:
        """The names of the columns below and of the rows at the left."""
        high = len(self.rows)
        return (
            *(Shape("text", "name", (x, high - 0.25), n) for x, n in enumerate(self.columns)),
            *(Shape("text", "name", (-0.75, y), n) for y, n in enumerate(self.rows)),
        )

    def names_as_in_shogi(self, written: Mapping[str, str]) -> tuple[Shape, ...]:
        """The names of the columns above and of the rows at the right, as players write them."""
        wide = len(self.columns)
        return (
            *(Shape("text", "name", (x, -0.75), n) for x, n in enumerate(self.columns)),
            *(
                Shape("text", "name", (wide - 0.25, y), written[n], n)
                for y, n in enumerate(self.rows)
            ),
        )


def points(grid: Grid, dots: Sequence[tuple[int, int]] = ()) -> tuple[Shape, ...]:
    """Lines that cross on the places, with some crossings dotted."""
    wide, high = len(grid.columns) - 1, len(grid.rows) - 1
    return (
        Shape("rect", "board", grid.box),
        *(Shape("line", "line", (x, 0, x, high)) for x in range(wide + 1)),
        *(Shape("line", "line", (0, y, wide, y)) for y in range(high + 1)),
        *(Shape("circle", "dot", (x, y, 0.1)) for x, y in dots),
        *grid.names(),
    )


def chequered(grid: Grid) -> tuple[Shape, ...]:
    """Light and dark squares; the corner at the bottom left is dark."""
    wide, high = len(grid.columns), len(grid.rows)
    return (
        Shape("rect", "board", grid.frame),
        *(
            Shape(
                "rect", "dark" if (x + high - 1 - y) % 2 == 0 else "light", (x - 0.5, y - 0.5, 1, 1)
            )
            for y in range(high)
            for x in range(wide)
        ),
        *grid.names(),
    )


def on_squares(face: Face, game: Game, grid: Grid) -> Layout:
    """A chequered board whose squares are places."""
    return Layout(
        game=game.spec,
        title=face.title(game),
        box=grid.frame,
        ground=chequered(grid),
        places=grid.places("square"),
        seats=face.chairs(game),
        figures=face.figures,
    )


def ruled(grid: Grid) -> tuple[Shape, ...]:
    """Plain squares between lines."""
    wide, high = len(grid.columns), len(grid.rows)
    return (
        *(Shape("line", "line", (x - 0.5, -0.5, x - 0.5, high - 0.5)) for x in range(wide + 1)),
        *(Shape("line", "line", (-0.5, y - 0.5, wide - 0.5, y - 0.5)) for y in range(high + 1)),
    )


def runs(text: str) -> list[tuple[int, str]]:
    """The letters of one row of a position's text with their columns; numbers are empty places."""
    found, column, run = [], 0, ""
    for letter in text:
        if letter.isdigit():
            run += letter
            continue
        column += int(run or 0)
        run = ""
        found.append((column, letter))
        column += 1
    return found


def stones(text: str, grid: Callable[[int], Grid], names: Sequence[str]) -> tuple[Piece, ...]:
    """The stones in a position's text, x black and o white; `names` are those of the seats."""
    rows = text.partition(" ")[0].split("/")
    board = grid(len(rows))
    colours = {"x": "black", "o": "white"}
    return tuple(
        Piece(
            place := board.name(x, y),
            names.index(colour := colours[letter]),
            "stone",
            label=t("face.stone", colour=word("colour", colour), place=place),
        )
        for y, row in enumerate(rows)
        for x, letter in runs(row)
    )


_IN_CHECK = "leaves the king in check"  # as the core's rules say it


def stuck(view: View, moves: Iterable[str], *, king: bool) -> str:
    """Why a piece cannot be moved at all: a key of the catalogues.

    `moves` are all that it might try. It is blocked, unless it is the check that bars one of them.
    """
    if not any(_IN_CHECK in refusal(view, move) for move in moves):
        return "why.blocked"
    if king:
        return "why.king_stuck"
    return "why.no_help" if cast("Any", view).in_check else "why.pinned"


def refusal(view: View, move: str) -> str:
    """Why the rules of an open game refuse a move; empty where they do not."""
    try:
        cast("Position", view).play(move)
    except (IllegalMove, ParseError) as error:
        return str(error)
    return ""
