"""The shogi paper: tree search against a deep Q-network, and what each costs.

Its parts may be done by themselves, on different machines, in any order but that the ladder comes
after the improved learner.
"""

from __future__ import annotations

from collections.abc import Collection

from tempo import recipes
from tempo.papers.jobs import Row, Stage, ledgers, total
from tempo.papers.reproduction import Plan
from tempo.papers.shogi import ladder, searches, training
from tempo.papers.shogi.costs import Counting, Timing
from tempo.papers.shogi.searches import GAME
from tempo.papers.shogi.training import PAPER_KINDS, RECIPES

PARTS = {
    "search": "UCT and its switches",
    "dqn": "the paper's networks",
    "longer": "one of them with a hundred times the games",
    "improved": "the improved learner",
    "ladder": "all of them on one scale",  # needs what `improved` has made
    "floors": "random against random, and networks that have learnt nothing",
}


def stages(seeds: int, quick: bool) -> list[Stage]:
    """All jobs."""
    timings = (2, 5) if quick else (20, 50)
    improved = training.improved(quick)
    on_cpu = [Timing(kind, True, *timings) for kind in RECIPES]
    on_device = [] if quick else [Timing(kind, False, *timings) for kind in PAPER_KINDS]
    longer = [] if quick else [Stage([training.LONGER], "longer", alone=True, fresh=True)]
    networks = [(improved.label(goal), improved.network(goal)) for goal in improved.goals]
    return [
        Stage(on_cpu, "search", fresh=True),
        Stage(searches.matches(searches.QUICK if quick else searches.FULL), "search"),
        Stage([Counting(), *on_device], "dqn", alone=True, fresh=True),
        *(Stage(found, "dqn", fresh=True) for found in training.trainings(seeds, quick)),
        *longer,
        Stage([improved], "improved", alone=True, fresh=True),
        Stage(list(ladder.matches(quick, networks)), "ladder"),
        Stage([searches.floor(quick)], "floors"),
        Stage(training.untrained(seeds, quick), "floors", fresh=True),
    ]


def prepare(parts: Collection[str]) -> None:
    """Looks for JAX, which only the search half can do without."""
    if {*parts} != {"search"}:
        recipes.deep()  # said now, not by every process


def collect(rows: list[Row], quick: bool) -> Row:
    """What the results hold of all jobs that are done."""
    trained = [row for row in rows if "points" in row]
    trainings = [row for row in trained if row["points"][0]["after"] > 0]
    untrained = [row for row in trained if row["points"][0]["after"] == 0]
    matches = [row for row in rows if "group" in row]
    for row in matches:
        if row["group"] not in ("table6", "floors"):
            row.pop("each", None)  # only those of Table 6 are looked at one by one
    learning = total(row["ledger"] for row in trainings)
    tested = [match for row in trained for point in row["points"] for match in point["matches"]]
    playing = total(side for match in (*matches, *tested) for side in match["ledger"].values())
    playing.games = sum(match["games"] for match in (*matches, *tested))  # each side counts its own
    return {
        "game": GAME,
        "counts": next((row["counts"] for row in rows if "counts" in row), None),
        "times": [row for row in rows if "playing" in row],
        "trainings": trainings,
        "untrained": [row["points"][0]["matches"][0] for row in untrained],
        "matches": matches,
        "shipped": ladder.shipped_record() if ladder.is_shipped() else None,
        **ledgers(learning, playing),
    }


PLAN = Plan(
    "shogi", stages, collect, prepare, parts=PARTS, optional=frozenset({"floors"}),
    alone=frozenset({"floors"}),
)  # fmt: skip
