"""What a study says of a position of Jiu: its shapes."""

from __future__ import annotations

from tempo import _core
from tempo.games.description import Data
from tempo.games.protocol import View

_NAMES = {
    "square": "square",
    "gate": "gate",
    "mobility gate": "gate",
    "flat dalian": "Dalian",
    "slant dalian": "Dalian",
}


def shapes(view: View) -> Data | None:
    """Squares, gates and Dalians of each seat, with the point that a stone waits for."""
    if not isinstance(view, _core.jiu.Position):
        return None
    size = len(view.text.split(" ", 1)[0].split("/"))
    found: list[Data] = []
    for seat in range(2):
        for kind, points, hole in view.shapes(seat):
            if kind in _NAMES:
                places = [_place(point, size) for point in points]
                waits = _place(hole, size) if hole >= 0 else ""
                found.append({"name": _NAMES[kind], "seat": seat, "places": places, "waits": waits})
    return {"kind": "shapes", "shapes": found}


def _place(point: int, size: int) -> str:
    row, column = divmod(point, size)
    return f"{chr(ord('A') + row)}{column + 1}"
