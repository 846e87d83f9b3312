"""Short forms of the trials in tools/: malformed messages, a kill in the middle of games, load."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web_tables import SETUP, Clock, Recorder, hall, opened, token

from tempo.errors import TempoError
from tempo.web import asking, messages
from tempo.web.messages import Refused
from tempo.web.store import Store, UnreadableError
from tempo.web.tables import Table

TOOLS = Path(__file__).resolve().parents[2] / "tools"
LONGEST = 4096


def tool(name: str) -> Any:
    """A script of tools/ as a module."""
    sys.path.insert(0, str(TOOLS))
    try:
        spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(TOOLS))
    return module


def test_three_thousand_malformed_messages_change_nothing_by_mistake() -> None:
    fuzz = tool("fuzz_page")
    broken: Callable[[Random, dict[str, Any]], bytes] = fuzz.broken
    random = Random(1)
    clock = Clock()
    room = hall(clock)
    names = ["aa", "bb"]
    room.open("aa", opened("gomoku(size=5)", ["person", "person"]))
    room.open("bb", opened("siguo", ["person"] * 4))
    sitters = [Recorder(name, token(0)) for name in names] + [Recorder("aa")]
    for sitter in sitters:
        room.join(sitter)
    room.say(sitters[1], messages.Deploy(SETUP))
    refusals: list[str] = []
    done = 0
    for _ in range(3000):
        raw = broken(random, random.choice(fuzz.GOOD))
        try:
            message = messages.read(raw, LONGEST)
            if not isinstance(message, messages.Fill | messages.Replace):
                room.say(random.choice(sitters), message)
            done += 1
        except Refused as refused:
            refusals.append(refused.text)
    assert len(refusals) > 2000
    assert done > 20
    assert all(0 < len(text) < 400 for text in refusals)
    for name in names:
        table, again = room.table(name), room.store.table(name)
        assert again is not None
        assert (again.count, again.ply, again.phase) == (table.count, table.ply, table.phase)


def test_malformed_tables_are_refused_in_words() -> None:
    fuzz = tool("fuzz_page")
    random = Random(1)
    refusals: list[str] = []
    for _ in range(1000):
        raw = fuzz.broken(random, fuzz.TABLE)
        try:
            data = messages.parse(raw, "table", LONGEST)
            messages.checked(messages.NewTable, data, "table")
        except Refused as refused:
            refusals.append(refused.text)
    assert len(refusals) > 500
    assert all(0 < len(text) < 400 for text in refusals)


def test_a_killed_server_has_lost_nothing_that_it_told() -> None:
    command = [sys.executable, str(TOOLS / "kill_page.py"), "--games", "5", "--kills", "1",
               "--seconds", "2"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["lost"] == []
    assert found["moves"] > 5


def test_an_event_that_was_not_stored_has_not_happened(tmp_path: Path) -> None:
    room = hall(Clock(), Store(tmp_path / "tables.sqlite"))
    table = room.open("aa", opened("gomoku", ["person", "person"]))
    listener = Recorder("aa", token(0))
    room.join(listener)
    told = len(listener.sent)
    room.store.close()
    with pytest.raises(Refused, match="nothing was done"):
        room.say(listener, messages.Move(0, 112))
    assert (table.ply, len(listener.sent)) == (0, told)


def test_two_servers_do_not_share_a_file(tmp_path: Path) -> None:
    first = Store(tmp_path / "tables.sqlite")
    with pytest.raises(TempoError, match="another `tempo play`"):
        Store(tmp_path / "tables.sqlite")
    first.close()


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_bytes(b"not a database, but long enough to be taken for one" * 100)
    with pytest.raises(TempoError, match="holds no tables"):
        Store(path)


def test_a_table_that_cannot_be_made_again_is_left_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    first = opened("gomoku", ["person", "person"])
    store.append("aa", 0, first)
    store.append("aa", 1, asking.move(Table(first), 0, 0, 112, 1.0))
    store.append("aa", 2, asking.move(Table(first), 0, 0, 112, 1.0))  # the same point twice
    with pytest.raises(UnreadableError, match="occupied"):
        store.table("aa")
    assert len(store.events("aa")) == 3
    assert store.table("bb") is None


def test_only_old_finished_tables_are_deleted() -> None:
    store = Store(":memory:")
    for i in range(6):
        store.append(f"t{i}", 0, opened("gomoku", ["person", "person"], at=float(i)))
        store.mark(f"t{i}", over=i != 0)
    assert store.prune(3) == 3
    assert [bool(store.events(f"t{i}")) for i in range(6)] == [
        True,
        False,
        False,
        False,
        True,
        True,
    ]
