"""Records of Gomoku as PSQ, the game files of Piskvork, Gomocup's manager: one game a file.

    Piskvorky 15x15, 11:11, 0     the board; the players' levels; which of them begins
    8,8,0                         column and row from the upper left, from 1; milliseconds
    9,7,1240
    pbrain-first.exe              the players, both or neither
    pbrain-second.exe
    15                            the end: 0 on the board, 15 by time, -2 by an error, -1 unsaid
    1,Freestyle1                  Gomocup's judge only: who won, 0 for a draw, and the tournament

The file does not say its rule, so the caller gives it. docs/records.md says where real files vary.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.files import write_text
from tempo.games.gomoku.sgf import (
    COLOURS,
    RULES,
    agreed_result,
    game_with,
    move_at,
    point_of,
    result_of,
)
from tempo.games.record import Record
from tempo.games.stones import Point, size_of
from tempo.records import sgf

if TYPE_CHECKING:
    from tempo.games.protocol import Position

ON_THE_BOARD, BY_TIME, BY_ERROR, UNSAID = 0, 15, -2, -1
REASONS = {BY_TIME: "T", BY_ERROR: "F"}  # in RE
# Piskvork calls a draw as soon as no more than this many points are empty.
EMPTY_AT_A_DRAW = 25

_line_break = re.compile(r"\r\n|\r|\n")
_header = re.compile(r"Piskvorky +([0-9]{1,4})x([0-9]{1,4}), *([0-9]{1,9}):([0-9]{1,9}), *([01]) *")
_move = re.compile(r" *([0-9]{1,4}), *([0-9]{1,4})(?:, *([0-9]{1,10}))? *")
_code = re.compile(r"(-?[0-9]{1,9}) *")
_note = re.compile(r"([012]),(.*)", re.DOTALL)
_levels = re.compile(r"[0-9]{1,9}:[0-9]{1,9}")
_times = re.compile(r"[0-9]{1,10}(,[0-9]{1,10})*")


# ---- reading -------------------------------------------------------------------------------------


def read(text: str, rule: str = "freestyle") -> Record:
    """The record of a PSQ file, every move played by a rule that the file does not name."""
    if rule not in RULES:
        raise ParseError(f"there is no rule '{rule}'; expected freestyle or exactly_five")
    found = _parse(text)
    try:
        position = game_with(str(found.size), RULES[rule]).start()
    except ParseError as error:
        raise ParseError(f"line 1: {error}") from error
    game, moves = position.game, []
    for number, point in enumerate(found.points, start=2):
        moves.append(move_at(point, found.size))
        position = _played(position, moves[-1], number)
    return Record(game, tuple(moves), "", found.headers(), _result(found, position))


def read_file(path: str | os.PathLike[str], rule: str = "freestyle") -> Record:
    """The record of a file on disk, in UTF-8."""
    return read(sgf.decode(Path(path)), rule)


@dataclass(frozen=True)
class _Found:
    """What a file says, before the rules have seen it."""

    size: int
    levels: tuple[str, str]
    second_begins: bool
    points: tuple[Point, ...]
    times: tuple[int, ...]
    names: tuple[str, str] | None
    code: int
    winner: str  # by the judge's line: 0, 1, 2, or nothing
    event: str

    def headers(self) -> dict[str, str]:
        """Names, tournament, levels and times, Black's before White's."""
        order = (1, 0) if self.second_begins else (0, 1)
        found = {}
        if self.names:
            found = {"PB": self.names[order[0]], "PW": self.names[order[1]]}
        if self.event:
            found["EV"] = self.event
        if set(self.levels) != {"0"}:
            found["LV"] = ":".join(self.levels[i] for i in order)
        if any(self.times):
            found["MS"] = ",".join(str(time) for time in self.times)
        return found


def _parse(text: str) -> _Found:
    lines = _line_break.split(text.removeprefix("\ufeff"))
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    header = _header.fullmatch(lines[0]) if lines else None
    if header is None:
        raise _error(1, lines[0] if lines else "", "a header like Piskvorky 15x15, 0:0, 0")
    if header[1] != header[2]:
        raise _error(1, lines[0], "a square board: Gomoku has no other")
    size = int(header[1])
    points, times = _parse_moves(lines, size)
    names, code, winner, event = _parse_end(lines, 1 + len(points))
    levels, second = (str(int(header[3])), str(int(header[4]))), header[5] == "1"
    return _Found(size, levels, second, points, times, names, code, winner, event)


def _parse_moves(lines: list[str], size: int) -> tuple[tuple[Point, ...], tuple[int, ...]]:
    points: list[Point] = []
    times: list[int] = []
    for number, line in enumerate(lines[1:], start=2):
        move = _move.fullmatch(line)
        if move is None:
            break
        column, row = int(move[1]), int(move[2])
        if not (1 <= column <= size and 1 <= row <= size):
            raise _error(number, line, f"a column and a row from 1 to {size}")
        points.append((row - 1, column - 1))
        times.append(int(move[3] or 0))
    return tuple(points), tuple(times)


def _parse_end(lines: list[str], at: int) -> tuple[tuple[str, str] | None, int, str, str]:
    """Names, code, winner and tournament, from line number `at` (from 0) to the end."""
    rest = lines[at:]
    names = (rest[0], rest[1]) if len(rest) >= 3 else None
    after = 2 if names else 0
    for number, name in enumerate(names or (), start=at + 1):
        if not _is_name(name):
            raise _error(number, name, "a player's name")
    code = _code.fullmatch(rest[after]) if rest else None
    if code is None:
        line = rest[after] if rest else ""
        raise _error(at + after + 1, line, "a move like 8,8,0, two names, or a number for the end")
    if len(rest) <= after + 1:
        return names, int(code[1]), "", ""
    note = _note.fullmatch(rest[after + 1])
    if note is None:
        raise _error(at + after + 2, rest[after + 1], "the end, or a result like 1,Freestyle1")
    if len(rest) > after + 2:
        raise _error(at + after + 3, rest[after + 2], "the end of the file")
    return names, int(code[1]), note[1], note[2]


def _is_name(text: str) -> bool:
    """Whether a text can stand where names do: one line, neither empty nor like a move."""
    return bool(text.strip(" \t")) and not (_line_break.search(text) or _move.fullmatch(text))


def _error(number: int, line: str, expected: str) -> ParseError:
    return ParseError(f"line {number}: '{line[:40]}'; expected {expected}")


def _played(position: Position, move: int, number: int) -> Position:
    try:
        after: Position = position.play(move)
    except IllegalMove as error:
        hint = "; if six do not win, expected rule='exactly_five'" if position.is_over else ""
        raise ParseError(f"line {number}: {error}{hint}") from error
    return after


def _result(found: _Found, last: Position) -> str:
    """How the game ended. Off the board it is the seat to move that lost: it was thinking."""
    reason = REASONS.get(found.code, "")
    lost = bool(reason) or found.winner in ("1", "2")
    empty = found.size**2 - len(found.points)
    called = not last.is_over and found.code == ON_THE_BOARD and empty <= EMPTY_AT_A_DRAW
    drawn = found.winner == "0" or (called and not found.winner)
    said = _loss(last) + reason if lost else "0" if drawn else "?"
    board = result_of(last.outcome) if last.outcome else said
    if (lost and drawn) or (said != "?" and said[:2] != board[:2]):
        raise ParseError(
            f"the last lines say {found.code} and '{found.winner}', but the game ended {board}; "
            "expected them to agree"
        )
    return board


def _loss(last: Position) -> str:
    return f"{COLOURS[1 - last.turn]}+"


# ---- writing -------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """Writes a record as PSQ.

    What the format has no place for is left out: the rule, other headers, that a seat resigned,
    and that a seat lost which was not to move.
    """
    game = games.load(record.game)
    if game.name != "gomoku":
        raise ParseError(f"PSQ is for gomoku, not for {game.name}")
    if record.start:
        raise ParseError(f"PSQ begins on the empty board; this record begins at {record.start}")
    return "".join(f"{line}\n" for line in _lines(record, size_of(game)))


def write_file(path: str | os.PathLike[str], record: Record) -> None:
    """Writes a whole file, or leaves the old one as it was."""
    write_text(path, write(record))


def _lines(record: Record, size: int) -> Iterator[str]:
    last = record.last()
    levels = record.headers.get("LV", "0:0")
    if not _levels.fullmatch(levels):
        raise ParseError(f"LV[{levels}]; expected Piskvork's levels of Black and White, as in 7:7")
    yield f"Piskvorky {size}x{size}, {levels}, 0"
    for move, time in zip(record.moves, _move_times(record), strict=True):
        row, column = point_of(move, size)
        yield f"{column + 1},{row + 1},{time}"
    yield from _names(record)
    yield from _end(record, last)


def _move_times(record: Record) -> list[str]:
    given = record.headers.get("MS", "")
    if not given:
        return ["0"] * len(record.moves)
    times = given.split(",")
    if not _times.fullmatch(given) or len(times) != len(record.moves):
        raise ParseError(f"MS[{given[:40]}]; expected milliseconds for each of the moves, as 0,15")
    return times


def _names(record: Record) -> Iterator[str]:
    names = [record.headers[ident] for ident in ("PB", "PW") if ident in record.headers]
    if len(names) == 1:
        raise ParseError("one name; PSQ has those of both players, PB and PW, or none")
    for name in names:
        if not _is_name(name):
            raise ParseError(
                f"'{name[:40]}' cannot be a name in PSQ; expected a line unlike a move"
            )
        yield name


def _end(record: Record, last: Position) -> Iterator[str]:
    """The code, and the judge's line for a tournament or for a result that no code tells."""
    result, event = agreed_result(record.result, last), record.headers.get("EV", "")
    if _line_break.search(event):
        raise ParseError("EV has several lines; PSQ has one for the tournament")
    drawn, lost = result == "0", result.startswith(_loss(last))  # by others PSQ cannot say a loss
    code = UNSAID
    if last.is_over or drawn:
        code = ON_THE_BOARD
    elif lost:
        code = next((code for code, reason in REASONS.items() if reason == result[2:]), UNSAID)
    yield str(code)
    told = last.is_over or code in REASONS
    if (drawn or lost) and (event or not told):
        winner = 0 if drawn else 1 + COLOURS.index(result[0])
        yield f"{winner},{event}"
