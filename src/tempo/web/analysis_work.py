"""What can be said of a position: candidates of an agent, beliefs, shapes; a game's values.

Everything is computed from one seat's view. Answers are JSON; values are by seat in [-1, 1].
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tempo import _core, agents
from tempo.agents.base import Choice, Resigns
from tempo.agents.settings import split
from tempo.games import scene
from tempo.games.siguo.face import KINDS
from tempo.web.analysis_exact import exact, is_slow, tablebase_value
from tempo.web.analysis_line import Data, line_data, move_name

if TYPE_CHECKING:
    from tempo.agents.base import Agent
    from tempo.games.protocol import View

__all__ = ["Data", "belief", "candidates", "exact", "is_slow", "replies", "shapes", "values"]

MOST_CANDIDATES = 60
REPLIES = 11  # candidates after the best one whose lines are looked for: the page lists twelve
REPLY_SECONDS = 0.1  # for each of them, at most
_BUDGETS = {"time", "nodes", "sims", "depth", "truths"}
SLICES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # seconds: each answer is better than the last


# ---- candidates ----------------------------------------------------------------------------------


def candidates(view: View, agent: str, seconds: float) -> Iterator[Data]:
    """What an agent thinks of the moves, better and better until the seconds are used.

    An agent that cannot be told a time answers once.
    """
    began = time.monotonic()
    for spec in _budgets(agent, seconds):
        player = agents.load(spec)
        player.reset(0)
        found = _candidates(view, player)
        found["seconds"] = round(time.monotonic() - began, 3)
        yield found


def _budgets(spec: str, seconds: float) -> Iterator[str]:
    """The same agent with one time after another; itself, if it has a budget or takes none."""
    if "/" in spec:
        yield spec
        return
    name, given = split(spec)
    known = _known(spec)
    if "exact" in known:
        given.setdefault("exact", "yes")
    if "time" not in known or given.keys() & _BUDGETS:
        yield _spec(name, given)
        return
    used = 0.0
    for slice_ in SLICES:
        if used + slice_ > seconds and used:
            break
        given["time"] = f"{min(slice_, seconds):g}"
        used += slice_
        yield _spec(name, given)


def _known(spec: str) -> set[str]:
    """The settings that an agent has."""
    settings = getattr(agents.load(spec), "settings", None)
    return {one.name for one in fields(settings)} if settings is not None else set()


def _spec(name: str, given: dict[str, str]) -> str:
    settings = ",".join(f"{key}={value}" for key, value in given.items())
    return f"{name}:{settings}" if settings else name


def _candidates(view: View, player: Agent) -> Data:
    try:
        choice = player.choose(view)
    except Resigns:
        return {"kind": "candidates", "agent": player.name, "resigns": True, "candidates": []}
    steps = {step.move: step for step in scene.steps(view)}
    rows = [
        {
            "move": one.move,
            "text": move_name(view, one.move),
            "touches": steps[one.move].touches,
            "visits": one.visits,
            "values": one.values,
        }
        for one in choice.candidates[:MOST_CANDIDATES]
        if one.move in steps
    ]
    if not any(row["move"] == choice.move for row in rows):
        rows.insert(0, _only(view, choice, steps[choice.move].touches))
    return {
        "kind": "candidates",
        "agent": player.name,
        "seat": view.turn,
        "move": choice.move,
        "values": choice.values or None,
        "candidates": rows,
        "line": line_data(view, choice.line),
        "positions": choice.cost.positions,
        "evaluations": choice.cost.evaluations,
    }


def replies(view: View, found: Data, agent: str, seconds: float) -> Data | None:
    """How it goes on after the next best candidates: a short look of the same agent after each.

    Searches keep the line of their best move alone. None where a view cannot be played on.
    """
    rows: Any = found["candidates"]
    play: Any = getattr(view, "play", None)
    others = [row["move"] for row in _best_first(rows, found)[1 : 1 + REPLIES]]
    if play is None or not others:
        return None
    player = agents.load(_short(agent, min(REPLY_SECONDS, seconds / 2 / len(others))))
    until = time.monotonic() + max(seconds / 2, REPLY_SECONDS)
    lines: Data = {}
    for move in others:
        after = play(move)
        if not after.is_over:
            player.reset(0)
            try:
                choice = player.choose(after)
            except Resigns:
                continue
            line = choice.line if choice.line and choice.line[0] == choice.move else (choice.move,)
            lines[str(move)] = line_data(view, (move, *line))
        if time.monotonic() > until:
            break
    return {"kind": "replies", "lines": lines}


def _best_first(rows: Sequence[dict[str, Any]], found: Data) -> list[dict[str, Any]]:
    """Candidates as the page lists them: the choice, then by value, or by visits without one."""
    seat: Any = found["seat"]

    def worth(row: dict[str, Any]) -> tuple[bool, float]:
        value = row["values"][seat] if row["values"] else row["visits"]
        return row["move"] == found["move"], value

    return sorted(rows, key=worth, reverse=True)


def _short(spec: str, seconds: float) -> str:
    """The same agent with little time; itself where it cannot be told one."""
    if "/" in spec:
        return spec
    name, given = split(spec)
    known = _known(spec)
    if "time" not in known:
        return spec
    kept = {key: value for key, value in given.items() if key not in _BUDGETS}
    return _spec(name, {**kept, "time": f"{seconds:.3f}"})


def _only(view: View, choice: Choice, touches: Sequence[str]) -> dict[str, Any]:
    """The move of an agent that does not say what else it thought of."""
    return {
        "move": choice.move,
        "text": move_name(view, choice.move),
        "touches": touches,
        "visits": 0,
        "values": choice.values or None,
    }


# ---- a value for every moment of a game ----------------------------------------------------------


def values(views: Sequence[View], agent: str, seconds: float) -> Iterator[Data]:
    """How an agent values each moment, one answer a moment; outcomes where games have ended."""
    share = seconds / max(1, len(views))
    for ply, view in enumerate(views):
        if view.outcome is not None:
            yield {"kind": "value", "ply": ply, "values": view.outcome.scores}
            continue
        certain = tablebase_value(view)
        if certain is not None:
            yield {"kind": "value", "ply": ply, "values": certain, "exact": True}
            continue
        spec = next(_budgets(agent, min(share, SLICES[0])))
        player = agents.load(spec.replace("exact=yes", "exact=no"))
        player.reset(0)
        try:
            found = player.choose(view).values
        except Resigns:
            found = ()
        yield {"kind": "value", "ply": ply, "values": found or None}


# ---- beliefs -------------------------------------------------------------------------------------

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
    """How likely each hidden piece on the board is of each kind, by what its onlooker may know."""
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
        "truths": found.truths,
        "pieces": pieces,
    }


def _places(view: _core.siguo.View) -> dict[str, str]:
    """Where the pieces that are still on the board stand, by where they were deployed.

    A view's text names the pieces that have moved. One that fell where it was deployed is not
    named: then nothing of its seat stands there, or a piece that is named.
    """
    moved = dict(re.findall(r"([SENW]\d\d)@(-|[SENW]\d\d|C\d)", view.text))
    stands = {piece.place: piece.seat for piece in scene.face_of("siguo").pieces(view, None)}
    taken = set(moved.values())
    found = {home: place for home, place in moved.items() if place != "-"}
    for home in _HOMES:
        if home not in moved and home not in taken and stands.get(home) == "SENW".index(home[0]):
            found[home] = home
    return found


# ---- shapes --------------------------------------------------------------------------------------

_JIU = {
    "square": "square",
    "gate": "gate",
    "mobility gate": "gate",
    "flat dalian": "Dalian",
    "slant dalian": "Dalian",
}
_GOMOKU = {"five": "five", "winning": "four that wins", "four": "four", "three": "open three"}


def shapes(view: View) -> Data | None:
    """Squares, gates and Dalians of Jiu; threats of Gomoku: for each seat and named places."""
    found: list[Data] = []
    if isinstance(view, _core.jiu.Position):
        size = len(view.text.split(" ", 1)[0].split("/"))
        for seat in range(2):
            for kind, points, hole in view.shapes(seat):
                if kind in _JIU:
                    places = [_jiu_place(point, size) for point in points]
                    waits = _jiu_place(hole, size) if hole >= 0 else ""
                    found.append(
                        {"name": _JIU[kind], "seat": seat, "places": places, "waits": waits}
                    )
    elif isinstance(view, _core.gomoku.Position):
        if view.is_over:
            return None
        for seat in range(2):
            threats = _core.gomoku_threats.threats(view, seat)
            taken: set[int] = set()
            for kind, name in _GOMOKU.items():
                for point in threats[kind]:
                    if point not in taken:
                        taken.add(point)
                        place = view.move_text(point)
                        found.append({"name": name, "seat": seat, "places": [], "waits": place})
    else:
        return None
    return {"kind": "shapes", "shapes": found}


def _jiu_place(point: int, size: int) -> str:
    row, column = divmod(point, size)
    return f"{chr(ord('A') + row)}{column + 1}"
