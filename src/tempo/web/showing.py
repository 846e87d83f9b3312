"""What a table looks like to a seat or a spectator: the messages of the server.

Everything about the board is made from that person's view and from nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tempo.games import scene as faces
from tempo.web import asking, strength
from tempo.web.clock import DEPLOYING
from tempo.web.wording import result_text

if TYPE_CHECKING:
    from tempo.games.protocol import View
    from tempo.web.tables import Table


def layout(table: Table, seat: int | None) -> dict[str, Any]:
    """The board as it is drawn for a seat, fixed for a game."""
    return {
        "type": "layout",
        "layout": faces.layout(table.game, seat).data(),
        "seat": seat,
        "game": table.game.spec,
        "verdicts": bool(table.game.description.endings),
    }


def state(table: Table, seat: int | None, here: set[int], now: float) -> dict[str, Any]:
    """The whole table at this moment, for one seat; but for the moves (`line.Line`)."""
    return {
        "type": "state",
        "round": table.round,
        "version": table.count,
        "moment": table.moment,
        "ply": table.ply,
        "turn": table.turn,
        "seat": seat,
        "phase": table.phase,
        "over": table.phase == "over",
        "scene": scene(table, seat),
        "deploy": _deploying(table, seat),
        "clock": _clock(table, now),
        "seats": [_seat(table, i, seat, here) for i in range(len(table.seats))],
        "result": _result(table),
        "offer": _offer(table),
        "can": asking.can(table, seat),
    }


def scene(table: Table, seat: int | None, back: int = 0) -> dict[str, object] | None:
    """The board as it is shown to a seat or a spectator, `back` plies ago."""
    view = table.view(seat, back)
    if view is None:
        return None
    first = table.view(seat, table.ply)
    found = faces.scene(view, seat, _last_turn(table, seat, back), first).data()
    return {**found, "moves": [], "hint": ""} if back else found


def _last_turn(table: Table, seat: int | None, since: int) -> list[tuple[View, int]]:
    """The moves of the last turn, each with this person's view before it."""
    trail: list[tuple[View, int]] = []
    plies = table.told(seat)[: table.ply - since]
    for back, ply in enumerate(reversed(plies), start=since + 1):
        if ply.move is None or ply.seat != plies[-1].seat:
            break
        if (view := table.view(seat, back)) is not None:
            trail.insert(0, (view, ply.move))
    return trail


def _deploying(table: Table, seat: int | None) -> dict[str, Any] | None:
    """Who has deployed, and how this seat has; nothing once the game has begun."""
    if not table.deploys or table.positions:
        return None
    return {
        "ready": [setup is not None for setup in table.setups],
        "setup": None if seat is None else table.setups[seat],
    }


def _seat(table: Table, number: int, own: int | None, here: set[int]) -> dict[str, Any]:
    plan = table.seats[number]
    return {
        "name": plan.name,
        "kind": plan.kind,
        "agent": plan.agent,
        "level": strength.words_of(table.game, plan.agent) if plan.agent else "",
        "connected": number in here or plan.kind == "agent",
        "out": not table.in_play(number),
        "ready": table.setups[number] is not None or bool(table.positions),
        "you": number == own,
    }


def _clock(table: Table, now: float) -> dict[str, Any] | None:
    clock = table.opened.clock
    if clock is None:
        return None
    due = table.deadline()
    left: list[float | None] = [
        round(clock.granted(table.left[i]), 2) if plan.kind == "person" else None
        for i, plan in enumerate(table.seats)
    ]
    if due is not None:
        left[due[0]] = round(max(0.0, due[1] - now), 2)
    deploying = round(max(0.0, table.began + DEPLOYING - now), 2)
    return {
        "running": due[0] if due and table.phase == "play" else None,
        "seats": left,
        "per_move": clock.per_move,
        "increment": clock.increment,
        "timeouts": table.timeouts,
        "deploying": deploying if table.phase == "deploy" else None,
    }


def _result(table: Table) -> dict[str, Any] | None:
    result = table.result
    if result is None:
        return None
    return {
        "scores": list(result.scores),
        "reason": result.reason,
        "words": result_text(table.game, result.scores, result.reason),
    }


def _offer(table: Table) -> dict[str, Any] | None:
    offer = table.offer
    if offer is None:
        return None
    return {"what": offer.what, "by": offer.by, "waiting": sorted(offer.waiting)}
