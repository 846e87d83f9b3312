"""What shells complete: names, settings, classes; and bash with its line editor."""

from __future__ import annotations

import os
import pty
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tempo import cli
from tempo.cli import completion

TEMPO = Path(sys.executable).with_name("tempo")


def test_runs_and_files_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("runs/first", "runs/more", "mctsy", ".hidden"):
        Path(folder).mkdir(parents=True)
    for file in ("runs/first/config.toml", "corner.py", "corner.txt"):
        Path(file).touch()
    assert completion.agents("runs") == ["runs/"]
    assert completion.agents("runs/") == ["runs/first", "runs/more/"]
    assert completion.agents("cor") == ["corner.py:"]
    assert completion.agents("mcts") == ["mcts", "mctsy/"]
    assert completion.agents(f"{tmp_path}/c") == [f"{tmp_path}/corner.py:"]
    assert completion.agents("nowhere/") == []
    assert ".hidden/" not in completion.agents("")


def test_names_are_completed() -> None:
    assert completion.agents("gomoku-st") == ["gomoku-strong", "gomoku-strong-1"]
    assert "mcts:sims=" in completion.agents("mcts:")
    assert completion.agents("mcts:sims=5,ti") == ["mcts:sims=5,time="]
    assert completion.games("oth") == ["othello"]
    assert {"krk", "krk-minute"} <= set(completion.recipes("krk"))
    assert completion.trained("td_le") == ["td_leaf"]
    assert completion.protocols("us") == ["usi"]
    assert completion.papers("sig") == ["siguo"]
    assert completion.agents("mcts:sims=5,rule=pu") == ["mcts:sims=5,rule=puct"]
    assert completion.agents("alphabeta:keep=") == ["alphabeta:keep=yes", "alphabeta:keep=no"]
    assert {"KRK", "KBNK"} <= set(completion.endings("k"))
    assert completion.nets("den") == ["dense"]


def test_classes_of_a_file_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corner.py").write_text("class Corner: ...\n\nclass Edge: ...\n\nprint('run')\n")
    Path("wrong.py").write_text("class")
    assert completion.agents("corner.py:") == ["corner.py:Corner", "corner.py:Edge"]
    assert completion.agents("corner.py:E") == ["corner.py:Edge"]
    assert completion.agents("wrong.py:") == completion.agents("none.py:") == []


LINES = {
    "tempo match mcts:si": "mcts:sims=",
    "tempo match mcts:sims=5,rule=pu": "mcts:sims=5,rule=puct ",
    "tempo match mcts:sims=5 corner.py:Co": "mcts:sims=5 corner.py:Corner ",
    "tempo match mcts:sims=5 'rand": "mcts:sims=5 'random' ",
    "tempo match random random --game=oth": "--game=othello ",
    "tempo train zero --set simul": "--set simulations=",
}


def test_bash_completes_behind_colons_and_equals_signs(tmp_path: Path) -> None:
    """A real bash with its line editor: what stands on its line after the tabulator."""
    (tmp_path / "corner.py").write_text("class Corner: ...\n")
    script = subprocess.run(
        [TEMPO, "--show-completion", "bash"], capture_output=True, text=True, check=True,
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    ).stdout  # fmt: skip
    (tmp_path / "rc").write_text(
        f"PATH={shlex.quote(str(TEMPO.parent))}:$PATH\nPS1=\nbind 'set bell-style none'\n"
        "bind 'set enable-bracketed-paste off'\n" + script
    )
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execvpe("bash", ["bash", "--rcfile", "rc", "-i"], {**os.environ, "COLUMNS": "200"})
    try:
        for line, wanted in LINES.items():
            os.write(terminal, f"{line}\t".encode())
            seen = _read_until(terminal, wanted)
            assert seen.endswith(wanted), f"{line}: {seen!r}"
            os.write(terminal, b"\x01\x0becho be''gin\n")
            _read_until(terminal, "begin\r\n")
    finally:
        os.kill(child, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(child, 0)


def _read_until(terminal: int, end: str) -> str:
    """What a terminal shows up to this, or what it showed for long without it."""
    seen, until = "", time.monotonic() + 20
    while not seen.endswith(end) and time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 4096).decode()
    return seen


@pytest.mark.parametrize(
    ("line", "expected"),
    [("tempo match gomoku-st", "gomoku-strong"), ("tempo train krk", "krk-minute"),
     ("tempo match mcts random --game oth", "othello"), ("tempo engine us", "usi"),
     ("tempo games ji", "jiu"), ("tempo learn", "learners"),
     ("tempo learners --game oth", "othello"), ("tempo engine ugi --game oth", "othello"),
     ("tempo match mcts random --ending KBN", "KBNK"), ("tempo tablebase KBN", "KBNK"),
     ("tempo evaluate mcts --ending KBN", "KBNK"), ("tempo train td_leaf --net den", "dense"),
     ("tempo train zero --set simul", "simulations="), ("tempo compare --set dep", "depth="),
     ("tempo train td --set net=res", "net=residual")],
)  # fmt: skip
def test_the_shell_completes(line: str, expected: str) -> None:
    words = shlex.split(line)
    done = CliRunner().invoke(
        cli.app, prog_name="tempo",
        env={"_TEMPO_COMPLETE": "complete_bash", "COMP_WORDS": line,
             "COMP_CWORD": str(len(words) - 1)},
    )  # fmt: skip
    assert expected in done.stdout.split(), done.output
