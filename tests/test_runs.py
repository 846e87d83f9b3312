"""Runs on disk: complete or absent, resumable, never overwritten."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tempo.errors import TempoError
from tempo.files import replacing
from tempo.ledger import Ledger
from tempo.runs import Checkpoint, Run, read_checkpoint, toml_text

CONFIG = {
    "ending": "KRK",
    "seed": 3,
    "rates": [0.5, 0.25],
    "net": {"hidden": [128], "activation": "relu"},
    "stages": [{"games": 10, "trace": 0.5}, {"games": 20, "trace": 0.7}],
}


def checkpoint(step: int) -> Checkpoint:
    arrays: dict[str, NDArray[Any]] = {
        "w": np.full((2, 3), step, np.float32),
        "bits": np.arange(4, dtype=np.uint64),
        "count": np.array(step),  # a number, not a row of one: Adam's count came back as a row
    }
    return Checkpoint(step, arrays, {"games": 100 * step, "note": "é"})


def filled(folder: Path, steps: int) -> Run:
    run = Run.create(folder, CONFIG)
    for step in range(1, steps + 1):
        run.log({"step": step, "loss": 1 / step})
        run.save(checkpoint(step), Ledger(games=step))
    return run


def test_configuration_comes_back_as_written(tmp_path: Path) -> None:
    assert tomllib.loads(toml_text(CONFIG)) == CONFIG
    Run.create(tmp_path / "r", CONFIG)
    assert Run.open(tmp_path / "r").config == CONFIG


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    filled(tmp_path, 2)
    before = sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir())
    with pytest.raises(TempoError, match="already holds a run"):
        Run.create(tmp_path, {})
    assert sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir()) == before


def test_latest_checkpoint_and_ledger(tmp_path: Path) -> None:
    run = filled(tmp_path, 5)
    latest = run.latest()
    assert latest is not None
    assert latest.step == 5
    assert latest.state == {"games": 500, "note": "é"}
    assert latest.arrays["w"].tolist() == [[5.0] * 3] * 2
    assert latest.arrays["bits"].dtype == np.uint64
    assert latest.arrays["count"].shape == ()
    assert run.ledger().games == 5
    assert len(list(tmp_path.glob("checkpoint-*"))) == 2


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path) -> None:
    run = filled(tmp_path, 3)
    newest = tmp_path / "checkpoint-00000003.safetensors"
    newest.write_bytes(newest.read_bytes()[:50])
    latest = run.latest()
    assert latest is not None
    assert latest.step == 2
    with pytest.raises(TempoError, match="damaged"):
        read_checkpoint(newest)


def test_all_damaged_is_an_error_not_a_fresh_start(tmp_path: Path) -> None:
    run = filled(tmp_path, 2)
    for path in tmp_path.glob("checkpoint-*"):
        path.write_bytes(b"not a checkpoint")
    with pytest.raises(TempoError, match="damaged"):
        run.latest()


def test_resume_cuts_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    run = filled(tmp_path, 4)
    run.log({"step": 5, "loss": 0.1})
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"step": 6, "lo')  # the kill
    found = run.resume()
    assert found is not None
    assert found.step == 4
    assert [row["step"] for row in run.rows()] == [1, 2, 3, 4]


def test_folders_that_are_no_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TempoError, match="no run"):
        Run.open(tmp_path)
    (tmp_path / "config.toml").write_text("a = = b")
    with pytest.raises(TempoError, match="damaged"):
        Run.open(tmp_path)


def test_replacing_leaves_the_old_file_when_the_writer_fails(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
