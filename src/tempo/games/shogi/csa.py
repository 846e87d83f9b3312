"""Records of shogi as CSA, the format of the Computer Shogi Association: versions 1 to 3.0.

    'CSA encoding=UTF-8
    V3.0
    N+Ann
    N-Ben
    PI                   the usual start; P1 to P9, P+ and P- tell any other
    +                    who moves first
    +7776FU              from, to (from the right, from the top), the piece after the move
    T16                  seconds
    -3334FU
    %TORYO               how it ended

00 is the hand. A line may hold several statements, with commas between them; a line of one `/`
stands between two games. docs/records.md has it all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.files import write_text
from tempo.games.record import Record
from tempo.games.shogi.csa_board import NAMES_OF, PIECES, BoardReader, board_lines
from tempo.games.shogi.ends import (
    ENDS,
    LOSES,
    WINS,
    End,
    agreed_result,
    end_of,
    result_of,
    times_of,
    times_text,
)
from tempo.games.shogi.notation import (
    EVEN,
    Line,
    Placement,
    Step,
    comment_lines,
    decode,
    game_of,
    lines_of,
    own_names,
    play,
    start_of,
    step_of,
)

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

__all__ = ["read", "read_all", "read_file", "write", "write_file"]

ENCODING = "'CSA encoding=UTF-8"
VERSIONS = ("V1", "V2", "V2.1", "V2.2", "V3.0")
SIGNS = ("+", "-")  # by seat
# What a record's headers are called; names of players have no `$` and no colon.
NAMES = {
    "PB": "N+", "PW": "N-", "EV": "EVENT", "PC": "SITE", "DT": "START_TIME", "ED": "END_TIME",
    "ON": "OPENING", "GC": "NOTE",
}  # fmt: skip
_keys = {name: key for key, name in NAMES.items()}
_actions = {f"%{sign}ILLEGAL_ACTION": seat for seat, sign in enumerate(SIGNS)}

_header = re.compile(r"\$([^:]+):(.*)", re.DOTALL)
_move = re.compile(r"([+-])([0-9])([0-9])([1-9])([1-9])([A-Z]{2})")
_time = re.compile(r"T([0-9]{1,7})(?:\.([0-9]{0,3}))?")


# ---- reading -------------------------------------------------------------------------------------


def read(text: str, rules: str = "shogi") -> Record:
    """The record of a file that holds one game, every move played by the rules."""
    records = read_all(text, rules)
    if len(records) != 1:
        raise ParseError(f"{len(records)} games in a file; expected one: read_all reads them all")
    return records[0]


def read_all(text: str, rules: str = "shogi") -> tuple[Record, ...]:
    """The records of a file of one game or more, with lines of one `/` between them."""
    game = game_of(rules, "CSA")
    games: list[list[Line]] = [[]]
    for line in lines_of(text):
        if line.text.rstrip() == "/":
            games.append([])
        else:
            games[-1].append(line)
    return tuple(_Reader(game, lines).record() for lines in games)


def read_file(path: str | os.PathLike[str], rules: str = "shogi") -> tuple[Record, ...]:
    """The records of a file on disk, in UTF-8 or Shift-JIS."""
    return read_all(decode(Path(path)), rules)


@dataclass
class _Reader:
    """One game, statement by statement, in the order that the format asks for."""

    game: Game
    lines: list[Line]
    headers: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    board: BoardReader = field(default_factory=BoardReader)
    first: Position | None = None  # once the turn has been told
    last: Position | None = None
    turn: int = 0
    moves: list[int] = field(default_factory=list)
    times: list[int | None] = field(default_factory=list)
    result: str | None = None  # once the file has told it

    def record(self) -> Record:
        for line in self.lines:
            for statement in _statements(line):
                self.read(statement)
        end = Line("", self.lines[-1].number if self.lines else 1)
        if self.first is None or self.last is None:
            raise end.error("the file ends before the line + or - that tells who moves first")
        try:
            result = agreed_result(self.result or "?", self.last)
            told = end_of(result, self.turn)
        except ParseError as error:
            raise end.error(str(error)) from error
        if self.comments:
            self.headers["C"] = "\n".join(self.comments)
        if times := times_text(self.times, len(self.moves), told):
            self.headers["MS"] = times
        return Record(self.game.spec, tuple(self.moves), self.first.text, self.headers, result)

    def read(self, line: Line) -> None:
        sign = line.text[:1]
        if sign == "'":
            if line.text.startswith("'*") and not self.moves:
                self.comments.append(line.text[2:])
        elif self.first is None:
            self.read_head(line, sign)
        elif sign in SIGNS:
            self.read_move(line)
        elif sign == "%":
            self.read_end(line)
        elif sign == "T":
            self.read_time(line)
        else:
            raise line.error(
                f"'{line.text[:20]}'; expected a move like +7776FU, a time like T12, an end like "
                "%TORYO, a comment after ', or / before another game"
            )

    # ---- before the moves

    def read_head(self, line: Line, sign: str) -> None:
        if line.text in SIGNS:
            self.turn = SIGNS.index(line.text)
            self.first = self.last = start_of(
                self.game, self.board.placement(self.turn, line), line
            )
        elif sign == "P":
            self.board.read(line)
        elif self.board.begun:
            raise line.error(f"'{line.text[:20]}'; expected more of the board, or + or - to begin")
        elif sign == "V":
            if line.text not in VERSIONS or self.headers:
                raise line.error(f"'{line.text[:20]}'; expected {', '.join(VERSIONS)} at the top")
        elif line.text[:2] in _keys:
            self.add(line.text[:2], line.text[2:], line)
        elif (header := _header.fullmatch(line.text)) is not None:
            self.add(header[1], header[2], line)
        else:
            raise line.error(
                f"'{line.text[:20]}'; expected N+ or N- and a name, $EVENT: or the like, PI or P1 "
                "to P9, or + or - to begin"
            )

    def add(self, name: str, value: str, line: Line) -> None:
        key = _keys.get(name, name)
        if key in self.headers:
            raise line.error(f"{name} is given twice")
        self.headers[key] = value

    # ---- moves

    def read_move(self, line: Line) -> None:
        assert self.last is not None
        if self.result is not None:
            raise line.error("a move after the end of the game")
        found = _move.fullmatch(line.text)
        if found is None or found[6] not in PIECES or (found[2] == "0") != (found[3] == "0"):
            raise line.error(
                f"'{line.text[:20]}'; expected a move like +7776FU, with 00 for a drop"
            )
        if found[1] != SIGNS[self.turn]:
            raise line.error(f"{found[1]} moves out of turn; expected {SIGNS[self.turn]}")
        step = self.step(found, line)
        move, self.last = play(self.last, step, line)
        self.moves.append(move)
        self.times.append(None)
        self.turn = 1 - self.turn

    def step(self, found: re.Match[str], line: Line) -> Step:
        """The move: whether it promotes shows only on the board it is played on."""
        assert self.last is not None
        kind, to = PIECES[found[6]], (int(found[4]), int(found[5]))
        if found[2] == "0":
            return Step(kind, to)
        source = (int(found[2]), int(found[3]))
        there = Placement.parse(self.last.text).pieces.get(source, "").upper()
        if kind not in (there, f"+{there}") or not there:
            has = f"{NAMES_OF[there]} is" if there else "nothing is"
            raise line.error(f"{has} on {found[2]}{found[3]}, which cannot become {found[6]}", 5)
        return Step(there, to, source, kind != there)

    def read_time(self, line: Line) -> None:
        found = _time.fullmatch(line.text)
        if found is None:
            raise line.error(f"'{line.text[:20]}'; expected seconds, as T12 or T12.345")
        if not self.times or self.times[-1] is not None:
            raise line.error("a time without a move before it")
        self.times[-1] = 1000 * int(found[1]) + int((found[2] or "").ljust(3, "0"))

    def read_end(self, line: Line) -> None:
        if self.result is not None:
            raise line.error("a second end of the game")
        if line.text in _actions:
            self.result = f"{'WB'[_actions[line.text]]}+F"
        else:
            end = next((end for end in ENDS if end.csa and line.text == f"%{end.csa}"), None)
            if end is None or end.csa == "ILLEGAL_ACTION":
                known = ", ".join(f"%{end.csa}" for end in ENDS if end.csa)
                raise line.error(f"'{line.text[:20]}'; expected {known} (an action has + or -)")
            self.result = result_of(end, self.turn)
        self.times.append(None)


def _statements(line: Line) -> Iterator[Line]:
    """A line's statements, of which headers and comments are always one."""
    plain = Line(line.text.rstrip(" \t"), line.number) if line.text[:1] in "P" else line
    if not line.text.strip():
        return
    if line.text[:1] in "'$NV":
        yield plain
    else:
        yield from (part for part in plain.parts(",") if part.text)


# ---- writing -------------------------------------------------------------------------------------


def write(records: Record | Iterable[Record]) -> str:
    """One record or several as CSA 3.0; reading gives equal ones."""
    several = [records] if isinstance(records, Record) else list(records)
    if not several:
        raise ParseError("a CSA file needs at least one game")
    games = ["\n".join(_lines(record)) for record in several]
    return f"{ENCODING}\nV3.0\n" + "\n/\n".join(games) + "\n"


def write_file(path: str | os.PathLike[str], records: Record | Iterable[Record]) -> None:
    """Writes a whole file in UTF-8, or leaves the old one as it was."""
    write_text(path, write(records))


def _lines(record: Record) -> Iterator[str]:
    game_of(record.game, "CSA")
    yield from _header_lines(record)
    positions = list(record.positions())
    board = Placement.parse(positions[0].text)
    yield from ["PI"] if board.sfen == EVEN else board_lines(board)
    turn = board.turn
    yield SIGNS[turn]
    yield from (f"'*{line}" for line in comment_lines(record))
    times = times_of(record)
    for i, move in enumerate(record.moves):
        usi = positions[i].move_text(move)
        yield f"{SIGNS[turn]}{_move_text(step_of(usi, Placement.parse(positions[i].text)))}"
        yield from _time_lines(times, i)
        turn = 1 - turn
    result = agreed_result(record.result, positions[-1])
    if (end := end_of(result, turn)) is not None:
        yield _end_text(end, turn)
        yield from _time_lines(times, len(record.moves))
    elif result != "?":
        raise ParseError(
            f"{result} has no reason; CSA has a word for each: expected {result}R, ..."
        )
    elif len(times) > len(record.moves) and times[-1]:
        raise ParseError("MS has a time for the end, but the result names no end")


def _header_lines(record: Record) -> Iterator[str]:
    for name, value in own_names(record, NAMES):
        if name in ("N+", "N-"):
            yield f"{name}{value}"
        elif not name or ":" in name:
            raise ParseError(f"'{name}' cannot be a header in CSA; expected a word without a colon")
        else:
            yield f"${name}:{value}"


def _move_text(step: Step) -> str:
    source = step.source or (0, 0)
    kind = f"+{step.kind}" if step.promotes else step.kind
    return f"{source[0]}{source[1]}{step.to[0]}{step.to[1]}{NAMES_OF[kind]}"


def _time_lines(times: list[int], i: int) -> Iterator[str]:
    if i < len(times):
        seconds, rest = divmod(times[i], 1000)
        yield f"T{seconds}" + (f".{rest:03d}".rstrip("0") if rest else "")


def _end_text(end: End, turn: int) -> str:
    if end.csa != "ILLEGAL_ACTION":
        return f"%{end.csa}"
    loser = turn if end.mover == LOSES else 1 - turn
    assert end.mover in (LOSES, WINS)
    return f"%{SIGNS[loser]}{end.csa}"
