"""What a study says of a position of shogi, on either board: mates."""

from __future__ import annotations

from tempo import _core
from tempo.games.description import Data
from tempo.games.game import by_seat
from tempo.games.line import line_data
from tempo.games.protocol import View
from tempo.texts import t, word

POSITIONS = 300_000  # looked at for a mate
SHORT = 20_000  # for the mates of an exercise, which are short


def exact(view: View) -> Data | None:
    """A mate by continuous checks."""
    if not isinstance(view, _core.shogi.Position | _core.minishogi.Position):
        return None
    found = _core.shogi_mate.search(view, POSITIONS)
    if found.verdict != "win":
        return None
    name = word("shogi", ("black", "white")[view.turn]).capitalize()
    said = t("shogi.mates", who=name, count=found.length)
    return {
        "kind": "exact",
        "source": t("shogi.mate_search"),
        "text": said if found.shortest else t("shogi.perhaps_sooner", said=said),
        "values": by_seat(1, view.turn),
        "moves": [],
        "line": line_data(view, found.line),
    }


def distance(view: View) -> int | None:
    """Plies to a mate by continuous checks."""
    if not isinstance(view, _core.shogi.Position | _core.minishogi.Position):
        return None
    found = _core.shogi_mate.search(view, SHORT)
    return found.length if found.verdict == "win" else None


def defence(view: View) -> int | None:
    """The move after which there is no mate by checks, or the one after which it comes latest.

    Pieces dropped between come last: a mate that they only put off counts as a mate without them.
    """
    if not isinstance(view, _core.shogi.Position | _core.minishogi.Position):
        return None
    if not view.in_check:  # nothing is forced
        return int(view.legal_moves[0])
    best, longest = None, (False, -1)
    for move in view.legal_moves:
        after = view.play(move)
        found = None if after.is_over else distance(after)
        if found is None:
            return int(move)
        rank = ("*" not in view.move_text(move), found)
        if rank > longest:
            best, longest = int(move), rank
    return best
