"""Games and their data files, as the tests read them. One list, made from the registry."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tempo import games
from tempo.games import Game, registry

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
TOY = "quarrel"

NAMES = (*games.names(), TOY)


def specs_of(name: str) -> tuple[str, ...]:
    """A game as it is, and by the options worth trying besides: the smallest, the other rules."""
    path = DATA / "options" / f"{name}.txt"
    further = path.read_text().split() if path.is_file() else ()
    return (name, *(f"{name}({options})" for options in further))


SPECS = tuple(spec for name in NAMES for spec in specs_of(name))


def toy_core() -> ModuleType:
    """The toy's extension, built by `make build-tests`."""
    folder = os.environ.get("TEMPO_TOY_DIR", str(ROOT / "build" / "cpp" / "toy"))
    if folder not in sys.path:
        sys.path.append(folder)
    import _toy  # noqa: PLC0415 - a game of the tests alone, found in the build folder

    core: ModuleType = _toy
    return core


def known_games() -> dict[str, ModuleType]:
    """The registered games and the toy, by name."""
    cores: dict[str, ModuleType] = {name: registry.describe(name).core for name in registry.names()}
    cores[TOY] = toy_core()
    return cores


def load(spec: str) -> Game:
    """As `tempo.load`, with the toy known too."""
    name, given = registry.parse_spec(spec)
    core = known_games()[name]
    known = registry.describe(name) if name in registry.names() else None
    return Game(core, core.Options(given), known)


def data_lines(kind: str, name: str) -> list[str]:
    """The lines of a data file without comments; a game without its file fails here."""
    path = DATA / kind / f"{name}.txt"
    assert path.is_file(), f"{name} has no {path.relative_to(ROOT)}: every game needs one"
    lines = [line.rstrip("\n") for line in path.read_text().splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    assert found, f"{path.relative_to(ROOT)} is empty"
    return found


@dataclass(frozen=True)
class PerftLine:
    """A position and how many sequences of each depth it has."""

    spec: str
    position: str
    counts: tuple[tuple[int, int], ...]


def perft_lines(name: str) -> Iterator[PerftLine]:
    """`[options] position ; D<depth> <sequences> ; ...`; without brackets, default options."""
    for line in data_lines("perft", name):
        head, *counts = (part.strip() for part in line.split(";"))
        options = ""
        if head.startswith("["):
            options, _, head = head[1:].partition("] ")
        spec = f"{name}({options})" if options else name
        pairs = (part.removeprefix("D").split(" ") for part in counts)
        yield PerftLine(spec, head, tuple((int(depth), int(count)) for depth, count in pairs))
