r"""SGF, version FF[4]: game trees as text, read strictly and written in one canonical form.

    Collection = GameTree { GameTree }          Node     = ";" { Property }
    GameTree   = "(" Sequence { GameTree } ")"  Property = Ident Value { Value }
    Sequence   = Node { Node }                  Value    = "[" text "]"

For any game: what the properties mean is the business of a dialect (`tempo.games.jiu.sgf`). Nothing
here recurses, so that no depth of variations overflows a stack.

Values are kept escaped, in one spelling, because only a dialect knows whether a colon separates two
values (`name:value`) or is text (`12:30`); `Node.text` and `Node.pairs` unescape. In a value, `\`
takes the next character as it is, and `\` before a line break joins the two lines.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tempo.errors import ParseError
from tempo.files import write_text
from tempo.records.sgf_values import NEWLINE, canonical, compose, escape, split_composed, unescape

Value = str | tuple[str, str]  # a text, or two texts composed with a colon
Property = tuple[str, tuple[str, ...]]  # an identifier and its escaped values

ROOT_ONLY = frozenset({"AP", "CA", "FF", "GM", "ST", "SZ"})
LINE_WIDTH = 80  # where the writer looks for a new line; values are never broken


@dataclass(frozen=True)
class Limits:
    """How much a reader takes before it refuses: a guard against what is no game record."""

    characters: int = 1 << 28
    nodes: int = 10_000_000
    depth: int = 10_000  # variations inside variations


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Node:
    """Properties in their order, each with one or more escaped values, and where they stood."""

    properties: tuple[Property, ...] = ()
    place: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)  # line, column

    def __contains__(self, ident: object) -> bool:
        return any(name == ident for name, _ in self.properties)

    @property
    def idents(self) -> tuple[str, ...]:
        """The properties' identifiers."""
        return tuple(name for name, _ in self.properties)

    def raw(self, ident: str) -> tuple[str, ...]:
        """A property's escaped values; none if it is missing."""
        for name, values in self.properties:
            if name == ident:
                return values
        return ()

    def texts(self, ident: str) -> tuple[str, ...]:
        """A property's values as text; none if it is missing."""
        return tuple(unescape(value) for value in self.raw(ident))

    def text(self, ident: str) -> str | None:
        """The value of a property that has at most one."""
        values = self.raw(ident)
        if len(values) > 1:
            raise self.error(f"{ident} has {len(values)} values; expected one")
        return unescape(values[0]) if values else None

    def pairs(self, ident: str) -> tuple[tuple[str, str], ...]:
        """A property's composed values, `first:second`."""
        return tuple(self._pair(ident, value) for value in self.raw(ident))

    def _pair(self, ident: str, value: str) -> tuple[str, str]:
        found = split_composed(value)
        if found is None:
            raise self.error(f"{ident}[{value}] is not composed; expected {ident}[name:value]")
        return found

    def error(self, message: str) -> ParseError:
        """What is wrong here, with the line and the column where that is known."""
        return ParseError(f"{place_text(self.place)}{message}")


@dataclass(frozen=True)
class Tree:
    """One game: nodes in the order of the file, and for each the number of the node before it.

    The first is the root, whose parent is -1; a variation comes whole before the next one begins.
    """

    nodes: tuple[Node, ...]
    parents: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.nodes or len(self.nodes) != len(self.parents) or self.parents[0] != -1:
            raise ParseError("a tree needs a root and one parent for each node; the root's is -1")
        path: list[int] = [0]
        for i, parent in enumerate(self.parents[1:], start=1):
            while path and path[-1] != parent:
                path.pop()
            if not path:
                raise ParseError(f"node {i} is not in the order of a file after node {parent}")
            path.append(i)

    @classmethod
    def line(cls, nodes: Iterable[Node]) -> Tree:
        """A game without variations."""
        found = tuple(nodes)
        return cls(found, tuple(range(-1, len(found) - 1)))

    @classmethod
    def arranged(cls, nodes: Sequence[Node], parents: Sequence[int]) -> Tree:
        """The same from nodes in any order in which parents come before their children."""
        children = _children(parents)
        order: list[int] = []
        waiting = [0] if nodes else []
        while waiting:
            i = waiting.pop()
            order.append(i)
            waiting.extend(reversed(children[i]))
        number = {old: new for new, old in enumerate(order)}
        number[-1] = -1
        return cls(tuple(nodes[i] for i in order), tuple(number[parents[i]] for i in order))

    @property
    def root(self) -> Node:
        """The first node, with what holds for the whole game."""
        return self.nodes[0]

    @property
    def is_line(self) -> bool:
        """Whether the game has no variations."""
        return all(parent == i - 1 for i, parent in enumerate(self.parents))

    def children(self) -> list[list[int]]:
        """For each node the numbers of the nodes that follow it, the main line first."""
        return _children(self.parents)


def _children(parents: Sequence[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents):
        if parent >= i or parent < -1 or (parent == -1) != (i == 0):
            raise ParseError(f"node {i} cannot follow node {parent}: parents come first, one root")
        if parent >= 0:
            children[parent].append(i)
    return children


# ---- values --------------------------------------------------------------------------------------


def node(*properties: tuple[str, str | Iterable[Value]]) -> Node:
    """A node from identifiers and plain texts: `node(("FF", "4"), ("JO", [("name", "value")]))`."""
    for ident, count in Counter(ident for ident, _ in properties).items():
        if count > 1:
            raise ParseError(f"{ident} {count} times in a node; expected once, with all its values")
    return Node(tuple((ident, _values(ident, given)) for ident, given in properties))


def _values(ident: str, given: str | Iterable[Value]) -> tuple[str, ...]:
    if not _ident.fullmatch(ident):
        raise ParseError(f"'{ident}' is not an SGF identifier; expected capital letters")
    values: Iterable[Value] = [given] if isinstance(given, str) else given
    written = tuple(escape(v) if isinstance(v, str) else compose(*v) for v in values)
    if not written:
        raise ParseError(f"{ident} has no value; expected one or more")
    return written


# ---- reading -------------------------------------------------------------------------------------

_ident = re.compile(r"[A-Z]+")
_space = re.compile(r"[ \t\r\n\v\f]*")
_token = re.compile(
    r"[ \t\r\n\v\f]*(?:([();])|([A-Z]+)|\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\])", re.DOTALL
)


def read(text: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Tree, ...]:
    """The games of a file, at least one. ParseError says what was expected where."""
    if len(text) > limits.characters:
        raise ParseError(f"{len(text)} characters of SGF; the limit is {limits.characters}")
    return _Reader(text, limits).collection()


def read_one(text: str, limits: Limits = DEFAULT_LIMITS) -> Tree:
    """The game of a file that holds just one."""
    trees = read(text, limits)
    if len(trees) != 1:
        raise trees[1].root.error(f"a second game of {len(trees)}; expected just one in the file")
    return trees[0]


def read_file(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> tuple[Tree, ...]:
    """The games of a file on disk, in UTF-8."""
    return read(decode(Path(path)), limits)


def decode(path: Path) -> str:
    """A file's text; ParseError unless it is UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(f"{path} is not UTF-8: byte {error.start} is wrong") from error


class _Reader:
    """One pass over the text, token by token."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text = text
        self.limits = limits
        self.at = 1 if text.startswith("\ufeff") else 0
        self.lines = 1  # of the text before `self.counted`
        self.counted = 0
        self.line_start = 0
        self.total = 0

    def collection(self) -> tuple[Tree, ...]:
        trees: list[Tree] = []
        while True:
            self.skip_space()
            if self.at == len(self.text) and trees:
                return tuple(trees)
            if not self.text.startswith("(", self.at):
                raise self.error("a game, which begins with '('")
            trees.append(self.tree())

    def tree(self) -> Tree:
        nodes: list[Node] = []
        parents: list[int] = []
        opened: list[tuple[int, int]] = []  # where each open '(' stands; the node it hangs from
        last = -1
        closed = False  # whether a variation has just ended
        while True:
            sign = self.sign()
            if sign == "(":
                opened.append((self.at - 1, last))
                if len(opened) > self.limits.depth:
                    raise self.error(f"at most {self.limits.depth} variations inside each other")
                sign = self.sign()
                if sign != ";":
                    raise self.error("a node, which begins with ';', after '('", back=1)
                last = self.add_node(nodes, parents, last)
            elif sign == ")":
                last = opened.pop()[1]
                if not opened:
                    return self.checked(Tree(tuple(nodes), tuple(parents)))
                closed = True
                continue
            elif sign == ";":
                if closed:
                    raise self.error("'(' or ')' after a variation", back=1)
                last = self.add_node(nodes, parents, last)
            else:
                raise self.unclosed(opened[-1][0])
            closed = False

    def add_node(self, nodes: list[Node], parents: list[int], last: int) -> int:
        place = self.place(self.at - 1)
        self.total += 1
        if self.total > self.limits.nodes:
            raise self.error(f"at most {self.limits.nodes} nodes")
        nodes.append(Node(self.properties(), place))
        parents.append(last)
        return len(nodes) - 1

    def properties(self) -> tuple[Property, ...]:
        found: list[Property] = []
        while True:
            token = _token.match(self.text, self.at)
            if token is None or token[2] is None:
                return tuple(found)
            ident = token[2]
            if found and any(ident == name for name, _ in found):
                self.at = token.start(2)
                raise self.error(f"{ident} once in a node, with all its values: {ident}[..][..]")
            self.at = token.end()
            found.append((ident, self.values(ident)))

    def values(self, ident: str) -> tuple[str, ...]:
        found: list[str] = []
        while (token := _token.match(self.text, self.at)) and token[3] is not None:
            found.append(canonical(token[3]))
            self.at = token.end()
        if not found:
            raise self.error(f"a value of {ident}, which stands in brackets")
        return tuple(found)

    def sign(self) -> str:
        """The next '(', ')' or ';'; nothing at the end of the text."""
        token = _token.match(self.text, self.at)
        if token is not None and token[1] is not None:
            self.at = token.end()
            return token[1]
        self.skip_space()
        if self.at < len(self.text):
            raise self.error("';', '(' or ')', or a property in capital letters")
        return ""

    def skip_space(self) -> None:
        space = _space.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def checked(self, tree: Tree) -> Tree:
        if tree.root.text("FF") != "4":
            raise tree.root.error(f"FF[{tree.root.text('FF') or ''}]; expected FF[4] in the root")
        charset = tree.root.text("CA")
        if charset is not None and charset.upper() != "UTF-8":
            raise tree.root.error(f"CA[{charset}]; expected CA[UTF-8]")
        for later in tree.nodes[1:]:
            for ident in later.idents:
                if ident in ROOT_ONLY:
                    raise later.error(f"{ident} belongs in the first node of a game")
        return tree

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1. Offsets must not decrease from call to call."""
        for match in NEWLINE.finditer(self.text, self.counted, offset):
            self.lines += 1
            self.line_start = match.end()
        self.counted = max(self.counted, offset)
        return self.lines, offset - self.line_start + 1

    def error(self, expected: str, back: int = 0) -> ParseError:
        self.skip_space()
        offset = max(self.at - back, 0)
        found = repr(self.text[offset]) if offset < len(self.text) else "the end of the text"
        if self.text.startswith("[", offset):
            found = "a value without its property, or one that never ends"
        return ParseError(
            f"{place_text(_place_of(self.text, offset))}found {found}; expected {expected}"
        )

    def unclosed(self, offset: int) -> ParseError:
        line, column = _place_of(self.text, offset)
        return self.error(f"')' to close the '(' of line {line}, column {column}")


def _place_of(text: str, offset: int) -> tuple[int, int]:
    breaks = list(NEWLINE.finditer(text, 0, offset))
    return len(breaks) + 1, offset - (breaks[-1].end() if breaks else 0) + 1


def place_text(place: tuple[int, int]) -> str:
    """`line 3, column 7: `, or nothing for what was never in a file."""
    return f"line {place[0]}, column {place[1]}: " if place[0] else ""


# ---- writing -------------------------------------------------------------------------------------


def write(trees: Tree | Iterable[Tree]) -> str:
    """The canonical text: reading it gives equal trees, and writing those the same text."""
    written = [_tree_text(tree) for tree in ([trees] if isinstance(trees, Tree) else trees)]
    if not written:
        raise ParseError("an SGF file needs at least one game")
    return "\n".join(written) + "\n"


def write_file(path: str | os.PathLike[str], trees: Tree | Iterable[Tree]) -> None:
    """Writes a whole file, or leaves the old one as it was."""
    write_text(path, write(trees))


def _tree_text(tree: Tree) -> str:
    """Variations and the node after the root begin new lines; long lines break where they can."""
    followers = Counter(tree.parents)
    lines = _Lines()
    opened: list[int] = []  # the nodes that began the variations now open
    for i, (node_, parent) in enumerate(zip(tree.nodes, tree.parents, strict=True)):
        while opened and opened[-1] > parent:
            opened.pop()
            lines.append(")")
        text = node_text(node_)
        branches = i == 0 or followers[parent] > 1
        if branches:
            opened.append(i)
        lines.add(("(" if branches else "") + text, new=branches or i == 1, pieces=node_)
    lines.append(")" * len(opened))
    return "\n".join(lines.lines)


class _Lines:
    """Lines under construction. White space means nothing between nodes, properties and values."""

    def __init__(self) -> None:
        self.lines = [""]

    def append(self, text: str) -> None:
        self.lines[-1] += text

    def add(self, text: str, *, new: bool, pieces: Node) -> None:
        """Adds a node, on a new line if asked or needed, and on several if one is not enough."""
        if self.lines[-1] and (new or len(self.lines[-1]) + len(text) > LINE_WIDTH):
            self.lines.append("")
        if len(text) <= LINE_WIDTH:
            self.append(text)
            return
        self.append(text[: text.index(";") + 1])
        for ident, values in pieces.properties:
            for i, value in enumerate(values):
                piece = f"{'' if i else ident}[{value}]"
                if len(self.lines[-1]) + len(piece) > LINE_WIDTH:
                    self.lines.append("")
                self.append(piece)


def node_text(node_: Node) -> str:
    """`;B[ig-gg*ge]`."""
    return ";" + "".join(
        ident + "".join(f"[{value}]" for value in values) for ident, values in node_.properties
    )
