"""What meets a newcomer: the first screen, lists, bars from the start, Ctrl-C, a full disk."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import select
import shlex
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tensorboardX.proto import event_pb2

from tempo import agents, arena, cli, recipes
from tempo.arena.log import read_log
from tempo.cli import common
from tempo.learners.loop import learn
from tempo.recipes import boards
from tempo.runs import Run

TEMPO = [sys.executable, "-m", "tempo"]
WIDE = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}


def ran(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TEMPO, *arguments], capture_output=True, text=True, check=False, env=WIDE, timeout=120,
        cwd=cwd,
    )  # fmt: skip


def on_a_terminal(arguments: list[str], until: str, cwd: Path) -> tuple[str, int]:
    """What a command shows until a pattern comes, and how it ends when it is interrupted then."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*TEMPO, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=WIDE, cwd=cwd
    )
    os.close(theirs)
    shown, latest, told = b"", time.monotonic() + 100, False
    while True:
        if not told and (re.search(until, shown.decode(errors="replace")) or _passed(latest)):
            child.send_signal(signal.SIGINT)
            told = True
        if select.select([ours], [], [], 0.05)[0]:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode(), child.wait(timeout=60)


def _passed(moment: float) -> bool:
    return time.monotonic() > moment


def test_the_program_alone_says_what_to_do_first() -> None:
    done = ran()
    assert done.returncode == 0
    commands = re.findall(r"tempo [a-z-]+", done.stdout)
    assert {"tempo play", "tempo demo", "tempo games"} <= set(commands)
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    for command in set(commands):
        assert ran(*command.split()[1:], "--help").returncode == 0, command


@pytest.mark.parametrize(
    ("arguments", "other", "most"),
    [
        (["-c", "import tempo"], "pass", 5),
        (["-m", "tempo", "--help"], "import typer.main, typer.rich_utils", 1.8),
    ],
)
def test_it_starts_quickly(arguments: list[str], other: str, most: float) -> None:
    """As many times as Python takes, or the libraries that write help: 0.01 and 0.11 s.

    So the goals are 0.05 and 0.2 s. Processor time, the least of several in turn: other work on the
    machine slows both alike.
    """

    def spent(*words: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True, env=WIDE)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    pairs = [(spent("-c", other), spent(*arguments)) for _ in range(7)]
    theirs, ours = (min(column) for column in zip(*pairs, strict=True))
    assert ours <= most * theirs, f"{ours:.3f} s, {other} {theirs:.3f} s"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["match", "--help"]])
def test_words_about_the_program_take_no_library_of_numbers(arguments: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "tempo", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=WIDE).stderr
    names = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    assert "tempo.cli" in names
    assert not names & {"numpy", "safetensors", "jax", "fastapi", "matplotlib", "ray"}


def test_agents_are_a_screen_with_the_detail_behind_a_name() -> None:
    shown = ran("agents").stdout
    assert shown.count("\n") < 60
    words = set(shown.split())
    assert {*agents.kinds()} <= words
    for name in ("mcts", "alphabeta"):
        one = ran("agents", name).stdout
        assert agents.kinds()[name].note in " ".join(one.split())
    assert "1000 if no" in ran("agents", "mcts").stdout
    assert "determinizations=8  " in ran("agents", "mcts").stdout, "not glued to its meaning"


def test_a_match_shows_its_size_at_once_and_ctrl_c_shows_the_result_so_far(
    tmp_path: Path,
) -> None:
    arguments = ["match", "alphabeta:depth=3", "alphabeta:depth=2", "-g", "gomoku", "-n", "100000"]
    shown, status = on_a_terminal([*arguments, "--log", "log.jsonl"], r"\d/s", tmp_path)
    assert status == 130, shown
    assert "0/100000" in shown
    assert "alphabeta:depth=3 against alphabeta:depth=2, gomoku" in shown
    assert "left " in shown
    assert "/s" in shown
    _, records = read_log(tmp_path / "log.jsonl")
    told = re.search(r"(\d+) of 100000 games were played. Continue: (.*)", shown.replace("\r", ""))
    assert told
    assert 0 < int(told[1]) <= len(records)
    assert shlex.split(told[2]) == ["tempo", *arguments, "--log", "log.jsonl"]
    assert "score" in shown[shown.index(", seed 1") :]


def test_ctrl_c_in_a_training_says_how_to_continue(tmp_path: Path) -> None:
    arguments = ["train", "td", "--game", "othello(size=4)", "--set", "iterations=1000000"]
    shown, status = on_a_terminal(
        [*arguments, "--out", "run", "--checkpoint-seconds", "0"], r"[2-9]\d*/1000000", tmp_path
    )
    assert status == 130, shown
    assert "/1000000" in shown
    line = shown[shown.index("Continue: ") :].splitlines()[0].removeprefix("Continue: ")
    assert shlex.split(line)[-1] == "--resume"
    run = Run.open(tmp_path / "run")
    assert run.trained().arrays


def test_seconds_end_every_learner(tmp_path: Path) -> None:
    """Those without a clock of their own are ended by the loop, with a checkpoint."""
    recipe = recipes.read("gomoku-critic")
    assert not hasattr(recipes.settings_of(recipe), "seconds")
    run = recipes.train(recipe, out=tmp_path / "run", seconds=0.001)
    assert [row["step"] for row in run.rows()] == [1]
    assert run.resume() is not None
    whole = recipes.make_learner({**recipe, "stages": [{"iterations": 2}]}, 1)
    assert len(list(learn(whole))) == 2


@pytest.mark.parametrize(
    ("arguments", "most", "file"),
    [
        (["train", "gomoku-critic", "--out", "run"], 400, "run/config.toml"),
        (
            [
                "train",
                "td",
                "-g",
                "othello(size=4)",
                "--net",
                "table",
                "--set",
                "iterations=3",
                "--out",
                "run",
            ],
            20_000,
            "run/curve.svg",
        ),
        (["match", "random", "random", "-g", "gomoku(size=5)", "--log", "games"], 400, "games"),
        (["match", "random", "random", "-g", "gomoku(size=5)", "--records", "a.sgf"], 400, "a.sgf"),
        (["new-game", "hex", "--into", "hex"], 400, "hex/CMakeLists.txt"),
    ],
    ids=["training", "curve", "match", "records", "template"],
)
def test_a_full_disk_names_the_file(
    tmp_path: Path, arguments: list[str], most: int, file: str
) -> None:
    """A limit on the size of files stands for the disk: the system refuses the same calls."""

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    (tmp_path / "run").mkdir()
    done = subprocess.run(
        [*TEMPO, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False,
        preexec_fn=limited, env=WIDE, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    last = done.stderr.strip().splitlines()[-1]
    assert last == f"tempo: {file}: File too large"


def test_a_bar_says_that_a_library_is_loaded_before_it_knows_how_much_there_is(
    tmp_path: Path,
) -> None:
    shown, status = on_a_terminal(["train", "krk", "--out", "run"], "getting ready", tmp_path)
    assert status == 130, shown
    assert "into run" in shown
    assert "/?" not in shown
    assert not (tmp_path / "run").exists(), "nothing was learnt"


def test_a_bar_where_there_is_no_terminal_is_a_line_or_two() -> None:
    done = ran("match", "random", "random", "-g", "gomoku(size=5)", "-n", "4", "--json")
    assert json.loads(done.stdout)["games"] == 4
    assert len(done.stderr.splitlines()) == 2
    assert all(len(line) <= 80 for line in done.stderr.splitlines())


def test_a_log_for_tensorboard(tmp_path: Path) -> None:
    """Every number of the log; without its extra, a sentence before the training."""
    command = ["train", "td", "--game", "othello(size=4)", "--set", "iterations=3"]
    done = ran(*command, "--out", str(tmp_path / "run"), "--tensorboard")
    assert done.returncode == 0, done.stderr
    (events,) = (tmp_path / "run" / "tensorboard").glob("events.out.*")
    written = events.read_bytes()
    numbers = {name for row in Run.open(tmp_path / "run").rows() for name in row}
    assert {"loss", "games"} <= numbers
    assert all(name.encode() in written for name in numbers)


def test_a_log_for_tensorboard_grows_with_the_training(tmp_path: Path) -> None:
    """It stands there after Ctrl-C, and after a resume it is that of the whole run, once."""
    command = ["train", "td", "--game", "othello(size=4)", "--out", "run", "--tensorboard",
               "--set", "games=4", "--set", "exam=0", "--checkpoint-seconds", "0"]  # fmt: skip
    more = ["--set", "iterations=100000"]
    shown, status = on_a_terminal([*command, *more], r" [1-9]\d+/100000", tmp_path)
    assert status == 130, shown
    logged = [row["games"] for row in Run.open(tmp_path / "run").rows()]
    assert _steps(tmp_path / "run") == logged[: len(_steps(tmp_path / "run"))]
    assert len(_steps(tmp_path / "run")) >= 10
    ended = str(len(logged) + 2)
    done = ran(*command, "--set", f"iterations={ended}", "--resume", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    logged = [row["games"] for row in Run.open(tmp_path / "run").rows()]
    assert _steps(tmp_path / "run") == logged


def test_a_line_for_tensorboard_is_soon_on_the_disk(tmp_path: Path) -> None:
    Run.create(tmp_path / "run", {"learner": "td"})
    with boards.Board(tmp_path / "run") as board:
        board.begin()
        board.add({"games": 16, "loss": 0.5})
        until = time.monotonic() + 20
        while not _steps(tmp_path / "run", "loss") and not _passed(until):
            time.sleep(0.05)
        assert _steps(tmp_path / "run", "loss") == [16]


def _steps(run: Path, name: str = "games") -> list[int]:
    """The steps of one curve, from the records of TensorBoard's only file: length, sum, event."""
    (file,) = (run / "tensorboard").glob("events.out.*")
    data, found = file.read_bytes(), []
    while data:
        (length,) = struct.unpack_from("<Q", data)
        event = event_pb2.Event.FromString(data[12 : 12 + length])
        found += [event.step for value in event.summary.value if value.tag == name]
        data = data[16 + length :]
    return found


@pytest.mark.parametrize(
    ("arguments", "until", "told"),
    [
        (["demo"], "games, WCR",
         r"Continue: tempo train krk-minute --seed 1 --out (\S+) --resume"),
        (["evaluate", "alphabeta:depth=2", "--ending", "KQK", "-n", "100000"], r" \d\d+/100000",
         r"WCR [01]\.\d+ \[.*\] so far: \d+ of 100000 games were played"),
        (["tablebase", "KQKR", "--out", "tables"], "KQKR: ",
         r"stay in tables. KQKR is not solved. Again: tempo tablebase KQKR --out tables"),
    ],
    ids=["demo", "evaluate", "tablebase"],
)  # fmt: skip
def test_ctrl_c_says_what_came_of_it(
    tmp_path: Path, arguments: list[str], until: str, told: str
) -> None:
    shown, status = on_a_terminal(arguments, until, tmp_path)
    assert status == 130, shown
    found = re.search(told, shown.replace("\r", "").replace("\n", " "))
    assert found, shown
    if arguments == ["demo"]:
        assert Run.open(tmp_path / found[1]).rows(), "there is something to go on with"


def test_an_export_shows_its_matches_and_what_they_gave_so_far(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(*_: object, progress: Any, **__: object) -> None:
        arena.match(("random", "random"), "othello(size=4)", games=4, progress=progress)
        raise KeyboardInterrupt

    monkeypatch.setattr("tempo.recipes.exports.export", measured)
    monkeypatch.setattr(sys, "argv", ["tempo", "export", "run"])
    with pytest.raises(SystemExit):
        cli.main()
    shown = capsys.readouterr().err
    assert "4/4" in shown
    assert re.search(r"\d+% of 4 games against random\nNothing was written. Again: ", shown)


def test_what_takes_long_shows_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with common.counted("records", 3) as tell:
        tell()
        assert capsys.readouterr().err == "", "not in the first moment"
        time.sleep(common.MOMENT)
        tell()
        tell()
    shown = capsys.readouterr().err
    assert "records" in shown
    assert "3/3" in shown
