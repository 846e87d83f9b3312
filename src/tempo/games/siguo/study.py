"""What a study says of a position of Siguo: how likely each hidden piece is of each kind."""

from __future__ import annotations

import re
from typing import Any

from tempo import _core
from tempo.games import scene
from tempo.games.description import Data
from tempo.games.protocol import View
from tempo.games.siguo.face import KINDS

_LETTERS = "987654321BMF"  # the order in which the core has the kinds
_CAMPS = ("22", "24", "33", "42", "44")
_HOMES = [
    f"{seat}{row}{column}"
    for seat in "SENW"
    for row in range(1, 7)
    for column in range(1, 6)
    if f"{row}{column}" not in _CAMPS
]


def belief(view: View) -> Data | None:
    """How likely each hidden piece on the board is of each kind, by what the view knows."""
    if not isinstance(view, _core.siguo.View):
        return None
    found = _core.siguo.Belief(view)
    places = _places(view)
    pieces = []
    for home, chances in zip(_HOMES, found.chances(), strict=True):
        place = places.get(home)
        if place is None or "SENW".index(home[0]) == view.seat:
            continue
        likely = [
            {"letter": letter, "text": KINDS[letter][0], "name": KINDS[letter][2],
             "chance": round(float(chance), 4)}
            for letter, chance in zip(_LETTERS, chances, strict=True)
            if chance > 0.0005
        ]  # fmt: skip
        likely.sort(key=lambda one: -float(str(one["chance"])))
        pieces.append(
            {"place": place, "home": home, "seat": "SENW".index(home[0]), "chances": likely}
        )
    return {
        "kind": "belief",
        "seat": view.seat,
        "exact": found.is_exact,
        "error": round(found.error, 4),
        "determinizations": found.determinizations,
        "pieces": pieces,
    }


def reason(view: View, move: int) -> Data | None:
    """How likely an attack wins, by what the view knows."""
    text = view.move_text(move)
    found = belief(view)
    if found is None or "x" not in text:
        return None
    start, target = text.split("x")
    own = next(one for one in scene.face_of(view).pieces(view, None) if one.place == start)
    kind = next((letter for letter, words in KINDS.items() if words[1] == own.short), "")
    pieces: Any = found["pieces"]
    chances = next((one["chances"] for one in pieces if one["place"] == target), ())
    won = sum(one["chance"] for one in chances if _beats(kind, one["letter"]))
    if kind == "B" or not chances:
        return None
    return {"key": "attack", "chance": round(100 * won)}


def _beats(attacker: str, defender: str) -> bool:
    """Whether an attacker stands where the defender stood."""
    if defender in "FM":
        return defender == "F" or attacker == "1"
    return attacker.isdigit() and defender.isdigit() and attacker > defender


def _places(view: _core.siguo.View) -> dict[str, str]:
    """Where the pieces that are still on the board stand, by where they were deployed.

    A view's text names the pieces that have moved. One that fell where it was deployed is not
    named: then nothing of its seat stands there, or a piece that is named.
    """
    moved = dict(re.findall(r"([SENW]\d\d)@(-|[SENW]\d\d|C\d)", view.text))
    stands = {piece.place: piece.seat for piece in scene.face_of(view).pieces(view, None)}
    taken = set(moved.values())
    found = {home: place for home, place in moved.items() if place != "-"}
    for home in _HOMES:
        if home not in moved and home not in taken and stands.get(home) == "SENW".index(home[0]):
            found[home] = home
    return found
