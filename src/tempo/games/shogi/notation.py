"""What KIF and CSA share: boards taken apart, moves in USI's spelling, lines with their places.

A square is (file, rank), files from the right and ranks from the top, as Japanese books count: 7g
is (7, 7). Pieces are SFEN's letters, upper case for Black, `+` before a promoted one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.records.sgf import place_text

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position
    from tempo.games.record import Record

SIZE = 9
RANKS = "abcdefghi"
HAND = tuple("RBGSNLP")  # in the order in which hands are written
COUNTS = {"K": 2, "R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}
EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

Square = tuple[int, int]
Hand = dict[str, int]  # how many of each of HAND's letters

_line_break = re.compile(r"\r\n|\r|\n")
_cell = re.compile(r"\+?[a-zA-Z]|[0-9]")
_held = re.compile(r"([0-9]*)([a-zA-Z])")


# ---- lines and files -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A line of a file and where it stands: what errors name."""

    text: str
    number: int
    column: int = 1  # where `text` begins, for a part of a line

    def error(self, message: str, at: int = 0) -> ParseError:
        """What is wrong here; `at` counts characters from the beginning of this text."""
        return ParseError(f"{place_text((self.number, self.column + at))}{message}")

    def parts(self, separator: str) -> Iterator[Line]:
        """The pieces between separators, each with its own column."""
        at = 0
        for part in self.text.split(separator):
            yield Line(part, self.number, self.column + at)
            at += len(part) + len(separator)


def lines_of(text: str) -> list[Line]:
    """A text's lines without their ends; a byte-order mark is left out."""
    plain = text.removeprefix("\ufeff")
    return [Line(line, number) for number, line in enumerate(_line_break.split(plain), start=1)]


def decode(path: Path) -> str:
    """A file's text, in UTF-8 or in the Shift-JIS of Windows, whichever it is."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        try:
            return data.decode("cp932")
        except UnicodeDecodeError as error:
            raise ParseError(
                f"{path} is neither UTF-8 (byte {wrong.start} is wrong) nor Shift-JIS "
                f"(byte {error.start} is wrong)"
            ) from error


# ---- boards --------------------------------------------------------------------------------------


@dataclass
class Placement:
    """Pieces on squares and in hands, whose turn it is, and the number of the next move."""

    pieces: dict[Square, str] = field(default_factory=dict)
    hands: tuple[Hand, Hand] = field(default_factory=lambda: ({}, {}))
    turn: int = 0
    number: int = 1

    @classmethod
    def parse(cls, sfen: str) -> Placement:
        """From SFEN that the rules have printed or that stands in this package."""
        rows, turn, hands, number = sfen.split(" ")
        placement = cls(turn="bw".index(turn), number=int(number))
        for rank, row in enumerate(rows.split("/"), start=1):
            file = SIZE
            for cell in _cell.findall(row):
                if cell.isdigit():
                    file -= int(cell)
                else:
                    placement.pieces[file, rank] = cell
                    file -= 1
        for count, letter in _held.findall(hands.replace("-", "")):
            placement.hands[letter.islower()][letter.upper()] = int(count or 1)
        return placement

    @property
    def sfen(self) -> str:
        """The same as SFEN."""
        rows = "/".join(self._row(rank) for rank in range(1, SIZE + 1))
        return f"{rows} {'bw'[self.turn]} {self._held()} {self.number}"

    def _row(self, rank: int) -> str:
        cells = [self.pieces.get((file, rank), ".") for file in range(SIZE, 0, -1)]
        return re.sub(r"\.+", lambda run: str(len(run[0])), "".join(cells))

    def _held(self) -> str:
        texts = []
        for seat, hand in enumerate(self.hands):
            for letter in HAND:
                if count := hand.get(letter, 0):
                    shown = letter.lower() if seat else letter
                    texts.append(f"{count if count > 1 else ''}{shown}")
        return "".join(texts) or "-"

    def left(self) -> Hand:
        """How many pieces of each kind, kings aside, are neither on the board nor in a hand."""
        left = {letter: COUNTS[letter] for letter in HAND}
        for piece in self.pieces.values():
            if kind_of(piece) != "K":
                left[kind_of(piece)] -= 1
        for hand in self.hands:
            for letter, count in hand.items():
                left[letter] -= count
        return left


def kind_of(piece: str) -> str:
    """The letter of a piece without its side and its promotion: `P` for `+p`."""
    return piece[-1].upper()


def own(letter: str, seat: int) -> str:
    """A piece's letter in a seat's case: `+p` for White's `+P`."""
    return letter.lower() if seat else letter


# ---- moves ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A move as the formats tell it. `kind` is the piece before the move, `P` or `+P`."""

    kind: str
    to: Square
    source: Square | None = None  # None: from the hand
    promotes: bool = False

    @property
    def usi(self) -> str:
        """As the rules read it: `7g7f`, `8h2b+`, `P*5e`."""
        if self.source is None:
            return f"{self.kind}*{square_text(self.to)}"
        return square_text(self.source) + square_text(self.to) + ("+" if self.promotes else "")


def step_of(usi: str, board: Placement) -> Step:
    """A legal move in USI's spelling on its board."""
    if usi[1] == "*":
        return Step(usi[0], _square(usi[2:4]))
    source = _square(usi[:2])
    return Step(board.pieces[source].upper(), _square(usi[2:4]), source, usi.endswith("+"))


def square_text(square: Square) -> str:
    """`7g` for (7, 7)."""
    return f"{square[0]}{RANKS[square[1] - 1]}"


def _square(text: str) -> Square:
    return int(text[0]), RANKS.index(text[1]) + 1


def play(position: Position, step: Step, line: Line) -> tuple[int, Position]:
    """Plays a step of a file; ParseError names its place if the rules forbid it."""
    try:
        move = position.parse_move(step.usi)
        after: Position = position.play(move)
    except (IllegalMove, ParseError) as error:
        raise line.error(str(error)) from error
    return move, after


def game_of(rules: str, name: str) -> Game:
    """The rules to replay by; `name` is the format that asks."""
    game = games.load(rules)
    if game.name != "shogi":
        raise ParseError(f"{name} is for shogi, not for {game.name}")
    return game


def start_of(game: Game, board: Placement, line: Line) -> Position:
    """The position of a file's board; ParseError names the line if there can be none."""
    try:
        return game.parse(board.sfen)
    except ParseError as error:
        raise line.error(str(error)) from error


# ---- headers -------------------------------------------------------------------------------------


def own_names(record: Record, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """A record's headers by a format's names for them; MS and C, which have no name, left out.

    ParseError for what would not be read again: two of one name, or a value of several lines.
    """
    found: set[str] = set()
    for key, value in record.headers.items():
        if key in ("MS", "C"):
            continue
        name = names.get(key, key)
        if name in found:
            raise ParseError(f"two headers would be called {name}; expected one")
        if _line_break.search(name + value):
            raise ParseError(f"{name} has several lines; a header has one")
        found.add(name)
        yield name, value


def comment_lines(record: Record) -> list[str]:
    """What a record says before its first move, by lines."""
    return _line_break.split(record.headers["C"]) if "C" in record.headers else []
