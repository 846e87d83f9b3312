"""How a game came to a position: engines want moves, agents are shown positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tempo.games.protocol import Position


class Trail:
    """The moves that lead to the current position, as far back as they are known.

    An agent sees the positions in which it is to move. A position that is one move away from where
    its own move led continues the same game; any other begins a new trail.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begins a new game."""
        self.start = ""  # the text of the first position; empty: the start of the game
        self.moves: list[str] = []
        self._position: Position | None = None

    @property
    def text(self) -> str:
        """The current position."""
        assert self._position is not None
        return self._position.text

    @property
    def position(self) -> Position:
        """The current position."""
        assert self._position is not None
        return self._position

    def follow(self, position: Position, first: Position) -> None:
        """Goes to a position; `first` is where games of its rules begin."""
        if self._position is not None:
            if _same(self._position, position):
                return
            if (move := _move_between(self._position, position)) is not None:
                self._add(move, position)
                return
        self.moves, self._position = [], position
        self.start = "" if _same(first, position) else position.text

    def play(self, move: int) -> None:
        """Adds a move that was chosen here."""
        assert self._position is not None
        self._add(move, self._position.play(move))

    def _add(self, move: int, after: Position) -> None:
        assert self._position is not None
        self.moves.append(self._position.move_text(move))
        self._position = after


def _same(a: Position, b: Position) -> bool:
    return a.key == b.key and a.text == b.text


def _move_between(before: Position, after: Position) -> int | None:
    if before.is_over:
        return None
    for move in before.legal_moves:
        reached: Any = before.play(move)
        if reached.key == after.key and reached.text == after.text:
            return move
    return None
