"""How moves are chosen while learning: by Monte-Carlo search, and by Boltzmann's rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import agents, recipes
from tempo.agents.registry import of_run
from tempo.learners.experience import Acting, Experience, self_play
from tempo.learners.registry import kind, kinds
from tempo.nets.registry import Shape, make
from tempo.recipes import general
from tempo.runs import Run

WAYS: dict[str, dict[str, Any]] = {
    "simulations": {"simulations": 6},
    "boltzmann": {"boltzmann": 0.3},
    "both": {"simulations": 6, "boltzmann": 0.3},
    "metropolis": {"simulations": 6, "temperature": 0.3},
}
COLUMNS = ("game", "turn", "moves", "value", "best", "taken", "explored", "last", "scores")


def dense(spec: str) -> tuple[Any, Any]:
    game = tempo.load(spec)
    return game, make("dense", game, Shape((8,), seed=3))


def same(a: Experience, b: Experience) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in COLUMNS)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("spec", ["gomoku(size=5)", "siguo", "othello(size=4)"])
def test_a_seed_gives_the_same_games_by_any_threads_and_in_any_parts(spec: str, way: str) -> None:
    game, net = dense(spec)
    acting = Acting(random=0.2, opening=2, longest=12, **WAYS[way])
    whole = self_play(game, net, acting, games=5, seed=2)
    assert same(self_play(game, net, acting, games=5, seed=2, threads=3), whole)
    parts = [
        self_play(game, net, acting, games=count, seed=2, first=first, among=(0, 5))
        for first, count in ((0, 2), (2, 3))
    ]
    assert same(Experience.joined(parts), whole)
    assert not same(self_play(game, net, acting, games=5, seed=3), whole)


def test_boltzmann_draws_moves_as_the_formula_says() -> None:
    game, net = dense("othello(size=6)")
    games, temperature = 3000, 0.05
    played = self_play(
        game, net, Acting(boltzmann=temperature, opening=0, longest=1), games=games, seed=1
    )
    _, moves, values = game.batch(1).move_values(net.evaluator())
    weights = np.exp(values.astype(np.float64) / temperature)
    expected = games * weights / weights.sum()
    assert expected.min() > 20
    assert np.ptp(expected) > 100  # else it would say little
    found = np.array([np.count_nonzero(played.moves == move) for move in moves])
    assert found.sum() == games
    assert np.sum((found - expected) ** 2 / expected) < 21.1  # of 3 degrees of freedom: p > 0.0001
    np.testing.assert_array_equal(played.explored, played.taken < played.best)


def test_simulations_see_what_one_move_ahead_does_not() -> None:
    """Five moves are left, and all but one let the other seat make five; nobody told the table."""
    game = tempo.load("gomoku(size=5)")
    nothing = make("table", game, Shape())
    position = game.parse("xxoxx/xoxo1/ox1x1/xoxo1/oooo1 x")
    found = [
        self_play(
            game, nothing, Acting(random=0.0, opening=0, longest=1, simulations=simulations),
            games=8, seed=1, start=lambda _: position,
        )
        for simulations in (0, 200)
    ]  # fmt: skip
    assert len(set(found[0].moves.tolist())) > 1
    assert (found[0].best == 0).all()
    assert found[1].moves.tolist() == [position.parse_move("e1")] * 8
    assert (found[1].best > -0.2).all()


def test_the_value_is_that_of_the_search_and_random_moves_are_told() -> None:
    game, net = dense("othello(size=6)")
    acting = Acting(random=0.5, opening=0, simulations=3)  # fewer than there are moves
    played = self_play(game, net, acting, games=6, seed=1)
    assert 0.2 < played.explored.mean() < 0.5
    assert (played.taken[~played.explored] == played.best[~played.explored]).all()
    searches = len(played)
    assert played.cost.evaluations <= 3 * searches
    assert played.cost.moves == searches


@pytest.mark.parametrize("way", ["simulations", "boltzmann", "both"])
@pytest.mark.parametrize(
    ("learner", "spec"),
    [("td", "siguo"), ("td_stem", "gomoku(size=5)"), ("q_learning", "jiu(size=8)"),
     ("ttd", "othello(size=4)"), ("dqn", "minishogi"), ("adp", "gomoku(size=5)")],
)  # fmt: skip
def test_a_run_goes_on_to_the_same_bytes_and_plays(
    learner: str, spec: str, way: str, tmp_path: Path
) -> None:
    given = {
        "games": 2, "iterations": 2, "longest": 8, "opening": 1, "hidden": (8,), "exam": 0,
        "temperature": 0.0, "depth": 1, **WAYS[way],
    }  # fmt: skip
    recipe = general.recipe_of(learner, spec, given)
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    recipes.train(recipe, seed=3, out=whole, checkpoint_seconds=0)
    recipes.train({**recipe, "iterations": 1}, seed=3, out=pieces, checkpoint_seconds=0)
    recipes.train(recipe, seed=3, out=pieces, resume=True, threads=2)
    stored = [Run.open(folder).trained().arrays for folder in (whole, pieces)]
    assert {n: a.tobytes() for n, a in stored[0].items()} == {
        n: a.tobytes() for n, a in stored[1].items()
    }
    expected = "mcts" if "simulations" in WAYS[way] else "alphabeta"
    assert of_run(Run.open(whole).config)[0].name == expected
    position: Any = tempo.load(spec).start()
    view = position.view(position.turn)
    assert agents.load(str(whole)).choose(view).move in view.legal_moves


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("td", {"boltzmann": 0.1, "temperature": 0.1}, "set one of them to 0"),
    ("td_stem", {"boltzmann": 0.1, "depth": 2}, "take depth=1, or simulations"),
    ("ttd", {"depth": 2}, "take depth=1, or simulations"),
    ("td_leaf", {"simulations": 8}, "take depth, not simulations"),
    ("tree_strap", {"simulations": 8}, "take depth, not simulations"),
    ("td", {"simulations": 8, "nodes": 100, "net": "lines"}, "leave out simulations"),
    ("td", {"boltzmann": 0.1, "nodes": 100, "net": "lines"}, "leave out boltzmann"),
    ("zero", {"boltzmann": 0.1}, "by the noise of its search"),
]


@pytest.mark.parametrize(("learner", "given", "why"), REFUSED)
def test_what_does_not_fit_is_refused_in_a_sentence(
    learner: str, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(tempo.ParseError, match=why) as refused:
        general.recipe_of(learner, "gomoku(size=5)", given)
    assert "\n" not in str(refused.value)


def test_odd_numbers_are_refused() -> None:
    for given in ({"simulations": 1}, {"simulations": -2}, {"boltzmann": -0.1}):
        with pytest.raises(tempo.ParseError):
            kind("td").settings(given)


def test_every_learner_whose_acting_is_free_takes_both() -> None:
    game = tempo.load("gomoku(size=5)")
    own = {"td_leaf", "tree_strap", "zero"}  # learn from searches of their own
    for name, one in kinds().items():
        settings = {"simulations": 8, "boltzmann": 0.1, "temperature": 0.0}
        assert bool(one.refusal(game, one.settings(settings))) == (name in own), name
