"""The shogi paper: tree search against a deep Q-network, and what each costs.

Five parts, which may be done by themselves, on different machines, in any order but that the ladder
comes after the improved learner: `search` (UCT and its switches), `dqn` (the paper's networks),
`longer` (one of them with a hundred times the games), `improved` (the improved learner) and
`ladder` (all of them on one scale). Every job keeps what came of it in a file of its own, named by
its settings: joining two machines' work is copying folders.
What comes out of all jobs that are done is one file, `results.json`; the verdicts
(`claims`), the report and the figures are made from it alone.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tempo import recipes
from tempo.errors import ParseError
from tempo.files import write_text
from tempo.ledger import Machine
from tempo.papers.jobs import Call, Told, counting, read_results, side_by_side, total
from tempo.papers.shogi import costs, ladder, searches, training
from tempo.papers.shogi.costs import Counting, Timing
from tempo.papers.shogi.searches import GAME, Match
from tempo.papers.shogi.training import PAPER_KINDS, RECIPES, Training

QUICK_SEEDS, FULL_SEEDS = 2, 5
PARTS = (
    "search",
    "dqn",
    "longer",
    "improved",
    "ladder",
)  # whatever needs something of others comes last

# Of the search half: no match may take much longer than the others together, on many cores.
SEARCH = searches.Sizes(
    table=200, budget=100, compared=200, budgets=(50, 100, 200, 400, 800, 1600, 3200)
)

Row = dict[str, Any]
Job = Match | Training | Counting | Timing


@dataclass(frozen=True)
class Phase:
    """Jobs that need nothing of each other."""

    jobs: Sequence[Job]
    alone: bool = False  # one after the other, each with all cores
    fresh: bool = False  # each in a process of its own: JAX chooses its device once


def phases(part: str, seeds: int, quick: bool) -> list[Phase]:
    """The jobs of a part."""
    timings = (2, 5) if quick else (20, 50)
    improved = training.improved(quick)
    if part == "search":
        sizes = searches.QUICK if quick else SEARCH
        times = [Timing(kind, True, *timings) for kind in RECIPES]
        return [Phase(times, fresh=True), Phase(searches.matches(sizes))]
    if part == "dqn":
        times = [] if quick else [Timing(kind, False, *timings) for kind in PAPER_KINDS]
        lengths = training.trainings(seeds, quick)
        return [
            Phase([Counting(), *times], alone=True, fresh=True),
            *(Phase(trainings, fresh=True) for trainings in lengths),
        ]
    if part == "longer":
        return [] if quick else [Phase([training.LONGER], alone=True, fresh=True)]
    if part == "improved":
        return [Phase([improved], alone=True, fresh=True)]
    networks = [(improved.label(goal), improved.network(goal)) for goal in improved.goals]
    return [Phase(list(ladder.matches(quick, networks)))]


def carry_out(out: Path, job: Job, threads: int = 1) -> Row:
    """Does one job, or finds it done."""
    if isinstance(job, Training):
        return training.train(out, job, threads)
    if isinstance(job, Timing):
        return costs.measure(out, job)
    if isinstance(job, Counting):
        return costs.count(out, job)
    return ladder.play(out, job) if job.group == "ladder" else searches.play(out, job)


def reproduce(
    out: Path,
    *,
    seeds: int,
    quick: bool,
    workers: int,
    command: str,
    progress: Told | None = None,
    only: str | None = None,
) -> Row:
    """Does whatever is not done yet of a part, or of all, and writes `results.json`."""
    if only is not None and only not in PARTS:
        raise ParseError(f"there is no part '{only}'; there are {', '.join(PARTS)}")
    if only != "search":
        recipes.deep()  # said now, not by every process
    begun = time.perf_counter()
    header = {
        "paper": "shogi",
        "quick": quick,
        "command": command,
        "commit": Machine.here().commit,
        "game": GAME,
        "seeds": list(range(1, seeds + 1)),
        "workers": workers,
        "wall_seconds": 0.0,
    }
    plan = {part: phases(part, seeds, quick) for part in ((only,) if only else PARTS)}
    _collected(out, header)  # so that what a kill leaves behind can be read
    jobs = [job for part in plan.values() for phase in part for job in phase.jobs]
    for part, found in plan.items():
        tell = counting(out, jobs, progress, part)
        for phase in found:
            _carry_out(out, phase, workers, tell)
    return _collected(out, {**header, "wall_seconds": round(time.perf_counter() - begun, 1)})


def _carry_out(out: Path, phase: Phase, workers: int, tell: Callable[[], None]) -> None:
    at_once, threads = (1, workers) if phase.alone else (workers, 1)
    todo = [job for job in phase.jobs if not job.result(out).exists() and _is_ready(out, job)]
    todo.sort(key=_burden, reverse=True)
    calls: list[Call] = [(carry_out, (out, job, threads)) for job in todo]
    if calls:
        for _ in side_by_side(calls, at_once, tell, fresh=phase.fresh):
            pass
    tell()


def _burden(job: Job) -> float:
    """Roughly what a match takes beside others, so that no long one begins last."""
    if not isinstance(job, Match):
        return 0.0
    specs = f"{job.a} {job.b}"
    sims = sum(map(int, re.findall(r"sims=(\d+)", specs)))
    nodes = sum(map(int, re.findall(r"nodes=(\d+)", specs)))  # of trees and of alpha-beta
    networks = specs.count(ladder.NETWORK)
    return job.games * (sims + nodes / 50 + 1000 * networks)


def _is_ready(out: Path, job: Job) -> bool:
    """Only matches of the ladder wait for something. Without it they are left for later."""
    return not isinstance(job, Match) or ladder.is_ready(out, job)


# What is done so far


def collect(out: Path) -> Row:
    """The results anew from the files of all jobs, as after copying parts together."""
    stored = read_results(out, "shogi")
    names = ("paper", "quick", "command", "commit", "game", "seeds", "workers", "wall_seconds")
    return _collected(out, {name: stored[name] for name in names})


def _collected(out: Path, header: Row) -> Row:
    rows = {part: list(_rows(out, part, header)) for part in PARTS}
    every = [row for part in PARTS for row in rows[part]]
    trainings = [row for row in every if "points" in row]
    matches = [row for row in every if "group" in row]
    training = total(row["ledger"] for row in trainings)
    tested = [match for row in trainings for point in row["points"] for match in point["matches"]]
    playing = total(side for match in (*matches, *tested) for side in match["ledger"].values())
    playing.games = sum(match["games"] for match in (*matches, *tested))  # each side counts its own
    results = {
        **header,
        "parts": {part: [len(rows[part]), _size(part, header)] for part in PARTS},
        "counts": next((row["counts"] for row in every if "counts" in row), None),
        "times": [row for row in every if "playing" in row],
        "trainings": trainings,
        "matches": matches,
        "shipped": ladder.shipped_record() if ladder.is_shipped() else None,
        "training": training.to_json(),
        "playing": playing.to_json(),
        "ledger": (training + playing).to_json(),
    }
    write_text(out / "results.json", json.dumps(results) + "\n")
    return results


def _rows(out: Path, part: str, header: Row) -> Iterator[Row]:
    """What came of the jobs of a part that are done, in their order."""
    for phase in phases(part, len(header["seeds"]), header["quick"]):
        for job in phase.jobs:
            if job.result(out).exists():
                row: Row = json.loads(job.result(out).read_text())
                if row.get("group") != "table6":
                    row.pop("each", None)  # only Table 6 tells of games one by one
                yield row


def _size(part: str, header: Row) -> int:
    """How many jobs a part has."""
    found = phases(part, len(header["seeds"]), header["quick"])
    return sum(len(phase.jobs) for phase in found)
