"""TD-Leaf on the terms of shogi: its gradient, its schedule, its checkpoints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tempo
from tempo import _core, agents, recipes, td
from tempo._core import AlphaBetaSettings, jiu, shogi, shogi_strong
from tempo.learners.fast.td_leaf import TDLeaf

MIDDLE = "ln3gsnl/1r1gk4/p1ppppb1p/1p4p2/9/2P4P1/PP1PPPP1P/1BG1K2R1/LNS2GSNL b sp 20"
RECIPE = {
    "learner": "td_leaf",
    "game": "shogi(length=120)",
    "stages": [{"iterations": 2, "games": 3, "terms": 57}, {"iterations": 2, "games": 2}],
}


def test_the_gradient_is_that_of_td_leaf() -> None:
    """A game without random moves, played again here, with the rule of `tempo.td`."""
    trace = 0.6
    random = np.random.default_rng(2)
    weights = shogi_strong.hand_tuned_weights()
    weights += random.normal(size=len(weights)).astype(np.float32) / 50
    evaluator = shogi_strong.Evaluator.linear(weights)
    settings = AlphaBetaSettings(depth=1, positions=400, table_bytes=0, quiescence_turns=2)
    position = shogi.parse(MIDDLE, shogi.Options({"length": 59}))
    sums = shogi_strong.leaf_games(
        evaluator, position, settings, trace, random_share=0, opening=0, seed=1, first=0, count=1
    )

    terms, values, evaluated = [], [], []
    while not position.is_over:
        found = shogi_strong.AlphaBeta(evaluator, settings).search(position)
        leaf = position
        for move in found.line:
            leaf = leaf.play(move)
        sign = 1 if leaf.turn == 0 else -1
        terms.append(sign * shogi_strong.terms(leaf).astype(np.float64))
        values.append(found.scores[0])
        evaluated.append(not leaf.is_over)
        position = position.play(found.line[0])
    assert position.outcome is not None
    count = len(values)
    assert sums.moves == count
    assert sums.leaves == sum(evaluated) >= 20
    last = np.arange(count) == count - 1
    outcome = np.full(count, position.outcome.scores[0])
    targets = td.td_leaf(np.array(values), outcome, last, trace)
    errors = np.where(evaluated, values - targets, 0)
    assert np.abs(errors).max() > 0.01
    assert sums.squares == pytest.approx(float(np.sum(errors**2)), rel=1e-4)
    expected = errors @ np.stack(terms) / shogi_strong.half_win
    np.testing.assert_allclose(sums.gradient, expected, atol=1e-5)


def learner(threads: int = 1) -> TDLeaf:
    made = recipes.make_learner(RECIPE, seed=3, threads=threads)
    assert isinstance(made, TDLeaf)
    return made


def test_learning_begins_with_nothing_and_threads_change_nothing() -> None:
    one, two = learner(), learner(threads=2)
    assert not one.weights.any()
    for student in (one, two):
        while not student.done:
            student.iterate()
    assert np.array_equal(one.weights, two.weights)
    assert one.ledger.games == 10


def test_a_stage_may_leave_terms_alone() -> None:
    student = learner()
    student.iterate()
    student.iterate()
    assert student.weights[:57].any()
    assert not student.weights[57:].any()
    student.iterate()
    assert student.weights[57:].any()


def test_going_on_is_as_if_never_stopped() -> None:
    whole, first, second = learner(), learner(), learner()
    for _ in range(3):
        whole.iterate()
        first.iterate()
    second.restore(first.step, first.arrays(), first.state())
    whole.iterate()
    second.iterate()
    assert second.done
    assert np.array_equal(whole.weights, second.weights)


def test_a_run_is_an_evaluator(tmp_path: Path) -> None:
    recipes.train(RECIPE, seed=1, out=tmp_path / "run")
    agent = agents.load(f"shogi-strong:nodes=100,eval={tmp_path / 'run'}")
    position = shogi.start(shogi.Options({}))
    assert agent.choose(position).move in position.legal_moves


def test_bad_recipes_are_refused() -> None:
    with pytest.raises(tempo.ParseError, match="stages"):
        recipes.make_learner({**RECIPE, "stages": []}, seed=1)
    with pytest.raises(tempo.ParseError, match="gomoku"):
        recipes.make_learner({**RECIPE, "game": "gomoku"}, seed=1)
    with pytest.raises(tempo.ParseError, match="trace"):
        recipes.make_learner({**RECIPE, "trace": 2.0}, seed=1).iterate()


def test_any_game_with_terms_has_leaf_games() -> None:
    settings = AlphaBetaSettings(depth=1, positions=200, table_bytes=0)
    start = jiu.start(jiu.Options({"size": 6, "max_battle_plies": 40}))

    def play(threads: int) -> _core.LeafGradient:
        linear = jiu.Evaluator.linear(jiu.hand_tuned_weights())
        return jiu.leaf_games(linear, start, settings, 0.5, 0.1, 2, 7, 0, 3, threads)

    one, two = play(1), play(2)
    assert one.gradient.any()
    assert np.array_equal(one.gradient, two.gradient)
    assert 0 < one.leaves <= one.moves == two.moves
    with pytest.raises(ValueError, match="linear"):
        jiu.leaf_games(jiu.Evaluator.none(), start, settings, 0.5, 0.1, 2, 7, 0, 3)
