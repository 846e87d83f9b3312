"""Slow, obvious second implementations of the rules, one module per game.

Each has a class `Game` made from the options' text values, with `turn`, `moves()` as texts,
`play(text)` in place, `outcome()` as None or (reason, scores), and `text()`. Written from the
rules, not from the core.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

End = tuple[str, tuple[float, ...]]


class Reference(Protocol):
    """A game in play by the slow rules."""

    turn: int

    def moves(self) -> list[str]: ...
    def play(self, move: str) -> None: ...
    def outcome(self) -> End | None: ...
    def text(self) -> str: ...


def start(name: str, options: dict[str, str], dealt: str = "") -> Reference:
    """The start of a game; one that is dealt begins from the text of its deal."""
    made: Reference = import_module(f"reference.{name}").Game(options, dealt)
    return made
