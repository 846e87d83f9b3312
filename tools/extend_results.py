"""Does jobs of a paper that its stored results lack, and adds their rows to those stored.

    python tools/extend_results.py siguo 'online-*-2000-1[1-9]-*' 'online-*-2000-20-*' --work DIR
    tempo reproduce siguo --report-only --out docs/papers/siguo

`tempo reproduce` goes on from the files of jobs in its folder, which do not come with stored
results; these keep the rows themselves. Here the jobs whose names match a pattern are done in
--work, or found done there, and everything is collected anew. What was added, from which commit,
stands under `added` in the results. Killed, it goes on from --work. Adding a row twice is refused.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from tempo import papers
from tempo.errors import TempoError
from tempo.files import write_text
from tempo.papers.jobs import carry_out
from tempo.papers.reproduction import HEADER

Row = dict[str, Any]
ONE_ROW = ("floors", "network")  # rows that are no part of a list


def rows_of(results: Row) -> Iterator[Row]:
    """The rows from which results were collected."""
    for name, value in results.items():
        if name in HEADER or name in ("parts", "added"):
            continue
        if name in ONE_ROW and value:
            yield value if name == "network" else {name: value}
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from value
        elif isinstance(value, dict) and name in ("conditions", "own"):
            yield from rows_of(value)


def _commit() -> str:
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    """Does, collects, writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paper", choices=("endgames", "gomoku", "jiu", "siguo"))
    parser.add_argument("patterns", nargs="+", help="of names of jobs")
    parser.add_argument("--work", type=Path, required=True, help="folder of the jobs' files")
    parser.add_argument("--stored", type=Path, help="folder of results.json; docs/papers/PAPER")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    plan, commit = papers.load(given.paper).plan, _commit()
    path = (given.stored or Path("docs/papers") / given.paper) / "results.json"
    results: Row = json.loads(path.read_text())
    quick, seeds = results["quick"], len(results["seeds"])
    stages = plan.stages(seeds, quick)
    wanted = [
        replace(stage, jobs=[job for job in stage.jobs if any(fnmatch(job.name, p)
                for p in given.patterns)])
        for stage in stages
    ]  # fmt: skip
    plan.prepare([*plan.parts])
    carry_out(given.work, wanted, given.jobs, print)
    new = [json.loads(job.result(given.work).read_text()) for stage in wanted for job in stage.jobs]
    old = list(rows_of(json.loads(path.read_text())))  # as it is by now
    if any(row in old for row in new):
        raise TempoError(f"{path} holds some of these rows already")
    made = {name: results[name] for name in HEADER}
    if plan.parts:
        made["parts"] = dict(results.get("parts") or {})
        for part in plan.parts:
            jobs = {job.result(given.work) for s in stages if s.part == part for job in s.jobs}
            added = sum(len(stage.jobs) for stage in wanted if stage.part == part)
            if added or part in made["parts"]:
                made["parts"][part] = [made["parts"].get(part, [0])[0] + added, len(jobs)]
    made["added"] = [
        *results.get("added", []),
        {"jobs": given.patterns, "rows": len(new), "commit": commit},
    ]
    write_text(path, json.dumps(made | plan.collect([*old, *new], quick)) + "\n")
    print(f"{path}: {len(new)} rows added to {len(old)}")


if __name__ == "__main__":
    main()
