"""How Othello is drawn and how a disc is placed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tempo.games.boards import Grid, ruled, stones
from tempo.games.scene import Face, Layout, Piece, Shape, Step
from tempo.texts import t

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View


class OthelloFace(Face):
    """Discs on the squares of a board that looks the same from both sides; row 1 is at the top."""

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The squares with their names."""
        grid = _grid(int(game.chosen["size"]))
        return Layout(
            game=game.spec,
            title=self.title(game),
            box=grid.frame,
            ground=(Shape("rect", "board", grid.frame), *ruled(grid), *grid.names()),
            places=grid.places("square"),
            seats=self.chairs(game),
        )

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """All discs."""
        return stones(view.text, _grid, self.colours)

    def step(self, view: View, move: int) -> Step:
        """A move is the square it fills; a pass is a button."""
        text = view.move_text(move)
        return (
            Step(move, text, button=t("face.pass")) if text == "pass" else Step(move, text, (text,))
        )

    def hint(self, view: View) -> str:
        """Whether there is a disc to place."""
        if self.step(view, view.legal_moves[0]).button:
            return t("othello.must_pass")
        return t("othello.place")

    def say(self, before: View, step: Step, after: View) -> str:
        """A disc on a square, or a pass."""
        return t("face.passes") if step.button else t("face.plays", move=step.text)

    def count(self, view: View, seat: int) -> str:
        """Its discs."""
        return t("othello.discs", n=sum(piece.seat == seat for piece in self.pieces(view, None)))

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """The square."""
        return touches[-1]

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    return Grid("abcdefgh"[:size], "12345678"[:size])


FACE = OthelloFace()
