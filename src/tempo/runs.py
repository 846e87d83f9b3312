"""A run: one training on disk, which can be killed at any moment and goes on.

    runs/krk/config.toml                       what was asked for
    runs/krk/log.jsonl                         one line a step
    runs/krk/ledger.json                       what it has cost so far
    runs/krk/checkpoint-00000040.safetensors   weights, optimizer, counters, random streams

A checkpoint is complete or absent. Going on from one, the log is cut back to the same step, so that
a run that was killed ends with the same files as one that was not, times aside.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from tempo.errors import TempoError
from tempo.files import replacing, write_text
from tempo.ledger import Ledger

KEPT = 2  # checkpoints; the one before the last is there in case a disk loses the last


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

    @classmethod
    def create(cls, folder: str | os.PathLike[str], config: Mapping[str, Any]) -> Run:
        """A new run. A folder that already holds one is refused, nothing in it is touched."""
        if (Path(folder) / "config.toml").exists():
            raise TempoError(f"{folder} already holds a run; go on with --resume or choose another")
        write_text(Path(folder) / "config.toml", toml_text(config))
        return cls(folder, config)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Run:
        """A run that exists."""
        path = Path(folder) / "config.toml"
        try:
            return cls(folder, tomllib.loads(path.read_text()))
        except FileNotFoundError:
            raise TempoError(f"{folder} is no run: it has no config.toml") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise TempoError(f"{path} is damaged: {error}") from None

    def log(self, row: Mapping[str, Any]) -> None:
        """Adds one line to the log; `step` says where it belongs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")

    def rows(self) -> list[dict[str, Any]]:
        """The log. A last line torn by a kill is left out."""
        path = self.folder / "log.jsonl"
        rows = []
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError:
                break
        return rows

    def save(self, checkpoint: Checkpoint, ledger: Ledger) -> None:
        """Stores a checkpoint and the cost so far, then forgets all but the newest few."""
        # Not ascontiguousarray, which makes a row of a single number.
        arrays = {name: np.asarray(a, order="C") for name, a in checkpoint.arrays.items()}
        metadata = {"tempo": json.dumps({"step": checkpoint.step, "state": checkpoint.state})}
        with replacing(self._path(checkpoint.step)) as file:
            file.write(save(arrays, metadata))
        write_text(self.folder / "ledger.json", json.dumps(ledger.to_json(), indent=1) + "\n")
        for old in self._checkpoints()[:-KEPT]:
            old.unlink(missing_ok=True)

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that can be read; None before the first."""
        damaged: list[str] = []
        for path in reversed(self._checkpoints()):
            try:
                return read_checkpoint(path)
            except TempoError as error:
                damaged.append(str(error))
        if damaged:
            raise TempoError("; ".join(damaged))
        return None

    def resume(self) -> Checkpoint | None:
        """As `latest`, and cuts the log back to that step, for going on from there."""
        checkpoint = self.latest()
        step = checkpoint.step if checkpoint else 0
        kept = [json.dumps(row) + "\n" for row in self.rows() if row.get("step", 0) <= step]
        write_text(self.folder / "log.jsonl", "".join(kept))
        for path in self._checkpoints():
            if path > self._path(step):
                path.unlink()
        return checkpoint

    def ledger(self) -> Ledger:
        """What the run has cost up to its last checkpoint."""
        path = self.folder / "ledger.json"
        return Ledger.from_json(json.loads(path.read_text())) if path.exists() else Ledger()

    def _path(self, step: int) -> Path:
        return self.folder / f"checkpoint-{step:08d}.safetensors"

    def _checkpoints(self) -> list[Path]:
        return sorted(self.folder.glob("checkpoint-*.safetensors"))


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """One checkpoint file. Raises TempoError when it is damaged or not ours."""
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = json.loads((file.metadata() or {})["tempo"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise TempoError(f"there is no {path}") from None
    except (SafetensorError, KeyError, ValueError, OSError) as error:
        raise TempoError(f"{path} is damaged or no checkpoint of tempo: {error}") from None
    return Checkpoint(metadata["step"], arrays, metadata["state"])


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
