"""Requests of the study room.

    POST /api/analysis         a line or a table, an agent, seconds, what is wanted
                               → lines of JSON as they are found, until one of kind `end` or `error`
    POST /api/analysis/table   a table and perhaps a token → what that seat may study

A client that stops reading stops the work. Nothing is answered of a running game with hidden
ranks but what follows from the view of the seat whose token is shown.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from tempo import games, texts
from tempo.errors import ParseError
from tempo.games import scene
from tempo.games.formats import Ply
from tempo.web.bodies import address_of, read_json
from tempo.web.messages import POSITION, SPEC, Refused, line, number, optional, secret, table_id
from tempo.web.opening import digest
from tempo.web.replay import LINE_BYTES
from tempo.web.replay_line import moves, seat
from tempo.web.strength import agent_for

if TYPE_CHECKING:
    from tempo.web import plies
    from tempo.web.tables import Table

router = APIRouter(prefix="/api/analysis")

LONGEST = 3600.0  # seconds of a study that runs until it is stopped
WANTS = ("candidates", "exact", "belief", "shapes", "values")


def _want(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or any(one not in WANTS for one in value):
        raise ValueError(f"a list of some of {', '.join(WANTS)}")
    if "values" in value and len(value) > 1:
        raise ValueError("'values' alone, or any of the others")
    return tuple(value)


@dataclass(frozen=True)
class Asked:
    """What is to be studied: a line of play, or a table as a seat may know it."""

    game: str = optional(line(SPEC), "")
    start: str = optional(line(POSITION), "")
    moves: tuple[Ply, ...] = optional(moves, ())
    seat: int | None = optional(seat, None)
    table: str = optional(table_id, "")
    token: str = optional(secret, "")
    agent: str = optional(line(SPEC), "")
    seconds: float = optional(number(0.05, LONGEST), 2.0)
    want: tuple[str, ...] = optional(_want, ("candidates", "exact", "belief", "shapes"))


@dataclass(frozen=True)
class AtTable:
    """A table, and by which right it is studied."""

    table: str = optional(table_id, "")
    token: str = optional(secret, "")


@router.post("")
async def analyse(request: Request) -> Response:
    """Studies a position; answers are sent as they are found."""
    asked = await read_json(request, Asked, "analysis", LINE_BYTES)
    server: Any = request.app.state.server
    if asked.table:
        work = _of_table(server.hall.table(asked.table), asked.token)
    else:
        work = {"game": asked.game, "start": asked.start, "moves": asked.moves, "seat": asked.seat}
    try:
        game = games.load(work["game"])
    except ParseError as error:
        raise Refused("analysis", str(error)) from None
    if work["seat"] is not None and work["seat"] >= game.seats:
        raise Refused("analysis", f"{game.name} has {game.seats} seats")
    if asked.table and "values" in asked.want and game.is_hidden:
        raise Refused("analysis", "the values of a running game would tell what is hidden", 403)
    agent = await server.aside(agent_for, game, asked.agent or "random", server.settings.runs)
    work |= {"do": "study", "agent": agent, "seconds": asked.seconds, "want": asked.want}
    work |= {"language": texts.language(), "plain": texts.is_plain()}
    answers = server.studies.ask(
        work,
        address_of(request),
        seconds=max(asked.seconds, server.limits.study_seconds),
        is_gone=_is_over(server, request),
    )
    first = await anext(answers)  # a refusal comes as a refusal, not as half an answer
    return StreamingResponse(_lines(first, answers), media_type="application/x-ndjson")


def _is_over(server: Any, request: Request) -> Callable[[], Awaitable[bool]]:
    """Whether a study has to end: nobody reads it, or it has had its time and others wait."""
    began = time.monotonic()

    async def ask() -> bool:
        late = time.monotonic() - began > server.limits.study_seconds
        return (late and server.studies.is_wanted) or await request.is_disconnected()

    return ask


@router.post("/table")
async def look_at_table(request: Request) -> Response:
    """What can be studied of a table: the whole line in open games, else a seat's own view."""
    asked = await read_json(request, AtTable, "analysis", LINE_BYTES)
    server: Any = request.app.state.server
    table: Table = server.hall.table(asked.table)
    seat = _seat(table, asked.token)
    view = table.view(seat)
    if view is None:
        raise Refused("analysis", "the game has not begun", 409)
    found: dict[str, object] = {"game": table.game.spec, "seat": seat, "line": None}
    open_now = not table.game.is_hidden or table.result is not None
    if open_now and all(ply.move is not None for ply in table.plies):
        found["line"] = {
            "start": table.first_text,
            "moves": [ply.move for ply in table.plies],
            "texts": [_text(ply) for ply in table.plies],
            "seats": [ply.seat for ply in table.plies],
        }
    else:
        found["study"] = table.game.description.study
        found["layout"] = scene.layout(table.game, seat).data()
        found["scene"] = scene.scene(view, seat).data()
    return JSONResponse(found)


def _text(ply: plies.Ply) -> str:
    return (not texts.is_plain() and ply.native) or ply.text


def _seat(table: Table, token: str) -> int | None:
    """Whose view may be studied; None for a spectator."""
    seat = table.seat_of(digest(token)) if token else None
    if token and seat is None:
        raise Refused("analysis", "this token opens no seat here", 403)
    return seat


def _of_table(table: Table, token: str) -> dict[str, Any]:
    """A table's position for a worker, which makes the seat's view of it and does nothing else.

    The hidden part of the position goes no further than that process.
    """
    seat = _seat(table, token)
    if not table.positions:
        raise Refused("analysis", "the game has not begun", 409)
    if table.game.is_hidden and seat is None and table.result is None:
        raise Refused("analysis", "a spectator knows too little to study this game", 403)
    position = table.position
    return {"game": table.game.spec, "start": position.text, "moves": [], "seat": seat}


async def verdict(server: Any, table: Table, request: Request) -> dict[str, Any]:
    """What tables say of the chess ending at a table; big ones are solved at need."""
    folder = server.settings.tablebases
    work = {
        "do": "verdict",
        "game": table.game.spec,
        "start": table.position.text,
        "folder": None if folder is None else str(folder),
        "language": texts.language(),
    }
    async for answer in server.studies.ask(work, address_of(request)):
        if answer["kind"] == "verdict":
            del answer["kind"]
            return dict(answer)
        if answer["kind"] == "error":
            raise Refused("verdict", answer["text"])
    raise Refused("verdict", "there is none", 503)


async def _lines(
    first: dict[str, Any], rest: AsyncIterator[dict[str, Any]]
) -> AsyncIterator[bytes]:
    yield _line(first)
    async for answer in rest:
        yield _line(answer)


def _line(answer: dict[str, Any]) -> bytes:
    if answer["kind"] == "error":
        answer = {**answer, "text": texts.refusal(answer["text"])}
    return json.dumps(answer).encode() + b"\n"
