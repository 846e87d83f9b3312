"""A table's game as a record, as far as a seat may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, TempoError
from tempo.games.record import Record
from tempo.games.siguo import record as siguo_records
from tempo.web.clock import SKIPS
from tempo.web.formats import FORMATS
from tempo.web.messages import Refused
from tempo.web.skipping import with_options

if TYPE_CHECKING:
    from tempo.web.tables import Table

_INITIALS = {"resignation": "R", "time": "T"}


def formats(game: str) -> list[str]:
    """The formats that a game's records have, the usual one first."""
    return ["siguo"] if game == "siguo" else [*FORMATS.get(game, ()), "txt"]


def record(table: Table, seat: int | None, wanted: str) -> dict[str, Any]:
    """The game so far in a format, for whoever sits there or looks on."""
    known = formats(table.game.name)
    chosen = wanted or known[0]
    if chosen not in known:
        raise Refused("record", f"{table.game.name} is written as {', '.join(known)}")
    try:
        if chosen == "siguo":
            text = _siguo(table, seat)
        elif chosen == "txt":
            text = _plain(table)
        else:
            text = FORMATS[table.game.name][chosen](_record(table))
    except (ParseError, TempoError, ValueError) as error:
        raise Refused("record", f"this game cannot be written as {chosen}: {error}") from None
    return {"format": chosen, "name": f"{table.game.name}.{chosen}", "text": text}


def _record(table: Table) -> Record:
    moves = tuple(ply.move for ply in table.plies if ply.move is not None)
    return Record(table.game.spec, moves, table.opened.start, {}, _result(table))


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


def _plain(table: Table) -> str:
    lines = [f"game {table.game.spec}", f"rules {table.game.rules_version}"]
    if table.opened.start:
        lines.append(f"start {table.opened.start}")
    lines.append("moves " + " ".join(ply.text for ply in table.plies))
    return "\n".join([*lines, f"result {_result(table)}"]) + "\n"


def _siguo(table: Table, seat: int | None) -> str:
    """Setups are told as a seat knows them; all of them when the game is over."""
    over = table.phase == "over"
    game = table.game.spec
    if any(ply.text == "timeout" for ply in table.plies):
        game = with_options(game, pass_limit="100").spec  # where a turn may be skipped
    setups = [
        setup if setup is not None and (over or number == seat) else siguo_records.UNKNOWN
        for number, setup in enumerate(_setups(table))
    ]
    south, east, north, west = setups
    letters = siguo_records.SEATS
    timeouts = [0] * len(letters)
    plies = []
    for ply in table.plies:
        text = ply.text
        if text == "timeout":
            timeouts[ply.seat] += 1
            text = "resign" if timeouts[ply.seat] >= SKIPS else text
        plies.append((letters[ply.seat], text))
    names = {letters[i]: plan.name for i, plan in enumerate(table.seats) if plan.name}
    end = _siguo_end(table)
    return siguo_records.write(
        siguo_records.SiguoRecord(game, (south, east, north, west), tuple(plies), end, names)
    )


def _setups(table: Table) -> list[str | None]:
    if not table.positions:
        return table.setups
    first: Any = table.positions[0]
    return [first.setup(seat) for seat in range(4)]


def _siguo_end(table: Table) -> str:
    if table.result is None or table.ruling is None:
        last: Any = table.positions[-1] if table.positions else None
        return siguo_records.end_of(last) if last is not None else "ongoing"
    return "draw agreed"
