"""A run: one training on disk, which can be killed at any moment and goes on.

    runs/krk/config.toml                       what was asked for
    runs/krk/log.jsonl                         one line a step
    runs/krk/checkpoint-00000040.safetensors   weights, optimizer, counters, random streams
    runs/krk/ledger-00000040.json              what it had cost by then
    runs/krk/ledger.json                       the newest of these, for readers
    runs/krk/.lock                             held by the process that trains

A checkpoint is complete or absent, and with it its ledger. Going on from one, the log is cut back
to the same step, so that a run that was killed ends with the same files as one that was not, times
aside. One process at a time trains in a folder; others may read it meanwhile.
"""

from __future__ import annotations

import errno
import json
import os
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from tempo import displays
from tempo.errors import TempoError
from tempo.files import naming, replacing, write_text
from tempo.ledger import Ledger

SHOWN = ("about", "learner", "game", "seed")  # of a configuration, in a notebook
COUNTS = {"step", "games", "seconds", "positions"}
KEPT = 2  # checkpoints; the one before the last is there in case a disk loses the last


def is_run(folder: str | os.PathLike[str]) -> bool:
    """Whether a text names the folder of a run."""
    try:
        return (Path(folder) / "config.toml").is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


@dataclass(frozen=True)
class Checkpoint:
    """Everything that a learner needs to go on."""

    step: int
    arrays: dict[str, NDArray[Any]]
    state: dict[str, Any]


class Run:
    """A folder with one training in it."""

    def __init__(self, folder: str | os.PathLike[str], config: Mapping[str, Any]) -> None:
        self.folder = Path(folder)
        self.config = dict(config)
        self.passed_over: list[str] = []  # checkpoints that were damaged, in words
        self._lock: IO[bytes] | None = None

    @classmethod
    def create(cls, folder: str | os.PathLike[str], config: Mapping[str, Any]) -> Run:
        """A new run, held by this process. A folder that already holds one is left as it is."""
        cls.check_free(folder)
        run = cls(folder, config)
        run.hold()
        cls.check_free(folder)  # another process may have been quicker
        write_text(run.folder / "config.toml", toml_text(config))
        return run

    @staticmethod
    def check_free(folder: str | os.PathLike[str]) -> None:
        """Raises TempoError where no run can begin."""
        if (Path(folder) / "config.toml").exists():
            raise TempoError(f"{folder} already holds a run; go on with --resume or choose another")
        if Path(folder).exists() and not Path(folder).is_dir():
            raise TempoError(f"{folder} is a file; a run needs a folder")

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Run:
        """A run that exists."""
        path = Path(folder) / "config.toml"
        try:
            return cls(folder, tomllib.loads(path.read_text()))
        except (FileNotFoundError, NotADirectoryError):
            raise TempoError(f"{folder} is no run: it has no config.toml") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise TempoError(f"{path} is damaged: {error}") from None
        except OSError as error:
            raise TempoError(f"{path} cannot be read: {error.strerror}") from None

    # One process trains; any number may read

    def hold(self) -> None:
        """Keeps other processes from training here until `release`, or until this one ends.

        The lock belongs to the open file, so that a kill releases it, too. Raises TempoError where
        another process holds it.
        """
        if self._lock is not None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        file = (self.folder / ".lock").open("a+b")
        try:
            _flock(file)
        except BlockingIOError:
            file.close()
            raise TempoError(
                f"another process trains in {self.folder}; wait for it or choose another folder"
            ) from None
        self._lock = file
        for left in self.folder.glob(".*.tmp"):  # half written when the last one was killed
            left.unlink(missing_ok=True)

    def release(self) -> None:
        """Lets other processes train here."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # The log

    def log(self, row: Mapping[str, Any]) -> None:
        """Adds one line to the log; `step` says where it belongs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "log.jsonl"
        with naming(path), path.open("a") as file:
            file.write(json.dumps(row) + "\n")

    def rows(self) -> list[dict[str, Any]]:
        """The log. A last line torn by a kill is left out; any other damage is a TempoError."""
        return [row for _, row in self._logged()]

    def _logged(self, enough: int | None = None) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Lines of the log with what they hold. Damage after step `enough` is not looked at."""
        path, step = self.folder / "log.jsonl", 0
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        for number, line in enumerate(lines, start=1):
            row = _row(line)
            if row is None:
                if number == len(lines) or (enough is not None and step >= enough):
                    return
                raise TempoError(
                    f"{path} is damaged: line {number} of {len(lines)} is no row of a log; restore "
                    "the file, or delete that line to go on without it"
                )
            step = row.get("step", 0)
            yield line, row

    def _cut_log(self, step: int) -> None:
        """Takes away what was logged after a step, byte for byte; rewrites only what changes."""
        path = self.folder / "log.jsonl"
        before = path.read_bytes() if path.exists() else None
        kept = b"".join(line for line, row in self._logged(step) if row.get("step", 0) <= step)
        if kept and not kept.endswith(b"\n"):  # the kill came just before it
            kept += b"\n"
        if before != kept:
            with replacing(path) as file:
                file.write(kept)

    # Checkpoints

    def save(self, checkpoint: Checkpoint, ledger: Ledger) -> None:
        """Stores a checkpoint and the cost so far, then forgets all but the newest few.

        The rename of the checkpoint is the one moment at which both become true: its ledger lies
        beside it already, under a name with the same step. `ledger.json` is a copy for readers.
        """
        # Not ascontiguousarray, which makes a row of a single number.
        arrays = {name: np.asarray(a, order="C") for name, a in checkpoint.arrays.items()}
        about: dict[str, Any] = {"step": checkpoint.step, "state": checkpoint.state}
        about["sum"] = _sum_of(json.dumps(about), arrays)
        cost = json.dumps(ledger.to_json(), indent=1) + "\n"
        write_text(self._ledger_path(checkpoint.step), cost)
        with replacing(self._path(checkpoint.step)) as file:
            # One entry: safetensors writes several in any order, and equal runs equal files.
            file.write(save(arrays, {"tempo": json.dumps(about)}))
        write_text(self.folder / "ledger.json", cost)
        self._forget()

    def _forget(self) -> None:
        """Removes all checkpoints but the newest, and ledgers without one."""
        checkpoints = self._checkpoints()
        kept = {self._ledger_path(_step_of(path)) for path in checkpoints[-KEPT:]}
        for old in (*checkpoints[:-KEPT], *(set(self.folder.glob("ledger-*.json")) - kept)):
            old.unlink(missing_ok=True)

    def trained(self) -> Checkpoint:
        """The newest checkpoint; TempoError before the first."""
        if (found := self.latest()) is None:
            raise TempoError(f"{self.folder} has no checkpoint yet")
        return found

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that can be read; None before the first.

        `passed_over` says what was wrong with newer ones.
        """
        self.passed_over = []
        for path in reversed(self._checkpoints()):
            try:
                return read_checkpoint(path)
            except TempoError as error:
                self.passed_over.append(str(error))
        if self.passed_over:
            raise TempoError("; ".join(self.passed_over))
        return None

    def resume(self) -> Checkpoint | None:
        """As `latest`, and cuts the log back to that step, for going on from there.

        Nothing is touched where the log or the ledger is damaged. Damaged checkpoints are kept
        under another name.
        """
        checkpoint = self.latest()
        step = checkpoint.step if checkpoint else 0
        cost = self._ledger_of(step) if checkpoint else None
        self._cut_log(step)
        if cost is not None:
            write_text(self.folder / "ledger.json", json.dumps(cost.to_json(), indent=1) + "\n")
        for path in self._checkpoints():
            if path > self._path(step):
                path.replace(path.with_name(path.name + ".damaged"))
        self._forget()
        return checkpoint

    def ledger(self) -> Ledger:
        """What the run has cost up to its last checkpoint."""
        for path in reversed(self._checkpoints()):
            if self._ledger_path(_step_of(path)).exists():
                return self._ledger_of(_step_of(path))
        return self._ledger_of(0)

    def _repr_html_(self) -> str:
        """What was asked for, what it has cost, and the curves of the log."""
        rows = self.rows()
        asked = [(name, str(self.config[name])) for name in SHOWN if name in self.config]
        told = [*asked, ("steps", str(len(rows))), ("cost", str(self.ledger()))]
        curves = [displays.curve(name, values) for name, values in _measured(rows)]
        return displays.table(str(self.folder), told) + "".join(curves)

    def _ledger_of(self, step: int) -> Ledger:
        """The ledger of a checkpoint; that of the whole run where it has none of its own."""
        path = self._ledger_path(step)
        if not path.exists():
            path = self.folder / "ledger.json"
        try:
            return Ledger.from_json(json.loads(path.read_bytes()))
        except FileNotFoundError:
            return Ledger()
        except (ValueError, RecursionError) as error:
            raise TempoError(
                f"{path} is damaged: {error}; restore it, or delete it to count from nothing"
            ) from None

    def _path(self, step: int) -> Path:
        return self.folder / f"checkpoint-{step:08d}.safetensors"

    def _ledger_path(self, step: int) -> Path:
        return self.folder / f"ledger-{step:08d}.json"

    def _checkpoints(self) -> list[Path]:
        return sorted(self.folder.glob("checkpoint-*.safetensors"))


def _measured(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[float]]]:
    """The measures of a log that change, with their values; counts of work are no measures."""
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if isinstance(row.get(name), int | float)]
        if name not in COUNTS and len(set(values)) > 1:
            yield name, values


def _step_of(path: Path) -> int:
    digits = path.name.removeprefix("checkpoint-").removesuffix(".safetensors")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _row(line: bytes) -> dict[str, Any] | None:
    """The row in a line of a log; None if there is none."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and type(row.get("step", 0)) is int else None


def _flock(file: IO[bytes]) -> None:
    try:
        import fcntl  # noqa: PLC0415 - not on Windows; there two trainings are not caught
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS):  # no locks there
            raise


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """One checkpoint file. Raises TempoError when it is damaged or not ours."""
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {})["tempo"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        step, state = about["step"], about["state"]
        if type(step) is not int or step < 0 or not isinstance(state, dict):
            raise ValueError("step or state are of the wrong kind")
        if about.pop("sum", None) not in (None, _sum_of(json.dumps(about), arrays)):
            raise ValueError("its contents do not have the sum that was stored with them")
    except FileNotFoundError:
        raise TempoError(f"there is no {path}") from None
    except (SafetensorError, KeyError, TypeError, ValueError, OSError, RecursionError) as error:
        raise TempoError(f"{path} is damaged or no checkpoint of tempo: {error}") from None
    return Checkpoint(step, arrays, state)


def _sum_of(about: str, arrays: Mapping[str, NDArray[Any]]) -> str:
    """A check sum of all that a checkpoint holds: damage shows, wherever it is."""
    total = zlib.crc32(about.encode())
    for name, array in sorted(arrays.items()):
        total = zlib.crc32(f"{name} {array.dtype} {array.shape}".encode(), total)
        total = zlib.crc32(array.reshape(-1).view(np.uint8).data, total)
    return f"{total:08x}"


def toml_text(config: Mapping[str, Any]) -> str:
    """A configuration of plain values, lists and tables (also lists of tables) as TOML."""
    plain = {k: v for k, v in config.items() if not _is_table(v) and v is not None}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    for key, value in config.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{key}]", toml_text(value).rstrip("\n")]
        elif _is_table(value):
            for item in value:
                lines += ["", f"[[{key}]]", toml_text(item).rstrip("\n")]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
