"""Carrying out a run: iterate, log, store, go on after a kill. The same for every learner."""

from __future__ import annotations

import resource
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from numpy.typing import NDArray

from tempo.ledger import Ledger
from tempo.runs import Checkpoint, Run
from tempo.stopping import check

CHECKPOINT_SECONDS = 10.0  # what a kill costs at most, besides the iteration under way
PAUSE = 20  # times as long as a checkpoint took: those of gigabytes would come too often


class Learner(Protocol):
    """What learns: a place in a schedule, and everything needed to go on from there."""

    step: int
    ledger: Ledger

    @property
    def total(self) -> int:
        """How many iterations there are."""

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""

    def iterate(self) -> dict[str, Any]:
        """One iteration; returns its line of the log."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learnt, for a checkpoint."""

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint."""

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""


def carry_out(
    run: Run,
    learner: Learner,
    *,
    resume: bool = False,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Learns to the end of the schedule, with checkpoints `checkpoint_seconds` apart or more.

    Checkpoints that take long are further apart; with 0 seconds there is one every iteration.

    With `resume` it goes on from the run's last checkpoint, if it has one. `progress` is shown
    every line of the log.
    """
    if resume and (found := run.resume()) is not None:
        learner.restore(found.step, found.arrays, found.state)
        learner.ledger = run.ledger()
    saved, pause = monotonic(), checkpoint_seconds
    while not learner.done:
        row = learner.iterate()
        check()
        run.log(row)
        if monotonic() - saved > pause or learner.done:
            began = monotonic()
            _save(run, learner)
            saved = monotonic()
            pause = max(checkpoint_seconds, PAUSE * (saved - began)) if checkpoint_seconds else 0.0
        if progress:
            progress(row)


def _save(run: Run, learner: Learner) -> None:
    ledger = learner.ledger + Ledger.here()
    ledger.peak_memory = max(
        ledger.peak_memory, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    )
    run.save(Checkpoint(learner.step, learner.arrays(), learner.state()), ledger)
