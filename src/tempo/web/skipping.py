"""A turn that is skipped at the table, in games whose rules know no passing.

Siguo without passes is the usual game; a timeout skips a turn all the same. The same position under
rules that do allow passes plays `skip`, and comes back without a trace of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.games import Game

if TYPE_CHECKING:
    from tempo.games.protocol import Position

SKIP = "skip"  # a turn that is skipped, in a line of play
_PASSES = re.compile(r" passes=[\d,]+")


def can_skip(game: Game) -> bool:
    """Whether a timeout skips a turn in this game; elsewhere it loses."""
    return any(field.name == "pass_limit" for field in game.option_fields)


def skipped(game: Game, position: Position) -> Position:
    """The position after the seat to move did nothing; a seat that then has no move is out."""
    before = _PASSES.search(position.text)
    free = game.with_options(pass_limit="100")
    moved = free.parse(position.text).play(SKIP)
    while True:
        text = _PASSES.sub("", moved.text)
        if before is not None:
            text = re.sub(r"( quiet=\d+)", rf"\1{before[0]}", text, count=1)
        try:
            return game.parse(text)
        except ParseError:
            if moved.is_over or set(moved.legal_moves) != {moved.parse_move(SKIP)}:
                raise
            moved = moved.resign(moved.turn)  # as the rules have it: no move, so it is out
