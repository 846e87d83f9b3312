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

ROOT = Path(__file__).parent.parent
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


@pytest.mark.parametrize("search", [siguo_strong.search, siguo_strong.search_first])
def test_a_search_is_repeatable_and_uses_the_view_alone(search: Any) -> None:
    for position in random_positions(games=2, every=150):
        view = position.view(position.turn)
        found = search(view, HAND_TUNED, 5, determinizations=20)
        moves, worths, values, visits, determinizations, simulations, positions = found
        assert set(moves) <= set(position.legal_moves)
        assert determinizations == 20 or len(moves) == 1
        assert visits.sum() == simulations
        assert simulations <= positions <= 9 * simulations
        assert np.abs(values).max() <= 1
        assert worths[0] >= worths[1] if len(moves) > 1 else True
        again = search(view.sample(3).view(position.turn), HAND_TUNED, 5, determinizations=20)
        for one, other in zip(found, again, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("name", "tree"),
    [("siguo-strong", ""), ("siguo-strong-1", ",depth=0"), ("siguo-strong-1", ",depth=3")],
)
def test_the_search_looks_ahead(name: str, tree: str) -> None:
    # The Colonel can be taken next by a known Brigadier; in the camp it is safe.
    position = OPEN.parse(f"{BACK} S.5@W21 W.6@W31 E.M@E52 turn=S")
    budget = "determinizations=80,plies=3,anchor=0,eval=static"
    agent = agents.load(f"{name}:{budget}{tree}")
    choice = agent.choose(position.view(0))
    worth = {position.move_text(c.move): c.values[0] for c in choice.candidates}
    assert position.move_text(choice.move) == "W21-W22"
    assert worth["W21-W22"] > worth["W21-W11"]
    assert choice.values[0] == choice.values[2] == -choice.values[1] == -choice.values[3]


def test_the_first_version_is_what_it_was() -> None:
    lines = (ROOT / "tests/data/siguo/first_version.txt").read_text().splitlines()
    agent = agents.load("siguo-strong-1:sims=300")
    kept = [line.split(" | ") for line in lines if not line.startswith("#")]
    assert len(kept) > 30
    for text, move, positions, value in kept:
        position = GAME.parse(text)
        agent.reset(7)
        choice = agent.choose(position.view(position.turn))
        assert position.move_text(choice.move) == move
        assert choice.cost.positions == int(positions)
        assert choice.values[0] == pytest.approx(float(value), abs=1e-5)


@pytest.mark.parametrize("name", ["siguo-strong", "siguo-strong-1"])
def test_budgets(name: str) -> None:
    view = GAME.start().view(0)
    began = monotonic()
    choice = agents.load(f"{name}:time=0.05").choose(view)
    assert 0.04 < monotonic() - began < 1
    assert choice.candidates[0].visits > 1
    choice = agents.load(f"{name}:sims=200").choose(view)
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
        agents.load("siguo-strong-1:depth=17")
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


def test_tells_are_learnt_and_tilt_the_search(tmp_path: Path) -> None:
    recipe = {**recipes.read("siguo-tells"), "steps": 25, "games": 12, "simulations": 0}
    run = recipes.train(recipe, seed=4, out=tmp_path / "run", threads=2)
    rows = run.rows()
    assert rows[0]["loss"] == pytest.approx(np.log(2), abs=1e-6)  # no tells: a coin for each pair
    assert np.mean([row["loss"] for row in rows[-5:]]) < 0.685
    tilted: Any = agents.load(str(tmp_path / "run"))
    assert tilted.settings.tells == str(tmp_path / "run")
    assert tilted.settings.eval == "learned"
    assert tilted.choose(GAME.start(3).view(0))


def test_shipped_tells_know_more_than_the_rules() -> None:
    tells = siguo_strong.Tells.linear(weights.terms("siguo", "tells"))
    _, loss, pairs, *_ = siguo_strong.tell_gradient(tells, HAND_TUNED, 40, 77, 0, simulations=0)
    assert pairs > 10_000
    assert loss / pairs < 0.67  # 0.693 by the rules alone


def test_a_better_policy_wins_and_matches_are_repeatable() -> None:
    policy = siguo_strong.policy()
    worse = policy.copy()
    worse[:12] = 0.3  # all kinds are worth the same
    scores = siguo_strong.match(HAND_TUNED, None, policy, worse, 30, seed=1)
    assert scores.mean() > 0.5
    again = siguo_strong.match(HAND_TUNED, None, policy, worse, 30, seed=1, threads=2)
    np.testing.assert_array_equal(scores, again)


def test_faults_of_policies_and_tells() -> None:
    view = GAME.start().view(0)
    with pytest.raises(ParseError, match="policy's numbers are not one for each term"):
        siguo_strong.search(view, HAND_TUNED, 1, policy=np.zeros(3, np.float32), simulations=5)
    with pytest.raises(ParseError, match="one for each tell and kind"):
        siguo_strong.Tells.linear(np.zeros(5, np.float32))
    with pytest.raises(ParseError, match="results teach terms or tells, not 'moves'"):
        recipes.make_learner({**recipes.read("siguo-tells"), "learns": "moves"}, 1)
    with pytest.raises(ParseError, match="simulations are a whole number"):
        recipes.make_learner({**recipes.read("siguo-tells"), "simulations": -1}, 1)
