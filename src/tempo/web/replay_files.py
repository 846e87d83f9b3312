"""Record files of every game, recognised by what is in them, and written again.

Each game's reader says where a file is damaged; here only the reader is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games.formats import (
    MOST_GAMES,
    MOST_LINES,
    Branching,
    Format,
    GameTree,
    Ply,
    all_formats,
    lines_of,
)
from tempo.web.replay_line import tree_data

if TYPE_CHECKING:
    from tempo.games.protocol import Position

MOST_BYTES = 2**20


def data_of(opened: GameTree) -> dict[str, object]:
    """One game of a file as JSON, moves as a tree."""
    start = games.load(opened.game).start().text
    return {
        "game": opened.game,
        "title": _title(opened),
        "start": "" if opened.first.text == start else opened.first.text,
        "headers": dict(opened.headers),
        "result": opened.result,
        "nodes": tree_data(opened.first, opened.tree),
        "formats": formats(opened.game),
    }


def _title(opened: GameTree) -> str:
    headers = opened.headers
    names = [headers.get(key, "") for key in ("PB", "PW")]
    if games.load(opened.game).seat_names[0] == "white":
        names.reverse()
    players = " - ".join(name or "?" for name in names) if any(names) else ""
    return ", ".join(
        word for word in (players, headers.get("EV", ""), headers.get("DT", "")) if word
    )


def recognise(text: str) -> Format:
    """A text's format; ParseError lists those that are known."""
    head = text[:5000].lstrip("\ufeff \t\r\n")
    known = [one for one in all_formats() if one.begins is not None]
    for one in known:
        if one.begins is not None and one.begins.match(head):
            return one
    *some, last = dict.fromkeys(one.title for one in known)
    expected = f"{', '.join(some)} or {last}"
    raise ParseError(f"line 1: '{head[:30].splitlines()[0] if head else ''}'; expected {expected}")


def read(data: bytes) -> tuple[str, list[GameTree], bool]:
    """A file's format, its games (at most MOST_GAMES), and whether it has more."""
    if len(data) > MOST_BYTES:
        raise ParseError(f"{len(data)} bytes; a record file may have {MOST_BYTES}")
    for one in all_formats():
        if one.read_bytes is not None and data.startswith(one.magic):
            return one.name, one.read_bytes(data), False
    text = decode(data)
    form = recognise(text)
    assert form.read is not None
    try:
        found = form.read(text)
    except IllegalMove as error:
        raise ParseError(str(error)) from error
    return form.name, found[:MOST_GAMES], len(found) > MOST_GAMES


def decode(data: bytes) -> str:
    """A file's text: UTF-8, or the older encoding of a format that it then is, or Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        if b"\x00" in data:
            raise ParseError(f"byte {wrong.start} is no text in UTF-8; is this a record?") from None
    for encoding in dict.fromkeys(one.encoding for one in all_formats() if one.encoding):
        try:
            text = data.decode(encoding)
            if recognise(text).encoding == encoding:
                return text
        except (UnicodeDecodeError, ParseError):
            pass
    return data.decode("latin-1")


def formats(game: str) -> list[str]:
    """In which formats a game can be written."""
    return [one.name for one in _written(game)]


def _written(game: str) -> list[Format]:
    return [one for one in games.load(game).description.formats if one.is_written]


def write(
    name: str,
    first: Position,
    line: Sequence[Ply],
    tree: Sequence[Branching] = (),
    headers: Mapping[str, str] | None = None,
    result: str = "?",
) -> str:
    """A game as a file, with its branches if the format has them; ParseError where it cannot."""
    known = {one.name: one for one in _written(first.game)}
    if name not in known:
        game = games.load(first.game).name
        raise ParseError(
            f"{game} is not written as '{name}'; its formats: {', '.join(known) or 'none'}"
        )
    rows = tree or [Branching(ply, i - 1) for i, ply in enumerate(line)]
    if known[name].write_line is None:
        if len(lines_of(rows)) > MOST_LINES:
            raise ParseError(f"a file takes at most {MOST_LINES} variations")
        tree_data(first, rows)  # every move is played
    return known[name].write(first, line, rows, headers or {}, result)
