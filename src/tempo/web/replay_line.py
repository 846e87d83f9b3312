"""A line of play that is being studied: a game, a start, moves; and how each moment is shown.

The browser keeps the line and sends the whole of it with every request, so the server keeps nothing
and two people can study the same game in two ways. Whatever comes in is played and checked anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games import scene
from tempo.games.formats import Branching, Ply
from tempo.games.line import move_name
from tempo.games.public import laid_open
from tempo.texts import word
from tempo.web.messages import MAX_SEATS, POSITION, SPEC, Refused, given, line, optional
from tempo.web.wording import result_text

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.protocol import Position, View

MOVES = 5000  # of a line; no game here is longer

NOTE = 5000  # characters said of a move


def moves(value: object) -> tuple[Ply, ...]:
    """A check of a message's field: the moves of a line."""
    if not isinstance(value, list) or len(value) > MOVES:
        raise ValueError(f"a list of at most {MOVES} moves")
    if not all(_is_ply(ply) for ply in value):
        raise ValueError("numbers of moves, or resign:SEAT")
    return tuple(value)


def _is_ply(value: object) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"resign:[0-9]{1,2}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def tree(value: object) -> tuple[Branching, ...]:
    """A check of a message's field: a game with its branches."""
    form = f"a list of at most {MOVES} rows [move, number of the row before it or -1, note]"
    if not isinstance(value, list) or len(value) > MOVES:
        raise ValueError(form)
    found = []
    for number, row in enumerate(value):
        if not isinstance(row, list) or len(row) != 3:
            raise ValueError(form)
        move, parent, note = row
        if not _is_ply(move) or type(parent) is not int or not -1 <= parent < number:
            raise ValueError(form)
        if not isinstance(note, str) or len(note) > NOTE:
            raise ValueError(f"notes of at most {NOTE} characters")
        found.append(Branching(move, parent, note))
    return tuple(found)


def seat(value: object) -> int | None:
    """A check of a message's field: a seat, or nothing."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_SEATS:
        return value
    raise ValueError("the number of a seat, or null")


@dataclass(frozen=True)
class Line:
    """What a request says of a line. A seat of None sees everything there is."""

    game: str = given(line(SPEC))
    start: str = optional(line(POSITION), "")
    moves: tuple[Ply, ...] = optional(moves, ())
    seat: int | None = optional(seat, None)


class Played:
    """A line that was played and found legal."""

    def __init__(self, asked: Line) -> None:
        try:
            self.game = games.load(asked.game)
            first = self.game.parse(asked.start) if asked.start else self.game.start()
        except (ParseError, ValueError) as error:
            raise Refused("line", str(error)) from error
        self.plies = asked.moves
        self.positions = [first]
        for number, ply in enumerate(asked.moves, start=1):
            try:
                self.positions.append(played(self.positions[-1], ply))
            except (IllegalMove, ParseError, ValueError, OverflowError, TypeError) as error:
                raise Refused("line", f"move {number}: {error}") from error

    @property
    def position(self) -> Position:
        """Where the line stands."""
        return self.positions[-1]

    @property
    def last_text(self) -> str:
        """The last move as people write it down; nothing before the first."""
        return ply_name(self.positions[-2], self.plies[-1]) if self.plies else ""

    def view(self, seat: int | None = None) -> View:
        """What a seat may know here, by default the one to move."""
        view: View = self.position.view(self.position.turn if seat is None else seat)
        return view

    def scene(self, seat: int | None) -> dict[str, object]:
        """The moment as JSON; a study may move for every seat."""
        trail = _last_turn(self.positions, self.plies)
        position = self.position
        if seat is None:
            position = laid_open(self.game, position)
            trail = [(laid_open(self.game, before), move) for before, move in trail]
        found = scene.scene(position, seat or 0, trail)
        if not self.position.is_over:
            found = replace(found, moves=scene.steps(self.view()))
        return found.data()


def played(position: Position, ply: Ply) -> Position:
    """The position after a move, or after a seat gave up."""
    if isinstance(ply, int):
        after: Position = position.play(ply)
        return after
    quits: Any = getattr(position, "resign", None)
    if quits is None:
        raise IllegalMove("nobody resigns on this board; a record says it by its result")
    gone: Position = quits(int(ply[7:]))
    return gone


def ply_name(position: Position, ply: Ply) -> str:
    """A move as its players write it, or that a seat gave up."""
    return word("move", "resign") if isinstance(ply, str) else move_name(position, ply)


def outcome_data(game: games.Game, outcome: Outcome | None) -> dict[str, object] | None:
    """How a game ended as JSON."""
    if outcome is None:
        return None
    words = result_text(game, outcome.scores, outcome.reason)
    return {"scores": outcome.scores, "reason": outcome.reason, "words": words}


def tree_data(first: Position, tree: Sequence[Branching]) -> list[dict[str, object]]:
    """A tree as JSON: each move with its text, its seat and the number of the one before it."""
    positions: list[Position] = []
    found: list[dict[str, object]] = []
    for ply, parent, note in tree:
        before = positions[parent] if parent >= 0 else first
        positions.append(played(before, ply))
        mover = before.turn if isinstance(ply, int) else int(ply[7:])
        text = ply_name(before, ply)
        said = {"note": note} if note else {}
        found.append({"move": ply, "text": text, "seat": mover, "parent": parent, **said})
    return found


def _last_turn(positions: Sequence[Position], plies: Sequence[Ply]) -> list[tuple[Position, int]]:
    """The moves that one seat made since another did, each with the position before it."""
    trail: list[tuple[Position, int]] = []
    for position, ply in zip(reversed(positions[:-1]), reversed(plies), strict=False):
        if isinstance(ply, str) or (trail and position.turn != trail[-1][0].turn):
            break
        trail.append((position, ply))
        if not getattr(position, "in_turn", False):
            break
    return trail[::-1]
