"""The Python face of Jiu: how a board is drawn, how a turn is entered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tempo.games.boards import Grid, points, stones
from tempo.games.scene import Face, Layout, Mark, Piece, Shape, Step
from tempo.texts import t, word

if TYPE_CHECKING:
    from tempo._core import jiu as core
    from tempo.games.game import Game
    from tempo.games.protocol import View

_names = ("white", "black")
_reached = ([0, 1], [0, 2], [2, 2])  # how far a step or a jump may go, along both axes


class JiuFace(Face):
    """Stones on the crossings; a turn is entered part by part: a step or jumps, then captures."""

    colours = ("white", "black")
    numbering = "turns"

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
            return Step(move, text, button=word("jiu", text))
        touches = tuple(part for part in re.split(r"[-~*]", text) if part)
        choice = ""
        if "~" in text and text.replace("~", "-") in view.legal_moves:
            choice = t("jiu.choice.fly")
        elif "-" in text and text.replace("-", "~") in view.legal_moves:
            choice = t("jiu.choice.jump")
        return Step(move, text, touches, choice)

    def hint(self, view: View) -> str:
        """What this part of the turn asks for."""
        position = cast("core.Position", view)
        if position.due:
            return t("jiu.take", n=position.due)
        if position.in_turn:
            return t("jiu.jump_on")
        if not position.is_battle:
            return t("jiu.first") if position.plies < 2 else t("jiu.place")
        return t("jiu.fly") if position.flies(view.turn) else t("jiu.step")

    def say(self, before: View, step: Step, after: View) -> str:
        """What this part of the turn did."""
        if step.button:
            return word("jiu", step.text + "s")
        if step.text.startswith("*"):
            return t("jiu.takes", place=step.touches[0])
        if not cast("core.Position", before).is_battle:
            return t("jiu.places", place=step.text)
        return t("jiu.moves", move=step.text.lstrip("-"))

    def stage(self, view: View) -> str:
        """Stones are placed first, then they move."""
        battle = cast("core.Position", view).is_battle
        return t("jiu.stage.battle") if battle else t("jiu.stage.placing")

    def marks(self, view: View) -> tuple[Mark, ...]:
        """The squares on the board, once they count."""
        position = cast("core.Position", view)
        size = view.text.partition(" ")[0].count("/") + 1
        grid = _grid(size)
        return tuple(
            Mark("shape", tuple(grid.name(point % size, point // size) for point in places))
            for seat in range(2 if position.is_battle else 0)
            for kind, places, _ in position.shapes(seat)
            if kind == "square"
        )

    def count(self, view: View, seat: int) -> str:
        """Stones on the board; before the battle, those that are still to be placed."""
        position = cast("core.Position", view)
        stood = position.counts[seat]
        if position.is_battle:
            return t("jiu.stones", n=stood)
        size = view.text.partition(" ")[0].count("/") + 1
        return t("jiu.left", n=size * size // 2 - stood)

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """A stone that is placed, taken or moved."""
        position = cast("core.Position", view)
        if not position.is_battle:
            return touches[-1]
        if position.due:
            return f"*{touches[-1]}"
        if len(touches) == 1:
            return f"-{touches[0]}" if position.in_turn else f"{touches[0]}-{touches[0]}"
        return f"{touches[0]}-{touches[-1]}"

    def why_not(self, view: View, touches: Sequence[str]) -> str:
        """What lifts no stone, or puts it too far away, is said here; the rules say the rest."""
        position = cast("core.Position", view)
        start = touches[0]
        if not position.is_battle or position.due or position.in_turn:
            return super().why_not(view, touches)
        if start not in {
            stone.place for stone in self.pieces(view, None) if stone.seat == view.turn
        }:
            return t("jiu.not_yours", a=start)
        if len(touches) == 1:
            return t("jiu.stuck", a=start)
        end = touches[-1]
        across = sorted((abs(ord(start[0]) - ord(end[0])), abs(int(start[1:]) - int(end[1:]))))
        if across not in _reached:
            return t("jiu.too_far")
        return super().why_not(view, touches)

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    letters = [chr(ord("A") + i) for i in range(size)]
    return Grid([str(i + 1) for i in range(size)], letters, order="rc")


FACE = JiuFace()
