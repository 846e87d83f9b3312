"""What everybody may know of a hidden game: the view of a person who only looks on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
    return "".join(
        column[0] if len(set(column)) == 1 else UNKNOWN for column in zip(*texts, strict=True)
    )
