"""A position of shogi set up by hand, on either board: pieces on squares and in hands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.games.editing import Placed, read_rows, rows_of, rows_text

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

ORDER = "KRBGSNLP"
SIDES = (("b", "black"), ("w", "white"))
_KINDS = dict(zip("RBGSNLP", ("rook", "bishop", "gold", "silver", "knight", "lance", "pawn"),
                  strict=True))  # fmt: skip
_PROMOTED = "RBSNLP"


def samples(game: Game) -> Iterator[Position]:
    """Every piece alone with the two kings."""
    start = game.start().text.split(" ")[0]
    kinds = {letter.upper() for letter in start if letter.isalpha()} - {"K"}
    codes = [*kinds, *(f"+{kind}" for kind in kinds if kind in _PROMOTED)]
    for code in [*codes, *map(str.lower, codes)]:
        yield _with_kings(game, code)


def _with_kings(game: Game, code: str) -> Position:
    rows = rows_of(game)
    kings = {rows[0][0]: ("k", 1), rows[-1][-1]: ("K", 1)}
    for place in (name for row in rows for name in row if name not in kings):
        for side, _ in SIDES:
            try:
                return game.parse(compose(game, {**kings, place: (code, 1)}, side))
            except ParseError:  # a check, or a pawn that could never move
                continue
    raise AssertionError(code)


def tray(code: str) -> str:
    """The place in a hand where a piece may lie; none for kings and promoted pieces."""
    name = _KINDS.get(code.upper(), "")
    return f"hand:{int(code.islower())}:{name}" if name else ""


def read(game: Game, position: Position) -> dict[str, tuple[str, int]]:
    """The pieces of the SFEN: on the board and in hands."""
    board, _, hands = position.text.split(" ")[:3]
    found = read_rows(game, board)
    for count, letter in re.findall(r"(\d*)([A-Za-z])", hands):
        found[f"hand:{int(letter.islower())}:{_KINDS[letter.upper()]}"] = letter, int(count or 1)
    return found


def compose(game: Game, placed: Placed, side: str) -> str:
    """An SFEN. A tray takes its own kind alone, whatever is put there."""
    hands = ""
    for owner in (0, 1):
        for kind, name in _KINDS.items():
            count = placed.get(f"hand:{owner}:{name}", ("", 0))[1]
            letter = kind.lower() if owner else kind
            hands += (str(count) if count > 1 else "") + letter if count else ""
    return f"{rows_text(game, placed)} {side} {hands or '-'} 1"
