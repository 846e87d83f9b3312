"""Measure the mate search of shogi on a file of mate problems.

    python tools/measure_tsume.py FILE [--positions 1000000] [--limit 0.1]

Each line of the file is a JSON object with `sfen`, the attacker to move, and `plies`, the length of
the shortest mate with useless interpositions left out. Every problem is searched from an empty
table. Prints, by length, how many are mated, how many at exactly that length, and what it took.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tempo._core import shogi, shogi_mate
from tempo.ledger import Ledger


@dataclass
class Row:
    """What became of the problems of one length."""

    problems: int = 0
    mated: int = 0
    exact: int = 0
    seconds: list[float] = field(default_factory=list)

    def __add__(self, other: Row) -> Row:
        return Row(
            self.problems + other.problems,
            self.mated + other.mated,
            self.exact + other.exact,
            self.seconds + other.seconds,
        )

    def text(self, limit: float) -> str:
        """The row as a line of the table."""
        quick = sum(seconds < limit for seconds in self.seconds) / self.problems
        ordered = sorted(self.seconds)
        return (
            f"{self.problems:9}{self.mated:8}{self.exact:8}{quick:12.2%}"
            f"{1000 * sum(ordered) / len(ordered):10.2f}{1000 * ordered[-1]:10.1f}"
        )


def problems(path: Path) -> Iterator[tuple[int, str]]:
    """Lengths and positions of a file."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                problem = json.loads(line)
                yield int(problem["plies"]), str(problem["sfen"])
            except (ValueError, KeyError, TypeError):
                sys.exit(f"{path}, line {number}: expected an object with `plies` and `sfen`")


def measured(path: Path, positions: int, ledger: Ledger) -> dict[int, Row]:
    """Searches every problem of a file."""
    rows: dict[int, Row] = defaultdict(Row)
    for plies, sfen in problems(path):
        position = shogi.parse_problem(sfen, shogi.Options({}))
        begun = time.perf_counter()
        mate = shogi_mate.search(position, positions)
        seconds = time.perf_counter() - begun
        exact = mate.shortest and mate.length == plies
        rows[plies] += Row(1, mate.verdict == "win", exact, [seconds])
        ledger.positions += mate.positions
        if not exact:
            print(f"not exact: {sfen}: {mate.verdict} in {mate.length}, not {plies}")
    return rows


def main() -> None:
    """Measures one file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=1_000_000, help="budget of each problem")
    parser.add_argument("--limit", type=float, default=0.1, help="seconds that count as quick")
    given = parser.parse_args()
    ledger = Ledger.here()
    with ledger.timing():
        rows = measured(given.file, given.positions, ledger)
    if not rows:
        sys.exit(f"{given.file} has no problems")
    print(f"plies problems   mated   exact     < {given.limit:g} s   mean ms  worst ms")
    for plies in sorted(rows):
        print(f"{plies:5}{rows[plies].text(given.limit)}")
    print(f"  all{sum(rows.values(), Row()).text(given.limit)}")
    machine = ledger.machines[0]
    print(
        f"cost: {ledger.wall_seconds:.1f} s, {ledger.cpu_seconds:.1f} CPU s, "
        f"{ledger.positions} positions; {machine.cpu}, commit {machine.commit}"
    )


if __name__ == "__main__":
    main()
