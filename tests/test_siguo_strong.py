"""Siguo by search: views alone decide, budgets hold, and the evaluation learns from results."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import agents, arena, recipes, weights
from tempo._core import siguo_strong
from tempo.errors import IllegalMove, ParseError
from tempo.runs import Run

GAME = tempo.load("siguo")
OPEN = tempo.load("siguo(info=all_open)")
BACK = " ".join(f"{s}.F@{s}62 {s}.2@{s}61" for s in "SENW")
HAND_TUNED = siguo_strong.Evaluator.linear(siguo_strong.hand_tuned_weights())


def random_positions(games: int, every: int) -> list[Any]:
    """Positions of random games."""
    found = []
    for seed in range(games):
        random = Random(seed)
        position: Any = GAME.start(seed)
        while not position.is_over:
            if position.ply % every == 0:
                found.append(position)
            position = position.play(random.choice(position.legal_moves))
    return found


def test_a_search_is_repeatable_and_uses_the_view_alone() -> None:
    for position in random_positions(games=2, every=150):
        view = position.view(position.turn)
        found = siguo_strong.search(view, HAND_TUNED, 5, determinizations=20)
        moves, worths, values, visits, determinizations, simulations, positions = found
        assert set(moves) <= set(position.legal_moves)
        assert determinizations == 20 or len(moves) == 1
        assert visits.sum() == simulations
        assert simulations <= positions <= 9 * simulations
        assert np.abs(values).max() <= 1
        assert worths[0] >= worths[1] if len(moves) > 1 else True
        again = siguo_strong.search(
            view.sample(3).view(position.turn), HAND_TUNED, 5, determinizations=20
        )
        for one, other in zip(found, again, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("depth", [0, 3])
def test_the_search_looks_ahead(depth: int) -> None:
    # The Colonel can be taken next by a known Brigadier; in the camp it is safe.
    position = OPEN.parse(f"{BACK} S.5@W21 W.6@W31 E.M@E52 turn=S")
    agent = agents.load(f"siguo-strong:determinizations=80,plies=3,anchor=0,depth={depth}")
    choice = agent.choose(position.view(0))
    worth = {position.move_text(c.move): c.values[0] for c in choice.candidates}
    assert worth["W21-W22"] > worth["W21-W11"]
    assert choice.values[0] == choice.values[2] == -choice.values[1] == -choice.values[3]


def test_budgets() -> None:
    view = GAME.start().view(0)
    began = monotonic()
    choice = agents.load("siguo-strong:time=0.05").choose(view)
    assert 0.04 < monotonic() - began < 1
    assert choice.candidates[0].visits > 1
    choice = agents.load("siguo-strong:sims=200").choose(view)
    assert 150 < sum(candidate.visits for candidate in choice.candidates) <= 200
    assert choice.cost.evaluations <= 200


def test_it_beats_random() -> None:
    result = arena.match(("siguo-strong:sims=60", "random"), "siguo", games=10, seed=3)
    assert result.score >= 0.9


@pytest.mark.parametrize(
    "wrong", ["determinizations=-1", "sims=-1", "moves=0", "plies=-1", "time=-1"]
)
def test_nonsense_is_refused(wrong: str) -> None:
    with pytest.raises(ParseError, match=r"it takes a .*number from"):
        agents.load(f"siguo-strong:{wrong}")


def test_more_faults() -> None:
    with pytest.raises(ParseError, match=r"depth cannot be .* from 0 to 16"):
        agents.load("siguo-strong:depth=17")
    with pytest.raises(ParseError, match="knows no evaluator 'best'"):
        agents.load("siguo-strong:eval=best")
    with pytest.raises(ParseError, match="siguo-strong plays siguo, not gomoku"):
        agents.load("siguo-strong").choose(tempo.load("gomoku").start())
    with pytest.raises(IllegalMove, match="not this seat's turn"):
        siguo_strong.search(GAME.start().view(1), HAND_TUNED, 1, determinizations=1)
    with pytest.raises(ParseError, match="a budget is needed"):
        siguo_strong.search(GAME.start().view(0), HAND_TUNED, 1)
    with pytest.raises(ParseError, match="one for each term"):
        siguo_strong.Evaluator.linear(np.zeros(5, np.float32))


def test_results_teach_and_kills_change_nothing(tmp_path: Path) -> None:
    recipe = {**recipes.read("siguo-terms"), "steps": 6, "games": 12}
    whole = recipes.train(recipe, seed=4, out=tmp_path / "whole", threads=2)
    last = whole.latest()
    assert last is not None
    assert last.arrays["weights"].shape == (siguo_strong.terms,)
    learner = recipes.make_learner(recipe, 4)
    for _ in range(3):
        learner.iterate()
    other = recipes.make_learner(recipe, 4)
    other.restore(learner.step, learner.arrays(), learner.state())
    while not other.done:
        other.iterate()
    np.testing.assert_array_equal(other.arrays()["weights"], last.arrays["weights"])
    assert agents.load(f"siguo-strong:eval={tmp_path / 'whole'},sims=40").choose(
        GAME.start().view(0)
    )
    assert Run.open(tmp_path / "whole").ledger().games == 72


def test_learnt_weights_predict_results_better_than_hand_tuned_ones() -> None:
    learned = siguo_strong.Evaluator.linear(weights.terms("siguo"))
    _, before, positions, *_ = siguo_strong.result_gradient(HAND_TUNED, 60, seed=991, begin=0)
    _, after, same, *_ = siguo_strong.result_gradient(learned, 60, seed=991, begin=0)
    assert positions == same > 500
    assert after / positions < before / positions - 0.02
