"""Requests of the replay room: open a file, look at a moment of a line, write a file.

POST /api/replay/open    a file's bytes → {"format", "games": [...], "more": bool}
POST /api/replay/scene   a line → the moment: scene, whose turn, the position's text, formats
POST /api/replay/write   a line, perhaps its tree, headers, result, format → {"name", "text"}
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from tempo.errors import IllegalMove, ParseError
from tempo.games import scene
from tempo.web import replay_files
from tempo.web.bodies import read_bytes, read_json
from tempo.web.messages import Refused, flag, line, optional, word
from tempo.web.replay_line import Branching, Line, Played, outcome_data, tree

router = APIRouter(prefix="/api/replay")

LINE_BYTES = 128 * 1024  # of a request that holds a line
SECONDS = 20.0  # that a file may take to be read
READERS = 2  # files at a time


@dataclass(frozen=True)
class Moment(Line):
    """A line, and whether its board is wanted, too."""

    layout: bool = optional(flag, False)


def _headers(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or len(value) > 100:
        raise ValueError("an object of at most 100 names and texts")
    for name, text in value.items():
        if not isinstance(text, str) or len(name) > 200 or len(text) > 5000:
            raise ValueError("names and texts of bounded length")
    return dict(value)


@dataclass(frozen=True)
class Wanted(Line):
    """A line that is to be written, in which format, and what the file says besides.

    Formats that know variations write the tree; the result is that of its first line.
    """

    tree: tuple[Branching, ...] = optional(tree, ())

    format: str = optional(word("[a-z]{1,10}", "the name of a format"), "sgf")
    headers: Mapping[str, str] | None = optional(_headers, None)
    result: str = optional(line(40), "?")


@router.post("/open")
async def open_file(request: Request) -> Response:
    """The games of a file, recognised by its content."""
    data = await read_bytes(request, replay_files.MOST_BYTES, "file")
    async with _reading(request.app.state):
        return JSONResponse(await _in_time(run_in_threadpool(_opened, data)))


@router.post("/scene")
async def look(request: Request) -> Response:
    """The last moment of a line."""
    asked = await read_json(request, Moment, "line", LINE_BYTES)
    return JSONResponse(await run_in_threadpool(_moment, asked))


@router.post("/write")
async def write(request: Request) -> Response:
    """A line as a file."""
    asked = await read_json(request, Wanted, "line", LINE_BYTES)
    return JSONResponse(await run_in_threadpool(_written, asked))


def _reading(state: Any) -> asyncio.Semaphore:
    if not hasattr(state, "replay_reading"):
        state.replay_reading = asyncio.Semaphore(READERS)
    semaphore: asyncio.Semaphore = state.replay_reading
    return semaphore


async def _in_time(work: Any) -> Any:
    try:
        return await asyncio.wait_for(work, SECONDS)
    except TimeoutError:
        raise Refused("file", f"this file takes more than {SECONDS:g} seconds to read") from None


def _opened(data: bytes) -> dict[str, object]:
    try:
        name, found, more = replay_files.read(data)
        return {"format": name, "games": [game.data() for game in found], "more": more}
    except (ParseError, IllegalMove, ValueError) as error:
        raise Refused("file", str(error), 422) from error


def _moment(asked: Moment) -> dict[str, object]:
    played = Played(asked)
    position = played.position
    if asked.seat is not None and asked.seat >= played.game.seats:
        raise Refused("line", f"{played.game.name} has {played.game.seats} seats")
    found: dict[str, object] = {
        "game": played.game.spec,
        "scene": played.scene(asked.seat),
        "ply": len(played.plies),
        "text": played.last_text,
        "turn": None if position.is_over else position.turn,
        "outcome": outcome_data(position.outcome),
        "position": position.text,
        "formats": replay_files.formats(played.game.spec),
        "hidden": played.game.is_hidden,
        "seats": played.game.seat_names,
    }
    if asked.layout:
        found["layout"] = scene.layout(played.game, asked.seat).data()
    return found


def _written(asked: Wanted) -> dict[str, str]:
    played = Played(replace(asked, seat=None))
    first = played.positions[0]
    try:
        text = replay_files.write(
            asked.format, first, asked.moves, asked.tree, asked.headers, asked.result
        )
    except (ParseError, IllegalMove, ValueError) as error:
        raise Refused("write", str(error), 422) from error
    return {"name": f"{played.game.name}.{asked.format}", "text": text}
