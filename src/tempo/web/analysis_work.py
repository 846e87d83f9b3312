"""What an agent says of a position: candidates, how it goes on, the values of a whole game.

Everything is computed from one seat's view. Answers are JSON; values are by seat in [-1, 1].
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tempo import agents
from tempo.agents.base import Choice, Resigns
from tempo.agents.settings import split
from tempo.games import scene
from tempo.games.description import Data
from tempo.games.line import line_data, move_name

if TYPE_CHECKING:
    from tempo.agents.base import Agent
    from tempo.games.protocol import View

MOST_CANDIDATES = 60
REPLIES = 11  # candidates after the best one whose lines are looked for: the page lists twelve
REPLY_SECONDS = 0.1  # for each of them, at most
_BUDGETS = {"time", "nodes", "sims", "depth", "determinizations"}
# Seconds: each answer is better than the last.
SLICES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)


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
        certain = scene.describe(view).exact_values(view)
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
