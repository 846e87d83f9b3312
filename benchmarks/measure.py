"""Measure one task of one side in this process, and print the result as one JSON line.

    python measure.py FILE TASK SECONDS [--cores N]

FILE is `ours.py` or a file of `peers/`. It offers `NAME`, `VERSION` and `TASKS`, a map from a
task's name to its unit and to a function that prepares the task and returns a burst: a call that
does some work and says how many units it did. Both sides of a ratio go through this one file, so
that they are warmed, pinned and timed alike.
"""

import argparse
import importlib.util
import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

Burst = Callable[[], int]
Clock = Callable[[], float]


def pin(cores: int) -> None:
    """Keep this process, its threads and its children on `cores` cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])


def load(file: Path) -> ModuleType:
    """Load a side under a name of its own: `peers/pgx.py` must not hide the package `pgx`."""
    spec = importlib.util.spec_from_file_location(f"side_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {file}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed(burst: Burst, clock: Clock, seconds: float) -> dict[str, float]:
    """Repeat `burst` until `clock` has moved on by `seconds`, after one burst for warming up."""
    burst()
    count, wall, start = 0, time.perf_counter(), clock()
    while (spent := clock() - start) < seconds:
        count += burst()
    return {"count": count, "cpu_seconds": spent, "wall_seconds": time.perf_counter() - wall}


def peak_megabytes() -> float:
    """The most memory this process has held so far, without that of its children."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3  # kilobytes, on Linux


def measure(file: Path, task: str, seconds: float) -> dict[str, Any]:
    """One measurement as a dictionary; `absent` says why a side cannot run here."""
    try:
        side = load(file)
    except (ImportError, FileNotFoundError) as error:
        return {"name": file.stem, "absent": str(error)}
    unit, prepare = side.TASKS[task]
    held = peak_megabytes()
    burst = prepare()
    # A side whose work runs in another process brings the clock of that process.
    clock: Clock = getattr(side, "clock", time.process_time)
    return {
        "name": side.NAME,
        "version": side.VERSION,
        "unit": unit,
        **timed(burst, clock, seconds),
        "megabytes": peak_megabytes() - held,
    }


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description="Measure one task of one side.")
    parser.add_argument("file", type=Path)
    parser.add_argument("task")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--cores", type=int, default=1)
    chosen = parser.parse_args()
    pin(chosen.cores)
    print(json.dumps(measure(chosen.file, chosen.task, chosen.seconds)))


if __name__ == "__main__":
    main()
