"""What may be asked of a table: each request gives the event that it would be, or Refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tempo.texts import t
from tempo.web import events, messages
from tempo.web.messages import Refused

if TYPE_CHECKING:
    from tempo.web.events import Event
    from tempo.web.tables import Table


def event_of(table: Table, seat: int, message: messages.Message, now: float) -> Event:
    """What a message from a seat makes happen, if the table lets it."""
    event: Event
    match message:
        case messages.Move():
            event = move(table, seat, message.ply, message.move, now)
            _check_moment(table, message)
        case messages.Deploy():
            event = deploy(table, seat, message.setup, now)
        case messages.Undo():
            event = undo(table, seat, now)
        case messages.Resign():
            event = resign(table, seat, now)
        case messages.OfferDraw():
            event = offer_draw(table, seat, now)
        case messages.AnswerDraw():
            event = answer(table, seat, "draw", message.accept, now)
        case messages.AnswerUndo():
            event = answer(table, seat, "undo", message.accept, now)
        case messages.Rematch():
            event = rematch(table, seat, message.swap, now)
        case messages.Fill():
            event = fill(table, seat, message.agent, now)
        case messages.Replace():
            event = replace(table, seat, message.seat, message.agent, now)
        case messages.Name():
            event = events.Renamed(now, seat, message.name)
        case _:
            raise Refused("message", f"nothing follows from {type(message).__name__} at a table")
    return event


def move(table: Table, seat: int, ply: int, move: int, now: float) -> events.Moved:
    """A move, if it is this seat's turn and the move is legal."""
    if table.turn != seat:
        why = t("refused.turn") if table.phase == "play" else t("refused.no_game")
        raise Refused("move", why, 409)
    if ply != table.ply:
        raise Refused("move", f"this was meant after {ply} moves; there are {table.ply}", 409)
    if not 0 <= move < table.game.move_numbers or not table.position.is_legal(move):
        raise Refused("move", t("refused.illegal", move=move))
    return events.Moved(now, seat, move)


def _check_moment(table: Table, message: messages.Move) -> None:
    if message.moment not in {0, table.moment}:
        raise Refused("move", "this was meant for another moment of the game", 409)


def is_played(table: Table, seat: int, message: messages.Move) -> bool:
    """Whether this move was already played: a client that reconnects sends it again."""
    if not message.moment or message.moment >= table.moment or message.ply >= table.ply:
        return False
    ply = table.plies[message.ply]
    return (ply.seat, ply.move) == (seat, message.move)


def deploy(table: Table, seat: int, setup: str, now: float) -> events.Deployed:
    """A seat's pieces, if their places are legal and the game has not begun."""
    _may_deploy(table)
    fault = table.game.core.setup_fault(setup, table.game.options)
    if fault:
        raise Refused("deploy", t("refused.setup", why=fault))
    return events.Deployed(now, seat, setup)


def _may_deploy(table: Table) -> None:
    if not table.deploys:
        raise Refused("deploy", f"nobody deploys in {table.game.name}")
    if table.positions:
        raise Refused("deploy", t("refused.begun"), 409)


def resign(table: Table, seat: int, now: float) -> events.Resigned:
    """A seat gives up; out of turn, too."""
    if table.phase != "play" or not table.in_play(seat):
        raise Refused("resign", t("refused.give_up"), 409)
    return events.Resigned(now, seat)


def offer_draw(table: Table, seat: int, now: float) -> events.Offered:
    """A draw, offered to all who are in the game; once for each move."""
    if table.phase != "play" or not table.in_play(seat):
        raise Refused("offer_draw", t("refused.no_game"), 409)
    _may_offer(table, seat, "draw", "offer_draw")
    return events.Offered(now, seat, "draw")


def undo(table: Table, seat: int, now: float) -> events.Offered:
    """Asks for the last own move back. Agents always grant it, persons are asked."""
    if table.game.is_hidden:
        raise Refused("undo", t("refused.undo_hidden"))
    if table.phase not in {"play", "over"} or table.undo_to(seat) is None:
        raise Refused("undo", t("refused.undo_none"), 409)
    if table.phase == "over" and len(table.persons()) > 1:
        raise Refused("undo", t("refused.over"), 409)
    _may_offer(table, seat, "undo", "undo")
    return events.Offered(now, seat, "undo")


def _may_offer(table: Table, seat: int, what: str, about: str) -> None:
    if table.offer is not None:
        raise Refused(about, t("refused.offer", what=t(f"offered.{table.offer.what}")), 409)
    if table.last_offer.get(seat) == (table.moment, what):
        raise Refused(about, t("refused.asked"), 409)


def rematch(table: Table, seat: int, swap: bool, now: float) -> events.Offered | events.Answered:
    """Another game; it begins when all persons have asked for it."""
    if table.phase != "over":
        raise Refused("rematch", t("refused.not_over"), 409)
    if table.offer is not None and table.offer.what == "rematch":
        if seat not in table.offer.waiting:
            raise Refused("rematch", t("refused.rematch"), 409)
        return events.Answered(now, seat, True)
    return events.Offered(now, seat, "rematch", swap)


def answer(table: Table, seat: int, what: str, accept: bool, now: float) -> events.Answered:
    """Yes or no to what was offered."""
    if table.offer is None or table.offer.what != what or seat not in table.offer.waiting:
        raise Refused(f"answer_{what}", f"nobody has asked you for this ({what})", 409)
    return events.Answered(now, seat, accept)


def fill(table: Table, seat: int, agent: str, now: float) -> events.Filled:
    """Agents take the open seats, if the host says so."""
    if not table.is_host(seat):
        raise Refused("fill", "only the host may fill it", 403)
    if table.phase != "waiting":
        raise Refused("fill", "no seat is open", 409)
    return events.Filled(now, agent)


def replace(table: Table, seat: int, other: int, agent: str, now: float) -> events.Replaced:
    """Another agent goes on at a seat, if the host says so.

    For a person who has left, too; whether somebody has, the hall knows.
    """
    if not table.is_host(seat):
        raise Refused("replace", "only the host may change who plays", 403)
    if other >= len(table.seats) or table.seats[other].kind == "open" or other == seat:
        raise Refused("replace", "neither an agent nor another person sits there", 409)
    return events.Replaced(now, other, agent)


def can(table: Table, seat: int | None) -> list[str]:
    """What a seat may ask for now: what the page offers."""
    if seat is None:
        return []
    other = next((i for i in range(len(table.seats)) if i != seat), len(table.seats))
    requests: dict[str, Callable[[], object]] = {
        "deploy": lambda: _may_deploy(table),
        "undo": lambda: undo(table, seat, 0.0),
        "resign": lambda: resign(table, seat, 0.0),
        "offer_draw": lambda: offer_draw(table, seat, 0.0),
        "answer_draw": lambda: answer(table, seat, "draw", True, 0.0),
        "answer_undo": lambda: answer(table, seat, "undo", True, 0.0),
        "rematch": lambda: rematch(table, seat, True, 0.0),
        "fill": lambda: fill(table, seat, "", 0.0),
        "replace": lambda: replace(table, seat, other, "", 0.0),
    }
    able = [name for name, request in requests.items() if _is_allowed(request)]
    return ["move", *able] if table.turn == seat else able


def _is_allowed(request: Callable[[], object]) -> bool:
    try:
        request()
    except Refused:
        return False
    return True
