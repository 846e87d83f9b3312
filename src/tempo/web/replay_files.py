"""Record files of every game, recognised by what is in them, and written again.

Each reader says where a file is damaged; here only the reader is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games.chess import pgn
from tempo.games.chess.pgn_reader import Reader
from tempo.games.gomoku import psq
from tempo.games.gomoku import sgf as gomoku
from tempo.games.jiu import foreign as jiu_foreign
from tempo.games.jiu import sgf as jiu
from tempo.games.record import Record
from tempo.games.shogi import csa, kif
from tempo.games.siguo import record as siguo
from tempo.records import sgf
from tempo.web.formats import FORMATS, GLYPHS, lines_of
from tempo.web.formats import write as write_tree
from tempo.web.replay_line import Branching, Ply, merged, tree_data

if TYPE_CHECKING:
    from tempo.games.protocol import Position
    from tempo.games.siguo.record import SiguoRecord

MOST_BYTES = 2**20
MOST_GAMES = 200  # shown of a file
MOST_LINES = 300  # of one game with variations
JUNQI = bytes((0x57, 0x04, 0, 0))  # how replays of pfysw's JunQi begin


@dataclass
class Opened:
    """One game of a file: where it begins, its moves as a tree, and what is said of it."""

    game: str
    first: Position
    tree: Sequence[tuple[Ply, int]]  # each move with the number of the one before it, or -1
    headers: dict[str, str] = field(default_factory=dict)
    result: str = "?"
    notes: dict[int, str] = field(default_factory=dict)  # by node

    def data(self) -> dict[str, object]:
        """As JSON, moves as a tree."""
        tree = tree_data(self.first, self.tree)
        for number, words in self.notes.items():
            tree[number]["note"] = words
        start = games.load(self.game).start().text
        return {
            "game": self.game,
            "title": _title(self.headers, self.game),
            "start": "" if self.first.text == start else self.first.text,
            "headers": self.headers,
            "result": self.result,
            "nodes": tree,
            "formats": formats(self.game),
        }


def _title(headers: dict[str, str], game: str) -> str:
    names = [headers.get(key, "") for key in ("PB", "PW")]
    if games.load(game).seat_names[0] == "white":
        names.reverse()
    players = " - ".join(name or "?" for name in names) if any(names) else ""
    return ", ".join(
        word for word in (players, headers.get("EV", ""), headers.get("DT", "")) if word
    )


# ---- recognising ---------------------------------------------------------------------------------

_FORMS = {
    "sgf": re.compile(r"\(\s*;"),
    "siguo": re.compile(r"(;[^\n]*\n\s*)*siguo \d"),
    "psq": re.compile(r"Piskvorky"),
    "kif": re.compile(
        r"#KIF|(?s:.*)(手合割|手数----|\n[ 　]*1[ 　]+[１-９1-9][一二三四五六七八九])"
    ),
    "open": re.compile(r'"?Stage\['),
    "gongjiu": re.compile(r"[^\n]+ vs [^\n]+\n"),
    "book": re.compile(r"0,[a-nA-N][0-9A-Da-d],"),
    "pgn": re.compile(r'(%[^\n]*\n\s*)*(\[\w+\s+"|1\.|\{|1-0|0-1|1/2-1/2|\*)'),
    "csa": re.compile(r"'|V[123]|N[+-]|PI|P[1-9+-]|[+-]\d{4}[A-Z]{2}|\$[A-Z]"),
}


def recognise(text: str) -> str:
    """The name of a text's format; ParseError lists those that are known."""
    head = text[:5000].lstrip("\ufeff \t\r\n")
    for name, form in _FORMS.items():
        if form.match(head):
            return name
    known = "SGF or another record of Gomoku or Jiu, PSQ, PGN, KIF, CSA, or a record of Siguo"
    raise ParseError(f"line 1: '{head[:30].splitlines()[0] if head else ''}'; expected {known}")


def read(data: bytes) -> tuple[str, list[Opened], bool]:
    """A file's format, its games (at most MOST_GAMES), and whether it has more."""
    if len(data) > MOST_BYTES:
        raise ParseError(f"{len(data)} bytes; a record file may have {MOST_BYTES}")
    if data.startswith(JUNQI):
        return "junqi", [_of_siguo(siguo.read_replay(data))], False
    text = decode(data)
    name = recognise(text)
    try:
        found = _readers[name](text)
    except IllegalMove as error:
        raise ParseError(str(error)) from error
    return name, found[:MOST_GAMES], len(found) > MOST_GAMES


def decode(data: bytes) -> str:
    """A file's text: UTF-8, or Shift-JIS where it has Japanese words of a record, or Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        if b"\x00" in data:
            raise ParseError(f"byte {wrong.start} is no text in UTF-8; is this a record?") from None
    try:
        japanese = data.decode("cp932")
        if recognise(japanese) in ("kif", "csa"):
            return japanese
    except (UnicodeDecodeError, ParseError):
        pass
    return data.decode("latin-1")


# ---- reading -------------------------------------------------------------------------------------


def _of_records(records: Sequence[Record]) -> Opened:
    """A game and its variations, all from the first move."""
    first = records[0]
    tree = merged([record.moves for record in records[:MOST_LINES]])
    return Opened(first.game, first.first(), tree, dict(first.headers), first.result)


def _of_siguo(record: SiguoRecord) -> Opened:
    if not record.is_whole:
        raise ParseError(
            "a seat's own record, which does not know every setup: it cannot be played again"
        )
    positions = list(record.positions())
    plies: list[Ply] = []
    for position, (seat, text) in zip(positions, record.plies, strict=False):
        if text == "resign":
            plies.append(f"resign:{siguo.SEATS.index(seat)}")
        else:
            plies.append(position.parse_move("skip" if text == "timeout" else text))
    headers = {f"name {seat}": name for seat, name in record.names.items()}
    return Opened(record.game, positions[0], merged([plies]), headers, record.end)


def _sgf(text: str) -> list[Opened]:
    found = []
    for tree in sgf.read(text):
        number = tree.root.text("GM")
        dialects = {gomoku.GAME_NUMBER: gomoku.DIALECT, jiu.GAME_NUMBER: jiu.DIALECT}
        if number not in dialects:
            raise tree.root.error(f"GM[{number or ''}]; expected GM[4], Gomoku, or GM[140], Jiu")
        dialect = dialects[number]
        lines = _lines_of(tree)
        found.append(_of_records([dialect.record_of(line) for line in lines]))
    return found


def _lines_of(tree: sgf.Tree) -> list[sgf.Tree]:
    """A tree's lines from the root to each leaf, in the order of the file."""
    inner = set(tree.parents)
    leaves = [i for i in range(len(tree.nodes)) if i not in inner]
    if len(leaves) > MOST_LINES:
        raise tree.root.error(f"{len(leaves)} variations; at most {MOST_LINES} are shown")
    lines: list[sgf.Tree] = []
    for leaf in leaves:
        path = []
        at = leaf
        while at >= 0:
            path.append(tree.nodes[at])
            at = tree.parents[at]
        if lines:  # the result is the game's, not a variation's
            path[-1] = sgf.Node(tuple(p for p in path[-1].properties if p[0] != "RE"))
        lines.append(sgf.Tree.line(path[::-1]))
    return lines


def _pgn(text: str) -> list[Opened]:
    try:
        found = _some_games(text, "chess")
    except ParseError as error:
        if "the game is over" not in str(error):
            raise
        # Games between people may go on where `chess` calls a draw that must be claimed.
        found = _some_games(text, pgn.CLAIMED)
    return [_of_annotated(game) for game in found]


def _some_games(text: str, rules: str) -> list[pgn.Annotated]:
    found = list(islice(Reader(text, games.load(rules)).games(), MOST_GAMES + 1))
    if not found:
        raise ParseError("no game; expected tags and moves, or at least a result")
    return found


def _of_annotated(game: pgn.Annotated) -> Opened:
    record = game.record
    tree = [(node.move, node.parent) for node in game.nodes]
    opened = Opened(record.game, record.first(), tree, dict(record.headers), record.result)
    for number, node in enumerate(game.nodes):
        marks = "".join(_mark(nag) for nag in node.nags)
        words = " ".join(word for word in (marks, node.before, node.comment) if word)
        if words:
            opened.notes[number] = words
    return opened


def _mark(nag: int) -> str:
    return GLYPHS[nag - 1] if 1 <= nag <= len(GLYPHS) else f"${nag}"


def _kif(text: str) -> list[Opened]:
    return [_of_records(kif.read_lines(text))]


def _csa(text: str) -> list[Opened]:
    return [_of_records([record]) for record in csa.read_all(text)]


def _psq(text: str) -> list[Opened]:
    return [_of_records([psq.read(text)])]


def _jiu(name: str) -> Callable[[str], list[Opened]]:
    return lambda text: [_of_records([record]) for record in jiu_foreign.read(text, name)]


def _siguo(text: str) -> list[Opened]:
    return [_of_siguo(siguo.read(text))]


_readers: dict[str, Callable[[str], list[Opened]]] = {
    "sgf": _sgf,
    "pgn": _pgn,
    "kif": _kif,
    "csa": _csa,
    "psq": _psq,
    "siguo": _siguo,
    **{name: _jiu(name) for name in ("open", "gongjiu", "book")},
}


# ---- writing -------------------------------------------------------------------------------------


def formats(game: str) -> list[str]:
    """In which formats a game can be written."""
    name = games.load(game).name
    return ["siguo"] if name == "siguo" else list(FORMATS.get(name, {}))


def write(
    name: str,
    first: Position,
    line: Sequence[Ply],
    tree: Sequence[Branching] = (),
    headers: Mapping[str, str] | None = None,
    result: str = "?",
) -> str:
    """A game as a file, with its branches if the format has them; ParseError where it cannot."""
    game = games.load(first.game)
    if name not in formats(first.game):
        known = ", ".join(formats(first.game)) or "none"
        raise ParseError(f"{game.name} is not written as '{name}'; its formats: {known}")
    if game.name == "siguo":
        return _write_siguo(first, line)
    rows = tree or [Branching(ply, i - 1) for i, ply in enumerate(line)]
    if len(lines_of(rows)) > MOST_LINES:
        raise ParseError(f"a file takes at most {MOST_LINES} variations")
    tree_data(first, [(row.move, row.parent) for row in rows])  # every move is played
    return write_tree(name, first, line, rows, headers or {}, result)


def _write_siguo(first: Any, plies: Sequence[Ply]) -> str:
    if getattr(first, "ply", 0):
        raise ParseError("a record of Siguo begins with the setups; this line begins later")
    position, told = first, []
    for ply in plies:
        if isinstance(ply, int):
            text = position.move_text(ply)
            noted = text if text == "skip" else position.noted_text(ply)
            told.append((siguo.SEATS[position.turn], noted))
            position = position.play(ply)
        else:
            told.append((siguo.SEATS[int(ply[7:])], "resign"))
            position = position.resign(int(ply[7:]))
    setups = tuple(first.setup(seat) for seat in range(4))
    record = siguo.SiguoRecord(first.game, setups, tuple(told), siguo.end_of(position))
    return siguo.write(record)
