"""Record files of every game, recognised by what is in them, and written again.

Each game's reader says where a file is damaged; here only the reader is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import ParseError
from tempo.games.formats import (
    MOST_LINES,
    Branching,
    Format,
    GameTree,
    Ply,
    lines_of,
)
from tempo.games.record_files import MOST_BYTES, decode, read, recognise
from tempo.web.replay_line import tree_data
from tempo.web.wording import record_text

if TYPE_CHECKING:
    from tempo.games.protocol import Position

__all__ = ["MOST_BYTES", "data_of", "decode", "formats", "read", "recognise", "write"]


def data_of(opened: GameTree) -> dict[str, object]:
    """One game of a file as JSON, moves as a tree."""
    game = games.load(opened.game)
    start = game.start().text
    return {
        "game": opened.game,
        "title": _title(opened),
        "start": "" if opened.first.text == start else opened.first.text,
        "headers": dict(opened.headers),
        "result": opened.result,
        "result_words": record_text(game, opened.result),
        "game_words": game.description.face.title(game),
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
