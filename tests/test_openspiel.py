"""OpenSpiel's games by name, on a stand-in for the library; and what is said of those refused."""

from __future__ import annotations

import sys
from typing import Any

import fake_pyspiel
import pytest

import tempo
from tempo import agents, games, testing
from tempo.errors import ParseError, TempoError
from tempo.games import registry


@pytest.fixture(autouse=True)
def _library(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(registry._games())
    monkeypatch.setattr(registry, "_games", lambda: known)
    monkeypatch.setitem(sys.modules, "pyspiel", fake_pyspiel)


@pytest.mark.parametrize("spec", ["counters", "counters(counters=7)", "blind"])
def test_conformance(spec: str) -> None:
    testing.check_game(tempo.load(f"openspiel:{spec}"), seed=1)


def test_a_game_by_name() -> None:
    game = tempo.load("openspiel:counters")
    assert game.name in games.names()
    assert game.summary == "Take one or two"
    assert game.start().outcome is None
    assert game.start().board == "oooooooooooo"
    start: Any = game.start()
    assert start.features().ravel().tolist() == [12.0, 1.0]
    assert [game.start().move_text(move) for move in (0, 1)] == ["0", "1"]  # both are called take
    assert game.start().play(0).move_text(1) == "take 2"
    ends = [position.outcome for position in testing.random_game(game, 1)]
    assert sorted(ends[-1].scores) == [-1.0, 1.0]
    assert tempo.load("openspiel:counters(counters=12)").spec == "openspiel:counters"
    assert tempo.load("openspiel:counters(counters=7)").length_bound == 7


def test_searches_solve_it() -> None:
    """The player who leaves a multiple of three wins."""
    start = tempo.load("openspiel:counters(counters=8)").start()
    assert agents.load("alphabeta:depth=8").choose(start).move == 1
    assert agents.load("mcts:sims=500").choose(start).move == 1


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("rushed", "openspiel:rushed lets players move at the same time"),
        ("lots", "draws lots"),
        ("hidden", "hides something"),
        ("greedy", "does not lose"),
        ("nested", "made from a file or from another game"),
        ("alone", "is played by 1; here two play"),
        ("checkers", "OpenSpiel has no game 'checkers'"),
        ("counters(size=3)", "no parameter 'size'; it has counters"),
        ("counters(counters=many)", "OpenSpiel refuses"),
        ("counters(counters=a;b)", "cannot be 'a;b'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(spec: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        tempo.load(f"openspiel:{spec}")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(TempoError, match="pip install open_spiel"):
        tempo.load("openspiel:hex")
