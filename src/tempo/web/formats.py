"""Formats in which games are saved: a line in any of them, its branches where a format knows them.

Records of Siguo know more than moves; `writing` (tables) and `replay_files` (study) make them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tempo import games
from tempo.games.chess import pgn
from tempo.games.gomoku import psq
from tempo.games.gomoku import sgf as gomoku
from tempo.games.jiu import sgf as jiu
from tempo.games.record import Record
from tempo.games.shogi import csa, kif
from tempo.records import sgf
from tempo.web.replay_line import Branching, Ply

if TYPE_CHECKING:
    from tempo.games.protocol import Position

FORMATS: dict[str, dict[str, Callable[[Record], str]]] = {
    "gomoku": {"sgf": gomoku.write, "psq": psq.write},
    "jiu": {"sgf": jiu.write},
    "chess": {"pgn": pgn.write},
    "shogi": {"kif": kif.write, "csa": csa.write},
}
GLYPHS = ("!", "?", "!!", "??", "!?", "?!")  # of PGN, from 1 on
_marks = re.compile(r"(?:(?:[!?]{1,2}|\$\d{1,3})(?=[ !?$]|$))+")
_mark = re.compile(r"[!?]{1,2}|\$\d+")


def write(
    name: str,
    first: Position,
    line: Sequence[Ply],
    tree: Sequence[Branching],
    headers: Mapping[str, str],
    result: str,
) -> str:
    """A game as a file: the whole tree if the format has branches, else the line.

    The result is that of the tree's first line; another line says nothing of its end.
    """
    game = games.load(first.game)
    start = "" if first.text == game.start().text else first.text
    lines = lines_of(tree)
    records = [
        Record(first.game, _numbers(one), start, headers, "?" if number else result)
        for number, one in enumerate(lines)
    ]
    if name == "pgn":
        nodes = [_node(int(row.move), row.parent, row.note) for row in tree]
        return pgn.write_annotated([pgn.Annotated(records[0], tuple(nodes))])
    if name == "kif":
        return kif.write_lines(records)
    if name == "sgf":
        dialect = {"gomoku": gomoku.DIALECT, "jiu": jiu.DIALECT}[game.name]
        return sgf.write([_merged([dialect.tree_of(record) for record in records])])
    ends = result if tuple(line) == tuple(lines[0]) else "?"
    return FORMATS[game.name][name](Record(first.game, _numbers(line), start, headers, ends))


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


def _node(move: int, parent: int, note: str) -> pgn.Node:
    """A move of PGN; marks that a note begins with (`!? sharp`) become marks again."""
    found = _marks.match(note)
    marks = _mark.findall(found[0]) if found else []
    nags = tuple(int(m[1:]) if m[0] == "$" else 1 + GLYPHS.index(m) for m in marks)
    return pgn.Node(move, parent, note[found.end() :].strip() if found else note, nags=nags)


def _merged(lines: Sequence[sgf.Tree]) -> sgf.Tree:
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
    return sgf.Tree.arranged(nodes, parents)
