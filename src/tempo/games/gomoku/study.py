"""What a study says of a position of Gomoku: wins by continuous fours, and threats."""

from __future__ import annotations

from tempo import _core
from tempo.games.description import Data
from tempo.games.game import by_seat
from tempo.games.line import line_data
from tempo.games.protocol import View
from tempo.texts import t, word

POSITIONS = 200_000  # looked at for continuous fours
_NAMES = {"five": "five", "winning": "four that wins", "four": "four", "three": "open three"}


def exact(view: View) -> Data | None:
    """A win by continuous fours."""
    if not isinstance(view, _core.gomoku.Position):
        return None
    verdict, line, _ = _core.gomoku_threats.fours(view, POSITIONS)
    if verdict != "win":
        return None
    name = word("seat", ("black", "white")[view.turn]).capitalize()
    return {
        "kind": "exact",
        "source": t("gomoku.fours"),
        "text": t("gomoku.by_fours", who=name, n=(len(line) + 1) // 2),
        "values": by_seat(1, view.turn),
        "moves": [],
        "line": line_data(view, line),
    }


def shapes(view: View) -> Data | None:
    """The points at which each seat makes a five, a four or an open three."""
    if view.is_over or not isinstance(view, _core.gomoku.Position):
        return None
    found: list[Data] = []
    for seat in range(2):
        threats = _core.gomoku_threats.threats(view, seat)
        taken: set[int] = set()
        for kind, name in _NAMES.items():
            for point in threats[kind]:
                if point not in taken:
                    taken.add(point)
                    place = view.move_text(point)
                    found.append({"name": name, "seat": seat, "places": [], "waits": place})
    return {"kind": "shapes", "shapes": found}


def distance(view: View) -> int | None:
    """Plies to a win by continuous fours."""
    if not isinstance(view, _core.gomoku.Position):
        return None
    verdict, line, _ = _core.gomoku_threats.fours(view, POSITIONS)
    return len(line) if verdict == "win" else None


def defence(view: View) -> int | None:
    """The own five, or the point of the opponent's; None where nothing is threatened."""
    if not isinstance(view, _core.gomoku.Position):
        return None
    for seat in (view.turn, 1 - view.turn):
        if points := _core.gomoku_threats.threats(view, seat)["five"]:
            return int(points[0])
    return None
