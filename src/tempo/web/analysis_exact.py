"""What is certain of a position: chess endings by tables, mates of shogi, fours of Gomoku."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tempo import _core
from tempo.agents.tablebase import best_moves
from tempo.errors import ParseError, TempoError
from tempo.games import scene
from tempo.games.chess import tablebase
from tempo.web.analysis_line import LONGEST_LINE, Data, line_data

if TYPE_CHECKING:
    from tempo.games.protocol import View

MATE_POSITIONS = 300_000
FOURS_POSITIONS = 200_000
SHOWN_LINE = 9  # moves after one that is not the best


class Verdicts:
    """Tables of endings and proofs of mates, kept from one position to the next."""

    def __init__(self) -> None:
        self.tables = tablebase.Tablebase()

    def of(self, view: View) -> Data | None:
        """What is certain of a position: how it ends if all do their best; None if nothing is."""
        if view.is_over:
            return None
        if isinstance(view, _core.chess.Position):
            return self._ending(view)
        if isinstance(view, _core.shogi.Position | _core.minishogi.Position):
            return _mate(view)
        if isinstance(view, _core.gomoku.Position):
            return _fours(view)
        return None

    def _ending(self, view: _core.chess.Position) -> Data | None:
        if _pieces(view) > 4:
            return None
        try:
            verdict = self.tables.probe(view)
            rows = self.tables.moves(view)
        except (ParseError, TempoError):
            return None
        steps = {step.move: step for step in scene.steps(view)}
        moves = [
            {
                "move": move,
                "text": view.san(move),
                "touches": steps[move].touches,
                "verdict": _ending_text(one, view.turn),
                "values": _by_seat(tablebase.value(one), view.turn),
                "plies": one - 1 if one else None,
                "line": line_data(view, [move, *self._best_line(view.play(move), SHOWN_LINE)]),
            }
            for move, one in rows
        ]
        value = tablebase.value(verdict)
        return {
            "kind": "exact",
            "source": "tablebase",
            "text": _ending_text(verdict, view.turn),
            "values": _by_seat(value, view.turn),
            "moves": moves,
            "line": line_data(view, self._best_line(view)),
        }

    def _best_line(self, view: _core.chess.Position, most: int = LONGEST_LINE) -> list[int]:
        """How an ending goes on if both sides do their best."""
        found: list[int] = []
        while not view.is_over and len(found) < most:
            found.append(best_moves(self.tables.moves(view))[0])
            view = view.play(found[-1])
        return found


def tablebase_value(view: View) -> tuple[float, ...] | None:
    """The exact value of a chess ending of three pieces at most, whose tables take no time."""
    if not isinstance(view, _core.chess.Position) or _pieces(view) > 3:
        return None
    try:
        return _by_seat(tablebase.value(_verdicts().tables.probe(view)), view.turn)
    except (ParseError, TempoError):
        return None


_kept: list[Verdicts] = []


def _verdicts() -> Verdicts:
    if not _kept:
        _kept.append(Verdicts())
    return _kept[0]


def is_slow(view: View) -> bool:
    """Whether a verdict may take a while: the tables of four pieces are big, and made at need."""
    return isinstance(view, _core.chess.Position) and _pieces(view) == 4


def _pieces(view: _core.chess.Position) -> int:
    return sum(letter.isalpha() for letter in view.text.split(" ")[0])


def exact(view: View) -> Data | None:
    """What is certain of a position."""
    return _verdicts().of(view)


def _by_seat(value: float, turn: int) -> tuple[float, float]:
    return (float(value), -float(value)) if turn == 0 else (-float(value), float(value))


def _ending_text(verdict: int, turn: int) -> str:
    """`White mates in 13 moves`. A verdict is one more than the plies, odd if the mover wins."""
    if verdict == 0:
        return "A draw"
    plies = verdict - 1
    winner = turn if plies % 2 else 1 - turn
    if plies == 0:
        return f"{'White' if winner == 0 else 'Black'} has mated"
    count = (plies + 1) // 2
    return f"{'White' if winner == 0 else 'Black'} mates in {count} move{'s' if count > 1 else ''}"


def _mate(view: Any) -> Data | None:
    found = _core.shogi_mate.search(view, MATE_POSITIONS)
    if found.verdict != "win":
        return None
    name = ("Black", "White")[view.turn]
    shortest = "" if found.shortest else ", perhaps sooner"
    return {
        "kind": "exact",
        "source": "mate search",
        "text": f"{name} mates with move {found.length}{shortest}",
        "values": _by_seat(1, view.turn),
        "moves": [],
        "line": line_data(view, found.line),
    }


def _fours(view: _core.gomoku.Position) -> Data | None:
    verdict, line, _ = _core.gomoku_threats.fours(view, FOURS_POSITIONS)
    if verdict != "win":
        return None
    name = ("Black", "White")[view.turn]
    count = (len(line) + 1) // 2
    return {
        "kind": "exact",
        "source": "continuous fours",
        "text": f"{name} wins by fours in {count} move{'s' if count > 1 else ''}",
        "values": _by_seat(1, view.turn),
        "moves": [],
        "line": line_data(view, line),
    }
