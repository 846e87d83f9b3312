"""Jobs of a paper: each is done once, kept in a file, and resumed after a kill."""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tempo.cluster.cores import cores
from tempo.cluster.workers import Call, Processes, Workers
from tempo.errors import TempoError
from tempo.files import naming, write_text
from tempo.ledger import Ledger

Row = dict[str, Any]
Told = Callable[[int, int, str], None]  # done, of how many, what is under way


class Job(ABC):
    """A training, a match or a measurement: the same settings give the same row."""

    folder: ClassVar[str] = "jobs"

    @property
    @abstractmethod
    def name(self) -> str:
        """Of its files: other settings, other files."""

    @abstractmethod
    def work(self, out: Path, threads: int) -> Row:
        """Does it, or resumes it; returns what the results keep of it."""

    def result(self, out: Path) -> Path:
        """The file of its row, which is there when it is done."""
        return out / self.folder / f"{self.name}.json"

    @property
    def steps(self) -> int:
        """How many steps of progress it has."""
        return 1

    def progress(self, out: Path) -> int:
        """How many of its steps are done."""
        return int(self.result(out).exists())

    def is_ready(self, out: Path) -> bool:
        """Whether all that it needs is there; if not, it is left for later."""
        return True

    @property
    def burden(self) -> float:
        """Roughly what it takes beside others of its stage, so that no long one begins last."""
        return 0.0

    def carry_out(self, out: Path, threads: int = 1) -> Row:
        """Does it unless it was done before, and keeps its row."""
        path = self.result(out)
        if not path.exists():
            write_text(path, json.dumps(self.work(out, threads)) + "\n")
        stored: Row = json.loads(path.read_text())
        return stored


@dataclass(frozen=True)
class Stage:
    """Jobs that need nothing of each other; stages are done one after the other."""

    jobs: Sequence[Job]
    part: str = ""  # of the paper, where it has parts
    alone: bool = False  # one job after the other, each with all cores
    fresh: bool = False  # each job in a process of its own: JAX chooses its device once


def digest(config: object) -> str:
    """A few letters that differ where the settings do."""
    text = json.dumps(config, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def carry_out(
    out: Path,
    stages: Sequence[Stage],
    workers: int | Workers,
    progress: Told | None = None,
    seconds: float | None = None,
) -> None:
    """Does all jobs that are not done yet and have what they need.

    `workers` are processes of this machine, by their number, or others. After `seconds` no job
    begins; those under way are done. Jobs that need all cores are done one after the other, on this
    machine.
    """
    end = math.inf if seconds is None else time.monotonic() + seconds
    # Asked once: names are made of whole recipes, and progress is told every second.
    jobs = [(job, job.result(out), job.steps) for stage in stages for job in stage.jobs]
    steps = sum(count for _, _, count in jobs)
    given = Processes(workers) if isinstance(workers, int) else nullcontext(workers)
    with given as usual, Processes(1) as one, _seen(usual, out) as mark:
        threads = workers if isinstance(workers, int) else cores()
        for stage in stages:

            def tell(what: str = stage.part or "jobs") -> None:
                if progress:
                    done = sum(
                        count if path.exists() else job.progress(out) if count > 1 else 0
                        for job, path, count in jobs
                    )
                    progress(min(done, steps), steps, what)

            todo = [job for job in stage.jobs if not job.result(out).exists() and job.is_ready(out)]
            todo.sort(key=lambda job: job.burden, reverse=True)
            calls: list[Call] = [
                (job.carry_out, (out, threads)) if stage.alone else (_done, (job, out, mark))
                for job in todo
            ]
            if calls and time.monotonic() < end:
                by = one if stage.alone else usual
                for _ in by.results(calls, tell=tell, fresh=stage.fresh, end=end):
                    pass
            tell()


@contextmanager
def _seen(workers: Workers, out: Path) -> Iterator[Path | None]:
    """A file by which workers on other machines see that they share the folder."""
    if not workers.away:
        yield None
        return
    mark = out.resolve() / f".shared-{secrets.token_hex(4)}"
    write_text(mark, "")
    try:
        yield mark
    finally:
        mark.unlink(missing_ok=True)


def _done(job: Job, out: Path, mark: Path | None) -> Row:
    """Does a job on one core."""
    if mark is None:
        return job.carry_out(out)
    if not mark.exists():
        raise TempoError(
            f"{socket.gethostname()} does not see {mark.parent}: jobs on several machines need a "
            "folder that all of them share"
        )
    return job.carry_out(mark.parent)


def total(ledgers: Iterable[Row]) -> Ledger:
    """Of stored ledgers, this machine being named too."""
    return sum((Ledger.from_json(ledger) for ledger in ledgers), Ledger.here())


def ledgers(training: Ledger, playing: Ledger, *more: Ledger) -> Row:
    """What results hold of the ledgers of all jobs."""
    both = sum(more, training + playing)
    parts = {"training": training, "playing": playing, "ledger": both}
    return {name: ledger.to_json() for name, ledger in parts.items()}


class Lines:
    """A file of rows, a line each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self) -> list[Row]:
        """All of them; a line torn by a kill is left out."""
        rows = []
        for line in self._path.read_text().splitlines() if self._path.exists() else []:
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError:
                break
        return rows

    def keep(self, wanted: Callable[[Row], bool] = lambda _: True) -> None:
        """Forgets all other rows, and what a kill has torn."""
        kept = [json.dumps(row) + "\n" for row in self.rows() if wanted(row)]
        write_text(self._path, "".join(kept))

    def add(self, row: Row) -> None:
        """One more."""
        with naming(self._path), self._path.open("a") as file:
            file.write(json.dumps(row) + "\n")
