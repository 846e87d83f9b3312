"""Requests of the board editor: what can be placed, and the position that it makes.

GET  /api/editor?game=SPEC&start=TEXT   kinds of pieces, sides, what stands on the board
POST /api/editor                        pieces by place and the side → the position's text
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from tempo import games
from tempo.errors import ParseError
from tempo.games import editing
from tempo.web.bodies import read_json
from tempo.web.messages import POSITION, SPEC, Refused, given, line, optional

router = APIRouter(prefix="/api/editor")

BODY = 32 * 1024


def _placed(value: object) -> dict[str, tuple[str, int]]:
    if not isinstance(value, dict) or len(value) > 2 * editing.MOST:
        raise ValueError("an object of places")
    found = {}
    for place, row in value.items():
        if not isinstance(row, list) or len(row) != 2:
            raise ValueError("a kind and a count for each place")
        code, count = row
        if not isinstance(code, str) or type(count) is not int:
            raise ValueError("a kind and a count for each place")
        found[str(place)] = (code, count)
    return found


@dataclass(frozen=True)
class Wanted:
    """A board as it was set up."""

    game: str = given(line(SPEC))
    placed: Mapping[str, tuple[str, int]] = given(_placed)
    side: str = optional(line(20), "")


@router.get("")
async def look(request: Request, game: str, start: str = "") -> Response:
    """What the editor of a game needs."""
    if len(game) > SPEC or len(start) > POSITION:
        raise Refused("editor", "a shorter text")
    server: Any = request.app.state.server
    return JSONResponse(await server.aside(_look, game, start))


@router.post("")
async def compose(request: Request) -> Response:
    """The text of a position."""
    asked = await read_json(request, Wanted, "editor", BODY)
    server: Any = request.app.state.server
    return JSONResponse({"start": await server.aside(_composed, asked)})


def _look(spec: str, start: str) -> dict[str, object]:
    try:
        game = games.load(spec)
        position = game.parse(start) if start else game.start()
        editor = editing.editor_of(game)
        placed = editing.placed_on(game, position)
        return {"palette": editing.palette(game), "sides": editor.SIDES, "placed": placed}
    except (ParseError, ValueError) as error:
        raise Refused("editor", str(error)) from error


def _composed(asked: Wanted) -> str:
    try:
        return editing.composed(games.load(asked.game), asked.placed, asked.side)
    except (ParseError, ValueError) as error:
        raise Refused("editor", str(error), 422) from error
