"""The Python face of Jiu: how a board is drawn, how a turn is entered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from tempo.games.boards import Grid, points, stones
from tempo.games.scene import Face, Layout, Piece, Shape, Step

if TYPE_CHECKING:
    from tempo._core import jiu as core
    from tempo.games.game import Game
    from tempo.games.protocol import View

_names = ("white", "black")


class JiuFace(Face):
    """Stones on the crossings; a turn is entered part by part: a step or jumps, then captures."""

    colours = ("white", "black")

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The grid with its marked diagonal; it looks the same from both sides."""
        size = game.start().text.partition(" ")[0].count("/") + 1
        grid, middle = _grid(size), size // 2
        ends = [(middle - 1, middle - 1), (middle, middle)]
        if "diagonal=anti" in game.spec:
            ends = [(middle, middle - 1), (middle - 1, middle)]
        (left, top), (right, bottom) = ends
        board, *rest = points(grid, ends)
        return Layout(
            game=game.spec,
            title=self.title(game),
            box=grid.box,
            ground=(board, Shape("line", "line", (left, top, right, bottom)), *rest),
            places=grid.places("point"),
            seats=self.chairs(game),
        )

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """All stones."""
        return stones(view.text, _grid, _names)

    def step(self, view: View, move: int) -> Step:
        """One part of a turn. A jump and a flight between the same points are a choice."""
        text = view.move_text(move)
        if not re.search(r"\d", text):  # stop, or pass where the rules have it
            return Step(move, text, button=text.capitalize())
        touches = tuple(part for part in re.split(r"[-~*]", text) if part)
        choice = ""
        if "~" in text and text.replace("~", "-") in view.legal_moves:
            choice = "fly, and take nothing"
        elif "-" in text and text.replace("-", "~") in view.legal_moves:
            choice = "jump"
        return Step(move, text, touches, choice)

    def hint(self, view: View) -> str:
        """What this part of the turn asks for."""
        position = cast("core.Position", view)
        if position.due:
            stones = "a stone" if position.due == 1 else f"{position.due} stones"
            return f"You made a square: take {stones} of the opponent's."
        if position.in_turn:
            return "Jump on, or stop."
        if not position.is_battle:
            first = position.plies < 2
            return "Fill a marked point." if first else "Place a stone on an empty point."
        return (
            "Your stones fly: move one anywhere."
            if position.flies(view.turn)
            else ("Step to a free neighbour, or jump.")
        )

    def say(self, before: View, step: Step, after: View) -> str:
        """What this part of the turn did."""
        if step.button:
            return step.text + "s"
        if step.text.startswith("*"):
            return f"takes {step.touches[0]}"
        if not cast("core.Position", before).is_battle:
            return f"places {step.text}"
        return f"moves {step.text.lstrip('-')}"

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    letters = [chr(ord("A") + i) for i in range(size)]
    return Grid([str(i + 1) for i in range(size)], letters, order="rc")


FACE = JiuFace()
