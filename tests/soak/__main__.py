"""The command behind `make soak`."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from soak.report import line, table, write_table
from soak.runner import FOREVER, Plan, State, Tally, soak_all
from soak.subject import Fault, Subject, attempt, chosen, stream

ROOT = Path(__file__).resolve().parent.parent.parent
STATE = ROOT / "build" / "soak" / "results.json"


def arguments() -> argparse.Namespace:
    """What was asked for; empty texts are what make passes for what was not said."""
    parser = argparse.ArgumentParser(prog="make soak", description="Soak every reader and server.")
    parser.add_argument("--minutes", default="", help="for all subjects together; 5 if no count")
    parser.add_argument("--count", default="", help="inputs for each subject")
    parser.add_argument("--only", default="", help="subjects whose names begin so")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--input", default="", help="try this one again and show what happens")
    parser.add_argument("--jobs", default="2", help="workers at a time")
    parser.add_argument("--state", default=str(STATE), help="the file that a soak goes on from")
    parser.add_argument("--module", action="append", default=[], help="a module of more subjects")
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    parser.add_argument("--list", action="store_true", help="name the subjects")
    parser.add_argument("--table", action="store_true", help="print what was found as a table")
    parser.add_argument("--write", default="", help="put that table into a file of documentation")
    return parser.parse_args()


def repeat(subject: Subject, seed: int, number: int) -> int:
    """One input in this process, with all there is to see."""
    print(f"{subject.name}, seed {seed}, input {number}:")
    print(ascii(subject.make(stream(seed, subject.name, number))))
    found = attempt(subject, seed, number)
    print(found.detail if isinstance(found, Fault) else found)
    return int(isinstance(found, Fault))


def main() -> int:
    """1 when an input was neither accepted nor refused."""
    given = arguments()
    seed = int(given.seed)
    state = State(Path(given.state), seed, fresh=given.fresh)
    if given.table or given.write:
        print(table(state)) if given.table else write_table(Path(given.write), state)
        return 0
    subjects = chosen(given.only, given.module)
    if given.list:
        print("\n".join(subjects))
        return 0
    if given.input:
        if len(subjects) > 1:
            sys.exit(f"one subject can be repeated, not {', '.join(subjects)}")
        return repeat(next(iter(subjects.values())), seed, int(given.input))
    count = int(given.count) if given.count else FOREVER
    minutes = float(given.minutes) if given.minutes else (float("inf") if given.count else 5.0)
    print(f"{len(subjects)} subjects, seed {seed}; kept in {given.state}", flush=True)

    def tell(name: str, tally: Tally) -> None:
        print(line(name, tally, seed), flush=True)

    for wanted in (signal.SIGINT, signal.SIGTERM):  # in the background SIGINT is ignored, else
        signal.signal(wanted, signal.default_int_handler)
    plan = Plan(count, 60 * minutes, int(given.jobs), tuple(given.module))
    try:
        left = soak_all(subjects, state, plan, tell)
    except KeyboardInterrupt:
        print("stopped; `make soak` goes on from here")
        return 130
    if left:
        print(f"left out, for they take longer: {', '.join(left)}")
    return int(any(state.of(name).failed for name in subjects))


if __name__ == "__main__":
    raise SystemExit(main())
