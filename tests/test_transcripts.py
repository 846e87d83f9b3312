"""What boards and judges say first, line by line, to the engine as a program.

`>` is said to it, once all before has been answered; `<` is a pattern for what it says then. Lines
in between may greet or tell of a search; no other line may come, and no error.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

FILES = sorted((Path(__file__).parent / "data" / "transcripts").glob("*.txt"))
WAIT = 60.0  # seconds, for machines under load
PASSED = re.compile(r"(id|option|info (?!string)|MESSAGE|OK$)")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_engine_answers_what_boards_say_first(file: Path) -> None:
    first, *lines = file.read_text(encoding="utf-8").splitlines()
    words = shlex.split(first.rpartition(": ")[2].replace("(", "'('").replace(")", "')'"))
    command = [sys.executable, "-m", "tempo", *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    ) as engine:  # fmt: skip
        assert engine.stdin is not None
        assert engine.stdout is not None
        said: Queue[str] = Queue()
        Thread(target=lambda: [*map(said.put, engine.stdout or ())], daemon=True).start()
        try:
            for line in lines:
                kind, text = line[:2], line[2:]
                if kind == "> ":
                    engine.stdin.write(f"{text}\n")
                    engine.stdin.flush()
                else:
                    _await(said, text)
            assert engine.wait(WAIT) == 0, "it ends by itself"
            while not said.empty():
                assert PASSED.match(rest := said.get()), rest
            assert engine.stderr is not None
            assert engine.stderr.read() == ""
        finally:
            engine.kill()


def _await(said: Queue[str], pattern: str) -> None:
    """Takes lines up to one of this pattern; any other may only greet or tell of a search."""
    while True:
        try:
            line = said.get(timeout=WAIT).rstrip("\n")
        except Empty:
            pytest.fail(f"nothing came that is {pattern}")
        if re.fullmatch(pattern, line):
            return
        assert PASSED.match(line), f"{line!r} before {pattern!r}"


def test_there_are_transcripts_of_every_protocol() -> None:
    found = {re.findall(r"engine (\w+)", file.read_text())[0] for file in FILES}
    assert found == {"uci", "usi", "gomocup", "ugi"}
