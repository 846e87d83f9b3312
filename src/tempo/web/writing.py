"""A table's game as a record, as far as a seat may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, TempoError
from tempo.games.formats import Format, Sitting, TablePly
from tempo.games.plain import PLAIN
from tempo.games.record import Record
from tempo.web.clock import SKIPS
from tempo.web.messages import Refused

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.web.tables import Table

_INITIALS = {"resignation": "R", "time": "T"}


def _formats(game: Game) -> dict[str, Format]:
    """The formats that a game's records have, the usual one first; plain text is the last."""
    own = game.description.formats
    if whole := {one.name: one for one in own if one.write_sitting is not None}:
        return whole
    written = [one for one in own if one.write_record is not None]
    return {one.name: one for one in (*written, PLAIN)}


def formats(game: Game) -> list[str]:
    """Their names."""
    return list(_formats(game))


def record(table: Table, seat: int | None, wanted: str) -> dict[str, Any]:
    """The game so far in a format, for a seat or a spectator."""
    known = _formats(table.game)
    chosen = wanted or next(iter(known))
    if chosen not in known:
        raise Refused("record", f"{table.game.name} is written as {', '.join(known)}")
    try:
        text = _written(table, seat, known[chosen])
    except (ParseError, TempoError, ValueError) as error:
        raise Refused("record", f"this game cannot be written as {chosen}: {error}") from None
    return {"format": chosen, "name": f"{table.game.name}.{chosen}", "text": text}


def _written(table: Table, seat: int | None, form: Format) -> str:
    if table.game.is_hidden and table.result is None and form.write_sitting is None:
        raise ValueError("what is hidden is written down when the game is over")
    if form.write_sitting is not None:
        return form.write_sitting(_sitting(table, seat))
    assert form.write_record is not None
    moves = tuple(ply.move for ply in table.plies if ply.move is not None)
    told = Record(table.game.spec, moves, table.first_text, {}, _result(table))
    return form.write_record(told)


def _result(table: Table) -> str:
    """Winner and reason as SGF has them."""
    result = table.result
    if result is None:
        return "?"
    winner = next((i for i, score in enumerate(result.scores) if score > 0), None)
    if winner is None:
        return "0"
    reason = _INITIALS.get(result.reason, "")
    return f"{table.game.seat_names[winner][0].upper()}+{reason}"


def _sitting(table: Table, seat: int | None) -> Sitting:
    """The game with the setups that a seat knows; all of them when it is over."""
    over = table.phase == "over"
    timeouts = [0] * table.game.seats
    plies = []
    for ply in table.plies:
        text = ply.text
        if text == "timeout":
            timeouts[ply.seat] += 1
            text = "resign" if timeouts[ply.seat] >= SKIPS else text
        plies.append(TablePly(ply.seat, ply.move, text))
    return Sitting(
        game=table.game,
        plies=plies,
        names=[plan.name for plan in table.seats],
        setups=[
            setup if over or number == seat else None for number, setup in enumerate(_setups(table))
        ],
        last=table.positions[-1] if table.positions else None,
        is_agreed=table.result is not None and table.ruling is not None,
    )


def _setups(table: Table) -> list[str | None]:
    if not table.positions:
        return table.setups
    first: Any = table.positions[0]
    return [first.setup(seat) for seat in range(table.game.seats)]
