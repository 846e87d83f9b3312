"""Requests of the replay room: open a file, look at a moment of a line, write a file.

POST /api/replay/open    a file's bytes → {"format", "games": [...], "more": bool}
POST /api/replay/scene   a line → the moment: scene, whose turn, the position's text, formats
POST /api/replay/why     a line and places → why touching them makes no move, in one sentence
POST /api/replay/names   a line's tree → its moves as they are written down
POST /api/replay/write   a line, perhaps its tree, headers, result, format → {"name", "text"}
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from tempo.errors import IllegalMove, ParseError
from tempo.games import scene
from tempo.games.formats import Branching
from tempo.web import replay_files
from tempo.web.bodies import address_of, read_bytes, read_json
from tempo.web.glancing import why_not
from tempo.web.messages import Refused, flag, line, optional, touches, word
from tempo.web.replay_line import Line, Played, outcome_data, tree, tree_data
from tempo.web.thinking import Pool

router = APIRouter(prefix="/api/replay")

LINE_BYTES = 128 * 1024  # of a request that holds a line
SECONDS = 20.0  # that a file may take to be read
READERS = 2  # records at a time
T = TypeVar("T")


@dataclass(frozen=True)
class Moment(Line):
    """A line, and whether its board is wanted, too."""

    layout: bool = optional(flag, False)


@dataclass(frozen=True)
class Touched(Line):
    """A line, and the places that were touched at its end."""

    touches: tuple[str, ...] = optional(touches, ())


@dataclass(frozen=True)
class Branched(Line):
    """A start and the tree of moves that grows from it."""

    tree: tuple[Branching, ...] = optional(tree, ())


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


class Readers:
    """Threads that read and write records: few at a time, and few of one address.

    A thread cannot be ended; one that takes long keeps its place until it is done.
    """

    def __init__(self, threads: int = READERS, waiting: int = 30, of_address: int = 8) -> None:
        self._pool = Pool(threads)
        self._most = threads + waiting
        self._of_address = of_address
        self._asked: Counter[str] = Counter()

    async def run(self, address: str, work: Callable[..., T], *given: Any) -> T:
        """What the work gives back, if it does so in time."""
        if self._asked.total() >= self._most or self._asked[address] >= self._of_address:
            raise Refused("file", "too much is being read; try again soon", 503)
        self._asked[address] += 1
        task = asyncio.ensure_future(self._pool.run(work, *given))
        task.add_done_callback(lambda _: self._ended(address))
        try:
            return await asyncio.wait_for(asyncio.shield(task), SECONDS)
        except TimeoutError:
            text = f"this takes more than {SECONDS:g} seconds to read"
            raise Refused("file", text) from None

    def _ended(self, address: str) -> None:
        self._asked[address] -= 1
        if not self._asked[address]:
            del self._asked[address]


async def _aside(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Runs what may take a while without holding the page up."""
    state = request.app.state
    if not hasattr(state, "replay_readers"):
        state.replay_readers = Readers()
    readers: Readers = state.replay_readers
    return await readers.run(address_of(request), work, *given)


@router.post("/open")
async def open_file(request: Request) -> Response:
    """The games of a file, recognised by its content."""
    data = await read_bytes(request, replay_files.MOST_BYTES, "file")
    return JSONResponse(await _aside(request, _opened, data))


@router.post("/scene")
async def look(request: Request) -> Response:
    """The last moment of a line."""
    asked = await read_json(request, Moment, "line", LINE_BYTES)
    return JSONResponse(await _aside(request, _moment, asked))


@router.post("/why")
async def why(request: Request) -> Response:
    """Why places make no move."""
    asked = await read_json(request, Touched, "line", LINE_BYTES)
    return JSONResponse({"text": await _aside(request, _why, asked)})


@router.post("/names")
async def names(request: Request) -> Response:
    """The moves of a tree, in the letters that are wanted now."""
    asked = await read_json(request, Branched, "line", LINE_BYTES)
    return JSONResponse({"texts": await _aside(request, _names, asked)})


@router.post("/write")
async def write(request: Request) -> Response:
    """A line as a file."""
    asked = await read_json(request, Wanted, "line", LINE_BYTES)
    return JSONResponse(await _aside(request, _written, asked))


def _opened(data: bytes) -> dict[str, object]:
    try:
        name, found, more = replay_files.read(data)
        return {
            "format": name,
            "games": [replay_files.data_of(game) for game in found],
            "more": more,
        }
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
        "outcome": outcome_data(played.game, position.outcome),
        "position": position.text,
        "formats": replay_files.formats(played.game.spec),
        "hidden": played.game.is_hidden,
        "study": played.game.description.study,
        "unit": played.game.description.unit,
        "seats": played.game.seat_names,
    }
    if asked.layout:
        found["layout"] = scene.layout(played.game, asked.seat).data()
    return found


def _why(asked: Touched) -> str:
    played = Played(asked)
    return why_not(played.game, played.view(), asked.touches)


def _names(asked: Branched) -> list[object]:
    first = Played(replace(asked, moves=())).position
    try:
        return [row["text"] for row in tree_data(first, asked.tree)]
    except (IllegalMove, ParseError, ValueError, OverflowError, TypeError) as error:
        raise Refused("line", str(error)) from error


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
