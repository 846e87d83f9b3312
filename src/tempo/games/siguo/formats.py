"""Siguo's records as the page opens and saves them: setups, skips, resignations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tempo.errors import ParseError
from tempo.games.formats import Format, GameTree, Ply, Sitting, merged
from tempo.games.siguo import record

MAGIC = bytes((0x57, 0x04, 0, 0))  # how replays of pfysw's JunQi begin


def _tree(told: record.SiguoRecord) -> GameTree:
    if not told.is_whole:
        raise ParseError(
            "a seat's own record, which does not know every setup: it cannot be played again"
        )
    positions = list(told.positions())
    plies: list[Ply] = []
    for position, (seat, text) in zip(positions, told.plies, strict=False):
        if text == "resign":
            plies.append(f"resign:{record.SEATS.index(seat)}")
        else:
            plies.append(position.parse_move("skip" if text == "timeout" else text))
    headers = {f"name {seat}": name for seat, name in told.names.items()}
    return GameTree(told.game, positions[0], merged([plies]), headers, told.end)


def _write_line(first: Any, plies: Sequence[Ply]) -> str:
    if getattr(first, "ply", 0):
        raise ParseError("a record of Siguo begins with the setups; this line begins later")
    position, told = first, []
    for ply in plies:
        if isinstance(ply, int):
            text = position.move_text(ply)
            noted = text if text == "skip" else position.noted_text(ply)
            told.append((record.SEATS[position.turn], noted))
            position = position.play(ply)
        else:
            told.append((record.SEATS[int(ply[7:])], "resign"))
            position = position.resign(int(ply[7:]))
    setups = tuple(first.setup(seat) for seat in range(4))
    return record.write(
        record.SiguoRecord(first.game, setups, tuple(told), record.end_of(position))
    )


def _write_sitting(told: Sitting) -> str:
    """Setups as a seat knows them; all of them when the game is over."""
    game = told.game
    if any(ply.text == "timeout" for ply in told.plies):
        game = game.with_options(pass_limit="100")  # where a turn may be skipped
    south, east, north, west = (setup or record.UNKNOWN for setup in told.setups)
    plies = [(record.SEATS[ply.seat], ply.text) for ply in told.plies]
    names = {record.SEATS[seat]: name for seat, name in enumerate(told.names) if name}
    last: Any = told.last
    end = "draw agreed" if told.is_agreed else record.end_of(last) if last else "ongoing"
    return record.write(
        record.SiguoRecord(game.spec, (south, east, north, west), tuple(plies), end, names)
    )


def _read(text: str) -> list[GameTree]:
    return [_tree(record.read(text))]


FORMATS = (
    Format(
        name="siguo",
        title="a record of Siguo",
        read=_read,
        begins=re.compile(r"(;[^\n]*\n\s*)*siguo \d"),
        write_line=_write_line,
        write_sitting=_write_sitting,
    ),
    Format(
        name="junqi",
        title="a replay of JunQi",
        magic=MAGIC,
        read_bytes=lambda data: [_tree(record.read_replay(data))],
    ),
)
