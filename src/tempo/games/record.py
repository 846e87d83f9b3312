"""A record: the moves of a game, where they began, who played and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tempo.errors import IllegalMove
from tempo.games.registry import load

if TYPE_CHECKING:
    from tempo.games.protocol import Position


@dataclass(frozen=True)
class Record:
    """What a file tells of one game. Equal when game, start, moves, headers and result are."""

    game: str  # as `tempo.load` takes it
    moves: tuple[int, ...] = ()
    start: str = ""  # the position's text where the moves begin; empty: the start of the game
    headers: Mapping[str, str] = field(default_factory=dict)  # by SGF identifier: PW, PB, DT, EV...
    result: str = "?"  # as SGF's RE has it: winner and reason, 0 for a draw, ? for unknown

    def __post_init__(self) -> None:
        game = load(self.game)
        start = game.parse(self.start).text if self.start else ""
        object.__setattr__(self, "game", game.spec)
        object.__setattr__(self, "start", "" if start == game.start().text else start)

    def first(self) -> Position:
        """The position where the moves begin."""
        game = load(self.game)
        return game.parse(self.start) if self.start else game.start()

    def positions(self) -> Iterator[Position]:
        """The first position and the one after each move; IllegalMove names the move."""
        position = self.first()
        yield position
        for number, move in enumerate(self.moves, start=1):
            try:
                position = position.play(move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number} of {len(self.moves)}: {error}") from error
            yield position

    def last(self) -> Position:
        """The position after all moves."""
        *_, position = self.positions()
        return position
