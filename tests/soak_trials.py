"""Subjects that go wrong on purpose, for the tests of the soak itself."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from random import Random

from soak.subject import Subject

from tempo.errors import ParseError


def number(random: Random) -> int:
    return random.randrange(1000)


def mixed(given: int) -> str:
    if given % 2:
        raise ParseError("odd")
    return "accepted"


def crash(given: int) -> str:
    if given % 10 == 3:
        os.abort()
    return "accepted"


def hang(given: int) -> str:
    if given % 10 == 3:
        time.sleep(60)
    return "accepted"


def starve(given: int) -> str:
    return "accepted" if given % 10 != 3 else str(len(bytearray(1 << 40)))


def wrong(given: int) -> str:
    if given % 10 == 3:
        raise KeyError(given)
    return "accepted"


def slow(given: int) -> str:
    time.sleep(0.2)
    return "accepted"


def subjects() -> Iterator[Subject]:
    yield Subject("trial.mixed", number, mixed)
    yield Subject("trial.crash", number, crash)
    yield Subject("trial.hang", number, hang, patience=1.0)
    yield Subject("trial.starve", number, starve)
    yield Subject("trial.wrong", number, wrong)
    yield Subject("trial.slow", number, slow)
