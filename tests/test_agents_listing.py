"""What `tempo agents` tells: games, origins and stored ratings fit the agents there are."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

from tempo import agents, games
from tempo.agents import listing
from tempo.games.registry import describe

KINDS = agents.kinds()


@pytest.mark.parametrize("name", KINDS)
def test_an_agent_plays_games_that_there_are(name: str) -> None:
    assert set(KINDS[name].games) <= set(games.names())
    assert KINDS[name].summary


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.weights])
def test_what_was_trained_says_how_and_at_which_cost(name: str) -> None:
    origin = listing.origin_of(KINDS[name])
    assert origin.made == "trained"
    assert len(origin.commands) == len(KINDS[name].weights)
    assert origin.ledger.cpu_seconds > 0
    assert "CPU" in str(origin)


def test_what_has_no_weights_is_hand_written_or_a_program() -> None:
    assert str(listing.origin_of(KINDS["mcts"])) == "hand-written"
    assert listing.origin_of(KINDS["usi"]).made == "a program of its own"


@pytest.mark.parametrize("game", games.names())
def test_stored_ratings_are_of_agents_that_play_the_game(game: str) -> None:
    if not (resources.files(describe(game).package) / "ratings.json").is_file():
        assert set(listing.ratings_of(game).values()) == {None}
        return
    stored = listing.tournament_of(game)
    assert stored["game"] == game
    assert stored["rules"] == games.load(game).rules_version, "rate the agents anew"
    for name, row in stored["agents"].items():
        assert game in KINDS[name].games
        assert row["low"] <= row["rating"] <= row["high"]
        assert agents.load(row["played"]).name == row["played"]
    rated = [row.rating for row in listing.ratings_of(game).values() if row is not None]
    assert rated == sorted(rated, reverse=True)


def test_a_game_of_elsewhere_has_no_ratings(toy: games.Game) -> None:
    assert listing.tournament_of(toy.name) == {}
    assert "random" in listing.ratings_of(toy.name)


@pytest.mark.parametrize("name", ["alphabeta", "mcts", "shogi-uct", "random", "level"])
def test_an_agent_without_files_can_be_copied(name: str) -> None:
    made: Any = agents.load(name)
    assert made.clone().name == made.name
    assert made.clone().settings == made.settings
