"""A line of play that is being studied: a game, a start, moves; and how each moment is shown.

The browser keeps the line and sends the whole of it with every request, so the server keeps nothing
and two people can study the same game in two ways. Whatever comes in is played and checked anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games import Game, scene
from tempo.web.messages import POSITION, SPEC, Refused, given, line, optional
from tempo.web.skipping import with_options

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.protocol import Position, View

MOVES = 5000  # of a line; no game here is longer

Ply = int | str  # a move's number, or `resign:2` for a seat that gave up


def moves(value: object) -> tuple[Ply, ...]:
    """A check of a message's field: the moves of a line."""
    if not isinstance(value, list) or len(value) > MOVES:
        raise ValueError(f"a list of at most {MOVES} moves")
    for ply in value:
        known = isinstance(ply, int) and not isinstance(ply, bool) and 0 <= ply < 2**31
        if not known and not (isinstance(ply, str) and ply[:7] == "resign:" and ply[7:].isdigit()):
            raise ValueError("numbers of moves, or resign:SEAT")
    return tuple(value)


def seat(value: object) -> int | None:
    """A check of a message's field: a seat, or nothing."""
    if value is not None and (isinstance(value, bool) or value not in range(4)):
        raise ValueError("the number of a seat, or null")
    assert value is None or isinstance(value, int)
    return value


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
        return move_name(self.positions[-2], self.plies[-1]) if self.plies else ""

    def view(self, seat: int | None = None) -> View:
        """What a seat may know here, by default the one to move."""
        view: View = self.position.view(self.position.turn if seat is None else seat)
        return view

    def scene(self, seat: int | None) -> dict[str, object]:
        """The moment as JSON; whoever studies may move for every seat."""
        trail = _last_turn(self.positions, self.plies)
        position = self.position
        if seat is None:
            position = open_to_all(self.game, position)
            trail = [(open_to_all(self.game, before), move) for before, move in trail]
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


def open_to_all(game: Game, position: Position) -> Position:
    """The same position with nothing hidden; itself in an open game."""
    if not game.is_hidden:
        return position
    return with_options(game.spec, info="all_open").parse(position.text)


def move_name(position: Position, ply: Ply) -> str:
    """A move as people write it down."""
    if isinstance(ply, str):
        return "resigns"
    for name in ("noted_text", "san"):
        if (text := getattr(position, name, None)) is not None:
            return str(text(ply))
    return position.move_text(ply)


def outcome_data(outcome: Outcome | None) -> dict[str, object] | None:
    """How a game ended as JSON."""
    return None if outcome is None else {"scores": outcome.scores, "reason": outcome.reason}


def merged(lines: Sequence[Sequence[Ply]]) -> list[tuple[Ply, int]]:
    """Lines from one start as a tree: each move once, with the number of the one before it.

    The first line is the game; moves of others that it does not share branch off.
    """
    numbers: dict[tuple[int, Ply], int] = {}
    for line_ in lines:
        at = -1
        for ply in line_:
            at = numbers.setdefault((at, ply), len(numbers))
    return [(ply, parent) for parent, ply in numbers]


def tree_data(first: Position, tree: Sequence[tuple[Ply, int]]) -> list[dict[str, object]]:
    """A tree as JSON: each move with its text, its seat and the number of the one before it."""
    positions: list[Position] = []
    found: list[dict[str, object]] = []
    for ply, parent in tree:
        before = positions[parent] if parent >= 0 else first
        positions.append(played(before, ply))
        mover = before.turn if isinstance(ply, int) else int(ply[7:])
        text = move_name(before, ply)
        found.append({"move": ply, "text": text, "seat": mover, "parent": parent})
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
