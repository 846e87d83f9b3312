"""The command line: vectors of arguments of every quick command, in this process."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from soak.mutating import ODD
from soak.subject import Subject
from soak.subjects.files import put, scratch
from soak.subjects.records import libraries

# Sound ones. Whatever is put in their place is small: a soak of perft is no soak of arguments.
VECTORS = (
    "games", "games --json", "agents --json", "--help", "perft chess 2",
    "perft gomoku(size=5) 1 --json", "perft chess 1 --divide", "perft siguo 1",
    "match random random -g gomoku(size=5) --games 2 --json",
    "match random mcts:sims=2 -g minishogi(length=20) -n 2 --seed 3",
    "match random random -g gomoku(size=5) --games 2 --log log.jsonl",
    "match random random -g gomoku(size=5) --openings fair -n 2",
    "tournament random mcts:sims=2 alphabeta:depth=1 -g gomoku(size=5) -n 2 --threads 1",
    "evaluate random --ending KXK --games 2", "engine uci --agent random", "engine usi -a random",
    "engine gomocup -a random", "library show library.sgf --depth 1 --width 2",
    "library show library.sgf --moves G7 --json", "library prune library.sgf -o out.sgf --depth 1",
    "train --help", "play --help", "reproduce --help", "bench --help", "tablebase KQK --help",
)  # fmt: skip
WORDS = (
    "random",
    "mcts:sims=2",
    "alphabeta:depth=1",
    "gomoku(size=5)",
    "gomoku(size=99)",
    "-n",
    "2",
    "3",
    "0",
    "-1",
    "1.5",
    "--games",
    "--json",
    "--seed",
    "--log",
    ".",
    "/dev/null",
    "missing",
    "--ending",
    "KRK",
    "KXK",
    "--position",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "--openings",
    "--depth",
    "chess",
    "nochess",
    "--",
    "-h",
    "--nonsense",
    "usi:path=/nonexistent",
    "runs/none",
    "",
)
LONG = {"signature", "bench", "demo", "train", "play", "reproduce", "tablebase"}


def make(random: Random) -> list[str]:
    """Arguments, mostly with something wrong."""
    words = random.choice(VECTORS).split(" ")
    while random.random() < 0.6:
        at = random.randrange(len(words) + 1)
        piece = random.choice(WORDS) if random.random() < 0.8 else random.choice(ODD)
        match random.randrange(4):
            case 0:
                words[at:at] = [piece]
            case 1:
                words[at : at + 1] = [piece]
            case 2:
                del words[at : at + 1]
            case _:
                words[at : at + 1] = words[at : at + 1] * 2
    if words and words[0] in LONG:
        words.append("--help")  # these take minutes, or serve until they are stopped
    return words


def run(words: list[str]) -> str:
    """What was asked for, or one sentence on standard error; never a traceback."""
    from tempo import cli  # noqa: PLC0415

    here, before = Path.cwd(), sys.argv
    said, told = io.BytesIO(), io.BytesIO()
    out, err = io.TextIOWrapper(said, "utf-8"), io.TextIOWrapper(told, "utf-8", "backslashreplace")
    os.chdir(scratch())
    (scratch() / "log.jsonl").unlink(missing_ok=True)
    (scratch() / "out.sgf").unlink(missing_ok=True)
    if not (scratch() / "library.sgf").exists():
        put("library.sgf", libraries()[1].encode())
    sys.argv = ["tempo", *words]
    standard, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(b"quit\n"), "utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main()
        code: object = 0
    except SystemExit as ended:
        code = ended.code
    finally:
        os.chdir(here)
        sys.argv, sys.stdin = before, standard
    if not code:
        return "accepted"
    out.flush()
    err.flush()
    words_said = (told.getvalue() + said.getvalue()).decode(errors="replace")  # help is an answer
    assert code == 2, (code, words_said)
    assert words_said.strip(), "an error without a word"
    assert "Traceback" not in words_said
    return f"refused: {code}"


def subjects() -> Iterator[Subject]:
    """One for all commands."""
    yield Subject("commands", make, run, slice=12, weight=2, patience=60)
