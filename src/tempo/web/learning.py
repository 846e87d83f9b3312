"""Requests of the room of learning: tutorials, rules with pictures, positions to practise.

    GET  /api/learn              games, and how much there is to learn of each
    GET  /api/learn/game?name=   a game's exercises by name, and its rules with their pictures
    POST /api/learn/try          an exercise and own moves → the board, and whether it is solved

The server keeps nothing: what was solved is remembered by the browser.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from tempo import games, texts
from tempo.errors import ParseError
from tempo.games import exercises
from tempo.games.formats import Ply
from tempo.web import trying
from tempo.web.bodies import address_of, read_json
from tempo.web.messages import Refused, flag, given, line, optional, touches, whole, word
from tempo.web.replay_line import moves

router = APIRouter(prefix="/api/learn")

MOST_MOVES = 200  # of a try
BODY = 8 * 1024


@dataclass(frozen=True)
class Try:
    """An exercise, and what is done about it."""

    game: str = given(line(60))
    part: str = given(word("tutorial|practice", "tutorial or practice"))
    id: str = given(line(60))
    moves: tuple[Ply, ...] = optional(moves, ())
    answer: str = optional(word("[0-9A-Z]?", "the letter of a kind"), "")
    solution: bool = optional(flag, False)
    layout: bool = optional(flag, False)
    touches: tuple[str, ...] = optional(touches, ())  # that made no move: why?
    look: int | None = optional(whole(0, 10_000), None)  # at the game before, after so many moves


@router.get("")
async def overview(request: Request) -> Response:
    """The games that have something to learn."""
    rows = []
    for name in games.names():
        parts = {part: len(exercises.exercises(name, part)) for part in exercises.PARTS}
        if any(parts.values()):
            game = games.load(name)
            rows.append({"name": name, "title": game.description.face.title(game), **parts})
    return JSONResponse({"games": rows})


@router.get("/game")
async def one_game(request: Request, name: str) -> Response:
    """The exercises of a game, and its rules."""
    game = _game(name)
    server: Any = request.app.state.server
    rules = await server.aside(
        lambda: [trying.picture(one) for one in exercises.exercises(name, exercises.RULES)]
    )
    return JSONResponse(
        {
            "name": name,
            "title": game.description.face.title(game),
            "tutorial": [_row(one) for one in exercises.exercises(name, exercises.TUTORIAL)],
            "practice": [_row(one) for one in exercises.exercises(name, exercises.PRACTICE)],
            "rules": rules,
        }
    )


@router.post("/try")
async def attempt(request: Request) -> Response:
    """One try of an exercise, from its beginning."""
    asked = await read_json(request, Try, "exercise", BODY)
    if len(asked.moves) > MOST_MOVES:
        raise Refused("exercise", f"a try has at most {MOST_MOVES} moves")
    _game(asked.game)
    work = {**asdict(asked), "language": texts.language(), "plain": texts.is_plain()}
    server: Any = request.app.state.server
    try:
        exercise = exercises.find(asked.game, asked.part, asked.id)
    except ParseError as error:
        raise Refused("exercise", str(error), 404) from error
    if exercise.reply != exercises.BEST:
        return JSONResponse(await server.aside(trying.answers, work))
    # The best defence is searched for, or read from tables that may have to be made first.
    work["do"] = "exercise"
    async for answer in server.studies.ask(work, address_of(request)):
        if answer["kind"] == "exercise":
            return JSONResponse(answer)
        if answer["kind"] == "error":
            raise Refused("exercise", answer["text"])
    raise Refused("exercise", "no answer came", 503)


def _row(one: exercises.Exercise) -> dict[str, object]:
    return {"id": one.id, "group": one.group, "ask": one.ask, "reply": one.reply == exercises.BEST}


def _game(name: str) -> games.Game:
    if name not in games.names():
        raise Refused("game", f"there is no game '{name[:40]}'", 404)
    return games.load(name)
