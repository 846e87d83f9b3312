"""A worker: tries a range of inputs of one subject, in a process that may crash, hang or starve.

python -m soak.worker ORDER    where ORDER is a JSON object (see `Order`)

It says a line of JSON for every fault and, every second, how far it has come. The number of the
input at hand stands in a file that the runner reads when the worker is gone.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import resource
import signal
import struct
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from soak.subject import Fault, attempt, one_subject, stream

REPORT = 1.0  # seconds


@dataclass(frozen=True)
class Order:
    """What a worker is to do."""

    subject: str
    seed: int
    first: int
    last: int  # this one is not tried
    seconds: float
    place: str  # the file with the number of the input at hand
    out: int  # the file descriptor for what is said
    skipped: tuple[int, ...] = ()
    modules: tuple[str, ...] = ()


class Place:
    """A number in a file, read and written by two processes."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 8)

    @property
    def number(self) -> int:
        """The number."""
        return int(struct.unpack("q", self._map[:8])[0])

    @number.setter
    def number(self, value: int) -> None:
        self._map[:8] = struct.pack("q", value)


def work(order: Order) -> None:
    """Tries the inputs until the last one, or until the time is up."""
    place = Place(Path(order.place))
    place.number = -1
    out = os.fdopen(order.out, "w", buffering=1)

    def say(**what: object) -> None:
        out.write(json.dumps(what) + "\n")

    subject = one_subject(order.subject, order.modules)
    if subject.memory and not os.environ.get("SOAK_WITHOUT_LIMITS"):
        resource.setrlimit(resource.RLIMIT_AS, (subject.memory, subject.memory))
    subject.make(stream(order.seed, subject.name, order.first))  # sound inputs take a while
    place.number = order.first  # from here on the runner counts the seconds
    counts: Counter[str] = Counter()
    begun = told = time.monotonic()
    number = order.first
    while number < order.last and time.monotonic() - begun < order.seconds:
        if number not in order.skipped:
            place.number = number
            found = attempt(subject, order.seed, number)
            if isinstance(found, Fault):
                counts["fault"] += 1
                say(fault=asdict(found))
            else:
                counts[found] += 1
        number += 1
        if time.monotonic() - told > REPORT:
            say(next=number, counts=counts)
            counts.clear()
            told = time.monotonic()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    say(next=number, counts=counts, peak_mib=peak, done=True)


def main() -> None:
    """Carries out the order of the command line."""
    given = json.loads(sys.argv[1])
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    work(Order(**{**given, "skipped": tuple(given["skipped"]), "modules": tuple(given["modules"])}))
    os._exit(0)  # threads of engines and searches must not hold the soak up


if __name__ == "__main__":
    main()
