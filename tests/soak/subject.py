"""What is soaked: a subject makes inputs from a random stream and tries them, one at a time."""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tempo.errors import IllegalMove, ParseError, TempoError

GIB = 2**30
REFUSALS: tuple[type[Exception], ...] = (TempoError, ParseError, IllegalMove)
LONGEST = 4000  # letters of an input that reports quote


@dataclass(frozen=True)
class Subject:
    """One reader, protocol or program.

    `attempt` says in a word how an input was taken (`accepted`), raises one of `refusals` as its
    interface documents, or fails: any other exception, a crash, a hang or too much memory.
    """

    name: str
    make: Callable[[Random], Any]
    attempt: Callable[[Any], str]
    refusals: tuple[type[Exception], ...] = REFUSALS
    slice: int = 200  # inputs in `make test`
    weight: float = 1.0  # its share of the minutes
    least: float = 0.0  # seconds that one input takes; a soak that has less time leaves it out
    patience: float = 10.0  # seconds for one input, on a busy machine
    memory: int = 8 * GIB  # of address space; 0: no limit
    most: int = 0  # inputs of a long run, for subjects that are slow; 0: as many as asked for


@dataclass(frozen=True)
class Fault:
    """An input that was neither accepted nor refused."""

    number: int
    kind: str  # the exception's class, `crash`, `hang`
    place: str  # where in the code; faults of one kind and place are counted together
    given: str
    detail: str

    @property
    def key(self) -> str:
        """What faults are grouped by."""
        return f"{self.kind} at {self.place}"


def stream(seed: int, name: str, number: int) -> Random:
    """Where everything about one input comes from."""
    return Random(f"{seed} {name} {number}")


def attempt(subject: Subject, seed: int, number: int) -> str | Fault:
    """Tries one input: how it was taken, or what went wrong."""
    given: Any = "(not made)"
    try:
        given = subject.make(stream(seed, subject.name, number))
        return subject.attempt(given)
    except subject.refusals as error:
        if given != "(not made)":
            return f"refused: {type(error).__name__}"
        return _fault(number, given, error)
    except Exception as error:
        return _fault(number, given, error)


def _fault(number: int, given: Any, error: Exception) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    inner = next((f for f in reversed(frames) if "/tests/soak/" not in f.filename), frames[-1])
    place = f"{Path(inner.filename).name}:{inner.lineno} {inner.name}"
    detail = "".join(traceback.format_exception(error, limit=-8))
    return Fault(number, type(error).__name__, place, ascii(given)[:LONGEST], detail[-LONGEST:])


def _modules(further: Sequence[str]) -> list[str]:
    package = importlib.import_module("soak.subjects")
    return [*further, *(f"soak.subjects.{m.name}" for m in pkgutil.iter_modules(package.__path__))]


def all_subjects(further: Sequence[str] = ()) -> dict[str, Subject]:
    """Every subject of this package's modules, and of further modules, by name."""
    found: dict[str, Subject] = {}
    for name in _modules(further):
        for subject in importlib.import_module(name).subjects():
            if subject.name in found:
                raise ValueError(f"two subjects are called {subject.name}")
            found[subject.name] = subject
    return found


def one_subject(name: str, further: Sequence[str] = ()) -> Subject:
    """A subject by its name; most are in the module of the same name, and no other is imported."""
    family = name.partition(".")[0]
    for module in sorted(_modules(further), key=lambda module: not module.endswith(family)):
        for subject in importlib.import_module(module).subjects():
            if subject.name == name:
                made: Subject = subject
                return made
    raise LookupError(f"there is no subject {name}")


def chosen(only: str, further: Sequence[str] = ()) -> dict[str, Subject]:
    """The subjects whose names begin with one of the words of `only`; all without any."""
    known = all_subjects(further)
    words = [word for word in only.replace(",", " ").split() if word]
    found = {n: s for n, s in known.items() if not words or any(map(n.startswith, words))}
    if not found:
        raise ParseError(f"no subject begins with '{only}'; there are {', '.join(known)}")
    return found
