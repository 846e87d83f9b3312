"""From the stored results of the Gomoku papers to scores, curves and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tempo.papers.gomoku.published import ST
from tempo.papers.judging import Mean, mean_of, no_narrower, pooled

Row = dict[str, Any]
Results = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]


def matches_of(results: Results, group: str, row: str) -> list[Row]:
    """The matches of one row of a table."""
    return [m for m in results["matches"] if m["group"] == group and m["row"] == row]


def ladder_matches(results: Results, method: str, level: str) -> list[Row]:
    """A method against a stand-in; ADP's are those of case 1."""
    group, row = ("cases", ST) if method == "adp" else ("ladder", method)
    return matches_of(results, group, f"{row} {level}")


def scores(matches: Rows) -> list[float]:
    """Of matches, one for each seed."""
    seeds = sorted({match["seed"] for match in matches})
    return [pooled([m for m in matches if m["seed"] == seed]).value for seed in seeds]


def over_trainings(matches: Rows) -> Mean | None:
    """The mean over trainings, its interval never narrower than that of the games."""
    return no_narrower(mean_of(scores(matches)), pooled(matches))


def trainings_of(results: Results, case: str) -> list[Row]:
    """The trainings of a case or of pupils, by seed."""
    return [training for training in results["trainings"] if training["case"] == case]


def curve(results: Results, case: str, name: str) -> list[list[float]]:
    """A curve of each training, a point for every thousand games (fewer in a quick run).

    `length` is moves per game.
    """
    found = [training["curves"] for training in trainings_of(results, case)]
    if name == "length":
        return [[moves / results["iteration"] for moves in curves["moves"]] for curves in found]
    return [curves[name] for curves in found]


def at(curves: Sequence[Sequence[float]], thousand: int) -> list[float]:
    """What each curve is after this many thousand games of the full schedule."""
    return [points[thousand - 1] for points in curves]


def milliseconds(results: Results, method: str) -> list[float]:
    """CPU time a move, one figure for each seed (for UCT, each block)."""
    group, unit = ("uct", "block") if method == "uct" else ("cross", "seed")
    spent: dict[int, list[float]] = {}
    for match in results["matches"]:
        if match["group"] != group or (method == "uct" and match["row"] != "400"):
            continue
        for side in ("a", "b"):
            if match[side] == method:
                total = spent.setdefault(match[unit], [0.0, 0.0])
                total[0] += match["ledger"][side]["cpu_seconds"]
                total[1] += match["ledger"][side]["moves"]
    return [1000 * seconds / max(1.0, moves) for _, (seconds, moves) in sorted(spent.items())]
