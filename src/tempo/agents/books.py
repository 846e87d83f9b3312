"""Agents that open from a book: the setting, and the moves drawn."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tempo.agents.base import Candidate, Choice
from tempo.agents.settings import setting
from tempo.errors import ParseError
from tempo.games import book
from tempo.games.game import by_seat
from tempo.games.registry import load

if TYPE_CHECKING:
    from tempo.games.protocol import Position

NO, YES = "no", "yes"
BOOK = setting(
    NO, "open by a book, moves drawn by weight: no, yes (where one comes with Tempo) or a file",
    choices=(NO, YES), opens="file",
)  # fmt: skip


class BookMoves:
    """Draws the moves of a book; each game has a random stream of its own."""

    def __init__(self, name: str = NO) -> None:
        self._name = name
        self._given = None if name in (NO, YES) else book.read(name)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Takes a new random stream."""
        self._random = Random(seed)

    def choice(self, position: Position) -> Choice | None:
        """A move of the book for this position, which costs nothing; None if it has none."""
        opened = self._book(position.game)
        replies = opened.replies(position, self._random) if opened else ()
        if opened is None or not replies:
            return None
        # Python promises that random() is the same in every version, and nothing about the rest.
        left = self._random.random() * sum(reply.weight for reply in replies)
        for drawn in replies:
            left -= drawn.weight
            if left < 0:
                break
        values = {reply.move: by_seat(reply.value, position.turn) for reply in replies}
        candidates = tuple(Candidate(move, 0, worth) for move, worth in values.items())
        line = opened.line(position, drawn.move)
        return Choice(drawn.move, values[drawn.move], line, candidates=candidates)

    def _book(self, spec: str) -> book.Book | None:
        if self._given is None:
            return book.shipped(load(spec)) if self._name == YES else None
        if self._given.game.spec != spec:
            raise ParseError(f"{self._name} is a book of {self._given.game.spec}, not of {spec}")
        return self._given
