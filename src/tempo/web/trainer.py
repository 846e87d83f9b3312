"""A process that trains, started by `tempo.web.training` with one JSON object on its input.

Its memory, the size of its files and its time are bounded, and it runs at a low priority. Closing
its input ends it after the iteration under way, with a checkpoint behind it. At some steps it keeps
what was learnt so far as a run of its own (`steps/00000005`): one can play against it later.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any

from tempo import recipes
from tempo.errors import Stopped, TempoError
from tempo.games import registry
from tempo.ledger import Ledger
from tempo.recipes import Progress
from tempo.recipes.watched import is_round
from tempo.runs import Checkpoint, Run
from tempo.stopping import Stop
from tempo.web.runs_found import STEPS

LARGEST = 4 * 2**20  # bytes of what is kept of one step
GRACE = 5.0  # seconds in which an iteration may come to its end
CHECKPOINTS = 3.0  # seconds between them, at least


def keep(folder: Path, progress: Progress) -> None:
    """Stores what was learnt up to a step as a run that plays."""
    learner = progress.learner
    arrays = learner.arrays()
    if sum(one.nbytes for one in arrays.values()) > LARGEST:
        return
    place = folder / STEPS / f"{progress.done:08d}"
    if (place / "config.toml").exists():
        return
    run = Run.create(place, Run.open(folder).config)
    try:
        run.save(Checkpoint(learner.step, arrays, learner.state()), learner.ledger + Ledger.here())
    finally:
        run.release()


def train(work: dict[str, Any], ending: Event) -> None:
    """Carries out a training to its end, or until it is told to stop."""
    folder = Path(work["folder"])

    def tell(progress: Progress) -> None:
        learner = progress.learner
        if is_round(progress.done) or progress.done == progress.total:
            keep(folder, progress)
        if ending.is_set():  # nothing that was learnt is lost
            last = Checkpoint(learner.step, learner.arrays(), learner.state())
            Run.open(folder).save(last, learner.ledger + Ledger.here())
            raise Stopped("stopped")

    recipes.train(
        work["recipe"],
        seed=work["seed"],
        out=folder,
        resume=work["resume"],
        threads=1,
        seconds=work["seconds"],
        checkpoint_seconds=CHECKPOINTS,
        exam=recipes.EXAM,
        progress=tell,
    )


def _bound(mebibytes: int, file_mebibytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (mebibytes * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_mebibytes * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Reads what is to be done, does it, and says how it ended in one line of JSON."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's; it ends its trainings
    work = json.loads(sys.stdin.readline())
    os.nice(work["niceness"])
    registry.close()
    _bound(work["mebibytes"], work["file_mebibytes"])
    signal.alarm(int(work["limit"]))  # even if nobody is left to end it
    stop, ending = Stop(), Event()

    def listen() -> None:
        sys.stdin.read()  # ends with the server, or when it says so
        ending.set()
        sleep(GRACE)
        stop.set()

    Thread(target=listen, daemon=True).start()
    fault = ""
    try:
        with stop:
            train(work, ending)
    except Stopped:
        fault = "stopped"
    except MemoryError:
        fault = "it takes too much memory"
    except (TempoError, ValueError, OSError) as error:
        fault = str(error) or type(error).__name__
    print(json.dumps({"fault": fault}), flush=True)


if __name__ == "__main__":
    main()
