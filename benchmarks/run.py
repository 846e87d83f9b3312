"""Our speed beside that of peers, measured in the same run.

    python benchmarks/run.py [NAME ...] [--json] [--repeats N] [--quick]

The peers live in an environment of their own, made by `setup_peers.py`; one that is absent is
skipped with a note. With `--json` standard output is one object; progress goes to standard error.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rows import ROWS, AnyRow, Peer, RateRow, Row, SizeRow, StartRow, ThreadRow

HERE = Path(__file__).resolve().parent
PEERS_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
MEASURE_LIMIT = 300  # seconds for one measurement; JAX needs some ten to compile
IDLE = 0.95  # share of the wall time that one thread gets on a machine with nothing else to do
LESS_IS_BETTER = ("s", "MB")
FRESH_STARTS = 7  # least number of starts for a median of start-up times

TIMED_IMPORT = "import time; t = time.perf_counter(); import tempo; print(time.perf_counter() - t)"


@dataclass(frozen=True)
class Line:
    """One line of the result. `ratio` says how many times as fast as the peer we are."""

    name: str
    ours: float
    peer: float | None
    peer_version: str | None
    unit: str
    peer_name: str | None
    goal: float | None

    @property
    def ratio(self) -> float | None:
        """More is better: for seconds and megabytes it is theirs over ours."""
        if self.peer is None:
            return None
        less = self.unit in LESS_IS_BETTER
        return self.peer / self.ours if less else self.ours / self.peer

    def as_json(self) -> dict[str, Any]:
        """The line as `tempo bench --json` prints it."""
        return {**vars(self), "ratio": self.ratio}


@dataclass
class Samples:
    """The figures of one side in one row, one for each repeat."""

    figures: list[float] = field(default_factory=list)
    version: str | None = None

    def median(self) -> float | None:
        """The middle one, or None when nothing was measured."""
        return median(self.figures) if self.figures else None


class AbsentError(Exception):
    """A side that cannot run here; the text is the note for people."""


@dataclass
class Bench:
    """How to measure, and what was learnt on the way that is not a number."""

    repeats: int
    seconds: float
    advance: Callable[[str], None]
    notes: list[str] = field(default_factory=list)
    failed: bool = False

    def note(self, text: str) -> None:
        """Keep a note for the end, once."""
        if text not in self.notes:
            self.notes.append(text)

    # --- one measurement ---------------------------------------------------------------------

    def measure(
        self, peer: Peer | None, row: str, cores: int = 1, seconds: float | None = None
    ) -> dict[str, Any]:
        """Measure one side's task of a row in a fresh process of that side's own environment."""
        python = PEERS_PYTHON if peer and peer.packaged else Path(sys.executable)
        file = HERE / "ours.py" if peer is None else HERE / "peers" / f"{peer.file}.py"
        task = peer.task if peer and peer.task else row
        if not python.exists():
            raise AbsentError(
                "the peers' environment is missing (benchmarks/setup_peers.py makes it)"
            )
        if seconds is None:
            seconds = self.seconds * cores  # of CPU time, which all threads spend
        command = [python, HERE / "measure.py", file, task, seconds, "--cores", cores]
        try:
            done = subprocess.run(
                [str(word) for word in command],
                capture_output=True,
                text=True,
                timeout=MEASURE_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise AbsentError(f"no answer within {MEASURE_LIMIT} s") from None
        if done.returncode != 0:
            raise AbsentError((done.stderr.strip().splitlines() or ["failed without a word"])[-1])
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        if "absent" in result:
            raise AbsentError(result["absent"])
        return result

    def all_sides(
        self,
        row: Row | RateRow | SizeRow,
        figure: Callable[[dict[str, Any]], float],
        cores: int = 1,
        seconds: float | None = None,
        repeats: int | None = None,
    ) -> dict[Peer | None, Samples]:
        """Ours and every peer, turn about, so that a slow minute of the machine hits them all."""
        sides: dict[Peer | None, Samples] = {None: Samples()}
        sides |= {peer: Samples() for peer in row.peers}
        for _ in range(repeats or self.repeats):
            for peer, samples in list(sides.items()):
                label = peer.label if peer else "tempo"
                try:
                    result = self.measure(peer, row.name, cores, seconds)
                    samples.figures.append(figure(result))
                    samples.version = result["version"]
                except AbsentError as why:
                    del sides[peer]
                    self.note(f"{label} skipped: {why}")
                    self.failed |= peer is None
                self.advance(f"{row.name}: {label}")
        return sides

    # --- the five kinds of row ---------------------------------------------------------------

    def against_peers(self, row: Row) -> Iterator[Line]:
        """Ours and every peer, by CPU time on one core."""
        sides = self.all_sides(row, lambda result: result["count"] / result["cpu_seconds"])
        mine = sides.pop(None, Samples()).median()
        if mine is None:
            return
        yield from lines(row.name, row.unit, mine, sides)
        if not sides:
            yield Line(row.name, mine, None, None, row.unit, None, None)

    def against_one_thread(self, row: ThreadRow) -> Iterator[Line]:
        """Two threads and one, turn about, by wall time; both may use two cores."""
        if cores() < 2:
            self.note(f"{row.name} skipped: only one core here")
            return
        one, two = Samples(), Samples()
        tasks = ((one, row.name.removesuffix("2") + "1"), (two, row.name))
        for _ in range(self.repeats):
            for samples, task in tasks:
                self.advance(f"{row.name}: {task}")
                try:
                    result = self.measure(None, task, cores=2)
                except AbsentError as why:
                    self.note(f"tempo failed in {row.name}: {why}")
                    self.failed = True
                    return
                samples.figures.append(result["count"] / result["wall_seconds"])
                if samples is one and result["cpu_seconds"] < IDLE * result["wall_seconds"]:
                    self.note(f"{row.name} is by wall time, and other work held the cores")
        yield Line(
            row.name, median(two.figures), one.median(), None, row.unit, "one thread", row.goal
        )

    def against_rate(self, row: RateRow) -> Iterator[Line]:
        """Ours and every peer, by wall time; ours also against what was promised."""
        if cores() < row.cores:
            self.note(f"{row.name} skipped: it takes {row.cores} cores")
            return

        def rate(result: dict[str, Any]) -> float:
            return float(result["count"] / result["wall_seconds"])

        sides = self.all_sides(row, rate, row.cores)
        mine = sides.pop(None, Samples()).median()
        if mine is not None:
            yield Line(row.name, mine, row.bound, None, row.unit, "promise", 1)
            yield from lines(row.name, row.unit, mine, sides)

    def against_size(self, row: SizeRow) -> Iterator[Line]:
        """What one burst of a task makes a process hold, once: memory does not scatter."""
        sides = self.all_sides(row, lambda result: float(result["megabytes"]), seconds=0, repeats=1)
        mine = sides.pop(None, Samples()).median()
        if mine is not None:
            yield Line(row.name, mine, row.bound, None, "MB", "bound", 1)
            yield from lines(row.name, "MB", mine, sides)

    def against_bound(self, row: StartRow) -> Iterator[Line]:
        """The median of fresh starts against a fixed bound."""
        start = timed_import if row.name == "import" else timed_help
        try:
            start()  # the first start may still write bytecode
            times = [start() for _ in range(max(FRESH_STARTS, self.repeats))]
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip().splitlines() or ["failed without a word"])[-1]
            self.note(f"tempo failed in {row.name}: {last}")
            self.failed = True
            return
        self.advance(row.name)
        yield Line(row.name, median(times), row.bound, None, "s", "bound", 1)

    def run(self, row: AnyRow) -> list[Line]:
        """Measure one row of any kind."""
        if isinstance(row, Row):
            return list(self.against_peers(row))
        if isinstance(row, ThreadRow):
            return list(self.against_one_thread(row))
        if isinstance(row, RateRow):
            return list(self.against_rate(row))
        if isinstance(row, SizeRow):
            return list(self.against_size(row))
        return list(self.against_bound(row))


def lines(name: str, unit: str, mine: float, peers: dict[Peer | None, Samples]) -> Iterator[Line]:
    """One line for each peer that ran."""
    for peer, samples in peers.items():
        if peer is not None:
            theirs, version = samples.median(), samples.version
            yield Line(name, mine, theirs, version, unit, peer.label, peer.goal)


def timed_import() -> float:
    """Seconds that the statement `import tempo` takes in a fresh interpreter."""
    command = [sys.executable, "-c", TIMED_IMPORT]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def timed_help() -> float:
    """Seconds that the whole command `tempo --help` takes, the interpreter's own start included."""
    script = shutil.which("tempo", path=str(Path(sys.executable).parent))
    command = [script] if script else [sys.executable, "-m", "tempo"]
    start = time.perf_counter()
    subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    return time.perf_counter() - start


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def steps(row: AnyRow, repeats: int) -> int:
    """Measurements that a row takes, for the progress display."""
    if isinstance(row, Row | RateRow):
        return repeats * (1 + len(row.peers))
    if isinstance(row, SizeRow):
        return 1 + len(row.peers)
    return 2 * repeats if isinstance(row, ThreadRow) else 1


# --- for people ------------------------------------------------------------------------------


def short(value: float | None, unit: str) -> str:
    """Three figures and a metric letter, as `252 M`; a dash for what was not measured."""
    if value is None:
        return "-"
    if unit == "s":
        return f"{value:.3f}"
    if unit == "times":
        return f"{value:.2f}" if value < 10 else f"{value:.0f}"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:#.3g}".rstrip(".") + f" {letter}"
    return f"{value:.0f}"


def verdict(line: Line) -> str:
    """The goal and whether it is reached, readable without colours."""
    if line.goal is None or line.ratio is None:
        return ""
    reached = line.ratio >= line.goal
    return f"≥ {line.goal:g} " + ("[green]yes[/]" if reached else "[red]no[/]")


def machine() -> str:
    """The processor's name, as far as the system tells."""
    try:
        for entry in Path("/proc/cpuinfo").read_text().splitlines():
            if entry.startswith("model name"):
                return entry.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def table(lines: list[Line], bench: Bench) -> Table:
    """The lines as a table that fits 80 columns."""
    caption = (
        f"{time.strftime('%Y-%m-%d')}, {machine()}, one core a side if no row asks for two, "
        f"medians of {bench.repeats} runs of {bench.seconds:g} s"
    )
    shown = Table(box=None, pad_edge=False, caption=caption, caption_justify="left")
    shown.add_column("row", no_wrap=True)
    shown.add_column("beside", no_wrap=True)
    for title in ("ours", "peer"):
        shown.add_column(title, justify="right", no_wrap=True)
    shown.add_column("unit", no_wrap=True)
    shown.add_column("ratio", justify="right", no_wrap=True)
    shown.add_column("goal", no_wrap=True)
    last = ""
    for line in lines:
        shown.add_row(
            "" if line.name == last else line.name,
            " ".join(filter(None, (line.peer_name, line.peer_version))) or "-",
            short(line.ours, line.unit),
            short(line.peer, line.unit),
            line.unit,
            short(line.ratio, "times"),
            verdict(line),
        )
        last = line.name
    return shown


# --- the command -----------------------------------------------------------------------------


def arguments() -> argparse.Namespace:
    """The command line, checked and completed."""
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(description="Measure our speed beside that of peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows: " + ", ".join(names))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--repeats", type=int, help="measurements for each median (5)")
    parser.add_argument("--seconds", type=float, help="CPU seconds for each measurement (1)")
    parser.add_argument("--quick", action="store_true", help="3 repeats of 0.3 s: a first look")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(names):
        parser.error(f"no row {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    chosen.repeats = chosen.repeats or (3 if chosen.quick else 5)
    chosen.seconds = chosen.seconds or (0.3 if chosen.quick else 1.0)
    if chosen.repeats < 1 or chosen.seconds < 0:
        parser.error("--repeats and --seconds must be positive")
    return chosen


def main() -> int:
    """Measure the rows asked for; 1 when our own side failed."""
    chosen = arguments()
    rows = [row for row in ROWS if not chosen.names or row.name in chosen.names]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        total = sum(steps(row, chosen.repeats) for row in rows)
        task = progress.add_task("starting", total=total)

        def advance(what: str) -> None:
            progress.update(task, advance=1, description=what)

        bench = Bench(chosen.repeats, chosen.seconds, advance)
        lines = [line for row in rows for line in bench.run(row)]
        progress.update(task, completed=total, description="done")
    if chosen.json:
        print(json.dumps({"rows": [line.as_json() for line in lines]}))
    else:
        Console().print(table(lines, bench))
    for note in bench.notes:
        print(f"note: {note}", file=sys.stderr)
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
