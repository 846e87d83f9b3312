"""OpenSpiel's games by name, on a stand-in for the library; and what is said of those refused."""

from __future__ import annotations

import sys
from typing import Any

import fake_pyspiel
import pytest

import tempo
from tempo import agents, games, testing
from tempo.errors import ParseError, TempoError
from tempo.games.public import public_view


@pytest.fixture(autouse=True)
def _library(own_games: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", fake_pyspiel)


OPEN = ["counters", "counters(counters=7)", "blind"]
HIDDEN = ["bids", "cards", "seen", "dice", "rushed"]


@pytest.mark.parametrize("spec", OPEN + HIDDEN)
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


@pytest.mark.parametrize("spec", HIDDEN)
def test_a_seat_is_given_the_same_in_worlds_that_look_the_same(spec: str) -> None:
    """Of all positions of all games, those that a seat cannot tell apart."""
    game = tempo.load(f"openspiel:{spec}")
    assert game.is_hidden
    alike: dict[tuple[int, Any], list[Any]] = {}
    for seed in range(300):
        for position in testing.random_game(game, seed):
            for seat in (0, 1):
                alike.setdefault((seat, position.view(seat)), []).append(position)
    pairs = 0
    for (seat, view), positions in alike.items():
        others = [position for position in positions if position != positions[0]]
        for other in others[:3]:
            pairs += 1
            assert testing._given(other, seat) == testing._given(positions[0], seat)
            assert other.view(seat).sample(5) == view.sample(5)
    assert pairs > 20


def test_lots_are_drawn_from_a_seed_that_nobody_sees() -> None:
    game = tempo.load("openspiel:cards")
    assert game.is_dealt
    assert game.start(7) == game.start(7)
    assert len({game.start(seed).text.partition(" ")[2] for seed in range(200)}) == 9
    view = game.start(7).view(0)
    futures = {view.sample(draw).play(0).text.split(" ")[4] for draw in range(100)}
    assert futures == set("0123")
    assert not tempo.load("openspiel:bids").is_dealt


def test_all_that_fits_a_view_is_drawn() -> None:
    game = tempo.load("openspiel:bids")
    view = game.start().play(1).play(2).view(1)
    assert {view.sample(draw).text for draw in range(100)} == {f"start {i} 2" for i in range(3)}
    assert view.board == "saw [2]"


def test_what_a_spectator_knows() -> None:
    hidden: Any = tempo.load("openspiel:bids")
    assert hidden.hides_moves
    assert public_view(hidden, hidden.start().play(1)).text == "?"
    open_: Any = tempo.load("openspiel:dice")
    assert not open_.hides_moves
    start = open_.start(1)
    assert public_view(open_, start).text == start.view(0).text == start.view(1).text
    assert start.text.startswith("start:")
    assert start.view(0).text == "start " + start.text.partition(" ")[2]


def test_searches_play_what_is_hidden() -> None:
    for spec in HIDDEN:
        start = tempo.load(f"openspiel:{spec}").start()
        for agent in ("mcts:sims=10", "alphabeta:depth=2"):
            view = start.view(start.turn)
            assert agents.load(agent).choose(view).move in view.legal_moves


@pytest.mark.parametrize("text", ["start", "start:", "start:9 0", "start:x 0 0", "start:0 0 9"])
def test_texts_of_drawn_games_that_are_none(text: str) -> None:
    with pytest.raises(ParseError):
        tempo.load("openspiel:cards").parse(text)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("crowd", "openspiel:crowd is for a crowd without turns"),
        ("sampled", "samples chance outcomes without saying how likely each is"),
        ("mute", "does not tell what a player sees"),
        ("shown", "said to hide something and shows every seat all"),
        ("deep", "no history is found which fits a seat's view"),
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
