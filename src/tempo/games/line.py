"""Lines of moves as a study tells them: names, and the places that each move touches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tempo.games import scene
from tempo.games.description import Data
from tempo.texts import is_plain

if TYPE_CHECKING:
    from tempo.games.protocol import View

LONGEST_LINE = 30  # moves shown of a principal line


def move_name(view: View, move: int) -> str:
    """A legal move as its players write it; in plain letters where those are wanted."""
    text = noted_text(view, move)
    native = "" if is_plain() else scene.face_of(view).notation(view, move)
    return native.replace(view.move_text(move), text) or text


def noted_text(view: View, move: int) -> str:
    """A move in letters, with what everybody saw of it."""
    for name in ("noted_text", "san"):
        if (text := getattr(view, name, None)) is not None:
            return str(text(move))
    return view.move_text(move)


def line_data(view: View, moves: Sequence[int]) -> list[Data]:
    """A line of moves, each with the places it touches; in a hidden game only the first."""
    found: list[Data] = []
    position: Any = view
    for move in moves[:LONGEST_LINE]:
        if position.is_over or move not in set(position.legal_moves):
            break
        step = scene.face_of(position).step(position, move)
        text = move_name(position, move)
        found.append({"move": move, "text": text, "touches": step.touches, "seat": position.turn})
        if not hasattr(position, "play"):
            break
        position = position.play(move)
    return found
