"""Jiu records in the format of the Amdo rule book (2020): `0,h7,G6,...;` then `3,G8-G6,g7,e6;`.

A header in brackets, the placements in one line, then a numbered line a turn: the path, and all the
stones that left, jumped ones first. A point is the row's letter, in lower case for White's stones
and upper case for Black's, and the column in hexadecimal from 0: G7 is `g6` or `G6`. Lines 1 and 2
lift the two central stones. `clrall` clears the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tempo import games
from tempo.errors import ParseError
from tempo.games.jiu.board import BLACK, SEATS, WHITE, Point, centre_points, size_of, stage
from tempo.games.jiu.found import (
    Displacement,
    FoundGame,
    Placement,
    numbered_lines,
    record_of,
    whole_game,
)
from tempo.games.jiu.turns import Turn
from tempo.games.record import Record
from tempo.games.registry import parse_spec

_HEADER = ("PW", "PB", "", "JS", "DT", "JD", "PC", "EV")  # after the kind of file; "" is the winner
_WINNERS = {"先手胜": "W", "后手胜": "B", "平局": "0", "": ""}
_header_field = re.compile(r"\[([^\[\]]*)\]")
_POINT = r"[A-Na-n][0-9A-D]"
_line = re.compile(rf"(\d+),({_POINT}(?:-{_POINT})*)((?:,{_POINT})*);")


def read_book(text: str, game: str = "jiu") -> tuple[Record, ...]:
    """The games of a file in the rule book's format; `clrall` ends a game and the next may begin.

    A file without a header is on a board of the size of `game`. A layout in which somebody placed
    twice in a row is known from a published game: its record begins at the battle.
    """
    records: list[Record] = []
    reader = _Reader(game)
    for where, line in numbered_lines(text):
        if reader.take(where, line):
            records.append(reader.record())
            reader = _Reader(game)
    if reader.found.placements:
        records.append(reader.record())
    elif reader.found.headers or not records:
        raise ParseError("a game without its layout; expected a line like 0,h7,G6,...;")
    return tuple(records)


class _Reader:
    """One game of the rule book's format, line by line."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.found = FoundGame()
        self.next_number = 0
        self.lifted: list[Point] = []

    def record(self) -> Record:
        return record_of(self.found, self.spec, slips=True)

    def take(self, where: str, line: str) -> bool:
        """Reads a line; whether it ended the game."""
        if line.startswith("["):
            self.header(where, line)
            return False
        number, _, rest = line.partition(",")
        if number != str(self.next_number):
            raise ParseError(f"{where}: '{line[:20]}'; expected line number {self.next_number}")
        self.next_number += 1
        if rest == "clrall;" and self.found.placements:
            return True
        if number == "0":
            self.layout(where, rest)
        else:
            self.turn(where, line)
        return False

    def header(self, where: str, line: str) -> None:
        kind = re.match(r"\[JIU\[(\d+)\]\],", line)
        fields = _header_field.findall(line[kind.end() :]) if kind else []
        expected = "".join(f",[{name}]" for name in fields)
        if kind is None or line[kind.end() - 1 :] != f"{expected};" or len(fields) != len(_HEADER):
            raise ParseError(
                f"{where}: expected [JIU[14]],[first z],[second Z],[winner],[score],[time],"
                f"[duration],[place],[event];"
            )
        if self.next_number or self.found.headers:
            raise ParseError(f"{where}: a second header; expected clrall before the next game")
        self.spec = _sized(self.spec, kind[1], where)
        fields[0] = _without(fields[0], "z", where)
        fields[1] = _without(fields[1], "Z", where)
        if fields[2] not in _WINNERS:
            raise ParseError(f"{where}: winner [{fields[2]}]; expected one of {list(_WINNERS)}")
        self.found.winner = _WINNERS[fields[2]]
        self.found.headers = {k: v for k, v in zip(_HEADER, fields, strict=True) if k and v}

    def layout(self, where: str, rest: str) -> None:
        points = rest.removesuffix(";").split(",")
        if not rest.endswith(";") or not all(re.fullmatch(_POINT, point) for point in points):
            raise ParseError(f"{where}: expected the placements, 0,h7,G6,...;")
        for point in points:
            self.found.placements.append(Placement(where, case_seat(point), _point(point)))

    def turn(self, where: str, line: str) -> None:
        found = _line.fullmatch(line)
        if found is None:
            raise ParseError(f"{where}: '{line[:40]}'; expected a turn like 3,G8-G6,g7,e6;")
        path, captured = found[2].split("-"), found[3].split(",")[1:]
        if self.next_number <= 3:
            return self.lift(where, path, captured)
        seat = case_seat(path[0])
        for point in path:
            if case_seat(point) != seat:
                raise ParseError(f"{where}: {point} is not in {SEATS[seat]}'s case")
        for point in captured:
            if case_seat(point) == seat:
                raise ParseError(
                    f"{where}: {point} is in the mover's case; captured stones are not"
                )
        points = tuple(_point(point) for point in path)
        gone = tuple(_point(point) for point in captured)
        jumped = _jumped_of(points, gone)
        takes = tuple(point for point in gone if point not in jumped)
        self.found.turns.append(Displacement(where, seat, points, takes, jumped))
        return None

    def lift(self, where: str, path: list[str], captured: list[str]) -> None:
        """Lines 1 and 2: the two central stones leave, Black's first in most files."""
        stones = {(p.point, p.seat) for p in self.found.placements}
        centre = centre_points(games.load(self.spec))
        point = _point(path[0])
        known = (
            (point, case_seat(path[0])) in stones and point in centre and point not in self.lifted
        )
        if len(path) != 1 or captured or not known:
            raise ParseError(f"{where}: expected one of the two central stones, which leave first")
        self.lifted.append(point)


def _jumped_of(path: tuple[Point, ...], gone: tuple[Point, ...]) -> tuple[Point, ...]:
    """The captured stones that the path passes. A flight passes stones without taking them."""
    passed = Turn(path).jumped
    return tuple(point for point in passed if point in gone)


def case_seat(point: str) -> int:
    """Whose stone a point names by its case."""
    return WHITE if point[0].islower() else BLACK


def _point(text: str) -> Point:
    return ord(text[0].upper()) - ord("A"), int(text[1], 16)


def _text(point: Point, seat: int) -> str:
    letter = "a" if seat == WHITE else "A"
    return f"{chr(ord(letter) + point[0])}{point[1]:X}"


def _without(name: str, mark: str, where: str) -> str:
    if not name.endswith(mark):
        raise ParseError(f"{where}: team [{name}]; expected its name followed by {mark}")
    return name.removesuffix(mark)


def _sized(spec: str, size: str, where: str) -> str:
    name, options = parse_spec(spec)
    if options.get("size", size) != size:
        raise ParseError(f"{where}: the file is for size {size}; {spec} was asked for")
    given = ",".join(f"{key}={value}" for key, value in (options | {"size": size}).items())
    try:
        return games.load(f"{name}({given})").spec
    except ParseError as error:
        raise ParseError(f"{where}: {error}") from error


def write_book(record: Record) -> str:
    """A record in the rule book's format, header included."""
    placements, battle = whole_game(record)
    if not placements:
        raise ParseError("this format needs placements; the record has none")
    lines = [_header_text(record)]
    laid = (_text(p.turn.path[0], p.before.turn) for p in placements)
    lines.append(f"0,{','.join(laid)};")
    if placements and stage(placements[-1].after) == "battle":
        owners = {p.turn.path[0]: p.before.turn for p in placements}
        centre = sorted(centre_points(games.load(record.game)), key=lambda p: -owners[p])
        lines += [f"{i},{_text(p, owners[p])};" for i, p in enumerate(centre, start=1)]
    for number, played in enumerate(battle, start=3):
        own, other = played.before.turn, 1 - played.before.turn
        path = "-".join(_text(point, own) for point in played.turn.path)
        gone = (_text(point, other) for point in (*played.turn.jumped, *played.turn.takes))
        lines.append(",".join((str(number), path, *gone)) + ";")
    return "\n".join(lines) + "\n"


def _header_text(record: Record) -> str:
    headers: Mapping[str, str] = record.headers
    fields = [headers.get(name, "") for name in _HEADER]
    fields[0] += "z"
    fields[1] += "Z"
    winner = record.result[0].replace("?", "")
    fields[2] = next(text for text, letter in _WINNERS.items() if letter == winner)
    for text in fields:
        if re.search(r"[\[\]\n]", text):
            raise ParseError(
                f"'{text}' cannot stand in a header field: it has a bracket or a break"
            )
    return (
        f"[JIU[{size_of(games.load(record.game))}]],"
        + ",".join(f"[{text}]" for text in fields)
        + ";"
    )
