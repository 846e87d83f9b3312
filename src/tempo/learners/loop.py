"""The training loop of every learner: iterate, log, checkpoint, resume after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from tempo.errors import TempoError
from tempo.ledger import Ledger, peak_memory
from tempo.runs import Checkpoint, Run
from tempo.stopping import check

if TYPE_CHECKING:
    from tempo.cluster.workers import Workers

CHECKPOINT_SECONDS = 10.0  # what a kill costs at most, besides the iteration under way
PAUSE = 20  # times as long as a checkpoint took: those of gigabytes would come too often


class Learner(Protocol):
    """What learns: its place in the schedule and all the state needed to resume."""

    step: int
    ledger: Ledger

    @property
    def total(self) -> int:
        """The number of iterations."""

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
        """Restores a checkpoint."""


@runtime_checkable
class Spreads(Protocol):
    """A learner whose games others can play."""

    def spread(self, workers: Workers) -> None:
        """Has workers play them."""


def carry_out(
    run: Run,
    learner: Learner,
    *,
    resume: bool = False,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    seconds: float = 0.0,
    begins: Callable[[], None] | None = None,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Learns to the end of the schedule, with checkpoints `checkpoint_seconds` apart or more.

    Checkpoints that take long are further apart; with 0 seconds there is one every iteration.

    With `resume` it goes on from the run's last checkpoint, if it has one. After `seconds` on the
    wall, those before a resume included, no iteration begins; 0: no limit. `begins` is called
    before the first iteration, `progress` with every line of the log. Raises TempoError where
    another process trains in the same folder.
    """
    run.hold()
    try:
        if resume:
            restore(run, learner)
        if begins:
            begins()
        for row in learn(learner, run, checkpoint_seconds, seconds):
            if progress:
                progress(row)
    finally:
        run.release()


def learn(
    learner: Learner,
    run: Run | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    seconds: float = 0.0,
) -> Iterator[dict[str, Any]]:
    """Learns to the end of the schedule, yielding each line of the log.

    With a run, lines are logged, and checkpoints stored when the next line is asked for: what is
    done with a line is done before the checkpoint that follows it.
    """
    saved, pause = monotonic(), checkpoint_seconds

    def is_over() -> bool:
        return learner.done or bool(seconds and learner.ledger.wall_seconds >= seconds)

    while not is_over():
        row = learner.iterate()
        check()
        if run:
            run.log(row)
        yield row
        if run and (monotonic() - saved > pause or is_over()):
            began = monotonic()
            save(run, learner)
            saved = monotonic()
            pause = max(checkpoint_seconds, PAUSE * (saved - began)) if checkpoint_seconds else 0.0


def restore(run: Run, learner: Learner) -> bool:
    """Resumes from the run's last checkpoint; False if there is none yet."""
    found = run.resume()
    if found is None:
        return False
    try:
        learner.restore(found.step, found.arrays, found.state)
    except TempoError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise TempoError(
            f"the checkpoint of step {found.step} in {run.folder} does not fit this training: "
            f"{error}; it may be of another recipe or version"
        ) from error
    learner.ledger = run.ledger()
    return True


def save(run: Run, learner: Learner) -> None:
    """Stores a checkpoint, with what the run has cost."""
    ledger = learner.ledger + Ledger.here()
    ledger.peak_memory = max(ledger.peak_memory, peak_memory())
    run.save(Checkpoint(learner.step, learner.arrays(), learner.state()), ledger)
