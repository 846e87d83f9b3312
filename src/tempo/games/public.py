"""What everybody may know of a hidden game: the view of a spectator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.game import Game
    from tempo.games.protocol import Position

UNKNOWN = "?"


class PublicView:
    """Has the texts of a View, with `?` for whatever not every seat knows. Nobody moves from it."""

    def __init__(self, position: Position, seats: int) -> None:
        views = [position.view(seat) for seat in range(seats)]
        self.game = position.game
        self.turn = position.turn
        self.outcome: Outcome | None = position.outcome
        self.text = _agreed([view.text for view in views])
        self.board = _agreed([view.board for view in views])
        self.legal_moves: list[int] = []
        self._tell = position.move_text

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def key(self) -> int:
        """Of what everybody knows; the same within one process only."""
        return hash(self.text) % 2**64

    def move_text(self, move: int) -> str:
        """A move that somebody else makes from here: where it goes is for all to see."""
        return self._tell(move)


def public_view(game: Game, position: Position) -> Position | PublicView:
    """What everybody may know; the position itself in an open game."""
    return PublicView(position, game.seats) if game.is_hidden else position


def _agreed(texts: Sequence[str]) -> str:
    """What several views' texts have in common, letter by letter."""
    if len({len(text) for text in texts}) != 1:
        raise AssertionError("views of one position differ in more than what is unknown")
    letters = np.array([np.frombuffer(text.encode("utf-32-le"), np.uint32) for text in texts])
    same = np.where((letters == letters[0]).all(axis=0), letters[0], np.uint32(ord(UNKNOWN)))
    return same.tobytes().decode("utf-32-le")
