"""What SGF dialects do alike: whole files in and out, and the headers of a first node.

A dialect says what one game's trees mean (`tempo.games.jiu.sgf`, `tempo.games.gomoku.sgf`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.games.formats import MOST_LINES, Branching, Format, GameTree, all_formats, tree_of
from tempo.games.record import Record
from tempo.records import sgf
from tempo.records.sgf import Node, Tree

if TYPE_CHECKING:
    from tempo.games.protocol import Position


@dataclass(frozen=True)
class Dialect:
    """How one game's trees become records and records trees, and with that whole files."""

    number: str  # of the game, as SGF's GM has it
    title: str
    record_of: Callable[[Tree], Record]
    tree_of: Callable[[Record], Tree]

    def read(self, text: str) -> Record:
        """The record of a file that holds one game without variations."""
        return self.record_of(sgf.read_one(text))

    def read_all(self, text: str) -> tuple[Record, ...]:
        """The records of a file of one game or more, none with variations."""
        return tuple(self.record_of(tree) for tree in sgf.read(text))

    def read_file(self, path: str | os.PathLike[str]) -> tuple[Record, ...]:
        """The records of a file on disk."""
        return tuple(self.record_of(tree) for tree in sgf.read_file(path))

    def write(self, records: Record | Iterable[Record]) -> str:
        """One record or several as SGF; reading gives equal ones."""
        return sgf.write([self.tree_of(record) for record in _several(records)])

    def write_file(self, path: str | os.PathLike[str], records: Record | Iterable[Record]) -> None:
        """Writes a whole file of records, or leaves the old one as it was."""
        sgf.write_file(path, [self.tree_of(record) for record in _several(records)])

    def read_position(self, text: str) -> Position:
        """The position of a file that holds one, or at which its moves end."""
        return self.read(text).last()

    def write_position(self, position: Position) -> str:
        """A position as SGF: its stones, and whatever else the dialect needs to say of it."""
        return self.write(Record(position.game, start=position.text))


def _several(records: Record | Iterable[Record]) -> Iterable[Record]:
    return [records] if isinstance(records, Record) else records


def one_line(tree: Tree) -> Tree:
    """The same tree, unless it has variations, which a record cannot keep."""
    if not tree.is_line:
        raise tree.root.error("a game with variations; a record is one line of moves")
    return tree


def headers_of(root: Node, own: AbstractSet[str]) -> dict[str, str]:
    """What a root says besides the dialect's own properties: names, dates, kept as they are."""
    return {ident: root.text(ident) or "" for ident in root.idents if ident not in own}


def header_properties(
    headers: Mapping[str, str] | None, own: AbstractSet[str]
) -> Iterator[tuple[str, str]]:
    """A record's headers as properties of a root."""
    for ident, text in (headers or {}).items():
        if ident in own:
            raise ParseError(f"{ident} is no header: a record says it by its game, moves or result")
        yield ident, text


# ---- trees with variations -----------------------------------------------------------------------


def sgf_format(dialect: Dialect) -> Format:
    """SGF as a format of one game; a file of it may hold games of every dialect."""

    def write_tree(records: Sequence[Record], _: Sequence[Branching]) -> str:
        return sgf.write([_merged([dialect.tree_of(record) for record in records])])

    return Format(
        name="sgf",
        joined="\n",
        title="SGF",
        read=_read_any,
        begins=re.compile(r"\(\s*;"),
        write_record=dialect.write,
        write_tree=write_tree,
        dialect=dialect,
    )


def _read_any(text: str) -> list[GameTree]:
    known = {one.dialect.number: one.dialect for one in all_formats() if one.dialect}
    found = []
    for tree in sgf.read(text):
        number = tree.root.text("GM") or ""
        if number not in known:
            expected = ", or ".join(f"GM[{one.number}], {one.title}" for one in known.values())
            raise tree.root.error(f"GM[{number}]; expected {expected}")
        found.append(tree_of([known[number].record_of(line) for line in _lines_of(tree)]))
    return found


def _lines_of(tree: Tree) -> list[Tree]:
    """A tree's lines from the root to each leaf, in the order of the file."""
    inner = set(tree.parents)
    leaves = [i for i in range(len(tree.nodes)) if i not in inner]
    if len(leaves) > MOST_LINES:
        raise tree.root.error(f"{len(leaves)} variations; at most {MOST_LINES} are shown")
    lines: list[Tree] = []
    for leaf in leaves:
        path = []
        at = leaf
        while at >= 0:
            path.append(tree.nodes[at])
            at = tree.parents[at]
        if lines:  # the result is the game's, not a variation's
            path[-1] = Node(tuple(p for p in path[-1].properties if p[0] != "RE"))
        lines.append(Tree.line(path[::-1]))
    return lines


def _merged(lines: Sequence[Tree]) -> Tree:
    """Lines of one game as a tree: what they share stands once; the first has the root."""
    nodes = [lines[0].root]
    parents = [-1]
    numbers: dict[tuple[int, tuple[sgf.Property, ...]], int] = {}
    for line in lines:
        at = 0
        for node in line.nodes[1:]:
            key = (at, node.properties)
            if key not in numbers:
                numbers[key] = len(nodes)
                nodes.append(node)
                parents.append(at)
            at = numbers[key]
    return Tree.arranged(nodes, parents)
