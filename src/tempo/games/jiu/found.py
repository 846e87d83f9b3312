"""Games as other programs wrote them down, replayed by the core into records.

What a file says is first collected (`FoundGame`), then played: nothing is guessed, and a turn that
is damaged or illegal is refused with its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games.jiu.board import (
    SEATS,
    Point,
    centre_points,
    position_text,
    size_of,
    stage,
)
from tempo.games.jiu.sgf import result_of
from tempo.games.jiu.turns import PlayedTurn, Turn, ordered, play_turn, points_text, whole_turns
from tempo.games.record import Record

if TYPE_CHECKING:
    from tempo.games.protocol import Position


@dataclass(frozen=True)
class Placement:
    """A stone placed, and the line that says so."""

    where: str
    seat: int
    point: Point


@dataclass(frozen=True)
class Displacement:
    """A battle turn as a file has it."""

    where: str
    seat: int | None  # None where the format does not say who moves
    path: tuple[Point, ...]
    takes: tuple[Point, ...]
    jumped: tuple[Point, ...] | None  # None where the format leaves them out


@dataclass
class FoundGame:
    """One game of a file, before the rules have seen it."""

    placements: list[Placement] = field(default_factory=list)
    turns: list[Displacement] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    winner: str = ""  # "W", "B", "0", or nothing


def record_of(found: FoundGame, spec: str, *, slips: bool = False) -> Record:
    """The record of a game found in a file, every move played.

    `slips` forgives a layout in which a side placed twice in a row: the record then begins at the
    battle that it led to.
    """
    first = games.load(spec).start()
    if slips and _has_slips(found.placements, first.turn):
        first = _laid_out(found.placements, spec)
        position, moves = _placed(first, ())
    else:
        position, moves = _placed(first, found.placements)
    for number, turn in enumerate(found.turns, start=1):
        try:
            played = play_displacement(position, turn, complete=number < len(found.turns))
        except (ParseError, IllegalMove) as error:
            raise ParseError(f"{turn.where}, battle turn {number}: {error}") from error
        position = played.after
        moves.extend(played.moves)
    return Record(spec, tuple(moves), first.text, found.headers, _result(found.winner, position))


def _placed(first: Position, placements: Iterable[Placement]) -> tuple[Position, list[int]]:
    position = first
    moves: list[int] = []
    for number, placement in enumerate(placements, start=1):
        try:
            if placement.seat != position.turn:
                raise ParseError(f"{SEATS[placement.seat]} places out of turn")
            played = play_turn(position, Turn((placement.point,)))
        except (ParseError, IllegalMove) as error:
            raise ParseError(f"{placement.where}, placement {number}: {error}") from error
        position = played.after
        moves.extend(played.moves)
    return position, moves


def _has_slips(placements: Sequence[Placement], first: int) -> bool:
    return any(p.seat != (first + i) % 2 for i, p in enumerate(placements))


def _laid_out(placements: Sequence[Placement], spec: str) -> Position:
    """The battle that a full layout leads to, whatever the order in which it was laid."""
    game = games.load(spec)
    size = size_of(game)
    points = set(product(range(size), repeat=2))
    stones = {placement.point: placement.seat for placement in placements}
    where = placements[-1].where
    if set(stones) != points or len(placements) != len(points):
        raise ParseError(
            f"{where}: {len(placements)} placements fill {len(points & set(stones))} points of "
            f"{len(points)}; a layout in which a side places twice in a row must fill the board"
        )
    for point in centre_points(game):
        del stones[point]
    turn = SEATS.index(game.chosen["battle_first"])
    try:
        return game.parse(position_text(stones, size, turn, "battle 0 0"))
    except ParseError as error:
        raise ParseError(f"{where}: {error}") from error


def play_displacement(position: Position, given: Displacement, *, complete: bool) -> PlayedTurn:
    """The turn that a file means. Only the last one may lack stones it should take."""
    if stage(position) != "battle":
        raise ParseError("stones move before the board is full")
    if given.seat not in (None, position.turn):
        raise ParseError(f"{SEATS[1 - position.turn]} moves out of turn")
    readings = _readings(given)
    found, problems = _legal(position, readings, complete=True)
    if not found and not complete:
        found, problems = _legal(position, readings, complete=False)
    if not found:
        raise problems[0]
    if len(found) > 1:
        both = " or ".join(str(played.turn) for played in found)
        raise ParseError(f"{both}? Both are legal, and the format does not say which was played")
    return found[0]


def _readings(given: Displacement) -> list[Turn]:
    """What a path may mean: steps and jumps, or a flight."""
    chain = Turn(given.path, ordered(given.takes))
    flight = [Turn(given.path, chain.takes, flight=True)] if len(given.path) == 2 else []
    if given.jumped is None:
        return [chain, *flight]
    if sorted(given.jumped) == sorted(chain.jumped):
        return [chain] if given.jumped else [chain, *flight]
    if not given.jumped and flight:
        return flight
    listed = points_text(given.jumped) or "none"
    raise ParseError(f"the path jumps {points_text(chain.jumped) or 'none'}; listed: {listed}")


def _legal(
    position: Position, readings: Iterable[Turn], *, complete: bool
) -> tuple[list[PlayedTurn], list[ParseError | IllegalMove]]:
    found: list[PlayedTurn] = []
    problems: list[ParseError | IllegalMove] = []
    for turn in readings:
        try:
            found.append(play_turn(position, turn, complete=complete))
        except (ParseError, IllegalMove) as error:
            problems.append(error)
    return found, problems


def _result(winner: str, last: Position) -> str:
    """Who won: by the rules if they say so, else by the file."""
    found = result_of(last.outcome)
    if last.outcome is not None:
        if winner and winner != found[0]:
            raise ParseError(f"the file says that {winner} won, but the game ended {found}")
        return found
    return {"": "?", "0": "0"}.get(winner, f"{winner}+")


def numbered_lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines that are not empty, each with its name for messages."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if line.strip():
            yield f"line {number}", line.strip()


def whole_game(record: Record) -> tuple[list[PlayedTurn], list[PlayedTurn]]:
    """The placements and the battle turns of a record that has both from the start."""
    if record.start:
        raise ParseError("this format needs every placement; the record begins at a position")
    played = list(whole_turns(record.first(), record.moves))
    placements = [turn for turn in played if len(turn.turn.path) == 1]
    return placements, played[len(placements) :]
