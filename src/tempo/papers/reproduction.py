"""Reproducing a paper: all jobs of its plan, and one file of results, `results.json`.

Verdicts, report and figures are made from that file alone. Killed, a reproduction goes on from its
folder; parts done on different machines are joined by copying folders together.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tempo.cluster.workers import Workers
from tempo.errors import ParseError, TempoError
from tempo.files import write_text
from tempo.ledger import Machine
from tempo.papers.jobs import Row, Stage, Told, carry_out

HEADER = ("paper", "quick", "command", "commit", "seeds", "workers", "wall_seconds")


@dataclass(frozen=True)
class Plan:
    """Which jobs a paper has, and what comes of them."""

    paper: str
    stages: Callable[[int, bool], Sequence[Stage]]  # by number of seeds, quick or not
    collect: Callable[[list[Row], bool], Row]  # results from the rows of jobs, quick or not
    prepare: Callable[[Collection[str]], None] = lambda _: None  # before the first job, by parts
    seeds: int = 5
    quick_seeds: int = 2
    parts: Mapping[str, str] = field(default_factory=dict)  # that can be done alone: what each is
    optional: frozenset[str] = frozenset()  # parts that come with the others if they are named
    alone: frozenset[str] = frozenset()  # of these, those that need no others

    def chosen(self, parts: Collection[str]) -> list[str]:
        """These parts in the order of the plan; the usual ones too if those named need them."""
        for part in parts:
            if part not in self.parts:
                known = ", ".join(f"{name} ({what})" for name, what in self.parts.items())
                raise ParseError(
                    f"{self.paper} has no part '{part}'; "
                    + (f"it has {known}" if known else "it is reproduced as a whole")
                )
        usual = {*self.parts} - self.optional
        needed = parts and not (usual & {*parts}) and not {*parts} <= self.alone
        wanted = usual | {*parts} if needed or not parts else {*parts}
        return [part for part in self.parts if part in wanted]


def reproduce(
    plan: Plan,
    out: Path,
    *,
    seeds: int,
    quick: bool,
    workers: int | Workers,
    command: str,
    parts: Collection[str] = (),
    progress: Told | None = None,
) -> Row:
    """Does all jobs that are not done yet, of these parts or the usual ones, and collects."""
    chosen = plan.chosen(parts)
    plan.prepare(chosen)
    begun = time.perf_counter()
    header: Row = {
        "paper": plan.paper,
        "quick": quick,
        "command": command,
        "commit": Machine.here().commit,
        "seeds": list(range(1, seeds + 1)),
        "workers": workers if isinstance(workers, int) else workers.size,
        "wall_seconds": 0.0,
    }
    wanted = [s for s in plan.stages(seeds, quick) if not plan.parts or s.part in chosen]
    if plan.parts:
        _collected(plan, out, header)  # so that what a kill leaves behind can be reported
    carry_out(out, wanted, workers, progress)
    return _collected(plan, out, {**header, "wall_seconds": round(time.perf_counter() - begun, 1)})


def read_results(plan: Plan, out: Path) -> Row:
    """The stored results; of a paper in parts anew from the rows that lie beside them."""
    path = out / "results.json"
    try:
        results: Row = json.loads(path.read_text())
    except FileNotFoundError:
        raise TempoError(
            f"{out} holds no results.json; run `tempo reproduce {plan.paper}`"
        ) from None
    except json.JSONDecodeError as error:
        raise TempoError(f"{path} is damaged: {error}") from None
    if plan.parts and any(path.exists() for _, path in _files(plan, out, results)):
        return _collected(plan, out, {name: results[name] for name in HEADER})
    return results


def _collected(plan: Plan, out: Path, header: Row) -> Row:
    """What has come of all jobs that are done, in the order of the plan."""
    rows, results = [], dict(header)
    counts = {part: [0, 0] for part in plan.parts}  # of jobs: done, of how many
    for part, path in _files(plan, out, header):
        done = path.exists()
        if done:
            rows.append(json.loads(path.read_text()))
        if part:
            counts[part] = [counts[part][0] + done, counts[part][1] + 1]
    if counts:
        results["parts"] = counts
    results |= plan.collect(rows, header["quick"])
    write_text(out / "results.json", json.dumps(results) + "\n")
    return results


def _files(plan: Plan, out: Path, header: Row) -> Iterator[tuple[str, Path]]:
    """Of every job its part and the file of its row; a job that two parts need is the first's."""
    seen = set()
    for stage in plan.stages(len(header["seeds"]), header["quick"]):
        for job in stage.jobs:
            path = job.result(out)
            if path not in seen:
                seen.add(path)
                yield stage.part, path
