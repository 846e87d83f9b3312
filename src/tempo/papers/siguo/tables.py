"""From the stored results of the Siguo paper to shares, curves and forward nodes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tempo.arena.statistics import Pairs, wilson
from tempo.papers.judging import (
    Effect,
    Mean,
    effect_of,
    games_of,
    mean_of,
    minus,
    no_narrower,
    pooled,
    widened,
)
from tempo.papers.siguo.plan import EXPLORED
from tempo.papers.siguo.published import GAMES, TABLE_3

Results = Mapping[str, Any]
Run = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]

DISCOUNT = 0.98
COUNTS = 0.01  # a node counts while its weight is at least this
CLOSE = 0.1  # a curve has settled when it stays within this share of its range around its end
LAST = 0.2  # the part of a curve that is its end


def runs_of(results: Results, group: str, arm: str) -> list[Run]:
    """The trainings of an arm, by seed."""
    found = [run for run in results["runs"] if (run["group"], run["arm"]) == (group, arm)]
    return sorted(found, key=lambda run: int(run["seed"]))


def played(results: Results, group: str, arm: str, *, exploring: bool = False) -> list[Run]:
    """Their tests; `exploring` as they explored in training, if they did."""
    runs = runs_of(results, group, arm)
    return [run.get("exploring", run["test"]) if exploring else run["test"] for run in runs]


def shares(tests: Rows, what: str) -> list[float]:
    """Of games won, drawn or lost, by seed; or the score."""
    if what == "score":
        return [Pairs(*test["pairs"]).mean for test in tests]
    return [test[what] / games_of([test]) for test in tests]


def by_games(tests: Rows, what: str) -> Mean:
    """All games together: Wilson's interval for shares, that of pairs for the score."""
    if what == "score":
        return pooled(tests)
    count, games = sum(test[what] for test in tests), games_of(tests)
    return Mean(count / games, *wilson(count, games))


def over_trainings(tests: Rows, what: str) -> Mean | None:
    """The mean over trainings, its interval never narrower than that of the games."""
    return no_narrower(mean_of(shares(tests, what)), by_games(tests, what))


def gap(one: Rows, other: Rows, what: str) -> Effect | None:
    """One arm less another, seed by seed, no surer than their games allow."""
    effect = effect_of(minus(shares(one, what), shares(other, what)))
    return widened(effect, by_games(one, what), by_games(other, what))


# Curves


def error_curve(run: Run) -> list[float]:
    """How far values are off their targets, root of the mean square, by windows of games."""
    return [math.sqrt(loss) for loss in run["curves"]["loss"]]


def settled(run: Run) -> int:
    """After how many games that curve stays near its end: a measure of convergence.

    Its end is the mean of its last fifth, near is a tenth of its range. A curve that never moves
    has settled at its first point.
    """
    return settled_at(run, error_curve(run))


def settled_at(run: Run, curve: Sequence[float]) -> int:
    """After how many games a curve of this training stays near its end."""
    end = float(np.mean(curve[-max(1, round(LAST * len(curve))) :]))
    near = CLOSE * (max(curve) - min(curve))
    away = [i for i, value in enumerate(curve) if abs(value - end) > near]
    first = away[-1] + 1 if away else 0
    games: list[int] = run["curves"]["games"]
    return games[min(first, len(games) - 1)]


def nodes_left(run: Run) -> list[float]:
    """Own moves that are left in a game on average, by windows: what a target without end sees."""
    return [(moves / 4 + 1) / 2 for moves in run["curves"]["moves"]]


def nodes(run: Run, steps: int | None = 20) -> list[float]:
    """Forward nodes whose weight (γλ)^k counts, by windows; at most `steps` and what is left."""
    found = []
    for trace, left in zip(run["curves"]["trace"], nodes_left(run), strict=True):
        counted = 1 if trace == 0 else 1 + math.floor(math.log(COUNTS) / math.log(DISCOUNT * trace))
        found.append(float(min(counted, steps or counted, max(1.0, left))))
    return found


# The grids


def stand_ins(results: Results) -> list[tuple[float, int, list[float], float]]:
    """Tables the stand-ins by how much each notices, and by limit.

    Won, drawn, lost, own moves, as means over seeds; and the squared distance from the published
    row.
    """
    cells: dict[tuple[float, int], list[list[float]]] = {}
    for row in results["grids"]:
        for notices, limit, *shown in row.get("cells", ()):
            cells.setdefault((notices, int(limit)), []).append(shown)
    published = np.array(TABLE_3["q"]) / GAMES
    found = []
    for (notices, limit), values in sorted(cells.items()):
        means = np.mean(values, axis=0)
        off = float(((means[:3] - published) ** 2).sum())
        found.append((notices, limit, [float(mean) for mean in means], off))
    return found


def temperatures(results: Results) -> dict[str, list[tuple[float, float, float]]]:
    """By arm: each first temperature, the share of moves that were not best, games decided."""
    found: dict[str, dict[float, list[tuple[float, float]]]] = {}
    for row in results["grids"]:
        if row["group"] == "temperature":
            place = found.setdefault(row["arm"], {}).setdefault(row["temperature"], [])
            place.append((row["explored"], row["decided"]))
    return {
        arm: [
            (at, float(np.mean([v[0] for v in values])), float(np.mean([v[1] for v in values])))
            for at, values in sorted(cells.items())
        ]
        for arm, cells in found.items()
    }


def nearest_temperature(rows: Sequence[tuple[float, float, float]]) -> float:
    """The one at which the share of other moves is nearest to what is wanted."""
    return min(rows, key=lambda row: abs(row[1] - EXPLORED))[0]
