"""Compare our tables with Gaviota's, which nobody here wrote.

python tools/check_gaviota.py DIR [ENDING ...] [--positions N] [--tables FOLDER] [--seed S]

DIR holds .gtb.cp4 files. Of endings with three pieces every position is compared, of larger ones N
drawn at random (100,000 unless said otherwise). Needs python-chess. Exit status 1 on differences.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import chess
import chess.gaviota
import numpy as np

from tempo._core import endings
from tempo.games.chess.tablebase import Tablebase

SUFFIX = ".gtb.cp4"


def expected(prober: chess.gaviota.PythonTablebase, fen: str) -> int:
    """Gaviota's verdict as ours are written. `probe_dtm` gives 0 for a mate as for a draw."""
    board = chess.Board(fen)
    if board.is_checkmate():
        return 1
    distance = prober.probe_dtm(board)
    if distance != 0 and (distance > 0) != (distance % 2 == 1):
        raise AssertionError(f"{fen}: {distance} plies, but mates are given on odd plies")
    return 0 if distance == 0 else abs(distance) + 1


def differences(
    name: str, folder: Path, tables: Tablebase, positions: int, seed: int
) -> tuple[int, list[str]]:
    """How many positions were compared, and a line for each that differs."""
    tables.need(name)
    family = endings.Family(name)
    _, begin, end = family.members[0]
    verdicts = tables.core.verdicts(family)
    numbers = np.arange(begin, end, dtype=np.int32)
    if len(name) > 3 and positions < len(numbers):
        numbers = np.random.default_rng(seed).choice(numbers, positions, replace=False)
    wrong = []
    with chess.gaviota.PythonTablebase() as prober:
        prober.add_directory(str(folder))
        # By number, so that the prober's cache of blocks serves many positions in a row.
        numbers = np.sort(numbers)
        for number, fen in zip(numbers, family.texts(numbers), strict=True):
            theirs, ours = expected(prober, fen), int(verdicts[number])
            if theirs != ours:
                wrong.append(f"{fen}: {ours} here, {theirs} there")
    return len(numbers), wrong


def names_in(folder: Path) -> Iterable[str]:
    """The endings that a folder has files of, small ones first."""
    found = (path.name.removesuffix(SUFFIX).upper() for path in folder.glob("*" + SUFFIX))
    return sorted(found, key=lambda name: (len(name), name))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("endings", nargs="*")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tables = Tablebase(given.tables)
    bad = 0
    for name in given.endings or names_in(given.folder):
        begun = time.perf_counter()
        compared, wrong = differences(name, given.folder, tables, given.positions, given.seed)
        bad += len(wrong)
        seconds = time.perf_counter() - begun
        print(f"{name:5} {compared:>7,} compared, {len(wrong)} differ, {seconds:.0f} s", flush=True)
        print(*wrong[:5], sep="\n", end="\n" if wrong else "")
    print("all agree" if bad == 0 else f"{bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
