"""A process that studies positions: one request a line on its input, answers as lines of JSON.

It is a process of its own so that a search can be stopped at any moment, by ending it, and so that
no search, however long, takes anything from the page. `tempo.web.analysis_pool` runs it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from tempo.errors import TempoError
from tempo.web import analysis_work as work
from tempo.web.messages import Refused
from tempo.web.replay_line import Line, Played

if TYPE_CHECKING:
    from tempo.games.protocol import View


def answers(request: dict[str, Any]) -> Iterator[work.Data]:
    """Everything that a request asks for, one answer after another."""
    line = Line(request["game"], request["start"], tuple(request["moves"]), request["seat"])
    played = Played(line)
    if request["want"] == ["values"]:
        views = [position.view(position.turn) for position in played.positions]
        yield from work.values(views, request["agent"], request["seconds"])
        return
    # A seat may only know its own view; without one, whoever is to move is asked.
    view = played.view(line.seat)
    own = view.turn == getattr(view, "seat", view.turn)
    quick = [work.shapes, work.belief, *([] if work.is_slow(view) else [work.exact])]
    for make in quick:
        if make.__name__ in request["want"] and (found := make(view)) is not None:
            yield found
    if "candidates" in request["want"] and own and not view.is_over:
        yield from _candidates(view, request["agent"], request["seconds"])
    if "exact" in request["want"] and work.is_slow(view) and (found := work.exact(view)):
        yield found


def _candidates(view: View, agent: str, seconds: float) -> Iterator[work.Data]:
    """Candidates, better and better, and then how it goes on after the next best."""
    found: work.Data | None = None
    for found in work.candidates(view, agent, seconds):
        yield found
    if found and found["candidates"] and (lines := work.replies(view, found, agent, seconds)):
        yield lines


def serve(requests: IO[str], replies: IO[str]) -> None:
    """Answers until the input ends. A request's last line is `end` or `error`."""
    for text in requests:
        last: work.Data = {"kind": "end"}
        try:
            for answer in answers(json.loads(text)):
                print(json.dumps(answer), file=replies, flush=True)
        except (Refused, TempoError, ValueError, KeyError, TypeError, OSError) as error:
            last = {"kind": "error", "text": str(error)}
        print(json.dumps(last), file=replies, flush=True)


def main() -> None:
    """Serves on standard input and output, at a low priority; nothing else may print there."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if hasattr(os, "nice"):
        os.nice(5)
    serve(sys.stdin, replies)


if __name__ == "__main__":
    main()
