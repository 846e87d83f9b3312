"""Questions about a table that change nothing: an earlier moment, why a touch is no move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tempo.games import scene
from tempo.texts import t
from tempo.web import messages, showing
from tempo.web.messages import Refused

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import View
    from tempo.web.tables import Table


def answer(table: Table, seat: int | None, message: messages.Message) -> dict[str, Any] | None:
    """The answer to such a question, from what the seat or a spectator may know; else None."""
    match message:
        case messages.Look():
            return _looked(table, seat, message.ply)
        case messages.Why():
            return {"type": "why", "text": _why(table, seat, message.touches)}
    return None


def _looked(table: Table, seat: int | None, ply: int) -> dict[str, Any]:
    """The board after some moves; nothing is entered there."""
    if ply > table.ply or not table.positions:
        raise Refused("look", t("refused.no_move", n=ply), 409)
    shown = showing.scene(table, seat, table.ply - ply)
    return {"type": "scene", "ply": ply, "round": table.round, "scene": shown}


def _why(table: Table, seat: int | None, touches: tuple[str, ...]) -> str:
    if table.turn is None or seat is None:
        return t("refused.no_game")
    if table.turn != seat:
        return t("why.wait")
    view = table.view(seat)
    if view is None:
        raise Refused("why", "there is no board yet")
    return why_not(table.game, view, touches)


def why_not(game: Game, view: View, touches: tuple[str, ...]) -> str:
    """Why places of the board make no move, in one sentence."""
    if view.is_over:
        return t("why.over")
    places = {place.id for place in scene.layout(game, view.turn).places}
    if not places.issuperset(touches):
        raise Refused("why", "there are no such places")
    face = scene.face_of(view)
    own = {piece.place for piece in face.pieces(view, view.turn) if piece.seat == view.turn}
    if own.issuperset(touches[-1:]):
        touches = touches[-1:]  # another piece was chosen, and it has no move
    return face.why_not(view, touches)
