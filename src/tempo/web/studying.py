"""What a worker does when a position is studied: all that was asked for, better and better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tempo import texts
from tempo.games import scene
from tempo.games.description import Data
from tempo.stopping import check
from tempo.web import analysis_work as work
from tempo.web.replay_line import Line, Played

if TYPE_CHECKING:
    from tempo.games.protocol import View

LINES_AFTER = 1.0  # seconds of search before lines of further candidates are looked for
LINES_MOST = 20.0  # seconds that those of a long search may take


def answers(request: dict[str, Any]) -> Iterator[Data]:
    """Everything that a request asks for, one answer after another, until it is stopped."""
    with texts.speaking(request["language"], plain=request["plain"]):
        for answer in _answers(request):
            yield answer
            check()


def _answers(request: dict[str, Any]) -> Iterator[Data]:
    line = Line(request["game"], request["start"], tuple(request["moves"]), request["seat"])
    played = Played(line)
    if request["want"] == ["values"]:
        views = [position.view(position.turn) for position in played.positions]
        yield from work.values(views, request["agent"], request["seconds"])
        return
    # A seat may only know its own view; without one, the seat to move is asked.
    view = played.view(line.seat)
    own = view.turn == getattr(view, "seat", view.turn)
    game = scene.describe(view)
    is_slow = game.exact_is_slow(view)
    for make in [game.shapes, game.belief, *([] if is_slow else [game.exact])]:
        if make.__name__ in request["want"] and (found := make(view)) is not None:
            yield found
    if "candidates" in request["want"] and own and not view.is_over:
        yield from _candidates(view, request["agent"], request["seconds"])
    if "exact" in request["want"] and is_slow and (found := game.exact(view)):
        yield found


def _candidates(view: View, agent: str, seconds: float) -> Iterator[Data]:
    """Candidates, better and better, and how it goes on after the next best, looked at rarely."""
    found: Data | None = None
    told = 0.0  # seconds of search when lines were looked for
    for found in work.candidates(view, agent, seconds):
        yield found
        spent = float(str(found.get("seconds", 0.0)))
        if spent < seconds / 2 and spent > max(LINES_AFTER, 4 * told):
            told = spent
            if lines := _lines(view, found, agent, LINES_AFTER):
                yield lines
    if found and (lines := _lines(view, found, agent, min(seconds, LINES_MOST))):
        yield lines


def _lines(view: View, found: Data, agent: str, seconds: float) -> Data | None:
    return work.replies(view, found, agent, seconds) if found["candidates"] else None
