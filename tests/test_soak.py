"""A short slice of every subject of the soak, and that the soak itself finds what it is for."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from soak.report import line, table, write_table
from soak.runner import State, Tally, shares, soak
from soak.subject import Fault, Subject, all_subjects, attempt, chosen, stream
from soak.subjects import kills, worlds

from tempo import recipes
from tempo.errors import ParseError
from tempo.web import showing

SEED = 1
SUBJECTS = all_subjects()
HERE = Path(__file__).parent


@pytest.mark.parametrize("name", [name for name, one in SUBJECTS.items() if one.slice])
def test_a_slice(name: str) -> None:
    """`make soak` goes on where this ends."""
    subject = SUBJECTS[name]
    taken: dict[str, int] = {}
    for number in range(subject.slice):
        found = attempt(subject, SEED, number)
        if isinstance(found, Fault):
            pytest.fail(f"{found.key}, input {found.given[:500]}\n{found.detail}\n"
                        f"make soak ONLY={name} SEED={SEED} INPUT={number}")  # fmt: skip
        taken[found] = taken.get(found, 0) + 1
    print(name, taken)
    assert any(not what.startswith("refused") for what in taken), "every input was refused"


def test_every_learner_is_killed() -> None:
    used = {recipes.read(name).get("learner", "search_td") for name in recipes.names()}
    assert used <= kills.QUICK.keys()
    for recipe in kills.QUICK.values():
        recipes.settings_of(recipe)


@pytest.mark.parametrize("leak", ["key", "size", "order"])
def test_two_worlds_show_what_leaks(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """A number, a length or an order that depends on a hidden rank is found."""
    honest = showing.state

    def leaky(shown: Any, seat: int | None, *rest: Any) -> dict[str, Any]:
        state: dict[str, Any] = honest(shown, seat, *rest)
        if shown.positions:
            key = shown.position.key
            if leak == "key":
                state["version"] = key
            elif leak == "size":
                state["more"] = " " * (key % 3)
            else:
                state["seats"] = state["seats"][:: 1 - 2 * (key % 2)]
        return state

    monkeypatch.setattr(showing, "state", leaky)
    monkeypatch.setattr(worlds, "LONGEST", 60)
    subject = SUBJECTS["worlds.siguo"]
    found = [attempt(subject, SEED, number) for number in range(2)]
    assert any(isinstance(one, Fault) and one.kind == "AssertionError" for one in found)


# ---- the soak itself -----------------------------------------------------------------------------


def trial(name: str) -> Subject:
    return chosen(name, ["soak_trials"])[name]


def soaked(name: str, count: int = 30) -> Tally:
    tally = Tally()
    soak(trial(name), tally, seed=SEED, count=count, seconds=60, modules=["soak_trials"])
    return tally


def test_inputs_are_the_same_again() -> None:
    for name in ("records.sgf.read", "web.messages", "moves.chess", "kills.match", "files.logs"):
        subject = SUBJECTS[name]
        one, two = (repr(subject.make(stream(7, name, 3))) for _ in range(2))
        assert one == two, name
    assert stream(1, "a", 2).random() != stream(1, "a", 3).random()


def test_accepted_and_refused_are_counted() -> None:
    tally = soaked("trial.mixed", 200)
    assert tally.counts.keys() == {"accepted", "refused: ParseError"}
    assert tally.inputs == tally.next == 200
    assert not tally.failed


@pytest.mark.parametrize(
    ("name", "kind"),
    [("crash", "crash"), ("hang", "hang"), ("starve", "MemoryError"), ("wrong", "KeyError")],
)
def test_faults_are_found_and_the_soak_goes_on(name: str, kind: str) -> None:
    tally = soaked(f"trial.{name}", 12 if name == "hang" else 30)
    bad = [n for n in range(tally.next) if trial(f"trial.{name}").make(stream(
        SEED, f"trial.{name}", n)) % 10 == 3]  # fmt: skip
    assert bad, "the seed must hit one"
    assert tally.failed == len(bad)
    assert tally.inputs == tally.next
    assert tally.faults[0]["kind"] == kind
    assert tally.faults[0]["number"] == bad[0]
    text = line(f"trial.{name}", tally, SEED)
    assert f"make soak ONLY=trial.{name} SEED={SEED} INPUT={bad[0]}" in text


def command(state: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "soak", "--state", str(state), "--module", "soak_trials", *more]


def run(state: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(state, *more), capture_output=True, text=True, check=False, cwd=HERE, timeout=60
    )


def test_a_stopped_soak_goes_on(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    words = command(state, "--only", "trial.slow", "--count", "1000")
    process = subprocess.Popen(words, cwd=HERE, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 30
    while not state.exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    before = json.loads(state.read_text())["subjects"]["trial.slow"]["next"]
    assert 0 < before < 1000
    done = run(state, "--only", "trial.slow", "--count", str(before + 2))
    assert done.returncode == 0, done.stderr
    after = json.loads(state.read_text())["subjects"]["trial.slow"]
    assert after["counts"] == {"accepted": before + 2}


def test_the_command_says_how_a_fault_is_repeated(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    done = run(state, "--only", "trial.wrong", "--count", "30", "--jobs", "1")
    assert done.returncode == 1
    found = json.loads(state.read_text())["subjects"]["trial.wrong"]["faults"][0]
    assert f"make soak ONLY=trial.wrong SEED=1 INPUT={found['number']}" in done.stdout
    again = run(state, "--only", "trial.wrong", "--input", str(found["number"]))
    assert again.returncode == 1
    assert "KeyError" in again.stdout


def test_the_table_of_results(tmp_path: Path) -> None:
    state = State(tmp_path / "state.json", SEED)
    state.of("records.pgn").add({"accepted": 750, "refused: ParseError": 250})
    state.save()
    assert "| `records.pgn` | 1,000 | 75.0% | ParseError 250 | 0 |" in table(state)
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- soak: begin -->\nold\n<!-- soak: end -->\nAfter.\n")
    write_table(page, State(tmp_path / "state.json", SEED))
    text = page.read_text()
    assert "1,000" in text
    assert "old" not in text
    assert text.startswith("Before.\n")
    assert text.endswith("After.\n")


def test_time_is_shared() -> None:
    some = trial("trial.mixed")
    light, slow, endless = (replace(some, name=str(n), least=n) for n in (0.0, 10.0, 1000.0))
    assert shares([light, slow, endless], 100.0) == {"0.0": 45.0, "10.0": 55.0}
    with pytest.raises(ParseError, match="no subject begins with 'nonsense'"):
        chosen("nonsense")
