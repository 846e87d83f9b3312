"""Every learner on every game, and who beats random moves: `make matrix` writes docs/matrix.md.

    python -m tempo.compare.matrix --minutes 60 --jobs 2

Each pair has its own settings and the same CPU time, so that all of them take about as long as is
said. What short matches leave of it goes to those that were cut short, in equal parts. Killed, it
goes on from its folder with the same call.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tempo
from tempo import displays
from tempo.compare import contest
from tempo.compare.plan import Plan, place_text
from tempo.compare.standings import effort, score, untrained_score
from tempo.files import write_text
from tempo.games.registry import names
from tempo.learners.registry import kinds
from tempo.papers.judging import Mean
from tempo.papers.markdown import table, with_span
from tempo.papers.reports import costs, provenance

RUNGS = ("random", "one-ply")
GAMES = 200
USED = 0.95  # of the time, by learning and matches; the rest is for starting up and the last jobs
LEARNING = 0.7  # of a pair's time
MATCH = 0.15  # of it, a match at first: most end long before, and leave time for those that do not
BEATEN = 0.6  # the lower end of an interval above which random moves are beaten

ABOUT = (
    "`make matrix` trains each learner with its own settings on a small form of each game, and "
    "plays it against random moves and against one-ply search with the game's static evaluation. "
    "Scores count draws as half; intervals are 95 %, over pairs of games from the same opening "
    "with sides swapped. Of an ending that only one side can win, 0.75 is about all there is. "
    "`untrained` is the control: what learners start from, searching as they do."
)


def plan_of(minutes: float, jobs: int, learners: Sequence[str], places: Sequence[str]) -> Plan:
    """All pairs, or those that are named, with what the time allows for each."""
    small = [small for name in names() for small in tempo.load(name).description.small]
    chosen = tuple(s for s in small if not places or place_text(s) in places)
    taught = tuple(name for name in kinds() if not learners or name in learners)
    each = 60 * minutes * jobs / (len(chosen) * len(taught))
    budget = round(LEARNING * each, 1)
    return Plan(
        taught, chosen, budget, seeds=1, games=GAMES, match_seconds=round(MATCH * each, 1),
        shares=(0.0, 1.0), rungs=RUNGS, meet=False, seconds=USED * 60 * minutes * jobs,
    )  # fmt: skip


def page(results: dict[str, Any]) -> str:
    """The table as a page of the documentation."""
    setting = [
        ("budget", f"{results['budget']:g} CPU s of learning a pair"),
        ("matches", f"{results['games']} games, fewer where they take more than "
                    f"{results['match_seconds']:g} CPU s and a share of the time that others left"),
    ]  # fmt: skip
    scores = {
        (learner, place): score(results, place, learner, "random")
        for learner in results["learners"]
        for place in results["places"]
    }
    controls = {
        (searched, place): untrained_score(results, place, searched, "random")
        for searched in {effort(row) for row in results["trainings"]}
        for place in results["places"]
    }
    found = [mean for mean in scores.values() if mean is not None]
    beaten = sum(mean.low > BEATEN for mean in found)
    efforts = {row["learner"]: effort(row) for row in results["trainings"]}
    taught = sum(
        mean is not None and (start := controls.get((efforts[learner], place))) is not None
        and mean.low > start.high
        for (learner, place), mean in scores.items()
        if learner in efforts
    )  # fmt: skip
    parts = [
        "# Every learner on every game",
        ABOUT,
        provenance(results, setting=setting, done=costs(results)),
        f"**{beaten} of {len(found)} pairs ({beaten / max(len(found), 1):.0%}) beat random moves "
        f"with the lower end of the interval above {BEATEN}**; they are bold. {taught} score above "
        "what they started from with no overlap of intervals: where the control wins nearly all "
        "games against random moves, nothing can.",
        *(f"## Against {rung}\n\n{_table(results, rung)}" for rung in RUNGS),
    ]
    return "\n\n".join(parts) + "\n"


def _table(results: dict[str, Any], rung: str) -> str:
    places = results["places"]
    rows = [
        [f"`{name}`", *(_cell(score(results, place, name, rung), rung) for place in places)]
        for name in results["learners"]
    ]
    rows += [
        [f"untrained, {searched}",
         *(_cell(untrained_score(results, place, searched, rung)) for place in places)]
        for searched in dict.fromkeys(effort(row) for row in results["trainings"])
    ]  # fmt: skip
    return table(["learner", *(f"`{place}`" for place in places)], rows)


def _cell(mean: Mean | None, rung: str = "") -> str:
    if mean is None:
        return "–"
    text = with_span(mean.value, mean.low, mean.high, 2)
    return f"**{text}**" if rung == "random" and mean.low > BEATEN else text


class _Jobs(NamedTuple):
    """How far it is."""

    done: int
    total: int


def main() -> None:
    """Trains, plays, writes."""
    parser = argparse.ArgumentParser(description="Train every learner on every game.")
    add = parser.add_argument
    add("--minutes", type=float, default=60, help="on the wall, for all pairs together")
    add("--jobs", type=int, default=2, help="pairs at a time")
    add("--seconds", type=float, help="on the wall, after which no pair begins; as the minutes")
    add("--learner", action="append", default=[], help="these alone")
    add("--game", action="append", default=[], help="these alone, such as chess:KRK")
    add("--out", type=Path, default=Path("runs/matrix"), help="folder; goes on from there")
    add("--write", type=Path, help="the page, such as docs/matrix.md")
    args = parser.parse_args()
    plan = plan_of(args.minutes, args.jobs, args.learner, args.game)
    print(f"{len(plan.trainings())} pairs, {plan.budget:g} CPU s each, into {args.out}")

    bar = displays.Bar("make matrix")

    def tell(done: int, total: int, what: str) -> None:
        bar.title = f"make matrix: {what}"
        bar(_Jobs(done, total))

    results = contest.compare(
        plan, args.out, workers=args.jobs, seconds=args.seconds or 60 * args.minutes, progress=tell,
        command=f"make matrix MINUTES={args.minutes:g} JOBS={args.jobs}",
    )  # fmt: skip
    path = args.write or args.out / "matrix.md"
    write_text(path, page(results))
    if args.write:  # the page can be checked, and made anew
        write_text(path.with_suffix(".json"), json.dumps(results) + "\n")
    print(f"\n{path}")


if __name__ == "__main__":
    main()
