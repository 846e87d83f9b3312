"""Levels: every game has the same ten, they play, and their ratings rise."""

from __future__ import annotations

import re

import pytest

import tempo
from tempo import agents, games, texts
from tempo.agents import listing
from tempo.agents.level import LevelAgent, LevelSettings
from tempo.agents.steps import steps_of
from tempo.errors import ParseError
from tempo.games.description import STEPS, ladder

STEPPED = [games.load(name) for name in games.names()]


def fitting(game: games.Game) -> list[str]:
    """The levels that can begin at the beginning."""
    known = agents.kinds()
    found = [
        one for one in game.description.levels if known[one.agent.split(":")[0]].misfit is None
    ]
    return [one.name for one in found]


@pytest.mark.parametrize("game", STEPPED, ids=lambda game: game.name)
def test_every_game_has_ten_levels_of_the_same_names(game: games.Game) -> None:
    assert fitting(game) == list(STEPS)
    assert len(STEPS) == 10
    first, *others = game.description.levels[:10]
    assert first.agent == "random"
    assert len({(one.agent, one.slips) for one in others}) == 9
    assert all("time=" not in one.agent.replace("time=0,", "") for one in others)  # repeatable


@pytest.mark.parametrize("game", STEPPED, ids=lambda game: game.name)
def test_a_level_says_what_its_search_does(game: games.Game) -> None:
    """Of `steps=all` the levels of chess had four steps less one day, and their ratings stayed."""
    for level in game.description.levels:
        agents.load(level.agent)  # a step that is no more is refused
        for step in re.findall(r"steps=([^,]*)", level.agent):
            assert "all" not in step.split("+")
            assert steps_of(step)


def test_a_game_of_elsewhere_has_ten_levels(toy: games.Game) -> None:
    assert [one.name for one in toy.description.levels] == list(STEPS)


@pytest.mark.parametrize("game", STEPPED, ids=lambda game: game.name)
def test_ratings_of_levels_rise(game: games.Game) -> None:
    found = listing.levels_of(game.name)
    rated = [found[name] for name in STEPS]
    if not listing.tournament_of(game.name).get("levels"):
        assert rated == [None] * 10
        return
    ratings = [one.rating for one in rated if one is not None]
    assert ratings == sorted(set(ratings))
    assert len(ratings) == 10, "rate the levels anew: python tools/rate_agents.py " + game.name


@pytest.mark.parametrize("game", STEPPED, ids=lambda game: game.name)
def test_what_a_level_does_is_said_in_chinese(game: games.Game) -> None:
    with texts.speaking("zh"):
        for level in game.description.levels:
            assert texts.translated(level.help) != level.help


def test_a_level_moves_at_random_as_often_as_it_says() -> None:
    game = tempo.load("chess")
    position, agent = game.start(), LevelAgent(LevelSettings("beginner"))
    share = next(one.slips for one in game.description.levels if one.name == "beginner")
    slips = 0
    for seed in range(400):
        agent.reset(seed)
        slips += not agent.choose(position).values
    assert share - 0.08 < slips / 400 < share + 0.08


def test_a_level_plays_the_same_game_again() -> None:
    def line() -> list[int]:
        agent, position = agents.load("level:name=casual"), tempo.load("siguo").start(seed=1)
        agent.reset(7)
        moves = []
        for _ in range(12):
            moves.append(agent.choose(position.view(position.turn)).move)
            position = position.play(moves[-1])
        return moves

    assert line() == line()


def test_a_level_without_slips_is_its_agent() -> None:
    position = tempo.load("othello").start()
    level = next(one for one in tempo.load("othello").description.levels if one.name == "club")
    assert level.spec == level.agent
    assert agents.load("level:name=club").choose(position).move == (
        agents.load(level.agent).choose(position).move
    )


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ParseError, match=r"there is no level 'clubb'.*did you mean club"):
        agents.load("level:name=clubb")
    with pytest.raises(ValueError, match="zip"):
        ladder(("random", "one step"))
