"""Records of Siguo as text: setups, plies with their results, and how it ended.

    siguo 1
    rules siguo-rules/1.0
    opt no_capture_draw=70 max_plies=2000     options that differ from the default may be named
    first S
    name S Alice                              optional, likewise E N W
    setup S 61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B
    setup E ...
    1 S S15xE11=
    2 E E13-C6
    end win SN flag                           or: end draw nocapture, end ongoing

`;` begins a comment. In a seat's own file the setups of others are `?`: then the notes are what
the seat saw, and nothing can be derived anew. docs/records.md has the details.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import _core, games
from tempo.errors import IllegalMove, ParseError
from tempo.files import write_text
from tempo.games.registry import parse_spec

if TYPE_CHECKING:
    from tempo._core.siguo import Position

SEATS = "SENW"
RULES = "siguo-rules/1.0"
UNKNOWN = "?????/?.?.?/??.??/?.?.?/?????/?????"
# How the core says what a record says in one word.
_WINS = {"flag taken": "flag", "no move": "nomove", "resigned": "resign"}
_DRAWS = {"no capture": "nocapture", "ply limit": "maxplies"}
_AT_THE_TABLE = {"win SN time", "win EW time", "draw agreed", "ongoing"}
_token = re.compile(
    r"([SENW][1-6][1-5]|C[1-9])(-|x)([SENW][1-6][1-5]|C[1-9])([-+=]?)"
    r"((?: #)?(?: /[SENW])*(?: ![SENW]6[24])*(?: ~)?)"
)
_end = re.compile(r"ongoing|draw (nocapture|maxplies|agreed)|win (SN|EW) (flag|nomove|resign|time)")


@dataclass(frozen=True)
class SiguoRecord:
    """One game: setups of S, E, N, W, and for each ply its seat and its text with notes."""

    game: str  # as `tempo.load` takes it
    setups: tuple[str, str, str, str]
    plies: tuple[tuple[str, str], ...] = ()
    end: str = "ongoing"
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether all setups are known, so that the game can be played again."""
        return all("?" not in setup for setup in self.setups)

    def positions(self) -> Iterator[Position]:
        """The start and the position after each ply; refuses what is illegal or noted wrongly."""
        if not self.is_whole:
            raise ParseError("this record does not know every setup; it cannot be played again")
        position = _core.siguo.of_setups(list(self.setups), _options(self.game))
        yield position
        for number, (seat, text) in enumerate(self.plies, start=1):
            position = _played(position, number, seat, text)
            yield position

    def seen_by(self, seat: str) -> SiguoRecord:
        """The same game as a seat may write it down: the others' setups are unknown."""
        own = SEATS.index(seat)
        hidden = [setup if i == own else UNKNOWN for i, setup in enumerate(self.setups)]
        return replace(self, setups=_four(hidden))


def of_moves(start: Position, moves: Sequence[int], end: str | None = None) -> SiguoRecord:
    """The record of a game from its start and its moves."""
    position = start
    plies = []
    for move in moves:
        plies.append((SEATS[position.turn], position.noted_text(move)))
        position = position.play(move)
    setups = _four([start.setup(seat) for seat in range(4)])
    return SiguoRecord(start.game, setups, tuple(plies), end or end_of(position))


def end_of(position: Position) -> str:
    """How a game stands, in the words of a record."""
    end = position.outcome
    if end is None:
        return "ongoing"
    if end.reason in _DRAWS:
        return f"draw {_DRAWS[end.reason]}"
    return f"win {'SN' if end.scores[0] > 0 else 'EW'} {_WINS[end.reason]}"


# ---- reading -------------------------------------------------------------------------------------


def read(text: str) -> SiguoRecord:
    """The record of a file. With all setups known every ply is played and every note compared."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition(";")[0].strip()
        if content:
            reader.line(number, content)
    record = reader.finish()
    if record.is_whole:
        *_, last = record.positions()
        found = end_of(last)
        if record.end not in {found} | (_AT_THE_TABLE if found == "ongoing" else set()):
            raise ParseError(f"the record ends '{record.end}', and the game stands '{found}'")
    return record


def read_file(path: str | os.PathLike[str]) -> SiguoRecord:
    """The record of a file; errors name it."""
    try:
        return read(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ParseError(f"{path}: not UTF-8 text ({error})") from error
    except (ParseError, IllegalMove) as error:
        raise type(error)(f"{path}: {error}") from error


class _Reader:
    """Lines in their order: heading, options, names and setups, plies, the end."""

    def __init__(self) -> None:
        self.started = False
        self.given: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.setups: dict[str, str] = {}
        self.plies: list[tuple[str, str]] = []
        self.end = ""

    def line(self, number: int, content: str) -> None:
        word, _, rest = content.partition(" ")
        fail = f"line {number}, '{content[:60]}': "
        if not self.started:
            if content != "siguo 1":
                raise ParseError(fail + "a record begins with 'siguo 1'")
            self.started = True
        elif self.end:
            raise ParseError(fail + "nothing follows the end")
        elif word == "rules":
            if rest != RULES:
                raise ParseError(fail + f"only {RULES} is known")
        elif word == "opt":
            self.options(fail, rest)
        elif word == "first":
            self.given["first"] = rest
        elif word in {"name", "setup"}:
            self.of_seat(fail, word, rest)
        elif word == "end":
            self.ending(fail, rest)
        else:
            self.ply(fail, word, rest)

    def of_seat(self, fail: str, word: str, rest: str) -> None:
        seat, _, value = rest.partition(" ")
        if len(seat) != 1 or seat not in SEATS or not value:
            raise ParseError(fail + f"expected '{word}', a seat (S, E, N, W) and what it is")
        kept = self.names if word == "name" else self.setups
        if seat in kept:
            raise ParseError(fail + f"the {word} of {seat} is given twice")
        kept[seat] = value

    def ending(self, fail: str, rest: str) -> None:
        if not _end.fullmatch(rest):
            raise ParseError(fail + "expected win SN flag, draw nocapture, ongoing or the like")
        self.end = rest

    def options(self, fail: str, rest: str) -> None:
        for item in rest.split():
            key, equals, value = item.partition("=")
            if not equals or key in self.given:
                raise ParseError(fail + f"'{item}' is not an option=value given once")
            self.given[key] = value

    def ply(self, fail: str, word: str, rest: str) -> None:
        expected = len(self.plies) + 1
        seat, _, text = rest.partition(" ")
        if word != str(expected) or len(seat) != 1 or seat not in SEATS:
            raise ParseError(fail + f"expected ply {expected}: its number, the seat and the move")
        if text not in {"skip", "timeout", "resign"} and not _token.fullmatch(text):
            raise ParseError(fail + "expected a move such as S15xE11= with notes, or skip, resign")
        self.plies.append((seat, text))

    def finish(self) -> SiguoRecord:
        if not self.started:
            raise ParseError("the text is empty; a record begins with 'siguo 1'")
        missing = [seat for seat in SEATS if seat not in self.setups]
        if missing:
            raise ParseError(f"the setup of {missing[0]} is missing")
        if not self.end:
            raise ParseError("the record has no end; write 'end ongoing' for a game that goes on")
        game = games.load(_spec(self.given))
        for seat, setup in self.setups.items():
            fault = "" if setup == UNKNOWN else _core.siguo.setup_fault(setup, _options(game.spec))
            if fault:
                raise ParseError(f"setup of {seat}: {fault}")
        setups = _four([self.setups[seat] for seat in SEATS])
        return SiguoRecord(game.spec, setups, tuple(self.plies), self.end, self.names)


def _played(position: Position, number: int, seat: str, text: str) -> Position:
    try:
        if text == "resign":
            return position.resign(SEATS.index(seat))
        if SEATS[position.turn] != seat:
            raise IllegalMove(f"it is the turn of {SEATS[position.turn]}, not of {seat}")
        if text == "timeout":
            text = "skip"
        elif "x" in text and text.partition(" ")[0][-1] not in "+-=":
            raise ParseError(f"'{text}': an attack is written with its result, + - or =")
        move = position.parse_move(text)
        if text not in {"skip", noted := position.noted_text(move)}:
            raise ParseError(f"'{text}' should be '{noted}'")
        return position.play(move)
    except (IllegalMove, ParseError) as error:
        raise type(error)(f"ply {number}: {error}") from error


# ---- writing -------------------------------------------------------------------------------------


def write(record: SiguoRecord) -> str:
    """The text of a record, in the one form that `read` gives back."""
    given = dict(parse_spec(record.game)[1])
    first = given.pop("first", "S")
    lines = ["siguo 1", f"rules {RULES}"]
    if given:
        lines.append("opt " + " ".join(f"{key}={value}" for key, value in given.items()))
    lines.append(f"first {first}")
    lines += [f"name {seat} {record.names[seat]}" for seat in SEATS if seat in record.names]
    pairs = zip(SEATS, record.setups, strict=True)
    lines += [f"setup {seat} {setup}" for seat, setup in pairs]
    lines += [f"{i} {seat} {text}" for i, (seat, text) in enumerate(record.plies, start=1)]
    return "\n".join([*lines, f"end {record.end}"]) + "\n"


def write_file(record: SiguoRecord, path: str | os.PathLike[str]) -> None:
    """Writes a record to a file, whole or not at all."""
    write_text(path, write(record))


# ---- line-ups and replays of pfysw's JunQi -------------------------------------------------------

_MAGIC = bytes((0x57, 0x04, 0, 0))
_LINE_UP = 30  # bytes: row 1 first, from the left
_CODES = {0: ".", 2: "F", 3: "M", 4: "B", **{5 + i: kind for i, kind in enumerate("987654321")}}
_EVENT = 0xF5


def read_line_up(data: bytes) -> str:
    """The setup in a JQL file: 16 bytes of text, four fixed ones, and thirty of pieces."""
    if len(data) != 16 + 4 + _LINE_UP or data[16:20] != _MAGIC:
        raise ParseError("a JQL line-up has 50 bytes, the 17th to 20th of them 57 04 00 00")
    return _setup(data[20:])


def read_replay(data: bytes) -> SiguoRecord:
    """The game in a replay file: line-ups of all four seats, then four bytes for each step."""
    body = 8 + 4 * _LINE_UP
    if len(data) < body or data[:4] != _MAGIC:
        raise ParseError("a replay begins with 57 04 00 00, a count of steps and four line-ups")
    count = int.from_bytes(data[4:8], "little")
    if len(data) != body + 4 * count:
        raise ParseError(f"a replay of {count} steps has {body + 4 * count} bytes, not {len(data)}")
    setups = _four([_setup(data[8 + _LINE_UP * i : 8 + _LINE_UP * (i + 1)]) for i in range(4)])
    steps = [data[body + 4 * i : body + 4 * (i + 1)] for i in range(count)]
    stations = {_core.siguo.place(i): i for i in range(_core.siguo.stations)}
    first = _first_seat(steps, stations)
    spec = f"siguo(first={first},pass_limit=100)" if _skips(steps) else f"siguo(first={first})"
    position = _core.siguo.of_setups(list(setups), _options(spec))
    plies: list[tuple[str, str]] = []
    for number, step in enumerate(steps, start=1):
        seat, text = _step(position, step, stations, number)
        if text not in {"skip", "resign"}:
            try:
                text = position.noted_text(position.parse_move(text))
            except (IllegalMove, ParseError) as error:
                raise type(error)(f"step {number}: {error}") from error
        plies.append((seat, text))
        position = _played(position, number, seat, text)
    return SiguoRecord(games.load(spec).spec, setups, tuple(plies), end_of(position))


def _step(
    position: Position, step: bytes, stations: Mapping[tuple[int, int], int], number: int
) -> tuple[str, str]:
    if step[0] == _EVENT:
        if step[1] > 1 or step[2] > 3:
            raise ParseError(f"step {number}: the events are 0 (skip) and 1 (resign)")
        return SEATS[step[2]], "resign" if step[1] else "skip"
    ends = [stations.get((16 - step[i], step[i + 1])) for i in (0, 2)]  # its x runs right to left
    if ends[0] is None or ends[1] is None:
        raise ParseError(f"step {number}: {tuple(step)} is not from a station to a station")
    start, end = ends[0], ends[1]
    return SEATS[position.turn], position.move_text(129 * start + end)


def _first_seat(steps: Sequence[bytes], stations: Mapping[tuple[int, int], int]) -> str:
    """The seat that owns the arm in which the first move begins: nobody can have moved before."""
    for step in steps:
        if step[0] != _EVENT:
            station = stations.get((16 - step[0], step[1]), 0)
            return SEATS[min(station // 30, 3)]
        if step[1] == 0:
            return SEATS[step[2] % 4]
    return "S"


def _skips(steps: Sequence[bytes]) -> bool:
    return any(step[0] == _EVENT and step[1] == 0 for step in steps)


def _setup(codes: bytes) -> str:
    unknown = next((code for code in codes if code not in _CODES), None)
    if unknown is not None:
        raise ParseError(f"{unknown} is no piece of a line-up; 0 and 2 to 13 are")
    letters = "".join(_CODES[code] for code in codes)
    setup = "/".join(letters[row : row + 5] for row in range(0, _LINE_UP, 5))
    fault = _core.siguo.setup_fault(setup, _options("siguo"))
    if fault:
        raise ParseError(f"line-up {setup}: {fault}")
    return setup


def _options(spec: str) -> _core.siguo.Options:
    return _core.siguo.Options(dict(parse_spec(spec)[1]))


def _spec(given: Mapping[str, str]) -> str:
    return "siguo(" + ",".join(f"{key}={value}" for key, value in given.items()) + ")"


def _four(setups: Sequence[str]) -> tuple[str, str, str, str]:
    south, east, north, west = setups
    return south, east, north, west
