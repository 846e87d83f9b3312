"""Running a comparison: all jobs of its plan, and one file of results, `results.json`.

Report and figures are made from that file alone. Killed, a comparison goes on from its folder.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tempo.cluster.workers import ONE_THREAD, Workers
from tempo.compare.plan import Meeting, Plan, Rest, Training, openings, place, place_text
from tempo.errors import ParseError, TempoError
from tempo.files import write_text
from tempo.ledger import Ledger, Machine
from tempo.papers.jobs import Row, Stage, Told, carry_out, ledgers, total


def compare(
    plan: Plan,
    out: Path,
    *,
    workers: int | Workers,
    command: str,
    seconds: float | None = None,
    progress: Told | None = None,
    stored: Row | None = None,
) -> Row:
    """Runs the jobs that are not done yet and collects; none starts after `seconds`.

    With `stored` results of other learners the new ones are added to them: all play the same rungs.
    """
    begun = time.perf_counter()
    for small in plan.places:
        openings(small, plan.games // 2)  # a game with too few of them is told now
    os.environ.update(ONE_THREAD)  # for the children: their CPU seconds are compared
    header: Row = {
        "command": command,
        "commit": Machine.here().commit,
        "learners": list(plan.learners),
        "places": [place_text(small) for small in plan.places],
        "rungs": list(plan.rungs),
        "seeds": list(range(1, plan.seeds + 1)),
        "budget": plan.budget,
        "games": plan.games,
        "match_seconds": plan.match_seconds,
        "refused": [[*pair, why] for pair, why in plan.refused().items()],
        "workers": workers if isinstance(workers, int) else workers.size,
        "wall_seconds": 0.0,
    }
    if stored is not None:
        header |= {
            "command": f"{stored['command']}; {command}",
            "commit": ", ".join(dict.fromkeys(filter(None, (stored["commit"], header["commit"])))),
            "learners": stored["learners"] + header["learners"],
            "refused": stored["refused"] + header["refused"],
        }
    collect(plan, out, header, stored)  # so that what a kill leaves behind can be reported
    carry_out(out, plan.stages(), workers, progress, seconds)
    if rests := plan.rests(out):
        left = None if seconds is None else seconds - (time.perf_counter() - begun)
        carry_out(out, [Stage(rests, "playing on")], workers, progress, left)
    spent = round(time.perf_counter() - begun, 1)
    return collect(plan, out, header | {"wall_seconds": spent}, stored)


def added(stored: Row, learners: Sequence[str]) -> Plan:
    """The plan of learners that are added to stored results: the same games, budget and seeds."""
    if known := [name for name in learners if name in stored["learners"]]:
        raise ParseError(f"{known[0]} is in the stored comparison already")
    if not learners:
        raise ParseError("say which learners are added, such as `tempo compare zero --onto FOLDER`")
    return Plan(
        tuple(learners), tuple(place(text) for text in stored["places"]), stored["budget"],
        len(stored["seeds"]), stored["games"], stored["match_seconds"],
        rungs=tuple(stored["rungs"]), rungs_meet=False,
    )  # fmt: skip


def collect(plan: Plan, out: Path, header: Row, stored: Row | None = None) -> Row:
    """What has come of all jobs that are done, in the order of the plan, after what is stored."""
    found: dict[str, list[Row]] = {}
    for name, jobs in (("trainings", plan.trainings()), ("meetings", plan.meetings())):
        paths = [_latest(job, out) for job in jobs]
        found[name] = [json.loads(path.read_text()) for path in paths if path.exists()]
        header[f"{name}_planned"] = len(paths)
        if stored is not None:
            found[name] = stored[name] + found[name]
            header[f"{name}_planned"] += stored[f"{name}_planned"]
    training = total(row["ledger"] for row in found["trainings"])
    points = [point for row in found["trainings"] for point in row["points"]]
    playing = total(row["playing"] for row in (*points, *found["meetings"]))
    results: Row = {**header, **found, **ledgers(training, playing)}
    write_text(out / "results.json", json.dumps(results) + "\n")
    return results


def _latest(job: Training | Meeting, out: Path) -> Path:
    """The file of its row: that with the rest of its matches, where they were played on."""
    rest = Rest(job, 0).result(out) if isinstance(job, Training) else None
    return rest if rest and rest.exists() else job.result(out)


def read_results(out: Path) -> dict[str, Any]:
    """The stored results of a comparison."""
    path = out / "results.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        raise TempoError(f"{out} holds no results.json; run `tempo compare`") from None
    except json.JSONDecodeError as error:
        raise TempoError(f"{path} is damaged: {error}") from None
    Ledger.from_json(found["ledger"])
    return found
