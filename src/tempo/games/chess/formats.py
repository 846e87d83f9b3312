"""PGN as the page opens and saves it: comments and marks become notes and marks again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from tempo.errors import ParseError
from tempo.games.chess import pgn
from tempo.games.chess.pgn_reader import Reader
from tempo.games.formats import MOST_GAMES, Branching, Format, GameTree
from tempo.games.record import Record
from tempo.games.registry import load

GLYPHS = ("!", "?", "!!", "??", "!?", "?!")  # of PGN, from 1 on
_marks = re.compile(r"(?:(?:[!?]{1,2}|\$\d{1,3})(?=[ !?$]|$))+")
_mark = re.compile(r"[!?]{1,2}|\$\d+")


def _read(text: str) -> list[GameTree]:
    try:
        found = _some_games(text, "chess")
    except ParseError as error:
        if "the game is over" not in str(error):
            raise
        # Games between people may go on where `chess` calls a draw that must be claimed.
        found = _some_games(text, pgn.CLAIMED)
    return [_tree(game) for game in found]


def _some_games(text: str, rules: str) -> list[pgn.Annotated]:
    found = list(islice(Reader(text, load(rules)).games(), MOST_GAMES + 1))
    if not found:
        raise ParseError("no game; expected tags and moves, or at least a result")
    return found


def _tree(game: pgn.Annotated) -> GameTree:
    record = game.record
    tree = [Branching(node.move, node.parent, _note(node)) for node in game.nodes]
    return GameTree(record.game, record.first(), tree, dict(record.headers), record.result)


def _note(node: pgn.Node) -> str:
    marks = "".join(_glyph(nag) for nag in node.nags)
    return " ".join(word for word in (marks, node.before, node.comment) if word)


def _glyph(nag: int) -> str:
    return GLYPHS[nag - 1] if 1 <= nag <= len(GLYPHS) else f"${nag}"


def _write_tree(records: Sequence[Record], tree: Sequence[Branching]) -> str:
    nodes = [_node(int(row.move), row.parent, row.note) for row in tree]
    return pgn.write_annotated([pgn.Annotated(records[0], tuple(nodes))])


def _node(move: int, parent: int, note: str) -> pgn.Node:
    """A move of PGN; marks that a note begins with (`!? sharp`) become marks again."""
    found = _marks.match(note)
    marks = _mark.findall(found[0]) if found else []
    nags = tuple(int(m[1:]) if m[0] == "$" else 1 + GLYPHS.index(m) for m in marks)
    return pgn.Node(move, parent, note[found.end() :].strip() if found else note, nags=nags)


FORMATS = (
    Format(
        name="pgn",
        title="PGN",
        read=_read,
        begins=re.compile(r'(%[^\n]*\n\s*)*(\[\w+\s+"|1\.|\{|1-0|0-1|1/2-1/2|\*)'),
        tried=3,
        joined="\n\n",
        write_record=pgn.write,
        write_tree=_write_tree,
    ),
)
