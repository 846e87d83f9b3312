"""Games of the arena as records: a match as PGN, SGF, CSA or plain text."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tempo.games import load
from tempo.games.record import Record
from tempo.games.record_files import write_file

if TYPE_CHECKING:
    from tempo.arena.result import MatchResult
    from tempo.arena.table import GameRecord

_INITIALS = (("resigned", "R"), ("lost on time", "T"))


def records_of(result: MatchResult) -> list[Record]:
    """Every game of a match, with who played it and how it ended."""
    return [_record(result, one) for one in result.records]


def _record(result: MatchResult, played: GameRecord) -> Record:
    game = load(result.game)
    first = played.opening.position(game)
    if game.is_dealt or played.opening.start is not None:
        position, texts = first, played.moves
    else:
        position, texts = game.start(), (*played.opening.moves, *played.moves)
    start, moves = position.text, list[int]()
    for text in texts:
        moves.append(position.parse_move(text))
        position = position.play(moves[-1])
    names = {"a": result.a, "b": result.b}
    headers = {"EV": f"{result.a} - {result.b}", "RO": str(played.index + 1)}
    for seat, side in zip(game.seat_names, played.seats, strict=True):
        if len(game.seat_names) == 2:
            headers[f"P{seat[0].upper()}"] = names[side]
    return Record(game.spec, tuple(moves), start, headers, _result(game.seat_names, played))


def _result(seats: Iterable[str], played: GameRecord) -> str:
    best = max(played.scores)
    if best <= 0:
        return "0"
    winner = next(n for n, score in zip(seats, played.scores, strict=True) if score == best)
    how = next((letter for words, letter in _INITIALS if words in played.reason), "")
    return f"{winner[0].upper()}+{how}"


def write_records(path: str | os.PathLike[str], results: Iterable[MatchResult]) -> int:
    """Writes the games of matches into a file whose name says the format; gives their number."""
    records = [record for result in results for record in records_of(result)]
    write_file(path, records)
    return len(records)
