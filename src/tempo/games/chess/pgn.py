"""Records of chess as PGN, the Portable Game Notation of 1994.

    [Event "?"]                      seven tags, then others; FEN and SetUp for another start
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Ben"]
    [Result "1-0"]

    1. e4 e5 2. Bc4 Nc6 3. Qh5 $6 Nf6 $4 {loses at once} (3... g6 4. Qf3 Nf6) 4. Qxf7# 1-0

Strict: every move is played, variations too; move numbers, marks for captures and checks, and the
result must be true. docs/records.md says what may be left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import ParseError
from tempo.files import write_text
from tempo.games.chess.pgn_reader import (
    NAMES,
    RESULTS,
    TERMINATIONS,
    UNKNOWN,
    Annotated,
    Node,
    Reader,
    agreed_result,
    move_of,
)
from tempo.games.record import Record

if TYPE_CHECKING:
    from tempo._core.chess import Position
    from tempo.games import Game

__all__ = [
    "CLAIMED",
    "Annotated",
    "Node",
    "annotated",
    "move_of",
    "read",
    "read_all",
    "read_annotated",
    "read_file",
    "write",
    "write_annotated",
    "write_file",
]

LINE_WIDTH = 79
# The rules of a game between people, who must claim the draws that `chess` calls by itself.
CLAIMED = "chess(repetition=five,quiet=seventy_five)"
_OWN = frozenset({"FEN", "Result", "SetUp"})
_name = re.compile(r"[A-Za-z0-9_]+")
_texts = {result: text for text, result in RESULTS.items()}


# ---- reading -------------------------------------------------------------------------------------


def read(text: str, rules: str = "chess") -> Record:
    """The record of a file that holds one game; comments, marks and variations are left out."""
    records = read_all(text, rules)
    if len(records) != 1:
        raise ParseError(f"{len(records)} games in a file; expected one: read_all reads them all")
    return records[0]


def read_all(text: str, rules: str = "chess") -> tuple[Record, ...]:
    """The records of a file's games. Variations are played and checked all the same."""
    return tuple(game.record for game in read_annotated(text, rules))


def read_annotated(text: str, rules: str = "chess") -> tuple[Annotated, ...]:
    """A file's games with comments, marks and variations."""
    found = tuple(Reader(text, _game(rules)).games())
    if not found:
        raise ParseError("no game; expected tags and moves, or at least a result")
    return found


def read_file(path: str | os.PathLike[str], rules: str = "chess") -> tuple[Record, ...]:
    """The records of a file on disk, in UTF-8 or else in Latin-1, which the standard names."""
    data = Path(path).read_bytes()
    try:
        return read_all(data.decode("utf-8-sig"), rules)
    except UnicodeDecodeError:
        return read_all(data.decode("latin-1"), rules)


def annotated(record: Record) -> Annotated:
    """A record as a game of which nothing is said."""
    return Annotated(record, tuple(Node(move, i - 1) for i, move in enumerate(record.moves)))


def _game(rules: str) -> Game:
    game = games.load(rules)
    if game.name != "chess":
        raise ParseError(f"PGN is for chess, not for {game.name}")
    return game


# ---- writing -------------------------------------------------------------------------------------


def write(records: Record | Iterable[Record]) -> str:
    """One record or several as PGN; reading gives equal ones."""
    several = [records] if isinstance(records, Record) else list(records)
    return write_annotated([annotated(record) for record in several])


def write_annotated(several: Sequence[Annotated]) -> str:
    """Games with comments, marks and variations as PGN; reading gives equal ones."""
    if not several:
        raise ParseError("a PGN file needs at least one game")
    return "\n".join(_game_text(game) for game in several)


def write_file(path: str | os.PathLike[str], records: Record | Iterable[Record]) -> None:
    """Writes a whole file in UTF-8, or leaves the old one as it was."""
    write_text(path, write(records))


def _game_text(game: Annotated) -> str:
    record = game.record
    _game(record.game)
    *_, last = record.positions()
    result = agreed_result(record.result, _chess(last))
    if result[:2] not in _texts or result[2:] not in ("", *TERMINATIONS):
        known = ", ".join((*_texts, *(f"W+{letter}" for letter in TERMINATIONS)))
        raise ParseError(f"PGN has no word for the result {result}; expected {known}")
    tags = "".join(f'[{name} "{value}"]\n' for name, value in _tags(record, result))
    return f"{tags}\n{_wrapped(_Moves(game).words(_texts[result[:2]]))}\n"


def _tags(record: Record, result: str) -> Iterator[tuple[str, str]]:
    """The seven of the roster in their order, then the others by name."""
    given: dict[str, str] = {}
    for key, value in record.headers.items():
        name = NAMES.get(key, key)
        if key == "C":
            continue
        if name in given or name in _OWN or not _name.fullmatch(name):
            raise ParseError(f"{name} cannot be a header of PGN: twice, not a word, or not yours")
        if re.search(r"[\r\n]", value):
            raise ParseError(f"{name} has several lines; a header has one")
        given[name] = re.sub(r'(["\\])', r"\\\1", value)
    yield from ((name, given.pop(name, UNKNOWN[name])) for name in NAMES.values())
    yield "Result", _texts[result[:2]]
    if record.start:
        given |= {"FEN": record.start, "SetUp": "1"}
    if result[2:]:
        given["Termination"] = TERMINATIONS[result[2:]]
    yield from sorted(given.items())


def _chess(position: object) -> Position:
    core = games.load("chess").core
    if not isinstance(position, core.Position):
        raise ParseError("PGN is for chess")
    chess: Position = position
    return chess


class _Moves:
    """The words of a game's moves, with their comments and variations."""

    def __init__(self, game: Annotated) -> None:
        self.game = game
        self.first = _chess(game.record.first())
        self.following: dict[int, list[int]] = {}
        for number, node in enumerate(game.nodes):
            if not -1 <= node.parent < number:
                raise ParseError(f"node {number} follows {node.parent}; expected one before it")
            self.following.setdefault(node.parent, []).append(number)

    def words(self, result: str) -> Iterator[str]:
        if opening := self.game.record.headers.get("C"):
            yield from _comment(opening)
        yield from self.line(self.following.get(-1, [])[:1], self.first, main=True)
        yield result

    def line(self, begin: list[int], position: Position, *, main: bool = False) -> Iterator[str]:
        """A line from a node on; variations stand after the move that they replace."""
        numbered = True  # a number stands before Black's move only where something came between
        moves: list[int] = []
        while begin:
            number = begin[0]
            node = self.game.nodes[number]
            first, *others = self.following[node.parent]
            if node.before:
                yield from _comment(node.before)
            yield from _numbered(position, numbered)
            yield position.san(node.move)
            moves.append(node.move)
            yield from (f"${nag}" for nag in node.nags)
            if node.comment:
                yield from _comment(node.comment)
            beside = others if number == first else []
            for other in beside:
                yield from _bracketed(self.line([other], position))
            numbered = bool(node.comment or beside)
            position = position.play(node.move)
            begin = self.following.get(number, [])[:1]
        if main and tuple(moves) != self.game.record.moves:
            raise ParseError("the first nodes are not the moves of the record")


def _numbered(position: Position, always: bool) -> Iterator[str]:
    _, turn, *_, number = position.text.split(" ")
    if turn == "w":
        yield f"{number}."
    elif always:
        yield f"{number}..."


def _comment(text: str) -> Iterator[str]:
    words = text.split()
    if not words:
        return
    if "}" in text:
        yield f";{' '.join(words)}\n"
    else:
        yield from f"{{{' '.join(words)}}}".split(" ")


def _bracketed(words: Iterator[str]) -> Iterator[str]:
    whole = list(words)
    whole[0] = f"({whole[0]}"
    if whole[-1].endswith("\n"):
        whole.append(")")
    else:
        whole[-1] += ")"
    yield from whole


def _wrapped(words: Iterable[str]) -> str:
    """Words in lines; none begins with %, which would hide it from readers."""
    lines = [""]
    for word in words:
        fits = len(lines[-1]) + 1 + len(word) <= LINE_WIDTH
        if lines[-1] and (fits or word.startswith("%")):
            lines[-1] += f" {word}"
        elif lines[-1]:
            lines.append(word)
        else:
            lines[-1] = word
        if word.endswith("\n"):
            lines[-1] = lines[-1].removesuffix("\n")
            lines.append("")
    return "\n".join(line for line in lines if line)
