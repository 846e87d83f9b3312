"""Ledgers add up, survive JSON, and refuse what is not one."""

import json
import operator
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tempo.ledger import Ledger, Machine, _read_head, quantity

STEADY = settings(deadline=None, derandomize=True)  # same examples, no clock

COUNTS = st.integers(0, 10**12)
SECONDS = st.floats(0, 1e9)
MACHINES = st.builds(Machine, cpu=st.sampled_from(["A", "B", "C"]), cores=st.integers(1, 4))
LEDGERS = st.builds(
    Ledger,
    wall_seconds=SECONDS,
    cpu_seconds=SECONDS,
    games=COUNTS,
    positions=COUNTS,
    multiply_adds=COUNTS,
    gradient_steps=COUNTS,
    peak_memory=COUNTS,
    machines=st.lists(MACHINES, max_size=2, unique=True).map(tuple),
)


def test_addition() -> None:
    here, there = Machine(cpu="here"), Machine(cpu="there")
    first = Ledger(wall_seconds=1, games=2, positions=30, peak_memory=500, machines=(here,))
    second = Ledger(wall_seconds=2, games=1, moves=4, peak_memory=300, machines=(there, here))
    assert first + second == Ledger(
        wall_seconds=3, games=3, moves=4, positions=30, peak_memory=500, machines=(here, there)
    )
    assert sum([first, second], Ledger()) == first + second
    with pytest.raises(TypeError):
        operator.add(first, 1)


@STEADY
@given(LEDGERS, LEDGERS)
def test_sums_do_not_depend_on_the_order(first: Ledger, second: Ledger) -> None:
    one, other = first + second, second + first
    assert set(one.machines) == set(other.machines)
    one.machines = other.machines = ()
    assert one == other


@STEADY
@given(LEDGERS)
def test_json_comes_back(ledger: Ledger) -> None:
    assert Ledger.from_json(json.loads(json.dumps(ledger.to_json()))) == ledger


def test_json_leaves_out_what_only_learning_fills() -> None:
    assert list(Ledger().to_json()) == [
        "wall_seconds",
        "cpu_seconds",
        "games",
        "moves",
        "positions",
        "evaluations",
        "multiply_adds",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"watts": 3}, "watts unknown; it has wall_seconds"),
        ({"games": None}, "games must be int, not None"),
        ({"games": 1.5}, "games must be int, not 1.5"),
        ({"games": True}, "games must be int, not True"),
        ({"games": -1}, "games cannot be '-1'"),
        ({"games": 10**400}, "games cannot be '1000"),
        ({"cpu_seconds": float("nan")}, "cpu_seconds cannot be 'nan'"),
        ({"machines": "mine"}, "machines must be a list"),
        ({"machines": [{"cores": "two"}]}, "cores must be int"),
        ({"machines": [{"colour": "red"}]}, "colour unknown"),
    ],
)
def test_strict_reading(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ledger.from_json(Ledger().to_json() | change)


def test_missing_fields_and_other_things_are_refused() -> None:
    data = Ledger().to_json()
    del data["moves"]
    with pytest.raises(ValueError, match="moves missing"):
        Ledger.from_json(data)
    with pytest.raises(ValueError, match="an object was expected"):
        Ledger.from_json([1, 2])


def test_timing_counts_also_when_the_block_raises() -> None:
    ledger = Ledger()

    def work_and_fail() -> None:
        with ledger.timing(time.thread_time):
            end = time.thread_time() + 0.02
            while time.thread_time() < end:
                pass
            raise KeyError

    with pytest.raises(KeyError):
        work_and_fail()
    assert ledger.cpu_seconds >= 0.02
    assert ledger.wall_seconds >= 0.02
    with ledger.timing(time.thread_time):
        time.sleep(0.03)
    assert ledger.wall_seconds - ledger.cpu_seconds >= 0.02


def test_without_times_keeps_the_counts() -> None:
    ledger = Ledger(wall_seconds=1, cpu_seconds=2, gpu_seconds=3, games=4, positions=5)
    assert ledger.without_times() == Ledger(games=4, positions=5)


def test_one_line_for_eyes() -> None:
    ledger = Ledger(cpu_seconds=1.23, games=1, moves=45, positions=3_400_000)
    assert str(ledger) == "1.2 s CPU, 1 game, 45 moves, 3.40 M positions"
    assert str(Ledger(cpu_seconds=9000, gpu_seconds=120, gradient_steps=12_000)) == (
        "2.5 h CPU, 120 s GPU, 12.0 k gradient steps"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (999, "999"), (1000, "1.00 k"), (12_345, "12.3 k"), (999_600, "1.00 M")],
)
def test_quantity(value: int, text: str) -> None:
    assert quantity(value) == text


def test_this_machine_is_known() -> None:
    machine = Machine.here()
    assert machine.cores >= 1
    assert machine.python
    assert Ledger.here().machines == (machine,)


def test_commit_from_loose_packed_and_detached_heads(tmp_path: Path) -> None:
    (tmp_path / "HEAD").write_text("ref: refs/heads/main\n")
    assert _read_head(tmp_path) == ""
    (tmp_path / "packed-refs").write_text("# pack-refs\nabc123 refs/heads/main\n")
    assert _read_head(tmp_path) == "abc123"
    (tmp_path / "refs" / "heads").mkdir(parents=True)
    (tmp_path / "refs" / "heads" / "main").write_text("def456\n")
    assert _read_head(tmp_path) == "def456"
    (tmp_path / "HEAD").write_text("0123ab\n")
    assert _read_head(tmp_path) == "0123ab"


def test_peak_memory_is_of_this_process_and_not_of_its_parent() -> None:
    """A parent of 300 MiB starts a child; `getrusage` would tell the child the parent's peak."""
    child = "from tempo.ledger import peak_memory; print(peak_memory())"
    parent = (
        "import subprocess, sys; held = bytearray(300 << 20); "
        f"subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    )
    done = subprocess.run([sys.executable, "-c", parent], check=True, capture_output=True)
    assert 1 << 20 < int(done.stdout) < 200 << 20
