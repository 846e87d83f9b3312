"""The file that keeps the tables: its owner's alone, and read by later versions."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from web_tables import opened

from tempo.web.events import Filled, Opened, Replaced, from_json, to_json
from tempo.web.store import Store, default_data


@pytest.fixture(params=[0o000, 0o022, 0o077])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def write(path: Path) -> None:
    """A store with something in its log, so that there are all its files."""
    store = Store(path)
    store.append("aa", 0, opened("gomoku", ["person", "person"]))
    assert {mode(one) for one in path.parent.glob("tables.sqlite*")} == {0o600}
    store.close()


def test_agents_of_an_earlier_version_have_the_new_names_of_their_settings() -> None:
    agent = "siguo-strong:truths=60"
    first = to_json(opened("siguo", ["person"] * 4))
    first["seats"][1]["agent"] = agent
    read = from_json(first)
    assert isinstance(read, Opened)
    assert read.seats[1].agent == "siguo-strong:determinizations=60"
    for event in (Filled(1.0, agent), Replaced(1.0, 2, agent)):
        assert from_json(to_json(event)) == replace(event, agent=read.seats[1].agent)


@pytest.mark.usefixtures("_umask")
def test_nobody_else_reads_the_tables(tmp_path: Path) -> None:
    write(tmp_path / "new/tables.sqlite")
    assert mode(tmp_path / "new") == 0o700


def test_files_of_an_earlier_version_are_closed_and_a_given_folder_is_left(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for name in ("tables.sqlite", "tables.sqlite-wal"):
        (tmp_path / name).touch(0o644)
        (tmp_path / name).chmod(0o644)
    write(tmp_path / "tables.sqlite")
    assert mode(tmp_path) == 0o755


def test_the_folder_of_our_own_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = default_data().parent
    folder.mkdir()
    folder.chmod(0o755)
    write(default_data())
    assert mode(folder) == 0o700


FEW_FILES = """
import resource
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
from fastapi.testclient import TestClient
from tempo.web.app import Settings, create_app
with TestClient(create_app(Settings(":memory:", workers=1))):
    print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], min(hard, 2200))
"""


def test_a_server_may_open_as_many_files_as_it_grants_connections() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FEW_FILES], capture_output=True, text=True, check=True, timeout=60
    )
    found, wanted = map(int, done.stdout.split())
    assert found >= wanted
