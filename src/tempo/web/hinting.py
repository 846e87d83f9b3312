"""A hint: a good move and one reason for it, from what the seat to move may know and nothing else.

    POST /api/hint   a table and the token of the seat to move → a move, its places, why

There are no hints against people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from tempo import texts
from tempo.games import scene
from tempo.games.description import Data
from tempo.games.line import move_name
from tempo.web import analysis_work, opening
from tempo.web.bodies import address_of, read_json
from tempo.web.messages import Refused, given, secret, table_id
from tempo.web.replay_line import Line, Played

if TYPE_CHECKING:
    from tempo.games.protocol import View
    from tempo.web.tables import Table

router = APIRouter(prefix="/api/hint")

SECONDS = 0.5  # of search
BODY = 1024


@dataclass(frozen=True)
class Asked:
    """Who asks, and where."""

    table: str = given(table_id)
    token: str = given(secret)


@router.post("")
async def hint(request: Request) -> Response:
    """A move for the seat that asks."""
    asked = await read_json(request, Asked, "hint", BODY)
    server: Any = request.app.state.server
    table: Table = server.hall.table(asked.table)
    seat = table.seat_of(opening.digest(asked.token))
    if seat is None:
        raise Refused("hint", "this token opens no seat here", 403)
    if not table.positions or table.result is not None or table.position.turn != seat:
        raise Refused("hint", "it is not your turn", 409)
    if any(one.kind != "agent" for number, one in enumerate(table.seats) if number != seat):
        raise Refused("hint", "there are no hints against people", 403)
    work = {
        "do": "hint",
        "game": table.game.spec,
        "start": table.position.text,
        "seat": seat,
        "agent": table.game.description.study,
        "language": texts.language(),
        "plain": texts.is_plain(),
    }
    async for answer in server.studies.ask(work, address_of(request)):
        if answer["kind"] == "hint":
            return JSONResponse({**answer, "ply": table.ply})
        if answer["kind"] == "error":
            raise Refused("hint", answer["text"])
    raise Refused("hint", "no answer came", 503)


def answers(request: dict[str, Any]) -> Iterator[Data]:
    """In a worker: the view of the seat that asks, and what is best in it."""
    line = Line(request["game"], request["start"], (), request["seat"])
    with texts.speaking(request["language"], plain=request["plain"]):
        yield {"kind": "hint", **found(Played(line).view(line.seat), request["agent"])}


def found(view: View, agent: str) -> Data:
    """The best move of a view with a reason: a key of the catalogues, and what its gaps take."""
    exact: Any = scene.describe(view).exact(view)
    if exact and exact["line"] and exact["values"][view.turn] > 0:
        first = exact["line"][0]
        told = _at_once(view, first["move"]) or {"key": "forced", "text": exact["text"]}
        return {**_move(view, first["move"]), **told}
    *_, last = analysis_work.candidates(view, agent, SECONDS)
    if last.get("resigns"):
        return {"key": "none", "text": "", "touches": []}
    move: Any = last["move"]
    return {**_move(view, move), **(_shown(view, move) or _valued(view, last))}


def _move(view: View, move: int) -> Data:
    step = scene.face_of(view).step(view, move)
    return {"move": move, "name": move_name(view, move), "touches": step.touches or [step.button]}


def _at_once(view: View, move: int) -> Data | None:
    play: Any = getattr(view, "play", None)
    outcome = play(move).outcome if play else None
    return {"key": "win"} if outcome and outcome.scores[view.turn] > 0 else None


def _shown(view: View, move: int) -> Data | None:
    """A reason that can be seen on the board, the weightiest first."""
    if len(view.legal_moves) == 1:
        return {"key": "only"}
    game = scene.describe(view)
    return (
        _at_once(view, move)
        or _of_shapes(view, move, own=True, most=2)
        or _of_shapes(view, move, own=False, most=3)
        or game.reason(view, move)
        or _taking(view, move)
        or _check(view, move)
        or _of_shapes(view, move, own=True, most=9)
    )


def _of_shapes(view: View, move: int, *, own: bool, most: int) -> Data | None:
    """A shape that the move makes, or one of another seat that it stops; `most` kinds count."""
    data: Any = scene.describe(view).shapes(view) or {"shapes": []}
    names = list(dict.fromkeys(one["name"] for one in data["shapes"] if one["waits"]))
    place = (scene.face_of(view).step(view, move).touches or ("",))[-1]
    for one in data["shapes"]:
        mine = (one["seat"] == view.turn) == own
        if mine and one["waits"] == place and names.index(one["name"]) < most:
            return {"key": "makes" if own else "stops", "shape": one["name"]}
    return None


def _taking(view: View, move: int) -> Data | None:
    play: Any = getattr(view, "play", None)
    if play is None:
        return None
    count = _foreign(view, view.turn) - _foreign(play(move), view.turn)
    return {"key": "takes", "n": count} if count > 0 else None


def _check(view: View, move: int) -> Data | None:
    play: Any = getattr(view, "play", None)
    after = play(move) if play else None
    return {"key": "check"} if getattr(after, "in_check", False) else None


def _foreign(view: View, seat: int) -> int:
    pieces = scene.face_of(view).pieces(view, seat)
    return sum(piece.count for piece in pieces if piece.seat != seat)


def _valued(view: View, found: Data) -> Data:
    """What the best move is worth to the seat that makes it, and the answer that is expected."""
    rows: Any = found["candidates"]
    values = next((row["values"] for row in rows if row["move"] == found["move"]), None)
    if not values or len(rows) < 2:
        return {"key": "best"}
    line: Any = found["line"]
    reply = next((step["text"] for step in line if step["seat"] != view.turn), "")
    return {
        "key": "best_reply" if reply else "best_worth",
        "n": len(view.legal_moves),
        "value": values[view.turn],
        "unit": scene.describe(view).unit,
        "reply": reply,
    }
