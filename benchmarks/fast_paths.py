"""Measure fast learners beside the general ones whose settings they are: moves learnt from.

    python benchmarks/fast_paths.py [ROW ...] [--repeats 5] [--seconds 2] [--json]
    python benchmarks/fast_paths.py --beside OTHER/.venv/bin/python   # an earlier commit's

Both sides play with themselves and learn from every move, on one thread; what is counted is moves
for each second of CPU time, games, targets and updates included. Sides take turns, so that a slow
minute hits both, and figures are medians. A fast path has to be three times as fast to stay.
With `--beside` the fast learners alone are measured, with this interpreter's Tempo and another's in
turn, and the ratio is the median of those of neighbours.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

from tempo import recipes  # after the threads are set
from tempo.learners.loop import Learner
from tempo.recipes import general

GOAL = 3.0  # times as fast
LONG = 10**6  # iterations: no schedule ends while it is measured
STAGE = {"iterations": LONG}


@dataclass(frozen=True)
class Row:
    """The same job both ways."""

    what: str
    fast: Mapping[str, Any]
    learner: str
    game: str
    settings: Mapping[str, Any]

    def sides(self) -> tuple[Learner, Learner]:
        """The fast learner and the general one."""
        given = {"iterations": LONG, "exam": 0, "opening": 0, **self.settings}
        slow = general.recipe_of(self.learner, self.game, given)
        return recipes.make_learner(self.fast, 1), recipes.make_learner(slow, 1)


def ending(depth: int, games: int) -> Mapping[str, Any]:
    """The endgame paper's training at one depth."""
    stage = {**STAGE, "games": games, "depth": depth, "steps": 50}
    return {**recipes.read("paper-krk-stem"), "opening": 0, "stages": [stage]}


ROWS = {
    "td_leaf": Row(
        "terms of Othello, depth 2",
        {"learner": "td_leaf", "game": "othello", "opening": 0,
         "stages": [{**STAGE, "games": 16, "depth": 2, "positions": 0}]},
        "td_leaf", "othello", {"net": "linear", "depth": 2, "games": 16, "passes": 1},
    ),
    "td_leaf own": Row(
        "shogi, terms of its search",
        {**recipes.read("shogi-terms"), "opening": 0, "stages": [{**STAGE, "games": 16}]},
        "td_leaf", "shogi", {"net": "linear", "depth": 1, "games": 16, "passes": 1},
    ),
    "tree_strap": Row(
        "terms of Othello, depth 3",
        {"learner": "tree_strap", "game": "othello", "steps": LONG, "games": 16, "depth": 3,
         "record": 200, "opening": 0},
        "tree_strap", "othello",
        {"net": "linear", "depth": 3, "games": 16, "record": 200, "passes": 1},
    ),
    "search_td 1": Row(
        "KRK by TD-Stem, depth 1", ending(1, 5000),
        "td_stem", "chess",
        {"start": "KRK", "hidden": (128,), "depth": 1, "games": 64, "longest": 100, "passes": 1},
    ),
    "search_td 3": Row(
        "KRK by TD-Stem, depth 3", ending(3, 500),
        "td_stem", "chess",
        {"start": "KRK", "hidden": (128,), "depth": 3, "games": 64, "longest": 100, "passes": 1},
    ),
    "adp": Row(
        "a critic of Gomoku, 50 times",
        {**recipes.read("gomoku-critic"), "stages": [{**STAGE, "games": 100}]},
        "adp", "gomoku", {"hidden": (100,), "games": 16, "passes": 50},
    ),
    "truncated": Row(
        "Siguo, 5 hidden units",
        {**recipes.read("siguo-ttd"), "games": LONG, "report": 2},
        "ttd", "siguo", {"hidden": (5,), "games": 8, "passes": 1},
    ),
    "tabular": Row(
        "Jiu, the first 36 placements",
        {"learner": "tabular", "games": LONG, "report": 200},
        "sarsa", "jiu", {"net": "table", "games": 200, "longest": 36, "passes": 1},
    ),
    "dqn": Row(
        "minishogi, 16 channels",
        {**recipes.read("minishogi-dqn"), "steps": LONG, "games": 64, "plies": 8, "first": 1024,
         "batch": 256, "updates": 1, "channels": 16, "blocks": 1, "half": False, "memory": 20_000,
         "exam": 0, "seconds": 0.0},
        "dqn", "minishogi", {"net": "conv", "channels": (16, 16), "games": 16, "longest": 200},
    ),
}  # fmt: skip


def rate(learner: Learner, seconds: float) -> float:
    """Moves a second of CPU time, from one iteration on."""
    began, moves = process_time(), learner.ledger.moves
    while (spent := process_time() - began) < seconds:
        learner.iterate()
    return (learner.ledger.moves - moves) / spent


def measured(row: Row, repeats: int, seconds: float) -> dict[str, Any]:
    """Medians of both sides and their ratio."""
    sides = row.sides()
    for learner in sides:
        rate(learner, seconds / 4)  # warm: what is compiled is compiled
    found = [[rate(learner, seconds) for learner in sides] for _ in range(repeats)]
    fast, slow = (median(column) for column in zip(*found, strict=True))
    return {"what": row.what, "fast": fast, "general": slow, "ratio": fast / slow}


# What either interpreter runs: the rate of one learner, by its recipe.
ALONE = """
import json, sys
from time import process_time
from tempo import recipes
recipe, seconds = json.loads(sys.argv[1]), float(sys.argv[2])
learner = recipes.make_learner(recipe, 1)
for limit in (seconds / 4, seconds):
    began, moves = process_time(), learner.ledger.moves
    while (spent := process_time() - began) < limit:
        learner.iterate()
print((learner.ledger.moves - moves) / spent)
"""


def alone(python: str, row: Row, seconds: float) -> float:
    """Moves a second of CPU time of a fast learner, in a process of its own."""
    command = [python, "-c", ALONE, json.dumps(row.fast), str(seconds)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def beside(row: Row, other: str, repeats: int, seconds: float) -> dict[str, Any]:
    """Medians here and there, and of the ratios of neighbours."""
    pairs = []
    for turn in range(repeats):
        order = (sys.executable, other) if turn % 2 == 0 else (other, sys.executable)
        found = {python: alone(python, row, seconds) for python in order}
        pairs.append((found[sys.executable], found[other]))
    here, there = (median(column) for column in zip(*pairs, strict=True))
    return {
        "what": row.what,
        "fast": here,
        "other": there,
        "ratio": median(a / b for a, b in pairs),
    }


def number(rate: float) -> str:
    """Three digits and a unit."""
    for unit, size in ((" M", 1e6), (" k", 1e3)):
        if rate >= size:
            return f"{rate / size:.3g}{unit}"
    return f"{rate:.0f}"


def line(name: str, what: str, fast: str, slow: str, ratio: str, said: str) -> str:
    """A line of the table, 80 columns wide."""
    return f"| {name:<11} | {what:<28} | {fast:>6} | {slow:>7} | {ratio:>5} | {said:<6} |"


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description="Fast learners beside the general ones.")
    parser.add_argument("rows", nargs="*", help=f"some of {', '.join(ROWS)}; all if none")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time for each figure")
    parser.add_argument("--beside", metavar="PYTHON", help="another Tempo's interpreter")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.rows) - ROWS.keys():
        parser.error(f"there is no row {', '.join(sorted(unknown))}; there are {', '.join(ROWS)}")
    recipes.use_device("cpu")
    found: dict[str, dict[str, Any]] = {}
    heads = ("here", "there", "0.9") if given.beside else ("fast", "general", f"{GOAL:g}")
    if not given.json:
        print(line("fast path", "the job", *heads[:2], "ratio", f"at {heads[2]}"))
        print("|---|---|---|---|---|---|")
    for name in given.rows or ROWS:
        if given.beside:
            row = beside(ROWS[name], given.beside, given.repeats, given.seconds)
        else:
            row = measured(ROWS[name], given.repeats, given.seconds)
        found[name] = row
        said = "yes" if row["ratio"] >= float(heads[2]) else "no"
        slow = number(row["other" if given.beside else "general"])
        if not given.json:
            texts = number(row["fast"]), slow, f"{row['ratio']:.{2 if given.beside else 1}f}"
            print(line(name, row["what"], *texts, said), flush=True)
    if given.json:
        print(json.dumps({"rows": found}))


if __name__ == "__main__":
    main()
