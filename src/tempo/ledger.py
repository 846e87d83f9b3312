"""What a piece of work cost: time, games, positions, evaluations, and on which machine.

No result is printed without its ledger. Ledgers add up: a match's is the sum of its games', a
run's the sum of its sessions'.
"""

from __future__ import annotations

import functools
import math
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from tempo.errors import quoted

__all__ = ["Ledger", "Machine", "peak_memory"]


def peak_memory() -> int:
    """Reads the most memory that this process has held, in bytes.

    Linux tells it in /proc. `getrusage` begins with the peak of the program that started this one.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 1024 * int(status.partition("VmHWM:")[2].split(maxsplit=1)[0])


@dataclass(frozen=True)
class Machine:
    """Where the work was done. Empty strings mean unknown."""

    cpu: str = ""
    cores: int = 0
    platform: str = ""
    python: str = ""
    tempo: str = ""
    commit: str = ""

    @staticmethod
    @functools.cache
    def here() -> Machine:
        """This machine, this Python, this version of the package."""
        import platform  # noqa: PLC0415 - these two cost 40 ms, and most ledgers name no machine
        from importlib import metadata  # noqa: PLC0415

        try:
            version = metadata.version("tempo-games")
        except metadata.PackageNotFoundError:
            version = ""
        return Machine(
            cpu=_cpu_model() or platform.processor(),
            cores=os.cpu_count() or 0,
            platform=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            tempo=version,
            commit=_commit(),
        )

    def to_json(self) -> dict[str, Any]:
        """A plain dict, all fields."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> Machine:
        """Reads what `to_json` wrote. Raises ValueError on anything else."""
        known = _known(cls, "machine", data)
        for name, value in known.items():
            wanted = int if name == "cores" else str
            if type(value) is not wanted:
                raise ValueError(f"machine: {name} must be {wanted.__name__}, not {value!r}")
        return cls(**known)


@dataclass
class Ledger:
    """Counts of work done. All are sums, except `peak_memory`, which is the largest seen.

    wall_seconds   time on the wall
    cpu_seconds    processor time, all cores together
    games, moves   games finished, moves chosen
    positions      positions visited by search
    evaluations    positions handed to an evaluator
    multiply_adds  multiply-adds of networks, counted from their architecture
    gradient_steps, gpu_seconds    learning only
    peak_memory    bytes
    machines       where; more than one when the work moved house
    """

    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    games: int = 0
    moves: int = 0
    positions: int = 0
    evaluations: int = 0
    multiply_adds: int = 0
    gradient_steps: int = 0
    gpu_seconds: float = 0.0
    peak_memory: int = 0
    machines: tuple[Machine, ...] = field(default=())

    @classmethod
    def here(cls) -> Ledger:
        """An empty ledger that knows the machine it is kept on."""
        return cls(machines=(Machine.here(),))

    def __add__(self, other: Ledger) -> Ledger:
        if not isinstance(other, Ledger):
            return NotImplemented
        total = {name: getattr(self, name) + getattr(other, name) for name in _SUMS}
        return Ledger(
            **total,
            peak_memory=max(self.peak_memory, other.peak_memory),
            machines=tuple(dict.fromkeys(self.machines + other.machines)),
        )

    def add(self, other: Ledger) -> None:
        """Adds what something else cost to this ledger itself."""
        for name, value in vars(self + other).items():
            setattr(self, name, value)

    @contextmanager
    def timing(self, cpu_clock: Callable[[], float] = time.process_time) -> Iterator[Ledger]:
        """Adds the wall and CPU time of a `with` block, also when the block raises.

        `time.process_time` counts every thread of this process, `time.thread_time` the calling
        one alone. Neither sees child processes.
        """
        wall, cpu = time.perf_counter(), cpu_clock()
        try:
            yield self
        finally:
            self.wall_seconds += time.perf_counter() - wall
            self.cpu_seconds += cpu_clock() - cpu

    def without_times(self) -> Ledger:
        """The part that the same seed must reproduce on any machine."""
        kept = {name: getattr(self, name) for name in _SUMS if not name.endswith("_seconds")}
        return Ledger(**kept)

    def to_json(self) -> dict[str, Any]:
        """A plain dict; fields that only learning fills are left out while they are empty."""
        data = {f.name: getattr(self, f.name) for f in fields(self)}
        data["machines"] = [machine.to_json() for machine in self.machines]
        return {name: value for name, value in data.items() if value or name in _ALWAYS}

    @classmethod
    def from_json(cls, data: object) -> Ledger:
        """Reads what `to_json` wrote. Raises ValueError on unknown, missing or unsound fields."""
        known = _known(cls, "ledger", data)
        missing = [name for name in _ALWAYS if name not in known]
        if missing:
            raise ValueError(f"ledger: {', '.join(missing)} missing")
        machines = known.pop("machines", [])
        if not isinstance(machines, list):
            raise ValueError(f"ledger: machines must be a list, not {machines!r}")
        for name, value in known.items():
            _check_number(name, value)
        return cls(**known, machines=tuple(Machine.from_json(machine) for machine in machines))

    def __str__(self) -> str:
        parts = [f"{_seconds(self.cpu_seconds)} CPU"]
        if self.gpu_seconds:
            parts.append(f"{_seconds(self.gpu_seconds)} GPU")
        for name in ("games", "moves", "positions", "evaluations"):
            if value := getattr(self, name):
                parts.append(f"{quantity(value)} {name if value != 1 else name[:-1]}")
        if self.multiply_adds:
            parts.append(f"{quantity(self.multiply_adds)} multiply-adds")
        if self.gradient_steps:
            parts.append(f"{quantity(self.gradient_steps)} gradient steps")
        return ", ".join(parts)


_SUMS = tuple(f.name for f in fields(Ledger) if f.name not in ("peak_memory", "machines"))
MOST = 2**63
_ALWAYS = _SUMS[: _SUMS.index("gradient_steps")]


def quantity(value: float) -> str:
    """A count as it is printed, three figures: 873, 12.3 k, 3.40 M."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= 0.9995 * size:
            scaled = value / size
            return f"{scaled:.{max(0, 2 - int(math.log10(max(scaled, 1))))}f} {unit}"
    return f"{value:.0f}"


def _seconds(value: float) -> str:
    if value >= 7200:
        return f"{value / 3600:.1f} h"
    return (
        f"{value:.0f} s" if value >= 100 else f"{value:.1f} s" if value >= 1 else f"{value:.2g} s"
    )


def _known(cls: type[Any], what: str, data: object) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise ValueError(f"{what}: an object was expected, not {data!r}")
    names = [f.name for f in fields(cls)]
    unknown = [str(name) for name in data if name not in names]
    if unknown:
        raise ValueError(f"{what}: {', '.join(unknown)} unknown; it has {', '.join(names)}")
    return dict(data)


def _check_number(name: str, value: object) -> None:
    kinds = (int, float) if name.endswith("_seconds") else (int,)
    if type(value) not in kinds:
        raise ValueError(f"ledger: {name} must be {kinds[-1].__name__}, not {value!r}")
    assert isinstance(value, int | float)
    if not 0 <= value < MOST:
        raise ValueError(f"ledger: {name} cannot be {quoted(value)}; it is from 0 to 2**63")


def _cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return ""


def _commit() -> str:
    # Reads .git by hand: starting git costs more than everything else here. Only our own checkout
    # counts, for the package may lie in an environment inside somebody else's.
    for root in Path(__file__).resolve().parents:
        if (root / ".git").is_dir() and (root / "core" / "game.h").is_file():
            return _read_head(root / ".git")
    return ""


def _read_head(git: Path) -> str:
    try:
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        name = head.removeprefix("ref: ")
        if (git / name).is_file():
            return (git / name).read_text().strip()
        for line in (git / "packed-refs").read_text().splitlines():
            if line.endswith(" " + name):
                return line.split()[0]
    except OSError:
        pass
    return ""
