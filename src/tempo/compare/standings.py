"""Ratings from the rows of a comparison: random moves are 0, one scale for each game and seed.

A learner's rating is the mean over its seeds. Its interval is Student's over seeds, and never
narrower than the games played allow; of one seed it is that of the games alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tempo.arena.ratings import Rating, connected, rate
from tempo.arena.statistics import Pairs
from tempo.papers.judging import Mean, mean_of, pooled

Row = Mapping[str, Any]
ANCHOR = "random"


@dataclass(frozen=True)
class Point:
    """A learner on a game after a share of its budget, over its seeds."""

    share: float
    cpu_seconds: float
    games: float
    rating: Mean


def seeds_of(results: Row) -> list[int]:
    """Those by which something was trained."""
    return sorted({row["seed"] for row in results["trainings"]})


def ratings(results: Row, place: str, seed: int) -> dict[str, Rating]:
    """Of rungs, learners, and learners on the way (`td@0.25`); those that games join to random."""
    played: dict[tuple[str, str], Pairs] = {}
    for row in results["meetings"]:
        if row["place"] == place and row["seed"] in (0, seed):
            played[row["a"], row["b"]] = Pairs(*row["pairs"])
    for row in results["trainings"]:
        if (row["place"], row["seed"]) == (place, seed):
            for point in row["points"]:
                name = label(row["learner"], point["share"])
                for rung, pairs in point["results"].items():
                    played[name, rung] = Pairs(*pairs)
    reached = set(connected(played, ANCHOR))
    return rate({both: pairs for both, pairs in played.items() if reached >= {*both}}, ANCHOR)


def label(learner: str, share: float) -> str:
    """A learner's name among the rated: alone at the end of its budget."""
    return learner if share == 1 else f"{learner}@{share}"


def over_seeds(found: Sequence[Rating]) -> Mean:
    """The mean of ratings, with an interval that holds the spread between seeds and the games'."""
    mean = sum(one.rating for one in found) / len(found)
    games = math.sqrt(sum(((one.high - one.low) / 2) ** 2 for one in found)) / len(found)
    between = mean_of([one.rating for one in found])
    reach = max(games, between.width / 2 if between else 0.0)
    return Mean(mean, mean - reach, mean + reach)


@dataclass(frozen=True)
class Standings:
    """All ratings of a comparison, by game."""

    rungs: Mapping[str, Mapping[str, Mean]]  # by game and rung
    curves: Mapping[str, Mapping[str, Sequence[Point]]]  # by game and learner

    def rating(self, place: str, learner: str) -> Mean | None:
        """At the end of the budget; None where nothing was measured then."""
        last = [point for point in self.curves[place].get(learner, ()) if point.share == 1]
        return last[0].rating if last else None

    def untrained(self, place: str, learner: str) -> Mean | None:
        """Before it has learnt anything."""
        first = [point for point in self.curves[place].get(learner, ()) if not point.share]
        return first[0].rating if first else None

    def learners(self) -> list[str]:
        """Best first, by their mean place among the learners of each game."""
        places: dict[str, list[float]] = defaultdict(list)
        for curves in self.curves.values():
            ends = {name: points[-1].rating.value for name, points in curves.items()}
            for name, value in ends.items():
                places[name].append(sum(other > value for other in ends.values()) / len(ends))
        return sorted(places, key=lambda name: (sum(places[name]) / len(places[name]), name))

    def mean_rank(self, learner: str) -> float | None:
        """Its mean rank over the games that all learners have learnt to the end; 1 is best."""
        ranks = []
        for place in self.curves:
            ends = {name: self.rating(place, name) for name in self.curves[place]}
            own = ends.get(learner)
            if own is not None:
                others = [end.value for name, end in ends.items() if end and name != learner]
                ranks.append(1 + sum((o > own.value) + (o == own.value) / 2 for o in others))
        return sum(ranks) / len(ranks) if ranks else None


def standings(results: Row) -> Standings:
    """Rates everything that has been played."""
    rungs: dict[str, dict[str, Mean]] = {}
    curves: dict[str, dict[str, list[Point]]] = {}
    for place in results["places"]:
        rated = {seed: ratings(results, place, seed) for seed in seeds_of(results)}
        rungs[place] = {
            name: over_seeds(found)
            for name in results["rungs"]
            if (found := [by[name] for by in rated.values() if name in by])
        }
        curves[place] = {}
        for learner in results["learners"]:
            points = [_point(learner, rows, rated) for rows in _shares(results, place, learner)]
            if points:
                curves[place][learner] = points
        _share_controls(results, curves[place])
    return Standings(rungs, curves)


def _share_controls(results: Row, curves: dict[str, list[Point]]) -> None:
    """Learners that search alike start from the same networks, measured once."""
    efforts = {row["learner"]: effort(row) for row in results["trainings"]}
    controls = {efforts[name]: points[0] for name, points in curves.items() if not points[0].share}
    for name, points in curves.items():
        if points[0].share and efforts[name] in controls:
            points.insert(0, controls[efforts[name]])


def effort(row: Row) -> str:
    """How a learner searches, by the row of a training."""
    simulations = row.get("simulations", 0)  # rows of earlier versions have none
    return f"{simulations} simulations" if simulations else f"depth {row['depth']}"


def controls(results: Row, found: Standings, places: Sequence[str]) -> dict[str, list[Mean | None]]:
    """Untrained networks by how they search, with their ratings on each game."""
    efforts: dict[str, str] = {}
    for row in results["trainings"]:
        efforts.setdefault(effort(row), row["learner"])
    rated = {
        f"untrained, {searched}": [found.untrained(place, name) for place in places]
        for searched, name in efforts.items()
    }
    return {name: means for name, means in rated.items() if any(means)}


def _shares(results: Row, place: str, learner: str) -> Iterator[list[tuple[int, Row]]]:
    """Seeds and points of a learner's trainings, share by share."""
    found: dict[float, list[tuple[int, Row]]] = defaultdict(list)
    for row in results["trainings"]:
        if (row["place"], row["learner"]) == (place, learner):
            for point in row["points"]:
                found[point["share"]].append((row["seed"], point))
    yield from (found[share] for share in sorted(found))


def _point(
    learner: str, rows: Sequence[tuple[int, Row]], rated: Mapping[int, Mapping[str, Rating]]
) -> Point:
    share = rows[0][1]["share"]
    return Point(
        share,
        sum(point["cpu_seconds"] for _, point in rows) / len(rows),
        sum(point["games"] for _, point in rows) / len(rows),
        over_seeds([rated[seed][label(learner, share)] for seed, _ in rows]),
    )


def score(results: Row, place: str, learner: str, rung: str) -> Mean | None:
    """Against a rung at the end of the budget, all seeds together."""
    return _score(results, place, rung, 1, lambda row: row["learner"] == learner)


def untrained_score(results: Row, place: str, searched: str, rung: str) -> Mean | None:
    """Of what learners that search alike (`effort`) start from, all seeds together."""
    return _score(results, place, rung, 0, lambda row: effort(row) == searched)


def _score(
    results: Row, place: str, rung: str, share: float, wanted: Callable[[Row], bool]
) -> Mean | None:
    matches = [
        {"pairs": point["results"][rung]}
        for row in results["trainings"]
        if row["place"] == place and wanted(row)
        for point in row["points"]
        if point["share"] == share and rung in point["results"]
    ]
    return pooled(matches) if matches else None
