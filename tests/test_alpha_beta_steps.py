"""What strong engines add to alpha-beta, as Python sees it: steps, threads, budgets, reports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searching import CHESS, CORE, SMALL, alpha_beta, story

import tempo
from tempo import agents, games
from tempo.agents.steps import steps_of
from tempo.errors import ParseError

SHOGI: Any = tempo.load("shogi")
STEPS = CORE.alpha_beta_steps


def test_steps_are_read_from_text() -> None:
    assert steps_of("none") == {}
    assert steps_of("aspiration+late:70") == {"aspiration": STEPS["aspiration"], "late": 70}
    assert steps_of("all") == STEPS
    assert steps_of("all+malus:0") == {**STEPS, "malus": 0}


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("alphabeta:steps=best", "there is no step 'best'; there are none, all, "),
        ("shogi-strong:steps=malus:-1", "malus takes a number from 0 to 1000, not '-1'"),
        ("shogi-strong:steps=all:2", "there is no step 'all'"),
        ("shogi-strong:steps=malus+none", "there is no step 'none'"),
        ("alphabeta:threads=0", "threads cannot be '0'"),
    ],
)
def test_steps_that_do_not_exist(spec: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        agents.load(spec)


def test_the_core_refuses_steps_too() -> None:
    with pytest.raises(ParseError, match="alpha-beta has no step 'best'; it has aspiration, "):
        CORE.AlphaBetaSettings(depth=1, steps={"best": 1})
    with pytest.raises(ValueError, match="numbers from 0 to 1000"):
        alpha_beta(SMALL, depth=1, steps={"malus": -1})
    with pytest.raises(ValueError, match="1 to 1024 threads"):
        alpha_beta(SMALL, depth=1, threads=0)
    with pytest.raises(ValueError, match="soft_seconds"):
        alpha_beta(SMALL, depth=1, soft_seconds=float("nan"))
    with pytest.raises(ValueError, match="needs a budget"):
        alpha_beta(SMALL, depth=1).limit()


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_searched_with_all_steps(name: str) -> None:
    game = tempo.load(name)
    position = game.deal(1) if hasattr(game, "deal") else game.start()
    view = position.view(position.turn)
    spec = "alphabeta:nodes=300,steps=all,reduce=yes,determinizations=1"
    choice, again = (agents.load(spec).choose(view) for _ in range(2))
    assert choice == again
    assert choice.move in view.legal_moves
    assert choice.cost.positions <= 300


def test_all_steps_together_give_the_same_game_again() -> None:
    def moves() -> list[int]:
        agent = agents.load("shogi-strong:nodes=1500,steps=all")
        agent.reset(1)
        position, found = SHOGI.start(), []
        for _ in range(6):
            found.append(agent.choose(position).move)
            position = position.play(found[-1])
        return found

    assert moves() == moves()
    assert moves() != [], "and it plays"


def test_threads_share_a_budget() -> None:
    position = SHOGI.start()
    for spec in ("shogi-strong:threads=3,nodes=6000", "alphabeta:threads=3,nodes=6000"):
        choice = agents.load(spec).choose(position)
        assert 2000 <= choice.cost.positions <= 6000
        assert choice.move in position.legal_moves


def test_threads_are_for_the_core_alone() -> None:
    def even(features: Any) -> Any:
        return np.zeros(len(features), np.float32)

    callback = CHESS.core.Evaluator.callback(even)
    with pytest.raises(
        ParseError, match="several threads need a game and an evaluator of the core"
    ):
        alpha_beta(CHESS, callback, depth=1, threads=2)
    settings = CORE.AlphaBetaSettings(depth=1, threads=2)
    with pytest.raises(ParseError, match="have a thread each already"):
        SMALL.batch(2, seed=1).search(SMALL.core.Evaluator.static(), settings)


def test_a_search_tells_what_it_thinks() -> None:
    search = alpha_beta(SMALL, depth=7)
    told: list[Any] = []
    result = search.search(SMALL.start(), told.append)
    assert told, "a search of more than a twentieth of a second says something"
    assert [found.depth for found in told] == sorted({found.depth for found in told})
    assert told[-1].positions <= result.positions
    assert told[-1].line

    def fails(_: Any) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        search.search(SMALL.start(), fails)
    search.limit(depth=2)
    assert search.search(SMALL.start()).depth == 2, "and it works on"


def test_limits_replace_budgets() -> None:
    search = alpha_beta(SMALL, depth=2)
    two = story(search.search(SMALL.start()))
    search.limit(depth=3)
    assert search.search(SMALL.start()).depth == 3
    search.limit(positions=77)
    assert search.search(SMALL.start()).positions <= 77
    search.limit(depth=2)
    assert story(search.search(SMALL.start())) == two


def test_time_of_the_thread_is_a_budget() -> None:
    choice = agents.load("shogi-strong:time=0.05,cpu=yes").choose(SHOGI.start())
    assert choice.cost.positions > 500
