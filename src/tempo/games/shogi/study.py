"""What a study says of a position of shogi, on either board: mates."""

from __future__ import annotations

from tempo import _core
from tempo.games.description import Data
from tempo.games.game import by_seat
from tempo.games.line import line_data
from tempo.games.protocol import View

POSITIONS = 300_000  # looked at for a mate


def exact(view: View) -> Data | None:
    """A mate by continuous checks."""
    if not isinstance(view, _core.shogi.Position | _core.minishogi.Position):
        return None
    found = _core.shogi_mate.search(view, POSITIONS)
    if found.verdict != "win":
        return None
    name = ("Black", "White")[view.turn]
    shortest = "" if found.shortest else ", perhaps sooner"
    return {
        "kind": "exact",
        "source": "mate search",
        "text": f"{name} mates with move {found.length}{shortest}",
        "values": by_seat(1, view.turn),
        "moves": [],
        "line": line_data(view, found.line),
    }


def distance(view: View) -> int | None:
    """Plies to a mate by continuous checks."""
    if not isinstance(view, _core.shogi.Position | _core.minishogi.Position):
        return None
    found = _core.shogi_mate.search(view, POSITIONS)
    return found.length if found.verdict == "win" else None


def defence(view: View) -> int | None:
    """The move after which there is no mate by checks, or the one that comes latest."""
    if not isinstance(view, _core.shogi.Position | _core.minishogi.Position):
        return None
    best, longest = None, -1
    for move in view.legal_moves:
        after = view.play(move)
        found = None if after.is_over else distance(after)
        if found is None:
            return int(move)
        if found > longest:
            best, longest = int(move), found
    return best
