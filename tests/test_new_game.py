"""A game outside the repository: `tempo new-game`, built as its user builds it, and what it can do.

The project is compiled without optimisation and kept in build/new-game until what it is made of
changes; everything else here takes it as installed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from importlib.metadata import EntryPoint, version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import _core, agents, arena, cli, games, headers, recipes, templates
from tempo.errors import IllegalMove, ParseError, Stopped, TempoError
from tempo.games import Game, registry
from tempo.recipes import general
from tempo.web import catalogue

ROOT = Path(__file__).resolve().parent.parent
NAME = "noughts"
COMPILER = Path(sys.prefix) / ".compiler"  # the one that Tempo was built with
TAKEN = ("gomoku", "games")  # a game, and what would make a package tempo-games
# Compiled soon, with every assertion, without a warning.
BUILD = (
    "cmake.build-type=Plain",
    "cmake.define.CMAKE_CXX_FLAGS=-O0 -Werror",
    "cmake.define.CMAKE_UNITY_BUILD=ON",
)


def run(*command: str, site: Path | None = None, cwd: Path | None = None) -> str:
    """Runs Python with a folder of installed packages; gives what it prints."""
    path = os.pathsep.join(filter(None, [str(site or ""), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def digest_of_inputs() -> str:
    """What the compiled project depends on: sources, tools and settings."""
    core, template = headers.folder(), templates.GAME.parent
    sources = [path for path in core.rglob("*") if core / "games" not in path.parents]
    sources += [path for path in template.rglob("*") if "__pycache__" not in path.parts]
    digest = hashlib.sha256()
    for path in sorted(sources):
        if path.is_file():
            digest.update(str(path).encode() + b"\0" + path.read_bytes())
    compiler = COMPILER.read_text() if COMPILER.is_file() else os.environ.get("CXX", "")
    digest.update(repr((BUILD, sys.version, version("nanobind"), compiler)).encode())
    return digest.hexdigest()[:16]


@pytest.fixture(scope="module")
def built() -> Path:
    """The folders `project` and `site`, where it is installed; new when its inputs change."""
    kept = ROOT / "build" / "new-game"
    kept.mkdir(parents=True, exist_ok=True)
    folder = kept / digest_of_inputs()
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process of the tests builds
        if not folder.exists():
            for other in kept.iterdir():
                if other.is_dir():
                    shutil.rmtree(other)
            build(kept / "new")
            (kept / "new").rename(folder)
    return folder


def build(folder: Path) -> None:
    said = run("-m", "tempo", "new-game", NAME, "--into", str(folder / "project"))
    assert f"cpp/{NAME}.h" in said
    with pytest.MonkeyPatch.context() as patch:
        if COMPILER.is_file():
            patch.setenv("CXX", COMPILER.read_text().strip())
        run(
            *("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--no-index", "--target", str(folder / "site")),
            *(f"--config-settings={setting}" for setting in BUILD),
            str(folder / "project"),
        )


@pytest.fixture
def site(built: Path) -> Path:
    """Where the game is installed, in a folder of its own."""
    return built / "site"


@pytest.fixture
def game(site: Path, own_games: None, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setattr(registry, "_installed", registry._installed.__wrapped__)
    return tempo.load(NAME)


# Writing a project


@pytest.mark.parametrize(
    "name", ["", "Hex", "1st", "a-b", "a__b", "a_", "../x", "é", "x" * 41, *TAKEN]
)
def test_a_name_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(TempoError, match=r"^[^\n]+$"):
        templates.write_game(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path, tmp_path / "file"):
        with pytest.raises(TempoError, match="not an empty folder"):
            templates.write_game(NAME, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_folder_has_the_name_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tempo", "new-game", NAME])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {f"tempo-{NAME}/cpp/{NAME}.h", f"tempo-{NAME}/src/tempo_{NAME}/__init__.py"} <= written
    assert not [name for name in written if templates.PLACEHOLDER in name]
    assert not [n for n in written if templates.PLACEHOLDER in (tmp_path / n).read_text()]


def test_the_template_asks_for_the_nanobind_of_tempo() -> None:
    def pin(pyproject: Path) -> list[str]:
        required = tomllib.loads(pyproject.read_text())["build-system"]["requires"]
        return [one for one in required if one.startswith("nanobind")]

    wanted = pin(ROOT / "pyproject.toml")
    assert pin(templates.GAME / "pyproject.toml") == wanted
    for page in (templates.GAME / "README.md", ROOT / "docs" / "cpp-games.md"):
        assert re.findall(r"nanobind==[\d.]+", page.read_text()) == wanted


def test_headers_are_found_by_a_program() -> None:
    assert run("-m", "tempo.headers").strip() == str(headers.folder())
    assert (headers.folder() / "tempo-config.cmake").is_file()


# The game, installed


def test_its_own_tests_pass(built: Path, site: Path) -> None:
    """Conformance and perft, from the project's folder as its author runs them."""
    command = ("-m", "pytest", "-c", "pyproject.toml", "-q", "-n", "0", "-p", "no:cacheprovider")
    assert re.search(r"\d+ passed", run(*command, "tests", site=site, cwd=built / "project"))


def test_a_command_knows_it(site: Path) -> None:
    command = (
        "-m",
        "tempo",
        "match",
        "alphabeta:depth=4",
        "random",
        "--game",
        NAME,
        "--games",
        "4",
    )
    assert "alphabeta" in run(*command, site=site)
    assert NAME in run("-m", "tempo", "games", site=site)


def test_it_is_a_game_among_others(game: Game) -> None:
    assert NAME in games.names()
    assert "gomoku" in games.names()
    assert repr(tempo.load(f"{NAME}(misere=yes)")) == f"<game {NAME}(misere=yes), {NAME}-rules/1.0>"
    assert game.start().play("b2").text == ".../.x./..."
    assert catalogue._game(game)["options"][0]["name"] == "misere"


def test_its_errors_are_those_of_tempo(game: Game) -> None:
    start = game.start()
    with pytest.raises(ParseError, match="'d4' is not a move; expected a1 to c3"):
        start.play("d4")
    with pytest.raises(IllegalMove, match="there is no move number 99"):
        start.play(99)
    with pytest.raises(IllegalMove, match="b2 is marked already"):
        start.play("b2").play("b2")
    with pytest.raises(ParseError, match="cannot be 'maybe'; it takes no, yes"):
        tempo.load(f"{NAME}(misere=maybe)")
    with pytest.raises(MemoryError):
        game.batch(2**31 - 1)


def test_all_evaluators_and_searches_work(game: Game) -> None:
    core: Any = game.core
    zero, even = np.zeros((1, 27), np.float32), np.zeros(1, np.float32)
    table = _core.tables.ValueTable()
    evaluators = {
        "none": core.Evaluator.none(),
        "static": core.Evaluator.static(),
        "linear": core.Evaluator.linear(core.hand_tuned_weights()),
        "dense": core.Evaluator.dense(game.options, [(zero, even, "tanh")]),
        "callback": core.Evaluator.callback(lambda seen: np.zeros(len(seen), np.float32)),
        "table": core.Evaluator.table(table),
    }
    won = game.parse("xx./oo./...")
    for name, evaluator in evaluators.items():
        alpha_beta = core.AlphaBeta(evaluator, _core.AlphaBetaSettings(depth=3))
        assert won.move_text(alpha_beta.search(won).move) == "c1", name
        sampled = core.MonteCarlo(evaluator, _core.MonteCarloSettings(simulations=400, seed=1))
        assert won.move_text(sampled.search(won).move) == "c1", name
        assert len(game.batch(3, start=won).values(evaluator)) == 3, name
    assert evaluators["static"](won) == evaluators["linear"](won)
    searched = game.batch(5, start=won).search(
        evaluators["static"], _core.AlphaBetaSettings(depth=2)
    )
    assert searched.moves.tolist() == [2] * 5


def test_agents_play_and_learners_learn(game: Game, tmp_path: Path) -> None:
    result = arena.match(("alphabeta:depth=9", "random"), NAME, games=6, seed=1)
    assert result.score >= 0.5
    for learner, net in (("td", "linear"), ("td_leaf", "dense"), ("q_learning", "table")):
        recipe = general.recipe_of(learner, NAME, {"net": net, "iterations": 2, "exam": 0})
        folder = tmp_path / learner
        recipes.train(recipe, seed=1, out=folder)
        assert agents.load(str(folder)).choose(game.start()).move in range(9)


# What tempo._core shares with it


def test_a_stop_reaches_it(game: Game) -> None:
    batch = game.batch(200_000, seed=1, threads=2)
    with tempo.Stop(seconds=0.01), pytest.raises(Stopped):
        batch.playout()


ENDLESS = f"""
import tempo
from tempo import _core

game = tempo.load("{NAME}")
settings = _core.MonteCarloSettings(simulations=10**12, memory=1 << 24)
search = game.core.MonteCarlo(game.core.Evaluator.none(), settings)
"""
IN_A_DAEMON = """
import threading, time
threading.Thread(target=search.search, args=[game.start()], daemon=True).start()
time.sleep(0.2)
"""


def test_the_program_ends_while_a_thread_searches(site: Path) -> None:
    assert run("-c", ENDLESS + IN_A_DAEMON, site=site) == ""


def test_ctrl_c_reaches_it(site: Path) -> None:
    script = ENDLESS + "print('searching', flush=True)\nsearch.search(game.start())"
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(site)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "searching\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert process.returncode != 0


def test_a_game_of_another_version_is_refused_and_named(site: Path) -> None:
    script = f"""
import tempo
from tempo import _core, games

_core.headers = "others"
assert "{NAME}" not in games.names() and "gomoku" in games.names()
try:
    tempo.load("{NAME}")
except tempo.TempoError as error:
    print(error)
"""
    said = run("-c", script, site=site)
    assert said.startswith(f"the game {NAME} of tempo-{NAME} cannot be loaded: ImportError: ")
    assert said.endswith("was built for another version of tempo; build it again\n")


# Entry points


def install(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    points = {name: EntryPoint(name, value, "tempo.games") for name, value in values.items()}
    monkeypatch.setattr(registry, "_installed", lambda: points)


def test_a_class_in_python_can_be_installed(
    own_games: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, race="race:Race", gomoku="race:Race")
    assert tempo.load("race").start().legal_moves[0] == 1
    assert tempo.load("gomoku").seat_names == ("black", "white"), "no package replaces a game"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_module:GAME", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("race:Nothing", "AttributeError: "),
        ("race:Race", "it is a game race"),
        ("tempo:load", "it is no Description"),
    ],
)
def test_a_broken_game_is_named_and_breaks_nothing_else(
    value: str,
    why: str,
    own_games: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install(monkeypatch, bad=value)
    assert "bad" not in games.names()
    assert tempo.load("othello").seats == 2
    with pytest.raises(TempoError, match=rf"^the game bad of \w+ cannot be loaded: {why}"):
        tempo.load("bad")
    with pytest.raises(TempoError, match="the name bad is taken"):
        templates.write_game("bad")
    monkeypatch.setattr(sys, "argv", ["tempo", "games", "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert "the game bad of " in capsys.readouterr().err
