"""Setting up a position by hand: pieces on places become the text of a position, and back.

A game's `editor.py` has `samples`, positions that show every kind of piece, `ORDER`, the kinds in
their order, `SIDES`, what may be said of who comes next, `read`, the pieces of a position by place,
and `compose`, the text of a position with given pieces. What they say is checked by the rules: a
text is read as any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError
from tempo.games import scene
from tempo.games.public import laid_open

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

Placed = Mapping[str, tuple[str, int]]  # what stands on a place: the letters of a kind, how many
_LETTERS = re.compile(r"(\d+)|(\+?[A-Za-z])")
MOST = 200  # places


def editor_of(game: Game) -> Any:
    """The game's editor; ParseError if it has none."""
    module = game.description.editor
    if module is None:
        raise ParseError(f"positions of {game.name} are set up by their text alone")
    return module


def palette(game: Game) -> list[dict[str, object]]:
    """Every kind of piece of every seat: its letters, and how it is drawn."""
    editor = editor_of(game)
    found: dict[str, dict[str, object]] = {}
    for sample in editor.samples(game):
        placed = editor.read(game, sample)
        shown = laid_open(game, sample)
        for piece in scene.face_of(shown).pieces(shown.view(0), 0):
            code = placed[piece.place][0]
            tray = editor.tray(code) if hasattr(editor, "tray") else ""
            row = {"code": code, "seat": piece.seat, "piece": vars(piece), "tray": tray}
            found.setdefault(code, row)
    return sorted(found.values(), key=lambda row: (row["seat"], *_rank(editor, str(row["code"]))))


def _rank(editor: Any, code: str) -> tuple[bool, int]:
    """Kinds in the game's order, promoted ones after the others."""
    return "+" in code, editor.ORDER.index(code[-1].upper())


def placed_on(game: Game, position: Position) -> dict[str, tuple[str, int]]:
    """What stands where in a position."""
    found: dict[str, tuple[str, int]] = editor_of(game).read(game, position)
    return found


def composed(game: Game, placed: Placed, side: str) -> str:
    """The text of the position with these pieces; ParseError says what is wrong with it."""
    editor = editor_of(game)
    known = {place.id for place in scene.layout(game).places}
    codes = {str(row["code"]) for row in palette(game)}
    if side not in {one for one, _ in editor.SIDES}:
        raise ParseError(f"'{side[:20]}' does not say who comes next")
    for place, (code, count) in placed.items():
        if place not in known or code not in codes or not 1 <= count <= MOST:
            raise ParseError(f"'{code[:5]}' cannot stand on '{place[:20]}'")
    position: Position = game.parse(editor.compose(game, placed, side))
    return position.text


# ---- boards of rows ------------------------------------------------------------------------------


def rows_of(game: Game) -> list[list[str]]:
    """The places of a board row by row, from the top as the first seat sees it."""
    places = [one for one in scene.layout(game).places if one.form != "hand"]
    rows: dict[float, list[str]] = {}
    for place in sorted(places, key=lambda one: (one.y, one.x)):
        rows.setdefault(place.y, []).append(place.id)
    return list(rows.values())


def read_rows(game: Game, text: str) -> dict[str, tuple[str, int]]:
    """The pieces of rows such as `3x1o/5`, by place."""
    found = {}
    for names, line in zip(rows_of(game), text.split("/"), strict=True):
        column = 0
        for number, letters in _LETTERS.findall(line):
            if letters:
                found[names[column]] = (letters, 1)
            column += int(number) if number else 1
    return found


def rows_text(game: Game, placed: Placed) -> str:
    """Rows from the top with numbers for runs of empty places."""
    lines = []
    for names in rows_of(game):
        drawn = "".join(placed[name][0] if name in placed else "." for name in names)
        lines.append(re.sub(r"\.+", lambda run: str(len(run[0])), drawn))
    return "/".join(lines)
