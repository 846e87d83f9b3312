"""Shares time among subjects, starts their workers, watches them, and keeps what was found."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soak.subject import LONGEST, Subject
from soak.worker import Place
from tempo.files import write_text

STARTING = 120.0  # seconds until a worker tries its first input
TIMES = 1000  # faults of a subject after which it is left alone
FOREVER = 10**15
SHARED = Path("/dev/shm")  # in memory: files by the million are no trial of the disk
HERE = Path(__file__).resolve().parent.parent  # tests/

_lock = threading.RLock()  # for tallies, which several threads change and write down
_live: set[Watched] = set()
_stopped = threading.Event()


@dataclass
class Tally:
    """What a subject has shown so far."""

    next: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    peak_mib: int = 0

    @property
    def inputs(self) -> int:
        """How many were tried."""
        return sum(self.counts.values())

    @property
    def accepted(self) -> int:
        """How many were neither refused nor a fault."""
        return sum(
            n for what, n in self.counts.items() if not what.startswith(("refused", "fault"))
        )

    @property
    def failed(self) -> int:
        """How many were neither accepted nor refused."""
        return self.counts.get("fault", 0)

    def add(self, counts: dict[str, int]) -> None:
        """More inputs."""
        with _lock:
            for what, number in counts.items():
                self.counts[what] = self.counts.get(what, 0) + number

    def fault(self, found: dict[str, Any]) -> None:
        """One more fault; of each kind the first is kept whole, and the others are counted."""
        with _lock:
            for old in self.faults:
                if (old["kind"], old["place"]) == (found["kind"], found["place"]):
                    old["times"] += 1
                    return
            self.faults.append({**found, "times": 1})


class State:
    """The tallies of one seed, in a file that a soak goes on from."""

    def __init__(self, path: Path, seed: int, *, fresh: bool = False) -> None:
        self.path = path
        self.seed = seed
        self.tallies: dict[str, Tally] = {}
        if path.exists() and not fresh:
            kept = json.loads(path.read_text())
            if kept["seed"] == seed:
                self.tallies = {n: Tally(**t) for n, t in kept["subjects"].items()}

    def of(self, name: str) -> Tally:
        """The tally of a subject."""
        with _lock:
            return self.tallies.setdefault(name, Tally())

    def save(self) -> None:
        """Keeps everything."""
        with _lock:
            told = {name: vars(self.tallies[name]) for name in sorted(self.tallies)}
            write_text(
                self.path, json.dumps({"seed": self.seed, "subjects": told}, indent=1) + "\n"
            )


class Watched:
    """One worker under way: its lines are taken in, and it is ended when it stands still."""

    def __init__(self, subject: Subject, order: dict[str, Any], tally: Tally, folder: Path) -> None:
        self.subject, self.tally = subject, tally
        self.place = Place(folder / "place")
        self.place.number = -1
        self.log = folder / "log"
        read, write = os.pipe()
        told = {**order, "place": str(folder / "place"), "out": write}
        path = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ, "PYTHONPATH": os.pathsep.join(path),
            "TMPDIR": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
        }  # fmt: skip
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "soak.worker", json.dumps(told)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=(write,),
                env=environment, start_new_session=True,
            )  # fmt: skip
        os.close(write)
        self.lines = os.fdopen(read)
        self.done = False
        self.stuck = False

    def follow(self, save: Callable[[], None]) -> None:
        """Takes in all that the worker says, until it ends."""
        watching = threading.Thread(target=self._watch, daemon=True)
        watching.start()
        for line in self.lines:
            told = json.loads(line)
            if "fault" in told:
                self.tally.fault(told["fault"])
                continue
            with _lock:
                self.tally.next = told["next"]
                self.tally.add(told["counts"])
            self.tally.peak_mib = max(self.tally.peak_mib, told.get("peak_mib", 0))
            self.done = self.done or bool(told.get("done"))
            save()
        self.process.wait()
        watching.join()
        self.end_all()

    def _watch(self) -> None:
        seen, since = self.place.number, time.monotonic()
        while self.process.poll() is None:
            time.sleep(0.2)
            now = self.place.number
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > (STARTING if now < 0 else self.subject.patience):
                self.stuck = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.process.pid, signal.SIGUSR1)  # where it stands
                time.sleep(0.5)
                self.end_all()

    def end_all(self) -> None:
        """Ends the worker and whatever it has started."""
        for number in descendants(self.process.pid) if self.process.poll() is None else []:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # those whose own starter has ended

    def fault(self) -> dict[str, Any]:
        """What became of a worker that did not come to its end."""
        log = self.log.read_text(errors="replace")[-LONGEST:]
        status = self.process.returncode
        what = "hang" if self.stuck else "crash"
        why = (
            f"no end within {self.subject.patience:g} s" if self.stuck else f"exit status {status}"
        )
        return {
            "number": self.place.number, "kind": what, "place": why,
            "given": "(see the command that repeats it)", "detail": log,
        }  # fmt: skip


def descendants(root: int) -> list[int]:
    """A process and all that it has started, and they in turn."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(path.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    found = [root]
    for number in found:
        found += children.get(number, [])
    return found


def soak(
    subject: Subject,
    tally: Tally,
    *,
    seed: int,
    count: int,
    seconds: float,
    save: Callable[[], None] = lambda: None,
    modules: Sequence[str] = (),
) -> None:
    """Tries inputs of one subject up to a number or for a time; after a crash it goes on."""
    last = min(count, subject.most) if subject.most else count
    skipped: list[int] = []
    begun = time.monotonic()
    already = tally.seconds
    while tally.next < last and tally.failed < TIMES:
        left = seconds - (time.monotonic() - begun)
        if left <= 0 or _stopped.is_set():
            return
        order = {
            "subject": subject.name, "seed": seed, "first": tally.next, "last": last,
            "seconds": left, "skipped": skipped, "modules": list(modules),
        }  # fmt: skip
        with tempfile.TemporaryDirectory(dir=SHARED if SHARED.is_dir() else None) as folder:
            worker = Watched(subject, order, tally, Path(folder))
            with _lock:
                _live.add(worker)
            try:
                worker.follow(save)
            finally:
                worker.end_all()
                with _lock:
                    _live.discard(worker)
            tally.seconds = already + time.monotonic() - begun
            if _stopped.is_set():
                return
            if worker.done:
                save()
                continue
            found = worker.fault()
            tally.fault(found)
            tally.add({"fault": 1})
            if found["number"] < 0:
                return  # it does not even start
            skipped.append(found["number"])
            save()


def stop() -> None:
    """Ends all workers; what they have reported is kept."""
    _stopped.set()
    with _lock:
        for worker in _live:
            worker.end_all()


@dataclass(frozen=True)
class Plan:
    """How long, how much and with how many workers."""

    count: int = FOREVER
    seconds: float = float("inf")  # of the whole soak
    jobs: int = 2
    modules: tuple[str, ...] = ()


def shares(subjects: Sequence[Subject], seconds: float) -> dict[str, float]:
    """The time of each subject; one input of each slow one is reserved, if that is possible."""
    tried = [subject for subject in subjects if subject.least <= seconds / min(8, len(subjects))]
    rest = max(0.0, seconds - sum(subject.least for subject in tried))
    weights = sum(subject.weight for subject in tried)
    return {subject.name: subject.least + rest * subject.weight / weights for subject in tried}


def soak_all(
    subjects: dict[str, Subject], state: State, plan: Plan, tell: Callable[[str, Tally], None]
) -> list[str]:
    """All subjects, a few at a time, each with its share of the time; those that were left out."""
    waiting = [s for s in subjects.values() if state.of(s.name).next < (s.most or plan.count)]
    # The slow ones first: else the last of them would run alone.
    waiting.sort(key=lambda subject: -subject.least)
    times = shares(waiting, plan.seconds * plan.jobs)

    def one(subject: Subject) -> None:
        tally = state.of(subject.name)
        soak(subject, tally, seed=state.seed, count=plan.count, seconds=times[subject.name],
             save=state.save, modules=plan.modules)  # fmt: skip
        state.save()
        tell(subject.name, tally)

    with ThreadPoolExecutor(plan.jobs) as pool:
        try:
            for done in [pool.submit(one, subject) for subject in waiting if subject.name in times]:
                done.result()
        except BaseException:
            stop()
            raise
    return [subject.name for subject in waiting if subject.name not in times]
