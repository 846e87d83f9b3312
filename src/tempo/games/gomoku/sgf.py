"""Records of Gomoku as SGF: `(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[freestyle];B[hh];W[ig])`.

GM[4] is the registered number of Gomoku and Renju. Points are two letters, column then row from the
top, as in Go: h8 on 15x15 is `hh`, a1 is `ao`. Black moves first. docs/records.md describes it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games import Game
from tempo.games.dialect import Dialect, header_properties, headers_of, one_line
from tempo.games.record import Record
from tempo.games.stones import (
    Point,
    parse_rows,
    point_value,
    rows_text,
    set_up,
    set_up_properties,
    size_of,
    value_point,
)
from tempo.records import sgf
from tempo.records.sgf import Node, Tree

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.protocol import Position

__all__ = [
    "GAME_NUMBER",
    "agreed_result",
    "game_with",
    "move_at",
    "point_of",
    "read",
    "read_all",
    "read_file",
    "read_position",
    "record_of",
    "result_of",
    "tree_of",
    "write",
    "write_file",
    "write_position",
]

GAME_NUMBER = "4"
APPLICATION = "Tempo"
COLOURS = ("B", "W")  # by seat
LETTERS = ("x", "o")  # by seat, in a position's text
SET_UP_SEATS = {"AB": 0, "AW": 1}
SET_UP = ("AB", "AE", "AW", "PL")
# What a root says besides headers: names and dates, which a record keeps as they are.
OWN = frozenset({"AP", "CA", "FF", "GM", "RE", "RU", "SZ", *SET_UP, *COLOURS})

# What RU may say, by the option's value. The numbers are those of Gomocup's engine protocol, which
# c-gomoku-cli writes.
RULES = {
    "freestyle": "freestyle",
    "exactly_five": "exactly_five",
    "0": "freestyle",
    "1": "exactly_five",
}

# FF[4] has no letter for five in a row: such a win is `B+`. Some programs write a number there.
_win = re.compile(r"([BW]\+)(?:(R)(?:esign)?|(T)(?:ime)?|(F)(?:orfeit)?|[0-9]+(?:\.[0-9]+)?)?")
_NO_WIN = {"0": "0", "Draw": "0", "Void": "Void", "?": "?"}


# ---- records -------------------------------------------------------------------------------------


def record_of(tree: Tree) -> Record:
    """The record that a tree without variations stands for, every move played and checked."""
    root = one_line(tree).root
    game = game_of(root)
    start = position = start_of(root, game)
    size = size_of(game)
    moves: list[int] = []
    for node in tree.nodes[1:]:
        move = _move_of(node, position, size)
        position = _played(node, position, move)
        moves.append(move)
    given = root.text("RE") or "?"
    try:
        result = agreed_result(given, position)
    except ParseError as error:
        raise root.error(str(error)) from error
    return Record(game.spec, tuple(moves), start.text, headers_of(root, OWN), result)


def tree_of(record: Record) -> Tree:
    """A record as a tree without variations."""
    first = last = record.first()
    size = size_of(games.load(record.game))
    nodes: list[Node] = []
    for move, after in zip(record.moves, list(record.positions())[1:], strict=True):
        nodes.append(sgf.node((COLOURS[last.turn], point_value(point_of(move, size)))))
        last = after
    root = root_node(first, record.headers, agreed_result(record.result, last))
    return Tree.line([root, *nodes])


DIALECT = Dialect(GAME_NUMBER, "Gomoku", record_of, tree_of)
read, read_all, read_file = DIALECT.read, DIALECT.read_all, DIALECT.read_file
write, write_file = DIALECT.write, DIALECT.write_file
read_position, write_position = DIALECT.read_position, DIALECT.write_position


# ---- points --------------------------------------------------------------------------------------


def point_of(move: int, size: int) -> Point:
    """Where a move goes: the core counts rows from the bottom, records from the top."""
    row, column = divmod(move, size)
    return size - 1 - row, column


def move_at(point: Point, size: int) -> int:
    """The core's number of the move to a point."""
    return (size - 1 - point[0]) * size + point[1]


def _move_of(node: Node, position: Position, size: int) -> int:
    colours = [ident for ident in node.idents if ident in COLOURS]
    if len(colours) != 1:
        raise node.error(f"{len(colours)} of B and W in a node after the first; expected one")
    if any(ident in SET_UP for ident in node.idents):
        raise node.error("AB, AE, AW and PL stand in the first node")
    expected = COLOURS[position.turn]
    if colours[0] != expected and not position.is_over:
        raise node.error(f"{colours[0]} moves out of turn; expected {expected}")
    value = node.text(colours[0]) or ""
    try:
        return move_at(value_point(value, size), size)
    except ParseError as error:
        raise node.error(str(error)) from error


def _played(node: Node, position: Position, move: int) -> Position:
    try:
        after: Position = position.play(move)
    except IllegalMove as error:
        raise node.error(str(error)) from error
    return after


# ---- the root ------------------------------------------------------------------------------------


def root_node(first: Position, headers: Mapping[str, str] | None = None, result: str = "?") -> Node:
    """The first node of a record that begins at a position."""
    game = games.load(first.game)
    options = game.chosen
    properties: list[tuple[str, str | Iterable[sgf.Value]]] = [
        ("FF", "4"),
        ("CA", "UTF-8"),
        ("GM", GAME_NUMBER),
        ("AP", [(APPLICATION, game.rules_version)]),
        ("SZ", options["size"]),
        ("RU", options["rule"]),
        *header_properties(headers, OWN),
        ("RE", result),
    ]
    return sgf.node(*properties, *(_set_up(first) if first != game.start() else ()))


def _set_up(position: Position) -> Iterator[tuple[str, str | Iterable[sgf.Value]]]:
    stones = parse_rows(position.text.split(" ")[0], LETTERS)
    yield from set_up_properties(stones, SET_UP_SEATS)
    yield "PL", COLOURS[position.turn]


def game_of(root: Node) -> Game:
    """The rules that a root names by SZ and RU; without RU, free-style."""
    if root.text("GM") != GAME_NUMBER:
        raise root.error(f"GM[{root.text('GM') or ''}]; Gomoku is GM[{GAME_NUMBER}]")
    size, rule = root.text("SZ"), root.text("RU")
    if size is None:
        raise root.error("no SZ; expected the size of the board, as in SZ[15]")
    if rule is not None and rule not in RULES:
        raise root.error(f"RU[{rule}]; expected RU[freestyle] or RU[exactly_five]")
    try:
        return game_with(size, RULES[rule or "freestyle"])
    except ParseError as error:
        raise root.error(str(error)) from error


def game_with(size: str, rule: str) -> Game:
    """Gomoku with its options given as text; ParseError says what they may be."""
    core = games.load("gomoku").core
    return Game(core, core.Options({"size": size, "rule": rule}))


def start_of(root: Node, game: Game) -> Position:
    """Where the moves begin: on the empty board, or where AB, AW and PL say."""
    if any(colour in root for colour in COLOURS):
        raise root.error("a move in the first node; expected it in the next, after a ';'")
    if "AE" in root:
        raise root.error("AE in the first node, where there is no stone to remove")
    size = size_of(game)
    stones = set_up(root, size, SET_UP_SEATS)
    turn = len(stones) % 2
    try:
        position = game.parse(f"{rows_text(stones, size, LETTERS)} {LETTERS[turn]}")
    except ParseError as error:
        raise root.error(str(error)) from error
    if root.text("PL") not in (None, COLOURS[turn]):
        raise root.error(f"PL[{root.text('PL')}]; by the stones {COLOURS[turn]} is to move")
    return position


# ---- results -------------------------------------------------------------------------------------


def result_of(outcome: Outcome | None) -> str:
    """An outcome as RE has it: `B+`, `W+`, `0`, or `?` while the game goes on."""
    if outcome is None:
        return "?"
    if outcome.scores[0] == outcome.scores[1]:
        return "0"
    return f"{COLOURS[0] if outcome.scores[0] > 0 else COLOURS[1]}+"


def agreed_result(given: str, last: Position) -> str:
    """What a record says of its end, if that can be, in one spelling.

    The board overrules `?` and the reason of a win, as FF[4] has no letter for five in a row.
    """
    said, found = _plain_result(given), result_of(last.outcome)
    if last.outcome is None:
        return said
    if said != "?" and said[:2] != found[:2]:
        raise ParseError(f"RE[{given}], but the game ended {found} ({last.outcome.reason})")
    return found


def _plain_result(given: str) -> str:
    """`B+Resign` as `B+R`, `Draw` as `0`, `B+1` as `B+`."""
    if given in _NO_WIN:
        return _NO_WIN[given]
    win = _win.fullmatch(given)
    if win is None:
        raise ParseError(f"RE[{given}]; expected B+, B+R, B+T, B+F, the same with W, 0, Void or ?")
    return "".join(part for part in win.groups() if part)
