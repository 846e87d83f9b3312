"""Jobs of a paper: each is done once, kept in a file, and resumed after a kill."""

from __future__ import annotations

import hashlib
import json
import math
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

from tempo.files import naming, write_text
from tempo.ledger import Ledger

Row = dict[str, Any]
Call = tuple[Callable[..., Row], tuple[Any, ...]]
Told = Callable[[int, int, str], None]  # done, of how many, what is under way

# One thread a run: many run side by side, and their CPU seconds are compared.
ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NPROC": "1",
}


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
    workers: int,
    progress: Told | None = None,
    seconds: float | None = None,
) -> None:
    """Does all jobs that are not done yet and have what they need.

    After `seconds` no job begins; those under way are done.
    """
    end = math.inf if seconds is None else time.monotonic() + seconds
    jobs = [job for stage in stages for job in stage.jobs]
    steps = sum(job.steps for job in jobs)
    for stage in stages:

        def tell(what: str = stage.part or "jobs") -> None:
            if progress:
                done = sum(
                    job.steps if job.result(out).exists() else job.progress(out) for job in jobs
                )
                progress(min(done, steps), steps, what)

        at_once, threads = (1, workers) if stage.alone else (workers, 1)
        todo = [job for job in stage.jobs if not job.result(out).exists() and job.is_ready(out)]
        todo.sort(key=lambda job: job.burden, reverse=True)
        calls: list[Call] = [(job.carry_out, (out, threads)) for job in todo]
        if calls and time.monotonic() < end:
            for _ in side_by_side(calls, at_once, tell, fresh=stage.fresh, end=end):
                pass
        tell()


def side_by_side(
    calls: Sequence[Call],
    workers: int,
    tell: Callable[[], None] | None = None,
    *,
    fresh: bool = False,
    end: float = math.inf,
) -> Iterator[Row]:
    """What calls give, in the order in which they are done; `tell` is called every second.

    Processes are spawned, never forked (JAX hangs in a fork): a new one for each call if `fresh`.
    After the moment `end` of the monotonic clock none begins, but for one that is handed over.
    """
    pool = ProcessPoolExecutor(
        min(workers, len(calls)),
        mp_context=get_context("spawn"),
        max_tasks_per_child=1 if fresh else None,
        initializer=_follow_starter,
    )
    with pool:
        try:
            with _ctrl_c_held():
                waiting: set[Future[Row]] = {pool.submit(call, *given) for call, given in calls}
            while waiting:
                done, waiting = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
                if time.monotonic() >= end:
                    waiting = {future for future in waiting if not future.cancel()}
                if tell:
                    tell()
        except BaseException as error:
            pool.shutdown(cancel_futures=True, wait=False)
            if not isinstance(error, Exception):  # Ctrl-C: what they do is taken up again
                for worker in active_children():
                    worker.terminate()
            raise


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Holds Ctrl-C back in the block, and for good in processes and threads that begin in it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _follow_starter() -> None:
    """Ends this process when its starter is killed: the next one will take up the same folder.

    At once and from outside: a worker that waits for its next call would wait for ever.
    """
    starter = parent_process()

    def watch() -> None:
        if starter is not None:
            starter.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


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
