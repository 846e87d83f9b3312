"""Opening libraries of Jiu as SGF files.

Every node below the root is one placement, `;W[hg]VN[60]QV[0.75]`: VN is how often it was tried, QV
what it is worth to the seat that makes it; a comment C may follow. The best child comes first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tempo import games
from tempo.errors import ParseError
from tempo.games import Game
from tempo.games.jiu import sgf as jiu
from tempo.games.jiu.board import centre_points
from tempo.games.jiu.library import DIGITS, EMPTY_BOARD, Library, Node, rounded
from tempo.records import sgf

_WHOLE = re.compile(r"[1-9][0-9]{0,17}")
_REAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
OWN = frozenset({"VN", "QV", "C"})


def load(path: str | os.PathLike[str]) -> Library:
    """A library from a file. ParseError names the place and what was expected there."""
    try:
        return from_tree(sgf.read_one(sgf.decode(Path(path))))
    except ParseError as error:
        raise ParseError(f"{path}: {error}") from None


def save(library: Library, path: str | os.PathLike[str]) -> None:
    """Writes a whole file, or leaves the old one as it was."""
    sgf.write_file(path, to_tree(library))


def to_tree(library: Library) -> sgf.Tree:
    """A library as SGF."""
    start = games.load(library.game).start()
    order = list(_depth_first(library))
    place = {number: i for i, number in enumerate(order)}
    nodes = [jiu.root_node(start, library.headers)]
    for number in order[1:]:
        node = library.nodes[number]
        colour = jiu.COLOURS[(start.turn + library.stones[node.parent]) % 2]
        point = jiu.point_value(divmod(node.point, library.size))
        comment = [("C", node.comment)] if node.comment else []
        nodes.append(
            sgf.node((colour, point), ("VN", str(node.visits)), ("QV", _real(node.value)), *comment)
        )
    return sgf.Tree(
        tuple(nodes), tuple(place.get(library.nodes[number].parent, -1) for number in order)
    )


def _depth_first(library: Library) -> Iterator[int]:
    waiting = [0]
    while waiting:
        number = waiting.pop()
        yield number
        waiting.extend(reversed(library.children[number]))


def _real(value: float) -> str:
    return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")


def from_tree(tree: sgf.Tree) -> Library:
    """The library that a tree stands for. Every placement is checked."""
    game = jiu.game_of(tree.root)
    if jiu.start_of(tree.root, game) != game.start():
        raise tree.root.error("a library begins with the empty board; expected no AB, AW and JT")
    reader = _Reader(game)
    for node, parent in zip(tree.nodes[1:], tree.parents[1:], strict=True):
        try:
            reader.take(node, parent)
        except ParseError as error:
            raise node.error(str(error)) from None
    headers = {ident: tree.root.text(ident) or "" for ident in tree.root.idents}
    own = {ident: text for ident, text in headers.items() if ident not in jiu.OWN}
    return Library(game.spec, reader.nodes, own)


class _Reader:
    """Placements one by one, each checked against those before it."""

    def __init__(self, game: Game) -> None:
        self.first = game.start().turn
        self.size = Library(game.spec).size
        self.points = {
            jiu.point_value((row, column)): row * self.size + column
            for row in range(self.size)
            for column in range(self.size)
        }
        self.ends = {row * self.size + column for row, column in centre_points(game)}
        self.nodes: list[Node] = [EMPTY_BOARD]
        self.filled = [0]  # by node: the points that hold stones, as bits
        self.steps: set[tuple[int, int]] = set()

    def take(self, node: sgf.Node, parent: int) -> None:
        colour = jiu.COLOURS[(self.first + self.filled[parent].bit_count()) % 2]
        if unknown := [ident for ident in node.idents if ident not in {colour, *OWN}]:
            raise ParseError(f"{unknown[0]} in a library; expected {colour}, VN, QV and perhaps C")
        point = self.point(node.text(colour), parent)
        visits, value = node.text("VN"), node.text("QV")
        if visits is None or not _WHOLE.fullmatch(visits):
            raise ParseError(f"VN[{visits or ''}]; expected how often it was tried, as in VN[12]")
        if value is None or not _REAL.fullmatch(value):
            raise ParseError(f"QV[{value or ''}]; expected what it is worth, as in QV[-0.25]")
        self.steps.add((parent, point))
        self.filled.append(self.filled[parent] | 1 << point)
        self.nodes.append(
            Node(parent, point, int(visits), rounded(float(value)), node.text("C") or "")
        )

    def point(self, text: str | None, parent: int) -> int:
        if text not in self.points:
            last = chr(ord("a") + self.size - 1)
            raise ParseError(f"'{text or ''}' is no point; expected two letters a to {last}")
        point, filled = self.points[text], self.filled[parent]
        if filled >> point & 1:
            raise ParseError(f"{text} is filled already")
        if filled.bit_count() < 2 and point not in self.ends:
            raise ParseError(f"{text} among the first two; expected the ends of the diagonal")
        if (parent, point) in self.steps:
            raise ParseError(f"{text} twice after the same placements; expected it once")
        return point
