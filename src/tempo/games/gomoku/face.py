"""Gomoku's Python face: how a board is drawn and a stone is placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.boards import Grid, points, stones
from tempo.games.scene import Face, Layout, Piece, Step

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
        return "Place a stone."

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    letters = [chr(ord("a") + i) for i in range(size)]
    return Grid(letters, [str(size - i) for i in range(size)])


def _star_points(size: int) -> tuple[tuple[int, int], ...]:
    if size % 2 == 0 or size < 9:
        return ()
    near, middle = 3, size // 2
    corners = [(x, y) for x in (near, size - 1 - near) for y in (near, size - 1 - near)]
    return (*corners, (middle, middle))


FACE = GomokuFace()
