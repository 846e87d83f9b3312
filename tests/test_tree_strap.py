"""TreeStrap on a game's terms: the update by hand, and what threads and kills must not change."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import _core, recipes
from tempo.learners.fast.tree_strap import Settings, TreeStrap
from tempo.learners.loop import carry_out
from tempo.recipes.jiu_battles import battle_starts
from tempo.runs import Run

GAME = tempo.load("jiu(size=6)")
CORE: ModuleType = _core.jiu
SMALL = Settings(steps=6, games=3, depth=2, positions=800, record=100, opening=4)


def learner(settings: Settings = SMALL, *, threads: int = 1, seed: int = 1) -> TreeStrap:
    return TreeStrap(CORE, battle_starts(GAME), settings, seed, threads=threads)


def battles(count: int) -> list[Any]:
    start = battle_starts(GAME)
    return [start(seed) for seed in range(count)]


def settings(**given: Any) -> _core.AlphaBetaSettings:
    return _core.AlphaBetaSettings(table_bytes=1 << 20, **given)


def test_terms_have_names_and_hand_tuned_weights() -> None:
    terms = CORE.terms(battles(1)[0])
    assert len(CORE.term_names) == len(CORE.hand_tuned_weights()) == len(terms)
    assert terms[0] + terms[len(terms) // 2] == pytest.approx(1.0)  # shares of early and late


def test_linear_evaluation_is_the_squashed_sum() -> None:
    weights = np.random.default_rng(3).normal(size=len(CORE.term_names)).astype(np.float32)
    evaluator = CORE.Evaluator.linear(weights)
    for position in battles(10):
        total = float(CORE.terms(position) @ weights)
        value = total / (abs(total) + CORE.half_win)
        assert evaluator(position)[position.turn] == pytest.approx(value, abs=1e-5)
        assert evaluator(position)[1 - position.turn] == pytest.approx(-value, abs=1e-5)


def test_linear_evaluator_refuses_other_numbers_of_weights() -> None:
    with pytest.raises(tempo.ParseError, match="terms"):
        CORE.Evaluator.linear(np.zeros(3, np.float32))


def test_bounds_hold_around_the_exact_value() -> None:
    """The root's own bounds meet at the value that the search reports."""
    evaluator = CORE.Evaluator.linear(CORE.hand_tuned_weights())
    for position in battles(6):
        search = CORE.AlphaBeta(evaluator, settings(depth=2, record=5000))
        found = search.search(position)
        terms, low, high = search.nodes()
        assert len(terms) == len(low) == len(high) > 0
        assert np.all(low <= high)
        at_root = np.all(terms == CORE.terms(position), axis=1)
        exact = at_root & (low == high)
        assert np.any(np.isclose(low[exact], found.scores[position.turn], atol=1e-6))


def test_bounds_agree_with_searches_of_their_own() -> None:
    """After one turn: what a deeper search proved of a position, its own search confirms."""
    evaluator = CORE.Evaluator.linear(CORE.hand_tuned_weights())
    position = battles(1)[0]
    search = CORE.AlphaBeta(evaluator, settings(depth=2, record=5000, equal_depth=True))
    search.search(position)
    terms, low, high = search.nodes()
    seen = 0
    for move in position.legal_moves:
        child = position.play(move)
        if child.is_over or child.in_turn:
            continue
        own = CORE.AlphaBeta(evaluator, settings(depth=1, equal_depth=True)).search(child)
        value = own.scores[child.turn]
        here = np.all(terms == CORE.terms(child), axis=1)
        for i in np.flatnonzero(here):
            seen += 1
            assert low[i] - 1e-5 <= value <= high[i] + 1e-5
    assert seen > 0


def test_one_update_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adam's first step is the step size against the sign of the gradient, term by term."""
    student = learner(Settings(steps=2, games=2, depth=2, positions=500, record=50, opening=0))
    before = student.weights.copy()
    given_nodes = []
    keep = student._gradient

    def spy(given: list[Any]) -> tuple[Any, float]:
        given_nodes.append(given)
        return keep(given)

    monkeypatch.setattr(student, "_gradient", spy)
    student.iterate()
    terms = np.concatenate([nodes.terms for nodes in given_nodes[0]]).astype(np.float64)
    low = np.concatenate([nodes.low for nodes in given_nodes[0]])
    high = np.concatenate([nodes.high for nodes in given_nodes[0]])
    gradient = np.zeros(len(before))
    for row, least, most in zip(terms, low, high, strict=True):
        total = float(row @ before)
        value = total / (abs(total) + CORE.half_win)
        error = value - min(max(value, least), most)
        gradient += error * CORE.half_win / (abs(total) + CORE.half_win) ** 2 * row
    gradient /= len(terms)
    expected = before - SMALL.step_size * gradient / (np.abs(gradient) + 1e-8)
    np.testing.assert_allclose(student.weights, expected, atol=1e-4)


def test_threads_change_nothing() -> None:
    one, two = learner(threads=1), learner(threads=2)
    for _ in range(SMALL.steps):
        one.iterate()
        two.iterate()
    np.testing.assert_array_equal(one.weights, two.weights)
    assert one.ledger.positions == two.ledger.positions > 0


def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = learner(Settings(steps=30, games=3, depth=2, positions=300, record=50, opening=4))
    carry_out(Run.create(tmp_path / "whole", {}), whole, checkpoint_seconds=0)
    assert whole.games > 0

    class KilledError(Exception):
        pass

    def kill(row: dict[str, Any]) -> None:
        if row["step"] == 17:
            raise KilledError

    cut = Run.create(tmp_path / "cut", {})
    with pytest.raises(KilledError):
        carry_out(cut, learner(whole.settings), checkpoint_seconds=0, progress=kill)
    resumed = learner(whole.settings)
    carry_out(cut, resumed, resume=True, checkpoint_seconds=0)
    np.testing.assert_array_equal(resumed.weights, whole.weights)
    assert resumed.games == whole.games


def test_learning_by_recipe_makes_a_run(tmp_path: Path) -> None:
    recipe = {**recipes.read("jiu-terms"), "game": "jiu(size=6)", "steps": 3, "games": 2}
    run = recipes.train(recipe, out=tmp_path / "run")
    assert run.rows()[-1]["step"] == 3
    assert run.ledger().gradient_steps == 3


def test_any_game_that_has_terms_is_learnt() -> None:
    recipe = {"learner": "tree_strap", "steps": 2, "games": 2}
    for game, core in (("othello(size=4)", _core.othello), ("chess", _core.chess)):
        learner: Any = recipes.make_learner({**recipe, "game": game}, 1)
        learner.iterate()
        assert not np.array_equal(learner.weights, core.hand_tuned_weights())
    with pytest.raises(tempo.ParseError, match="siguo has no terms to learn"):
        recipes.make_learner({**recipe, "game": "siguo"}, 1)


def test_an_unknown_learner_is_refused() -> None:
    with pytest.raises(tempo.ParseError, match="there is no learner 'dreams'"):
        recipes.make_learner({"learner": "dreams"}, 1)
