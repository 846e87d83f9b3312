"""What tables of chess endings say of a position, for a study."""

from __future__ import annotations

from functools import cache

from tempo import _core
from tempo.errors import ParseError, TempoError
from tempo.games import scene
from tempo.games.chess import tablebase
from tempo.games.description import Data
from tempo.games.game import by_seat
from tempo.games.line import LONGEST_LINE, line_data
from tempo.games.protocol import View
from tempo.texts import t, word

SHOWN_LINE = 9  # moves after one that is not the best


@cache
def _tables() -> tablebase.Tablebase:
    """The tables, kept from one position to the next."""
    return tablebase.Tablebase()


def _pieces(view: View) -> int:
    return sum(letter.isalpha() for letter in view.text.split(" ")[0])


def exact(view: View) -> Data | None:
    """The verdict of an ending of at most four pieces and of each of its moves."""
    if not isinstance(view, _core.chess.Position) or _pieces(view) > 4:
        return None
    try:
        verdict = _tables().probe(view)
        rows = _tables().moves(view)
    except (ParseError, TempoError):
        return None
    steps = {step.move: step for step in scene.steps(view)}
    moves = [
        {
            "move": move,
            "text": view.san(move),
            "touches": steps[move].touches,
            "verdict": _short(one),
            "values": by_seat(tablebase.value(one), view.turn),
            "plies": one - 1 if one else None,
            "line": line_data(view, [move, *_best_line(view.play(move), SHOWN_LINE)]),
        }
        for move, one in rows
    ]
    return {
        "kind": "exact",
        "source": t("chess.tables"),
        "text": _sentence(verdict, view.turn),
        "values": by_seat(tablebase.value(verdict), view.turn),
        "moves": moves,
        "line": line_data(view, _best_line(view)),
    }


def exact_is_slow(view: View) -> bool:
    """The tables of four pieces are big, and made at need."""
    return _pieces(view) == 4


def exact_values(view: View) -> tuple[float, ...] | None:
    """The exact value of an ending of three pieces at most, whose tables take no time."""
    if not isinstance(view, _core.chess.Position) or _pieces(view) > 3:
        return None
    try:
        return by_seat(tablebase.value(_tables().probe(view)), view.turn)
    except (ParseError, TempoError):
        return None


def defence(view: View) -> int | None:
    """The move that tables call the best: the longest way to a mate."""
    if not isinstance(view, _core.chess.Position) or _pieces(view) > 4:
        return None
    return tablebase.best_moves(_tables().moves(view))[0]


def distance(view: View) -> int | None:
    """Plies to the mate that the seat to move can force."""
    if not isinstance(view, _core.chess.Position) or _pieces(view) > 4:
        return None
    found = _tables().probe(view)
    return tablebase.plies(found) if found and tablebase.value(found) > 0 else None


def verdict(tables: tablebase.Tablebase, position: View) -> Data:
    """What perfect play makes of a position of at most four pieces, and of its moves."""
    found = tables.probe(position)
    moves = [] if position.is_over else tables.moves(position)
    return {
        "text": _sentence(found, position.turn),
        "value": tablebase.value(found),
        "plies": tablebase.plies(found) if found else None,
        "moves": [
            {"move": move, "text": position.move_text(move), "value": tablebase.value(after),
             "verdict": _short(after)}
            for move, after in moves
        ],
    }  # fmt: skip


def _short(found: int) -> str:
    if found == 0:
        return t("chess.draws")
    count = (tablebase.plies(found) + 1) // 2
    if tablebase.value(found) > 0:
        return t("chess.wins_in", count=count)
    return t("chess.loses_in", count=count)


def _best_line(view: _core.chess.Position, most: int = LONGEST_LINE) -> list[int]:
    """How an ending goes on if both sides do their best."""
    found: list[int] = []
    while not view.is_over and len(found) < most:
        found.append(tablebase.best_moves(_tables().moves(view))[0])
        view = view.play(found[-1])
    return found


def _sentence(verdict: int, turn: int) -> str:
    """`White mates in 13 moves`. A verdict is one more than the plies, odd if the mover wins."""
    if verdict == 0:
        return t("chess.best_draw")
    plies = tablebase.plies(verdict)
    winner = word("seat", ("white", "black")[turn if plies % 2 else 1 - turn]).capitalize()
    if plies == 0:
        return t("chess.has_mated", who=winner)
    return t("chess.mates", who=winner, n=(plies + 1) // 2)
