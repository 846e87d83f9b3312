"""Trainings that are killed at any moment, two in one folder, and files that are damaged."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

import tempo
from tempo import agents
from tempo.errors import ParseError, TempoError
from tempo.learners.loop import carry_out
from tempo.ledger import Ledger
from tempo.runs import Checkpoint, Run, read_checkpoint

STEPS = 3

# A small learner in a process of its own. Given moments, it is killed before the nth call that puts
# something on the disk: every rename, sync, removal and line of the log is such a moment.
PROGRAM = """
import os, shutil, signal, sys
from pathlib import Path
import numpy as np
from tempo.learners.loop import carry_out
from tempo.ledger import Ledger
from tempo.runs import Run

pause = float(sys.argv[2])
calls = nth = 0

def fatal(function):
    def counted(*given, **more):
        global calls
        calls += 1
        if calls == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **more)
    return counted

os.replace, os.unlink = fatal(os.replace), fatal(os.unlink)
os.fsync = fatal(lambda file: None)  # a kill does not lose what was written, and this is quicker
Run.log = fatal(Run.log)

class Learner:
    def __init__(self):
        self.step, self.ledger = 0, Ledger()
        self.random = np.random.default_rng(5)
        self.weights = np.zeros(7)
    total = STEPS
    @property
    def done(self):
        return self.step >= STEPS
    def iterate(self):
        import time
        time.sleep(pause if self.step else 0)
        self.step += 1
        self.ledger.games += 10
        self.ledger.wall_seconds += pause
        self.weights += np.random.default_rng([5, self.step]).normal(size=7)
        return {"step": self.step, "games": self.ledger.games, "sum": float(self.weights.sum())}
    def arrays(self):
        return {"weights": self.weights}
    def state(self):
        return {"games": self.ledger.games}
    def restore(self, step, arrays, state):
        assert state["games"] == 10 * step
        self.step, self.weights = step, arrays["weights"].copy()

def train(folder):
    resume = (folder / "config.toml").exists()
    run = Run.open(folder) if resume else Run.create(folder, {"seed": 5})
    print("begun", flush=True)
    carry_out(run, Learner(), resume=resume, checkpoint_seconds=0)

def forked(folder, moment):
    global nth, calls
    child = os.fork()
    if child == 0:
        calls, nth = 0, moment
        sys.stdout = sys.stderr
        train(folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

if len(sys.argv) == 3:
    train(Path(sys.argv[1]))
else:  # killed before each of these calls in turn, and resumed
    for moment in map(int, sys.argv[3:]):
        folder = Path(f"{sys.argv[1]}-{moment}")
        killed = forked(folder, moment)
        shutil.copytree(folder, f"{folder}-as-left")
        print(moment, killed, forked(folder, 0), flush=True)
print("calls", calls, flush=True)
""".replace("STEPS", str(STEPS))


def train(folder: Path, *moments: int, pause: float = 0.0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(pause), *map(str, moments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(folder: Path) -> dict[str, Any]:
    """What a run amounts to: its last checkpoint and its log to the byte, its counts."""
    run = Run.open(folder)
    last = sorted(folder.glob("checkpoint-*.safetensors"))[-1]
    assert json.loads((folder / "ledger.json").read_text())["games"] == run.ledger().games
    return {
        "checkpoint": (last.name, last.read_bytes()),
        "log": (folder / "log.jsonl").read_bytes(),
        "games": run.ledger().games,
        "files": sorted(path.name for path in folder.iterdir()),
    }


def consistent(folder: Path) -> None:
    """After a kill: the newest checkpoint can be read and its ledger is of the same step."""
    if not (folder / "config.toml").exists():
        return
    run = Run.open(folder)
    found = run.latest()
    assert not run.passed_over
    assert run.ledger().games == (10 * found.step if found else 0)


def test_a_kill_before_any_write_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    """The ledger could be of the step before: it was renamed after the checkpoint."""
    whole = train(tmp_path / "whole")
    out, _ = whole.communicate(timeout=60)
    calls = int(out.split()[-1])
    assert calls > 12 * STEPS, "all that a step puts on the disk"
    expected = finished(tmp_path / "whole")
    out, err = train(tmp_path / "killed", *range(1, calls + 1)).communicate(timeout=120)
    assert len(out.splitlines()) == calls + 1, err[-2000:]
    for line in out.splitlines()[:-1]:
        moment, killed, resumed = line.split()
        assert (int(killed), int(resumed)) == (-signal.SIGKILL, 0), line
        consistent(tmp_path / f"killed-{moment}-as-left")
        assert finished(tmp_path / f"killed-{moment}") == expected, line


def test_a_second_training_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    """Both wrote to one log and removed each other's checkpoints."""
    folder = tmp_path / "run"
    first = train(folder, pause=60)
    assert first.stdout is not None
    assert first.stdout.readline() == "begun\n"
    run = Run.open(folder)
    with pytest.raises(TempoError, match="another process trains in"):
        run.hold()
    second = train(folder)
    _, err = second.communicate(timeout=60)
    assert second.returncode == 1
    assert "another process trains in" in err
    while run.latest() is None:  # others read it meanwhile
        time.sleep(0.01)
    first.kill()
    first.communicate(timeout=60)
    third = train(folder)
    _, err = third.communicate(timeout=60)
    assert third.returncode == 0, err
    assert finished(folder)["games"] == 10 * STEPS


def test_only_one_of_two_that_begin_at_once(tmp_path: Path) -> None:
    both = [train(tmp_path / "run", pause=0.05) for _ in range(2)]
    codes = sorted((process.communicate(timeout=60), process.returncode)[1] for process in both)
    assert codes[0] == 0
    finished(tmp_path / "run")


# ---- damage --------------------------------------------------------------------------------------


def run_of(folder: Path, steps: int = 3) -> Run:
    run = Run.create(folder, {"seed": 3, "learner": "adp"})
    for step in range(1, steps + 1):
        run.log({"step": step, "loss": 1 / step})
        weights = {"first": np.full((274, 4), step, np.float32), "second": np.ones(4, np.float32)}
        run.save(Checkpoint(step, weights, {"games": step, "seed": 3}), Ledger(games=step))
    run.release()
    return run


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "line",
    [b'{"step": 2, "lo', b"[1, 2]", b"3", b"null", b'{"step": 2.0}', b'{"step": "x"}',
     b"\xff\xfe\0", b"[" * 100_000, b""],
)  # fmt: skip
def test_a_damaged_line_in_the_middle_of_a_log_is_told_and_nothing_lost(
    tmp_path: Path, line: bytes
) -> None:
    """Everything after it was cut away without a word."""
    run = run_of(tmp_path)
    lines = (tmp_path / "log.jsonl").read_bytes().splitlines()
    (tmp_path / "log.jsonl").write_bytes(b"\n".join([lines[0], line, lines[2]]) + b"\n")
    before = contents(tmp_path)
    for ask in (run.rows, run.resume):
        with pytest.raises(TempoError, match=r"log\.jsonl is damaged: line 2 of 3 is no row"):
            ask()
    assert contents(tmp_path) == before


def test_damage_after_the_last_checkpoint_is_cut_off(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    whole = (tmp_path / "log.jsonl").read_bytes()
    (tmp_path / "log.jsonl").write_bytes(whole + b'\0\0\0\n{"step": 5}\n{"ste')
    run.resume()
    assert (tmp_path / "log.jsonl").read_bytes() == whole
    (tmp_path / "log.jsonl").write_bytes(whole.rstrip(b"\n"))
    run.resume()
    assert (tmp_path / "log.jsonl").read_bytes() == whole


@pytest.mark.parametrize(
    "text", ["{", "[]", "3", '{"games": -1}', '{"games": "many"}', "[" * 100_000, "\0", '{"x": 1}']
)
def test_a_damaged_ledger_is_told_and_nothing_touched(tmp_path: Path, text: str) -> None:
    run = run_of(tmp_path)
    run.log({"step": 4})
    (tmp_path / "ledger-00000003.json").write_text(text)
    before = contents(tmp_path)
    for ask in (run.ledger, run.resume):
        with pytest.raises(TempoError, match=r"ledger-00000003\.json is damaged: .*delete it to"):
            ask()
    assert contents(tmp_path) == before


def test_runs_of_before_have_one_ledger(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    for path in tmp_path.glob("ledger-*.json"):
        path.unlink()
    (tmp_path / ".lock").unlink()
    for path in tmp_path.glob("checkpoint-*"):  # without a check sum, too
        found = read_checkpoint(path)
        about = json.dumps({"step": found.step, "state": found.state})
        path.write_bytes(save(found.arrays, {"tempo": about}))
    assert run.ledger().games == 3
    last = run.resume()
    assert last is not None
    assert last.step == 3


def _header(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    change(header)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + size :])


def _into_folder(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.mkdir()


def _about(value: str) -> Callable[[Path], None]:
    return lambda path: _header(path, lambda header: header["__metadata__"].update(tempo=value))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "one bit": lambda path: path.write_bytes(
        path.read_bytes()[:-3] + bytes([path.read_bytes()[-3] ^ 1]) + path.read_bytes()[-2:]
    ),
    "huge header": lambda path: path.write_bytes((2**62).to_bytes(8, "little") + b"{}"),
    "huge array": lambda path: _header(
        path, lambda h: h["first"].update(shape=[2**40, 2**20], data_offsets=[0, 2**62])
    ),
    "no such type": lambda path: _header(path, lambda h: h["first"].update(dtype="F128")),
    "not our metadata": lambda path: _header(path, lambda h: h.pop("__metadata__")),
    "metadata of another kind": _about("[]"),
    "step as text": _about('{"step": "3", "state": {}}'),
    "step as float": _about('{"step": 3.0, "state": {}}'),
    "step below zero": _about('{"step": -1, "state": {}}'),
    "state as list": _about('{"step": 3, "state": []}'),
    "state changed": _about('{"step": 3, "state": {"games": 4, "seed": 3}, "sum": "00000000"}'),
    "nested": _about("[" * 100_000),
    "a folder": _into_folder,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_told_passed_over_and_kept(tmp_path: Path, damage: str) -> None:
    run = run_of(tmp_path)
    newest = tmp_path / "checkpoint-00000003.safetensors"
    DAMAGES[damage](newest)
    with pytest.raises(TempoError, match="damaged or no checkpoint") as told:
        read_checkpoint(newest)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 500
    found = run.resume()
    assert found is not None
    assert found.step == 2
    assert len(run.passed_over) == 1
    assert run.ledger().games == 2
    assert [row["step"] for row in run.rows()] == [1, 2]
    assert (tmp_path / "checkpoint-00000003.safetensors.damaged").exists(), "nothing is thrown away"


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.pop("first"),
        lambda a: a.update(first=a["first"].ravel()),
        lambda a: a.update(second=a["second"][:3]),
        lambda a: a.update(first=a["first"] * np.nan),
        lambda a: a.update(second=np.full(4, np.inf, np.float32)),
        lambda a: a.update(first=np.zeros((3, 4), np.float32)),
    ],
)
def test_weights_that_are_whole_but_wrong_are_refused_as_an_agent(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    run = run_of(tmp_path)
    for path in tmp_path.glob("checkpoint-*"):
        arrays = load(path.read_bytes())
        change(arrays)
        run.save(Checkpoint(int(path.name[11:19]), arrays, {}), Ledger())
    with pytest.raises((ParseError, TempoError)) as told:
        agents.load(str(tmp_path)).choose(_gomoku())
    assert "\n" not in str(told.value)


def _gomoku() -> Any:
    return tempo.load("gomoku").start().play("h8")


def test_a_checkpoint_that_does_not_fit_its_learner_is_told(tmp_path: Path) -> None:
    class Learner:
        step, total, done, ledger = 0, 1, True, Ledger()

        def restore(self, step: int, arrays: dict[str, Any], state: dict[str, Any]) -> None:
            self.weights = arrays["weights"]

    run_of(tmp_path)
    learner: Any = Learner()
    with pytest.raises(TempoError, match=r"step 3 in .* does not fit this training: 'weights'"):
        carry_out(Run.open(tmp_path), learner, resume=True)
    assert os.path.exists(tmp_path / "checkpoint-00000003.safetensors")
