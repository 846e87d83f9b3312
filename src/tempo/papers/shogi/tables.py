"""From the stored results of the shogi paper to shares, times, costs and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tempo.arena.ratings import Misfit, Rating, connected, misfits, rate
from tempo.arena.statistics import Pairs, wilson
from tempo.papers.judging import Mean, mean_of, no_narrower, pooled
from tempo.papers.shogi.ladder import SHIPPED
from tempo.papers.shogi.published import SEATS, TRAINING_GAMES
from tempo.papers.shogi.searches import RANDOM
from tempo.papers.shogi.training import PAPER_KINDS

Row = dict[str, Any]
Results = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]

OUTCOMES = {"won": 0, "drawn": 1, "lost": 2}
METHODS = {
    "uct": "UCT",
    "path": "UCT, whole path",
    "ab": "alpha-beta",
    "faithful": "faithful DQN",
    "corrected": "corrected DQN",
    "improved": "improved DQN",
    SHIPPED: "improved DQN, as shipped",
    RANDOM: "random",
}


# Matches of searches


def match_of(results: Results, group: str, row: str) -> Row | None:
    """A match by its table and row, if it is done."""
    found = (m for m in results["matches"] if m["group"] == group and m["row"] == row)
    return next(found, None)


def moves_of_games(match: Mapping[str, Any]) -> list[float]:
    """Moves of both sides in each game of Table 6."""
    return [float(game["moves"]) for game in match["each"]]


def seconds_of_games(match: Mapping[str, Any]) -> list[float]:
    """Processor seconds of each game of Table 6."""
    return [game["seconds"] for game in match["each"]]


def capped(match: Mapping[str, Any], cap: int) -> tuple[Mean, float]:
    """Games of Table 6 as if they had been drawn after `cap` moves: share won, moves a game."""
    won = sum(game["points"] == 1 and game["moves"] <= cap for game in match["each"])
    low, high = wilson(won, len(match["each"]))
    moves = float(np.mean([min(game["moves"], cap) for game in match["each"]]))
    return Mean(won / len(match["each"]), low, high), moves


# Trainings and their tests


def trainings_of(results: Results, kind: str) -> list[Row]:
    """Those of a kind, by seed."""
    return [training for training in results["trainings"] if training["kind"] == kind]


def first_games(training: Mapping[str, Any]) -> Rows:
    """The lines of Table 7."""
    return list(training["games"][:TRAINING_GAMES])


def ten_games(results: Results, kind: str) -> list[Row]:
    """One training of each seed that has played the paper's games."""
    found = [t for t in trainings_of(results, kind) if len(t["games"]) >= TRAINING_GAMES]
    # Of the trainings of a seed the shortest, which comes first: the one that was tested then.
    by_seed = {training["seed"]: training for training in reversed(found)}
    return [by_seed[seed] for seed in sorted(by_seed)]


def points_of(results: Results, kind: str, after: int | None = None) -> list[Row]:
    """Networks of a kind, after a number of games (or seconds), with what they have cost."""
    return [
        {**point, "kind": kind, "seed": training["seed"], "device": training["device"]}
        for training in trainings_of(results, kind)
        for point in training["points"]
        if after in (None, point["after"])
    ]


def goals_of(results: Results, kind: str) -> list[int]:
    """After how many games (or seconds) networks of a kind were looked at."""
    return sorted({point["after"] for point in points_of(results, kind)})


def tests(results: Results, kind: str, after: int) -> list[Row]:
    """Games against random moves, one row for each seed."""
    return [
        match
        for point in points_of(results, kind, after)
        for match in point["matches"]
        if match["group"] == "table8"
    ]


def counted(row: Mapping[str, Any], outcome: str, seats: Sequence[str] = SEATS) -> tuple[int, int]:
    """How many test games ended so, of how many, from some seats."""
    place = OUTCOMES[outcome]
    return sum(row[seat][place] for seat in seats), sum(sum(row[seat]) for seat in seats)


def share(rows: Rows, outcome: str, seats: Sequence[str] = SEATS) -> Mean | None:
    """Over trainings, its interval never narrower than Wilson's of all their games."""
    each = [counted(row, outcome, seats) for row in rows]
    runs = mean_of([count / games for count, games in each])
    return runs and no_narrower(runs, Mean(runs.value, *wilson(*map(sum, zip(*each, strict=True)))))


def shares(rows: Rows, outcome: str, seats: Sequence[str] = SEATS) -> list[float]:
    """One for each training."""
    return [
        count / games for count, games in (counted(row, outcome, seats) for row in rows) if games
    ]


def score(rows: Rows) -> Mean | None:
    """Points over trainings, draws half; never surer than the pairs of all their games."""
    runs = mean_of([row["score"] for row in rows])
    return runs and no_narrower(runs, pooled(rows))


# Times


def times(results: Results, kind: str, what: str, *, on_cpu: bool = True) -> list[float]:
    """Seconds of a move (`playing`) or of an update (`learning`): on one core, or the device's."""
    for row in results["times"]:
        if row["kind"] == kind and row["on_cpu"] == on_cpu:
            return [cpu if on_cpu else wall for wall, cpu in row[what]]
    return []


def device_of(results: Results, kind: str, *, on_cpu: bool = True) -> str:
    """Where those times were taken."""
    found = (r["device"] for r in results["times"] if r["kind"] == kind and r["on_cpu"] == on_cpu)
    return next(found, "–")


def training_seconds(results: Results, kind: str, *, on_cpu: bool = True) -> list[float]:
    """What the paper's ten games cost, training by training: moves times the time of one."""
    spent = times(results, kind, "learning", on_cpu=on_cpu)
    if not spent:
        return []
    one = float(np.median(spent))
    return [
        one * sum(game["moves"] for game in first_games(training))
        for training in ten_games(results, kind)
    ]


# Ratings


@dataclass(frozen=True)
class Standing:
    """A player of the ladder: what it is, how strong, and what it costs."""

    label: str
    method: str  # one of METHODS
    budget: int  # simulations, positions, games or seconds of learning
    rating: Rating
    move_seconds: float | None  # of one core
    multiply_adds: int  # of training
    seed: int = 0


def meetings(results: Results) -> dict[tuple[str, str], Pairs]:
    """All games of the ladder, those of networks against random moves included."""
    tested = [
        match
        for training in results["trainings"]
        for point in training["points"]
        for match in point["matches"]
    ]
    found: dict[tuple[str, str], Pairs] = {}
    for match in (*results["matches"], *tested):
        if match["group"] in ("ladder", "table8"):
            one, other = match["row"].split()
            found[one, other] = found.get((one, other), Pairs()).plus(Pairs(*match["pairs"]))
    return found


def ladder(results: Results) -> dict[str, Rating]:
    """Ratings of all whom games join to random play, which is 0."""
    found = meetings(results)
    reached = set(connected(found, RANDOM))
    return rate({pair: met for pair, met in found.items() if set(pair) <= reached}, RANDOM)


def ladder_misfits(results: Results) -> list[Misfit]:
    """Meetings that one scale of strength does not explain."""
    return misfits(meetings(results), ladder(results))


def standings(results: Results) -> list[Standing]:
    """All players with their ratings and costs, the weakest first."""
    ratings = ladder(results)
    seconds = move_seconds(results)
    points = {
        point["label"]: point
        for kind in (*PAPER_KINDS, "improved")
        for point in points_of(results, kind)
    }
    found = []
    for label, rating in ratings.items():
        method, _, rest = label.partition("-")
        kind = "improved" if method == SHIPPED else method
        learnt = points.get(label, {}).get("ledger") or {}
        if method == SHIPPED:
            learnt = results["shipped"]["ledger"]
        timed = times(results, kind, "playing")
        found.append(Standing(
            label, method, int(rest.partition("-")[0] or 0), rating,
            float(np.median(timed)) if timed else seconds.get(label),
            int(learnt.get("multiply_adds", 0)), int(rest.partition("-")[2] or 0),
        ))  # fmt: skip
    return sorted(found, key=lambda standing: standing.rating.rating)


def move_seconds(results: Results) -> dict[str, float]:
    """Processor seconds a move of every player of the ladder."""
    spent: dict[str, list[float]] = {}
    for match in results["matches"]:
        if match["group"] == "ladder":
            for label, side in zip(match["row"].split(), ("a", "b"), strict=True):
                total = spent.setdefault(label, [0.0, 0.0])
                total[0] += match["ledger"][side]["cpu_seconds"]
                total[1] += match["ledger"][side]["moves"]
    return {label: seconds / max(1.0, moves) for label, (seconds, moves) in spent.items()}
