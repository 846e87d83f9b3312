"""What the tests of games share: the toy game, registered only where a test asks for it."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.main
import typer.testing
from game_data import SPECS, load, toy_core
from hypothesis import settings

from tempo import _core, games
from tempo.agents import registry as agent_registry
from tempo.games import Game, python, registry

# Under a sanitizer the extension must be the sanitized one, in every worker.
if not str(_core.__file__).startswith(os.environ.get("TEMPO_SANITIZED", "")):
    pytest.exit(f"the tests would try {_core.__file__}, which is not sanitized", returncode=2)

# Networks here are so small that compiling them well takes longer than running them. For programs
# that tests start, too; JAX reads it when it is imported.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

# What was compiled once, in any process of the tests, is read from there by all later ones. JAX
# finds it by the program, its own version and the machine.
_compiled = Path(__file__).resolve().parent.parent / "build" / "jax"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(_compiled))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

# Nothing is written into the tree, nothing depends on time; a failure prints how to repeat it.
settings.register_profile("tempo", database=None, deadline=None, print_blob=True)
settings.load_profile("tempo")


def pytest_collection_finish() -> None:
    """Thousands of tests and what they import are no garbage: no collection looks at them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is written into the user's cache, nor taken from there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_command_line() -> Iterator[None]:
    """Typer makes the command line anew for each command, which takes longer than most of them."""
    made = cache(typer.main.get_command)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", made)
        patch.setattr(typer.testing, "_get_command", made)
        yield


@pytest.fixture(autouse=True)
def _own_registries() -> Iterator[None]:
    """Agents that a test adds are forgotten after it, and games that it closed are open again."""
    added, closed = set(agent_registry._added), registry._closed
    yield
    for name in agent_registry._added - added:
        del agent_registry._declared[name]
    agent_registry._added &= added
    registry._closed = closed


@pytest.fixture
def own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    known = dict(registry._games())
    monkeypatch.setattr(registry, "_games", lambda: known)
    monkeypatch.setattr(registry, "_broken", {})
    monkeypatch.setenv(python.FILES, "")


@pytest.fixture
def toy(own_games: None) -> Game:
    """The test game, known by name for one test and forgotten after it."""
    games.register(toy_core())
    return games.load("quarrel")


@pytest.fixture(params=SPECS)
def game(request: pytest.FixtureRequest) -> Game:
    """Every registered game with several option sets, and the toy."""
    return load(str(request.param))


# What was not tested is said in the last line; where CI is set it is a failure.


def _untested(config: pytest.Config) -> str:
    """What was skipped and why, in one line; empty when nothing was."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reasons: Counter[str] = Counter()
    for report in getattr(reporter, "stats", {}).get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not hasattr(report, "wasxfail"):
            reasons[reason.removeprefix("Skipped: ")] += 1
    parts = [f"{count} test{'s' if count > 1 else ''} ({why})" for why, count in reasons.items()]
    return f"Not tested here: {'; '.join(parts)}" if parts else ""


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With CI set, a run that has left something out has failed."""
    if os.environ.get("CI") and not exitstatus and _untested(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _counted(config: pytest.Config) -> list[str]:
    """What tests have counted (`record_property("counted", ...)`), a line each."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    passed = getattr(reporter, "stats", {}).get("passed", [])
    found = (told for report in passed for told in getattr(report, "user_properties", []))
    return [str(value) for name, value in found if name == "counted"]


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last lines, below the count of what passed."""
    if not hasattr(config, "workerinput"):
        for line in filter(None, (*_counted(config), _untested(config))):
            print(line)
