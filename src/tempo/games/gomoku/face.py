"""Gomoku's Python face: how a board is drawn and a stone is placed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tempo.games.boards import Grid, points, stones
from tempo.games.scene import Face, Layout, Mark, Piece, Step
from tempo.texts import t

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View

_names = ("black", "white")


class GomokuFace(Face):
    """Stones on the crossings of a square grid."""

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The grid; it looks the same from both sides."""
        size = game.start().text.partition(" ")[0].count("/") + 1
        grid = _grid(size)
        return Layout(
            game=game.spec,
            title=self.title(game),
            box=grid.box,
            ground=points(grid, _star_points(size)),
            places=grid.places("point"),
            seats=self.chairs(game),
        )

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """All stones."""
        return stones(view.text, _grid, _names)

    def step(self, view: View, move: int) -> Step:
        """A move is the point it fills."""
        text = view.move_text(move)
        return Step(move, text, (text,))

    def hint(self, view: View) -> str:
        """One stone."""
        return t("gomoku.place")

    def marks(self, view: View) -> tuple[Mark, ...]:
        """The row that has won."""
        if view.outcome is None or not any(view.outcome.scores):
            return ()
        return tuple(Mark("line", row) for row in _rows(view.text))

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """The point."""
        return touches[-1]

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    letters = [chr(ord("a") + i) for i in range(size)]
    return Grid(letters, [str(size - i) for i in range(size)])


def _rows(text: str) -> list[tuple[str, ...]]:
    """Every row of five stones and more of one colour."""
    size = text.partition(" ")[0].count("/") + 1
    stood = {piece.place: piece.seat for piece in stones(text, _grid, _names)}
    grid = _grid(size)
    found = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for place in range(size * size):
            x, y = place % size, place // size
            seat = stood.get(grid.name(x, y))
            earlier = grid.name(x - dx, y - dy) if _on(size, x - dx, y - dy) else ""
            if seat is None or stood.get(earlier) == seat:
                continue
            row = []
            while _on(size, x, y) and stood.get(grid.name(x, y)) == seat:
                row.append(grid.name(x, y))
                x, y = x + dx, y + dy
            if len(row) >= 5:
                found.append(tuple(row))
    return found


def _on(size: int, x: int, y: int) -> bool:
    return 0 <= x < size and 0 <= y < size


def _star_points(size: int) -> tuple[tuple[int, int], ...]:
    if size % 2 == 0 or size < 9:
        return ()
    near, middle = 3, size // 2
    corners = [(x, y) for x in (near, size - 1 - near) for y in (near, size - 1 - near)]
    return (*corners, (middle, middle))


FACE = GomokuFace()
