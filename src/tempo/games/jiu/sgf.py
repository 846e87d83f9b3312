"""Records of Jiu as SGF: `(;FF[4]CA[UTF-8]GM[140]SZ[14]RU[jiu:seed]PL[W];W[gg];B[hh])`.

No SGF game number is registered for Jiu: GM[140] is a private one. Points are two letters, column
then row, as in Go: G9 is `ig`. A battle turn is its text without the jumped stones, `B[ig-gg*ge]`.
Private properties: JO options, JT stage, JC and JN clocks; docs/records.md describes them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games import Game
from tempo.games.dialect import Dialect, header_properties, headers_of, one_line
from tempo.games.jiu import PROFILES
from tempo.games.jiu.board import (
    BLACK,
    WHITE,
    centre_points,
    position_text,
    size_of,
    stage,
    stones_of,
)
from tempo.games.jiu.turns import (
    PlayedTurn,
    Turn,
    ordered,
    parse_turn,
    play_turn,
    turn_text,
    whole_turns,
)
from tempo.games.record import Record
from tempo.games.stones import point_value, set_up, set_up_properties, value_point
from tempo.records import sgf
from tempo.records.sgf import Node, Tree

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.protocol import Position

__all__ = [
    "GAME_NUMBER",
    "Step",
    "game_of",
    "parse_turn",
    "play_node",
    "point_value",
    "read",
    "read_all",
    "read_file",
    "read_position",
    "record_of",
    "replay",
    "result_of",
    "root_node",
    "start_of",
    "transition_node",
    "tree_of",
    "turn_node",
    "turn_text",
    "write",
    "write_file",
    "write_position",
]

GAME_NUMBER = "140"
APPLICATION = "Tempo"
COLOURS = ("W", "B")  # by seat
SETUP = ("AB", "AE", "AW", "PL")
SET_UP_SEATS = {"AB": BLACK, "AW": WHITE}
# What a root says besides headers: names and dates, which a record keeps as they are.
OWN = frozenset(
    {"AP", "CA", "FF", "GM", "JC", "JN", "JO", "JT", "RE", "RU", "SZ", *SETUP, *COLOURS}
)

# Why a game ended, as RE's letters. A side that may not repeat a position forfeits.
REASONS = {
    "material": "M",
    "shape": "H",
    "reversal": "V",
    "immobile": "X",
    "double Dalian": "D",
    "length": "L",
    "repetition": "F",
}
ONLY_THE_BOARD_SAYS = "MHVX"
_result = re.compile(r"[BW]\+[MHVXDLRTF]?|0|\?")


# ---- records -------------------------------------------------------------------------------------


def record_of(tree: Tree) -> Record:
    """The record that a tree without variations stands for, every turn played and checked."""
    moves: list[int] = []
    last = None
    for played in replay(one_line(tree)):
        moves.extend(played.moves)
        last = played.position
    game = game_of(tree.root)
    start = start_of(tree.root, game)
    try:
        result = agreed_result(tree.root.text("RE") or "?", last or start)
    except ParseError as error:
        raise tree.root.error(str(error)) from error
    return Record(game.spec, tuple(moves), start.text, headers_of(tree.root, OWN), result)


def tree_of(record: Record) -> Tree:
    """A record as a tree without variations."""
    first = record.first()
    nodes: list[Node] = []
    last = first
    for played in whole_turns(first, record.moves):
        nodes.append(turn_node(played.before, played.turn))
        last = played.after
        if len(played.turn.path) == 1 and stage(last) == "battle":
            nodes.append(transition_node(last))
    root = root_node(first, record.headers, agreed_result(record.result, last))
    return Tree.line([root, *nodes])


DIALECT = Dialect(GAME_NUMBER, "Jiu", record_of, tree_of)
read, read_all, read_file = DIALECT.read, DIALECT.read_all, DIALECT.read_file
write, write_file = DIALECT.write, DIALECT.write_file
read_position, write_position = DIALECT.read_position, DIALECT.write_position


# ---- the root ------------------------------------------------------------------------------------


def root_node(first: Position, headers: Mapping[str, str] | None = None, result: str = "") -> Node:
    """The first node of a record or library that begins at a position."""
    game = games.load(first.game)
    properties: list[tuple[str, str | Iterable[sgf.Value]]] = [
        ("FF", "4"),
        ("CA", "UTF-8"),
        ("GM", GAME_NUMBER),
        ("AP", [(APPLICATION, game.rules_version)]),
        *_rules(game),
    ]
    properties.extend(header_properties(headers, OWN))
    if result:
        properties.append(("RE", _known_result(result)))
    if first != game.start():
        properties.extend(_setup(first))
    properties.append(("PL", COLOURS[first.turn]))
    return sgf.node(*properties)


def _rules(game: Game) -> Iterator[tuple[str, str | Iterable[sgf.Value]]]:
    """Size, profile, and the options that differ from the profile's."""
    chosen = game.chosen
    defaults = {option.name: option.default for option in game.option_fields}

    def differing(profile: str) -> list[tuple[str, str]]:
        expected = defaults | _as_text(PROFILES[profile])
        return [(k, v) for k, v in chosen.items() if v != expected[k] and k != "size"]

    profile = min(PROFILES, key=lambda name: len(differing(name)))
    yield "SZ", chosen["size"]
    yield "RU", [("jiu", profile)]
    if options := differing(profile):
        yield "JO", options


def game_of(root: Node) -> Game:
    """The rules that a root names by SZ, RU and JO."""
    if root.text("GM") != GAME_NUMBER:
        raise root.error(f"GM[{root.text('GM') or ''}]; Jiu is GM[{GAME_NUMBER}]")
    options = {"size": root.text("SZ") or ""} | _profile(root)
    for name, value in root.pairs("JO"):
        if name in ("size", "profile"):
            raise root.error(f"JO[{name}:{value}]; the size is SZ's, the profile RU's")
        options[name] = value
    names = [name for name, _ in root.pairs("JO")]
    if len(set(names)) != len(names):
        raise root.error("JO gives an option twice; expected each once")
    core = games.load("jiu").core
    try:
        return Game(core, core.Options(options))
    except ParseError as error:
        raise root.error(str(error)) from error


def _profile(root: Node) -> dict[str, str]:
    pairs = root.pairs("RU")
    if len(pairs) != 1 or pairs[0][0] != "jiu" or pairs[0][1] not in PROFILES:
        raise root.error(f"RU must be one of {', '.join(f'RU[jiu:{name}]' for name in PROFILES)}")
    return _as_text(PROFILES[pairs[0][1]])


def _as_text(options: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in options.items()}


# ---- setting up ----------------------------------------------------------------------------------


def _setup(position: Position) -> Iterator[tuple[str, str | Iterable[sgf.Value]]]:
    _, _, stage_name, *clocks = position.text.split(" ")
    if len(clocks) not in (0, 2):
        raise ParseError(f"'{position.text}' is inside a turn or counts trips; SGF cannot say that")
    yield from set_up_properties(stones_of(position), SET_UP_SEATS)
    yield "JT", stage_name
    if clocks:
        yield "JC", clocks[0]
    if clocks and clocks[1] != clocks[0]:
        yield "JN", clocks[1]


def start_of(root: Node, game: Game) -> Position:
    """Where the moves begin: at the start, or where AB, AW, PL, JT, JC and JN say."""
    if any(colour in root for colour in COLOURS):
        raise root.error("a turn in the first node; expected it in the next, after a ';'")
    try:
        return game.parse(_setup_text(root, game)) if _is_set_up(root) else _plain_start(root, game)
    except ParseError as error:
        raise error if str(error).startswith("line ") else root.error(str(error)) from error


def _is_set_up(root: Node) -> bool:
    return any(ident in root for ident in ("AB", "AW", "AE", "JT", "JC", "JN"))


def _plain_start(root: Node, game: Game) -> Position:
    start = game.start()
    if root.text("PL") not in (None, COLOURS[start.turn]):
        raise root.error(f"PL[{root.text('PL')}]; {COLOURS[start.turn]} places first")
    return start


def _setup_text(root: Node, game: Game) -> str:
    """The position's text that the core reads."""
    stage_name, turn = root.text("JT"), root.text("PL")
    if stage_name not in ("prep", "battle") or turn not in COLOURS or "AE" in root:
        raise root.error("a position needs AB and AW, PL[B] or PL[W], and JT[prep] or JT[battle]")
    stones = set_up(root, size_of(game), SET_UP_SEATS)
    rest = stage_name + _clocks(root, stage_name)
    return position_text(stones, size_of(game), COLOURS.index(turn), rest)


def _clocks(root: Node, stage_name: str) -> str:
    quiet, plies = root.text("JC"), root.text("JN")
    if stage_name == "prep":
        if quiet is not None or plies is not None:
            raise root.error("JC and JN count battle plies; there are none in JT[prep]")
        return ""
    quiet = quiet or "0"
    return f" {quiet} {plies or quiet}"


# ---- nodes ---------------------------------------------------------------------------------------

_POINT = r"[a-n]{2}"
_value = re.compile(rf"({_POINT})(?:~({_POINT})|((?:-{_POINT})*))(?:\*({_POINT}(?:,{_POINT})*))?")


def turn_value(turn: Turn) -> str:
    """`ig-gg*ge`: what B or W says of a turn."""
    text = ("~" if turn.flight else "-").join(point_value(point) for point in turn.path)
    return text + ("*" + ",".join(point_value(point) for point in turn.takes) if turn.takes else "")


def _value_turn(value: str) -> Turn:
    found = _value.fullmatch(value)
    if found is None or (not found[2] and not found[3] and found[4]):
        raise ParseError(f"'{value}' is not a turn; expected one like gg, ig-gg*ge or ig~aa*bb,bc")
    path = f"{found[1]}-{found[2]}" if found[2] else found[1] + found[3]
    takes = found[4].split(",") if found[4] else []
    return Turn(
        tuple(value_point(part, 14) for part in path.split("-")),
        ordered(value_point(part, 14) for part in takes),
        flight=found[2] is not None,
    )


def turn_node(before: Position, turn: Turn, *more: tuple[str, str]) -> Node:
    """A turn as a node, with further properties such as a library's VN and QV."""
    return sgf.node((COLOURS[before.turn], turn_value(turn)), *more)


def transition_node(after: Position) -> Node:
    """What stands between the last placement and the first battle turn."""
    centre = [point_value(point) for point in centre_points(games.load(after.game))]
    return sgf.node(("JT", "battle"), ("AE", centre), ("PL", COLOURS[after.turn]))


@dataclass(frozen=True)
class Step:
    """Where a node leads: its number, its moves and the position after it."""

    index: int
    position: Position
    moves: tuple[int, ...] = ()
    needs_transition: bool = False  # the board is full, and no JT node has said so yet


def replay(tree: Tree) -> Iterator[Step]:
    """Every node after the root in the order of the file, played and checked, variations too.

    The turn of a leaf may lack stones it should take: a game may be broken off there.
    """
    game = game_of(tree.root)
    leaves = {*range(len(tree.nodes))} - {*tree.parents}
    path = [Step(0, start_of(tree.root, game))]
    for i in range(1, len(tree.nodes)):
        while path[-1].index != tree.parents[i]:
            path.pop()
        step = _located_step(tree.nodes[i], path[-1], i, i in leaves)
        path.append(step)
        yield step


def _located_step(node: Node, before: Step, index: int, is_leaf: bool) -> Step:
    try:
        return play_node(node, before, index, complete=not is_leaf)
    except (ParseError, IllegalMove) as error:
        raise node.error(str(error)) from error


def play_node(node: Node, before: Step, index: int = 0, *, complete: bool = True) -> Step:
    """The step that a node makes from another: a turn, or the transition to battle."""
    position = before.position
    idents = node.idents
    kinds = [ident for ident in idents if ident in ("W", "B", "JT")]
    if len(kinds) != 1:
        raise ParseError(f"{len(kinds)} of B, W and JT in a node after the first; expected one")
    if kinds[0] == "JT":
        return _transition(node, before, index)
    if any(ident in SETUP for ident in idents):
        raise ParseError("AB, AE, AW and PL stand in the first node or beside JT[battle]")
    if before.needs_transition:
        expected = sgf.node_text(transition_node(position))
        raise ParseError(f"a battle turn without the transition; expected {expected} before it")
    if kinds[0] != COLOURS[position.turn]:
        raise ParseError(f"{kinds[0]} moves out of turn; expected {COLOURS[position.turn]}")
    played = play_turn(position, _value_turn(node.text(kinds[0]) or ""), complete=complete)
    return _step(index, played)


def _step(index: int, played: PlayedTurn) -> Step:
    placed = len(played.turn.path) == 1
    return Step(index, played.after, played.moves, placed and stage(played.after) == "battle")


def _transition(node: Node, before: Step, index: int) -> Step:
    expected = transition_node(before.position)
    if not before.needs_transition:
        raise ParseError("the transition to battle stands once, after the last placement")
    same = all(sorted(node.raw(ident)) == sorted(expected.raw(ident)) for ident in ("JT", *SETUP))
    if not same:
        raise ParseError(f"the transition must be {sgf.node_text(expected)}")
    return Step(index, before.position)


# ---- results -------------------------------------------------------------------------------------


def result_of(outcome: Outcome | None) -> str:
    """An outcome as RE has it: `B+M`, `0`, or `?` while the game goes on."""
    if outcome is None:
        return "?"
    if outcome.scores[0] == outcome.scores[1]:
        return "0"
    return f"{'W' if outcome.scores[0] > 0 else 'B'}+{REASONS.get(outcome.reason, '')}"


def _known_result(result: str) -> str:
    if not _result.fullmatch(result):
        raise ParseError(f"RE[{result}]; expected 0, ? or one like B+M (letters MHVXDLRTF)")
    return result


def agreed_result(given: str, last: Position) -> str:
    """What a record says of its end, if that can be: the board overrules `?` and nothing else."""
    found = result_of(last.outcome)
    if _known_result(given) == "?":
        return found
    if last.outcome is not None and given != found:
        raise ParseError(f"RE[{given}], but the game ended {found} ({last.outcome.reason})")
    if last.outcome is None and given[-1] in ONLY_THE_BOARD_SAYS:
        raise ParseError(f"RE[{given}], but the game is not over; expected R, T, F, D, L, 0 or ?")
    return given
