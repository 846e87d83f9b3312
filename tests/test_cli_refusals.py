"""Options of the command line with wrong values, files that are none, and extras that are missing.

Whatever is wrong, a command says so in one sentence, exits with 2 and leaves nothing behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer
from test_cli import Ran, tempo  # noqa: F401 - the fixture

from tempo import cli, recipes
from tempo.nets.registry import DEEP

NUMBERS = ("-1", "x", "nan", "inf", str(10**30), "\ud800")
# Arguments that make each command end soon, should a value be taken.
SOON = {
    "match": ["random", "nobody"],
    "tournament": ["nobody", "noone"],
    "train": ["no-such-recipe"],
    "compare": ["no-such-learner", "--game", "othello"],
    "evaluate": ["random", "--ending", "KXK"],
    "export": ["no-such-run"],
    "reproduce": ["no-such-paper"],
    "tablebase": ["KXK"],
    "perft": ["no-such-game"],
    "bench": ["no-such-row"],
    "demo": [],
    "play": ["--reports", "nowhere"],
    "show": ["nowhere.sgf"],
    "prune": ["nowhere.sgf", "--out", "new.sgf"],
}


NUMERIC = (int, float, int | None, float | None)


def numeric() -> list[tuple[list[str], str]]:
    """Every option of every command that takes a number."""
    group: Any = typer.main.get_command(cli.app)
    found = []
    for name, command in group.commands.items():
        inner = getattr(command, "commands", {"": command})
        for below, one in inner.items():
            for option in one.params:
                if get_type_hints(one.callback)[option.name] in NUMERIC:
                    words = [name, below] if below else [name]
                    found.append((words, option.opts[0]))
    return found


OPTIONS = numeric()


def one_sentence(ran: Ran) -> bool:
    """Said in one line of ours, or by the parser of options with the usage."""
    ours = ran.err.startswith("tempo: ") and ran.err.count("\n") == 1
    usage = ran.err.startswith("Usage: tempo") and ran.err.count("\n") < 16
    return ran.status == 2 and ran.out == "" and "Traceback" not in ran.err and (ours or usage)


def test_there_are_options_to_try() -> None:
    assert len(OPTIONS) > 20
    assert all(words[-1] in SOON for words, _ in OPTIONS), OPTIONS


@pytest.mark.parametrize(("words", "option"), OPTIONS, ids="".join)
def test_numbers_that_are_none(
    tempo: Any,  # noqa: F811
    words: list[str],
    option: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in NUMBERS:
        given = [option, value] if option.startswith("-") else [value]
        ran = tempo(*words, *SOON[words[-1]], *given)
        assert one_sentence(ran), (words, option, value, ran)
    assert not list(tmp_path.iterdir())


GAMES = ["-g", "gomoku(size=5)", "--games", "2"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["match", "random", "random", *GAMES, "--openings", "FOLDER"], "Is a directory"),
        (["match", "random", "random", *GAMES, "--openings", "GARBAGE"], "GARBAGE"),
        (["match", "random", "random", *GAMES, "--log", "FOLDER"], "Is a directory"),
        (["match", "random", "random", *GAMES, "--log", "GARBAGE"], "not the header of a game log"),
        (["match", "random", "random", *GAMES, "--log", "GARBAGE/x"], "GARBAGE"),
        (["match", "random", "FOLDER", *GAMES], "there is no agent"),
        (["match", "random", "endgame:weights=GARBAGE", *GAMES], "damaged"),
        (["match", "random", "jiu-bayes:tables=FOLDER", "-g", "jiu"], "Is a directory"),
        (["match", "random", "jiu-sarsa:library=GARBAGE", "-g", "jiu"], "GARBAGE"),
        (["train", "FOLDER.toml"], "Is a directory"),
        (["train", "GARBAGE.toml"], "damaged"),
        (["train", "nowhere.toml"], "No such file"),
        (["train", "krk", "--resume", "--out", "FOLDER"], "is no run"),
        (["train", "krk", "--out", "GARBAGE"], "is a file"),
        (["train", "krk", "--resume", "--out", "GARBAGE"], "is no run"),
        (["train", "siguo-ttd", "--resume", "--out", "RUN"], "checkpoint-00000001"),
        (["train", "siguo-ttd", "--out", "RUN"], "already holds a run"),
        (["match", "RUN", "random", "-g", "siguo"], "damaged"),
        (["evaluate", "RUN", "-e", "KRK"], "damaged"),
        (["evaluate", "random", "-e", "KRK", "--tables", "GARBAGE"], "GARBAGE is a file"),
        (["reproduce", "jiu", "--report-only", "--out", "FOLDER"], "results.json"),
        (["library", "show", "FOLDER"], "Is a directory"),
        (["library", "show", "GARBAGE"], "GARBAGE"),
        (["library", "merge", "GARBAGE", "FOLDER", "-o", "new.sgf"], "GARBAGE"),
        (["engine", "usi", "--agent", "nobody"], "there is no agent"),
        (["engine", "telepathy", "--agent", "random"], "there is no protocol"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_files_that_are_none(
    tempo: Any,  # noqa: F811
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FOLDER", "FOLDER.toml"):
        (tmp_path / name).mkdir()
    for name in ("GARBAGE", "GARBAGE.toml"):
        (tmp_path / name).write_bytes(bytes(range(256)) * 4)
    (tmp_path / "RUN").mkdir()
    (tmp_path / "RUN" / "config.toml").write_text('learner = "truncated"\nseed = 1\n')
    (tmp_path / "RUN" / "checkpoint-00000001.safetensors").write_bytes(bytes(range(256)))
    (tmp_path / "RUN" / ".lock").touch()
    before = sorted(tmp_path.rglob("*"))
    ran = tempo(*arguments)
    assert one_sentence(ran), ran
    assert says in ran.err, ran.err
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "GARBAGE").read_bytes() == bytes(range(256)) * 4


# ---- extras --------------------------------------------------------------------------------------

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(f"No module named '{{name}}'", name=name)

sys.meta_path.insert(0, Missing())
from tempo.cli import main
for arguments in {commands}:
    sys.argv = ["tempo", *arguments]
    try:
        main()
    except SystemExit as ended:
        print("status", ended.code, file=sys.stderr)
"""


def without(packages: tuple[str, ...], commands: list[list[str]], folder: Path) -> str:
    """What commands say in a process that cannot import these."""
    program = WITHOUT.format(packages=packages, commands=commands)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=120,
        check=False, env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    assert done.stdout == "", done.stdout
    return done.stderr


TRAININGS = [
    ["train", "krk"], ["train", "minishogi-dqn"], ["train", "KRKN", "--device", "cpu"],
    ["demo"], ["reproduce", "endgames", "--quick"], ["reproduce", "shogi", "--quick"],
]  # fmt: skip


@pytest.mark.parametrize(
    ("package", "commands"), [("equinox", TRAININGS), ("jax", TRAININGS[:1])], ids=["", "jax"]
)
def test_without_its_extra_a_training_says_so_and_leaves_no_run(
    tmp_path: Path, package: str, commands: list[list[str]]
) -> None:
    """The folder was made first, and the extra asked for when the learner was."""
    said = without((package,), commands, tmp_path)
    sentence = f"tempo: this needs {package}, of the extra `deep`: pip install"
    assert said.count(sentence) == said.count("status 2") == len(commands), said
    assert said.count("\n") == 2 * len(commands), said
    assert not list(tmp_path.iterdir())


def test_every_recipe_is_told_apart_without_the_extra(tmp_path: Path) -> None:
    """Those that need no network library begin; the others say what is missing."""
    program = WITHOUT.format(packages=("jax", "equinox", "optax"), commands=[]) + (
        "import tempo.agents\n"
        "from tempo import recipes, TempoError\n"
        "for name in recipes.names():\n"
        "    try:\n"
        "        recipes.settings_of(recipes.read(name))\n"
        "    except TempoError as error:\n"
        "        assert 'extra `deep`' in str(error)\n"
        "        print(name)\n"
        "try:\n"
        "    tempo.agents.load('shogi-dqn').choose(tempo.load('shogi').start())\n"
        "except TempoError as error:\n"
        "    assert 'this needs jax' in str(error)\n"
        "    print('shogi-dqn')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    known = {name: recipes.read(name) for name in recipes.names()}
    needing = [
        name
        for name, one in known.items()
        if one.get("learner", "search_td") in ("search_td", "dqn") or one.get("net") in DEEP
    ]
    assert done.stdout.split() == [*needing, "shogi-dqn"]


def test_without_other_extras(tmp_path: Path) -> None:
    said = without(("fastapi",), [["play"]], tmp_path)
    assert said.startswith("tempo: this needs fastapi, of the extra `web`: pip install")
    assert not list(tmp_path.iterdir())
