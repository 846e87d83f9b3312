"""What everybody may know of a hidden game: the view of a spectator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tempo.errors import IllegalMove, quoted

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.game import Game
    from tempo.games.protocol import Position

UNKNOWN = "?"


class PublicView:
    """Has the texts of a View, with `?` for whatever not every seat knows. Nobody moves from it."""

    def __init__(self, position: Position, seats: int, *, open_moves: bool = True) -> None:
        self.game = position.game
        self.turn = position.turn
        self.outcome: Outcome | None = position.outcome
        self.text, self.board = _public(position, seats)
        self.legal_moves: list[int] = []
        self._tell = position.move_text if open_moves else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def key(self) -> int:
        """Of what everybody knows; the same within one process only."""
        return hash(self.text) % 2**64

    def move_text(self, move: int) -> str:
        """A move that somebody else makes from here, where it is for all to see."""
        return UNKNOWN if self._tell is None else self._tell(move)

    def is_legal(self, move: int) -> bool:
        """Nobody moves from what everybody sees."""
        return move in self.legal_moves

    def parse_move(self, text: str) -> int:
        """Refuses, for the same reason."""
        raise IllegalMove(f"{quoted(text)} is a move of a seat, and this is what everybody sees")


def public_view(game: Game, position: Position) -> Position | PublicView:
    """What everybody may know; the position itself in an open game."""
    if not game.is_hidden:
        return position
    return PublicView(position, game.seats, open_moves=not game.hides_moves)


def can_open(game: Game) -> bool:
    """Whether the rules can show every seat all."""
    return any(option.name == "info" for option in game.option_fields)


def laid_open(game: Game, position: Position) -> Position:
    """The same position with nothing hidden, where the rules can show that."""
    if not game.is_hidden or not can_open(game):
        return position
    return game.with_options(info="all_open").parse(position.text)


def _public(position: Position, seats: int) -> tuple[str, str]:
    """Text and board for everybody: as the game says it, or what all views have in common."""
    said: str | None = getattr(position, "public_text", None)
    if said is not None:
        return said, said
    views = [position.view(seat) for seat in range(seats)]
    return _agreed([view.text for view in views]), _agreed([view.board for view in views])


def _agreed(texts: Sequence[str]) -> str:
    """What several views' texts have in common, letter by letter."""
    if len({len(text) for text in texts}) != 1:
        raise AssertionError("views of one position differ in more than what is unknown")
    letters = np.array([np.frombuffer(text.encode("utf-32-le"), np.uint32) for text in texts])
    same = np.where((letters == letters[0]).all(axis=0), letters[0], np.uint32(ord(UNKNOWN)))
    return same.tobytes().decode("utf-32-le")
