"""How the papers' jobs are carried out: side by side, and without losing anything to a kill."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, TypeVar

from tempo.errors import TempoError
from tempo.files import write_text
from tempo.ledger import Ledger

Row = dict[str, Any]
Call = tuple[Callable[..., Row], tuple[Any, ...]]
Told = Callable[[int, int, str], None]  # done, of how many, what is under way


class Job(Protocol):
    """Something to be done once."""

    def result(self, out: Path) -> Path:
        """The file that is there when it is done."""


AnyJob = TypeVar("AnyJob", bound=Job)


def carry_out_all(
    out: Path,
    phases: Sequence[Sequence[AnyJob]],
    carry_out: Callable[[Path, AnyJob], Row],
    workers: int,
    tell: Callable[[], None],
) -> list[Row]:
    """Does whatever is not done yet, phase by phase; what came of all jobs, in their order."""
    for jobs in phases:
        calls: list[Call] = [(carry_out, (out, job)) for job in jobs]
        for _ in side_by_side(calls, workers, tell):
            pass
    # Read again, so that their order does not depend on which was done first.
    return [carry_out(out, job) for jobs in phases for job in jobs]


def counting(
    out: Path, jobs: Iterable[Job], progress: Told | None, what: str
) -> Callable[[], None]:
    """Tells how many of the jobs are done whenever it is called."""
    files = [job.result(out) for job in jobs]

    def tell() -> None:
        if progress:
            progress(sum(file.exists() for file in files), len(files), what)

    return tell


def total(ledgers: Iterable[Row]) -> Ledger:
    """Of stored ledgers, this machine being named too."""
    return sum((Ledger.from_json(ledger) for ledger in ledgers), Ledger.here())


def side_by_side(
    calls: Sequence[Call],
    workers: int,
    tell: Callable[[], None] | None = None,
    *,
    fresh: bool = False,
) -> Iterator[Row]:
    """What calls give, in the order in which they are done; `tell` is called every second.

    Processes are spawned, never forked (JAX hangs in a fork): a new one for each call if `fresh`.
    """
    pool = ProcessPoolExecutor(
        min(workers, len(calls)),
        mp_context=get_context("spawn"),
        max_tasks_per_child=1 if fresh else None,
        initializer=_follow_starter,
    )
    with pool:
        waiting: set[Future[Row]] = {pool.submit(call, *given) for call, given in calls}
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
                if tell:
                    tell()
        except BaseException:
            pool.shutdown(cancel_futures=True, wait=False)
            raise


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
        with self._path.open("a") as file:
            file.write(json.dumps(row) + "\n")


def read_results(out: Path, paper: str) -> Row:
    """The stored results of a reproduction."""
    path = out / "results.json"
    try:
        results: Row = json.loads(path.read_text())
    except FileNotFoundError:
        raise TempoError(f"{out} holds no results.json; run `tempo reproduce {paper}`") from None
    except json.JSONDecodeError as error:
        raise TempoError(f"{path} is damaged: {error}") from None
    return results
