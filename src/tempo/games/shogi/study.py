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
