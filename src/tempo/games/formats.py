"""Formats of record files: how each is recognised, read and written. A game lists its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tempo.games.record import Record
from tempo.games.registry import describe, load, names

if TYPE_CHECKING:
    from tempo.games.dialect import Dialect
    from tempo.games.game import Game
    from tempo.games.protocol import Position

MOST_GAMES = 200  # read of a file
MOST_LINES = 300  # of one game with variations

Ply = int | str  # a move's number, or `resign:2` for a seat that gave up


class Branching(NamedTuple):
    """A move of a tree, the number of the one before it or -1, and what is said of it."""

    move: Ply
    parent: int
    note: str = ""


@dataclass(frozen=True)
class GameTree:
    """One game of a file: where it begins, its moves with branches, and what is said of it."""

    game: str
    first: Position
    tree: Sequence[Branching]
    headers: Mapping[str, str] = field(default_factory=dict)
    result: str = "?"


class TablePly(NamedTuple):
    """A turn at a table; a turn that was skipped has no move."""

    seat: int
    move: int | None
    text: str


@dataclass(frozen=True)
class Sitting:
    """A game at a table, as far as the reader of its record may know it."""

    game: Game
    plies: Sequence[TablePly]
    names: Sequence[str]
    setups: Sequence[str | None]  # None: unknown to the reader
    last: Position | None
    is_agreed: bool  # the table ended it, not the rules


@dataclass(frozen=True)
class Format:
    """One format. Those that mark their files clearly are tried first."""

    name: str
    title: str  # as messages list it
    read: Callable[[str], list[GameTree]] | None = None
    begins: re.Pattern[str] | None = None
    tried: int = 0
    encoding: str = ""  # of older files
    magic: bytes = b""  # what a file of bytes begins with
    read_bytes: Callable[[bytes], list[GameTree]] | None = None
    write_record: Callable[[Record], str] | None = None  # one line of moves
    write_tree: Callable[[Sequence[Record], Sequence[Branching]], str] | None = None
    write_line: Callable[[Position, Sequence[Ply]], str] | None = None  # with what is no move
    write_sitting: Callable[[Sitting], str] | None = None
    dialect: Dialect | None = None
    joined: str | None = None  # what stands between the games of a file; None: it has but one

    @property
    def is_written(self) -> bool:
        """Whether games can be saved in it."""
        return any((self.write_record, self.write_tree, self.write_line))

    def write(
        self,
        first: Position,
        line: Sequence[Ply],
        tree: Sequence[Branching],
        headers: Mapping[str, str],
        result: str,
    ) -> str:
        """A game as a file: the whole tree if the format has branches, else the line.

        The result is that of the tree's first line; another line says nothing of its end.
        """
        if self.write_line is not None:
            return self.write_line(first, line)
        start = "" if first.text == load(first.game).start().text else first.text
        lines = lines_of(tree)
        if self.write_tree is not None:
            records = [
                Record(first.game, _numbers(one), start, headers, "?" if number else result)
                for number, one in enumerate(lines)
            ]
            return self.write_tree(records, tree)
        assert self.write_record is not None
        ends = result if tuple(line) == tuple(lines[0]) else "?"
        return self.write_record(Record(first.game, _numbers(line), start, headers, ends))


def all_formats() -> list[Format]:
    """The formats of all games, those with the clearest marks first."""
    found = {id(one): one for name in names() for one in describe(name).formats}
    return sorted(found.values(), key=lambda one: one.tried)


def tree_of(records: Sequence[Record]) -> GameTree:
    """A game and its variations, all from the first move."""
    first = records[0]
    tree = merged([record.moves for record in records[:MOST_LINES]])
    return GameTree(first.game, first.first(), tree, dict(first.headers), first.result)


def merged(lines: Sequence[Sequence[Ply]]) -> list[Branching]:
    """Lines from one start as a tree: each move once, with the number of the one before it.

    The first line is the game; moves of others that it does not share branch off.
    """
    numbers: dict[tuple[int, Ply], int] = {}
    for line in lines:
        at = -1
        for ply in line:
            at = numbers.setdefault((at, ply), len(numbers))
    return [Branching(ply, parent) for parent, ply in numbers]


def lines_of(tree: Sequence[Branching]) -> list[list[Ply]]:
    """A tree's lines from its beginning to each leaf, the first line first."""
    following: dict[int, list[int]] = {}
    for number, row in enumerate(tree):
        following.setdefault(row.parent, []).append(number)
    lines: list[list[Ply]] = []
    waiting: list[tuple[int, list[Ply]]] = [(-1, [])]
    while waiting:
        at, path = waiting.pop()
        after = following.get(at, [])
        if not after:
            lines.append(path)
        waiting.extend((number, [*path, tree[number].move]) for number in reversed(after))
    return lines


def _numbers(line: Sequence[Ply]) -> tuple[int, ...]:
    return tuple(ply for ply in line if isinstance(ply, int))
