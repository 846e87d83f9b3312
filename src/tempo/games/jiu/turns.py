"""Whole turns of Jiu as people write them: `G9-G7xG8*E7`.

    turn := point | point ( "-" point )+ [ "x" points ] [ "*" points ]
                  | point "~" point [ "*" points ]

A point alone is a placement. Otherwise: a step or a path of jumps, the stones jumped, the stones
taken for squares. `~` is a flight that is no step: it must differ from a jump, since a flight of
distance two may pass over an enemy stone. The core plays a turn as several moves (step, jump, stop,
take); this module goes from one to the other, and asks the core for everything that is a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from tempo.errors import IllegalMove, ParseError
from tempo.games.jiu.board import Point

if TYPE_CHECKING:
    from tempo.games.protocol import Position


@dataclass(frozen=True)
class Turn:
    """A placement (a path of one point), or a displacement and the stones taken for squares."""

    path: tuple[Point, ...]
    takes: tuple[Point, ...] = ()  # in ascending order
    flight: bool = False

    @property
    def jumped(self) -> tuple[Point, ...]:
        """The stones that the path jumps, in its order."""
        if self.flight:
            return ()
        return tuple(middle for hop in pairwise(self.path) if (middle := between(*hop)))

    def __str__(self) -> str:
        text = ("~" if self.flight else "-").join(point_text(point) for point in self.path)
        for sign, points in (("x", self.jumped), ("*", self.takes)):
            text += sign + points_text(points) if points else ""
        return text


@dataclass(frozen=True)
class PlayedTurn:
    """A turn in its game: the position before it, its moves, the position after it."""

    before: Position
    moves: tuple[int, ...]
    turn: Turn
    after: Position

    @property
    def is_finished(self) -> bool:
        """Whether nothing more is due; only the last turn of a record may be unfinished."""
        return phase(self.after) is Phase.BEGIN


class Phase(Enum):
    """How far a turn has come."""

    BEGIN = "nothing done"
    JUMPING = "a jump, after which the stone may jump again"
    TAKING = "stones to be taken for squares"


def phase(position: Position) -> Phase:
    """What the next move belongs to, as told by the texts of legal moves."""
    legal = position.legal_moves
    # `stop` says nothing by itself, but it is never the only move.
    for i in range(min(2, len(legal))):
        sign = position.move_text(legal[i])[0]
        if sign in "-*":
            return Phase.JUMPING if sign == "-" else Phase.TAKING
    return Phase.BEGIN


def between(start: Point, end: Point) -> Point | None:
    """The point that a jump passes; nothing if the two are not a jump apart."""
    rows, columns = end[0] - start[0], end[1] - start[1]
    if {abs(rows), abs(columns)} <= {0, 2} and (rows or columns):
        return start[0] + rows // 2, start[1] + columns // 2
    return None


# ---- text ----------------------------------------------------------------------------------------

_POINT = r"[A-N](?:1[0-4]|[1-9])"
_POINTS = rf"{_POINT}(?:,{_POINT})*"
_turn = re.compile(
    rf"({_POINT})(?:~({_POINT})|((?:-{_POINT})*))(?:x({_POINTS}))?(?:\*({_POINTS}))?"
)


def point_text(point: Point) -> str:
    """`G7`: the row's letter, then the column's number."""
    return f"{chr(ord('A') + point[0])}{point[1] + 1}"


def points_text(points: Iterable[Point]) -> str:
    """`E7,G8`."""
    return ",".join(point_text(point) for point in points)


def _point(text: str) -> Point:
    return ord(text[0]) - ord("A"), int(text[1:]) - 1


def _points(text: str | None) -> tuple[Point, ...]:
    return tuple(_point(part) for part in text.split(",")) if text else ()


def read_turn(text: str) -> Turn:
    """The turn that a text describes. Whether it is legal is for a position to say."""
    found = _turn.fullmatch(text)
    if found is None:
        raise ParseError(
            f"'{text}' is not a turn; expected one like G7, G9-G7xG8*E7 or G9~A1*B2,B3"
        )
    flight, hops = found[2], found[3] or ""
    path = tuple(
        _point(part) for part in (found[1] + (f"-{flight}" if flight else hops)).split("-")
    )
    turn = Turn(path, ordered(_points(found[5])), flight=flight is not None)
    if len(path) == 1 and (found[4] or found[5]):
        raise ParseError(f"'{text}' takes stones without moving one; a placement is a point alone")
    jumped = _points(found[4])
    if jumped and sorted(jumped) != sorted(turn.jumped):
        passed = points_text(turn.jumped) or "nothing"
        raise ParseError(f"'{text}' says it jumps {points_text(jumped)}; its path jumps {passed}")
    return turn


def ordered(takes: Iterable[Point]) -> tuple[Point, ...]:
    """Taken stones in their canonical order; a stone can be taken only once."""
    found = tuple(sorted(takes))
    for one, next_ in pairwise(found):
        if one == next_:
            raise ParseError(f"{point_text(one)} is taken twice")
    return found


def parse_turn(position: Position, text: str) -> list[int]:
    """The core's moves for a turn's text, with the `stop` that a chain may need."""
    return list(play_turn(position, read_turn(text)).moves)


def turn_text(position: Position, moves: Sequence[int]) -> str:
    """The text of a whole turn, given as the core's moves."""
    found = list(turns(position, moves))
    if len(found) != 1 or not found[0].is_finished:
        state = "no turn" if not found else "unfinished" if len(found) == 1 else "several turns"
        raise ParseError(f"{len(moves)} moves that are {state}; expected those of one whole turn")
    return str(found[0].turn)


# ---- turns and moves -----------------------------------------------------------------------------


def play_turn(position: Position, turn: Turn, *, complete: bool = True) -> PlayedTurn:
    """Plays a turn move by move. `complete=False` forgives stones that are due but not taken."""
    played = _Player(position)
    for text in _hops(turn):
        played.play(text)
    if len(turn.path) == 1:
        return PlayedTurn(position, tuple(played.moves), turn, played.position)
    if phase(played.position) is Phase.JUMPING:
        played.stop(f"the chain {turn} must go on")
    for take in turn.takes:
        if phase(played.position) is not Phase.TAKING:
            raise IllegalMove(f"{turn} takes too many stones for its squares")
        played.play(f"*{point_text(take)}")
    if phase(played.position) is Phase.TAKING and (complete or played.may_stop):
        played.stop(f"{turn} takes too few stones for its squares")
    return PlayedTurn(position, tuple(played.moves), turn, played.position)


def _hops(turn: Turn) -> list[str]:
    """The displacement as the core's move texts: `G7`, or `G9-G7` and `-G5`, or `G9~A1`."""
    first, *further = turn.path
    if not further:
        return [point_text(first)]
    sign = "~" if turn.flight else "-"
    hops = [sign + point_text(point) for point in further]
    return [point_text(first) + hops[0], *hops[1:]]


class _Player:
    """A position that moves on, and the moves that brought it there."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.moves: list[int] = []

    def play(self, text: str) -> None:
        move = self.position.parse_move(text)
        self.moves.append(move)
        self.position = self.position.play(move)

    @property
    def may_stop(self) -> bool:
        return "stop" in self.position.legal_moves

    def stop(self, otherwise: str) -> None:
        if not self.may_stop:
            raise IllegalMove(otherwise)
        self.play("stop")


def turns(position: Position, moves: Iterable[int]) -> Iterator[PlayedTurn]:
    """The moves of a game cut into turns. The last one may be unfinished."""
    before = position
    texts: list[str] = []
    done: list[int] = []
    for move in moves:
        texts.append(position.move_text(move))
        done.append(move)
        position = position.play(move)
        if phase(position) is Phase.BEGIN:
            yield PlayedTurn(before, tuple(done), _turn_of(texts), position)
            before, texts, done = position, [], []
    if done:
        yield PlayedTurn(before, tuple(done), _turn_of(texts), position)


def whole_turns(position: Position, moves: Iterable[int]) -> Iterator[PlayedTurn]:
    """The turns of a game that can be written down.

    No notation tells a turn that was broken off where it could have gone on from one that stopped
    there; stones not yet taken are another matter, because they are missed.
    """
    for played in turns(position, moves):
        if phase(played.after) is Phase.JUMPING or "stop" in played.after.legal_moves:
            raise ParseError(f"the last turn, {played.turn}, is not over; expected a stop after it")
        yield played


def _turn_of(texts: Iterable[str]) -> Turn:
    """`G9-G7`, `-G5`, `stop`, `*A1` as one turn."""
    hops = "".join(text for text in texts if text[0] not in "*s")
    takes = ",".join(text[1:] for text in texts if text[0] == "*")
    return read_turn(hops + (f"*{takes}" if takes else ""))
