"""The network that evaluates gomoku-strong's leaves: inputs, self-play samples, the learner."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import agents, recipes
from tempo._core import AlphaBetaSettings, gomoku, gomoku_threats
from tempo.errors import ParseError
from tempo.learners.fast.regression import Regression, Settings, targets_of
from tempo.nets.relu import Layers, layers_of
from tempo.recipes import make_learner
from tempo.recipes.gomoku_regression import StrongGames

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
SHORT = Settings(steps=4, games=3, positions=200, hidden=8, pool=120, updates=5, batch=16)


def random_board(seed: int, size: int, rule: str, stones: int) -> gomoku.Position:
    random = Random(seed)
    position = gomoku.start(gomoku.Options({"size": size, "rule": rule}))
    for _ in range(stones):
        if not position.is_over:
            position = position.play(random.choice(position.legal_moves))
    return position


def made_in(
    cells: dict[tuple[int, int], str], at: tuple[int, int], step: Any, rule: str
) -> set[str]:
    """What a stone of x at an empty point makes in one direction: window by window."""
    made = set()

    def cell(k: int) -> str:
        return cells.get((at[0] + k * step[0], at[1] + k * step[1]), "#")

    for first in range(-5, 1):
        window = [cell(k) for k in range(first, first + 6)]
        flanked = rule == "exactly_five" and "x" in (cell(first - 1), cell(first + 6))
        inside = 0 < -first < 5 and window[0] == window[5] == "."
        if inside and not flanked and set(window[1:5]) <= {"x", "."}:
            made |= {{1: "two", 2: "three"}.get(window[1:5].count("x"), "")}
    for first in range(-4, 1):
        window = [cell(k) for k in range(first, first + 5)]
        flanked = rule == "exactly_five" and "x" in (cell(first - 1), cell(first + 5))
        if not flanked and set(window) <= {"x", "."} and window.count("x") == 3:
            made.add("four")
    return made


def slow_crossings(position: gomoku.Position, seat: int, rule: str) -> list[int]:
    """Points that make two threes, a three and a two, a four and a two, each on its own line."""
    rows = position.board.splitlines()[:-1]
    own = "xo"[seat]
    texts = [row[3:].split() for row in rows]
    cells = {
        (y, x): "x" if text == own else "." if text == "." else "o"
        for y, row in enumerate(texts)
        for x, text in enumerate(row)
    }
    counts = {("three", "three"): 0, ("three", "two"): 0, ("four", "two"): 0}
    for at, what in cells.items():
        if what != ".":
            continue
        made = [made_in(cells, at, step, rule) for step in DIRECTIONS]
        for one, other in counts:
            pairs = product(range(4), range(4))
            counts[one, other] += any(
                i != k and one in made[i] and other in made[k] for i, k in pairs
            )
    most = (4, 12, 12)
    return [min(count, limit) for count, limit in zip(counts.values(), most, strict=True)]


@pytest.mark.parametrize("rule", ["freestyle", "exactly_five"])
def test_crossings_are_those_of_a_slow_count(rule: str) -> None:
    seen = np.zeros(6)
    for seed in range(12):
        position = random_board(seed, (9, 15, 18)[seed % 3], rule, 10 + 4 * seed)
        row = gomoku_threats.inputs(position)
        assert len(row) == gomoku_threats.network_inputs
        assert np.array_equal(row[:-6], gomoku_threats.terms(position))
        slow = [*slow_crossings(position, position.turn, rule)]
        slow += slow_crossings(position, 1 - position.turn, rule)
        assert row[-6:].tolist() == slow
        seen += row[-6:]
    assert seen.all()


def some_layers(hidden: int = 5) -> Layers:
    draw = np.random.default_rng(3)
    inputs = gomoku_threats.network_inputs
    return layers_of(
        {
            "first": draw.normal(0, 0.1, (inputs, hidden)),
            "bias": draw.normal(0, 0.1, hidden),
            "second": draw.normal(0, 1, hidden),
            "last": np.array([0.2]),
        }
    )


def test_a_leaf_is_weighed_by_the_network() -> None:
    position = random_board(1, 15, "freestyle", 6)
    layers = some_layers()
    (first, bias, _), (second, last, _) = layers
    settings = AlphaBetaSettings(depth=1)
    search = gomoku_threats.AlphaBeta(gomoku_threats.Evaluator.network(layers), settings)
    found = search.search(position)
    assert found.move is not None
    leaf = position.play(found.move)
    odds = second[0] @ np.maximum(first @ gomoku_threats.inputs(leaf) + bias, 0) + last[0]
    assert found.scores[leaf.turn] == pytest.approx(odds / (abs(odds) + 2), abs=2e-6)


def test_a_network_that_does_not_fit_is_refused() -> None:
    (_, bias, kind), out = some_layers()
    narrow = np.zeros((5, 7), np.float32)
    with pytest.raises(ParseError, match="takes 53 inputs and gives one output, not 7 and 1"):
        gomoku_threats.Evaluator.network([(narrow, bias, kind), out])
    with pytest.raises(ParseError, match="expected first, bias, second, last"):
        layers_of({"weights": narrow})
    with pytest.raises(ParseError, match="do not fit"):
        layers_of({"first": narrow, "bias": bias, "second": bias, "last": np.zeros(1)})


def test_samples_depend_on_seed_and_number_alone() -> None:
    start = gomoku.start(gomoku.Options({}))
    linear = gomoku_threats.Evaluator.static()

    def samples(games: int, begin: int, threads: int) -> Any:
        return gomoku_threats.self_play_samples(linear, start, games, 7, begin, 150, threads)

    together = samples(6, 0, 2)
    parts = [samples(2, 0, 1), samples(4, 2, 1)]
    for i in range(3):
        apart = np.concatenate([part[i] for part in parts])
        assert np.array_equal(together[i], apart, equal_nan=True)
    assert together[3:] == tuple(sum(part[i] for part in parts) for i in range(3, 7))
    inputs, values, results = together[:3]
    named = list(gomoku_threats.term_names)
    assert not inputs[:, named.index("own winning")].any()  # nothing that threats decide
    assert np.abs(values).max() <= 1
    with_result = ~np.isnan(results)
    assert 0.2 < with_result.mean() < 0.9
    assert set(results[with_result]) <= {-1, 0, 1}
    # A search that sees a game decided is right about it, nearly always.
    sure = with_result & (np.abs(values) == 1)
    assert (values[sure] == results[sure]).mean() > 0.8


def test_bad_self_play_is_refused() -> None:
    start = gomoku.start(gomoku.Options({}))
    linear = gomoku_threats.Evaluator.static()
    with pytest.raises(ParseError, match="games, positions and threads of 1 or more"):
        gomoku_threats.self_play_samples(linear, start, 0, 1)
    with pytest.raises(ParseError, match="begin on an empty board"):
        gomoku_threats.self_play_samples(linear, start.play(112), 1, 1)
    with pytest.raises(ParseError, match="games of gomoku, not of chess"):
        make_learner({"learner": "regression", "game": "chess"}, seed=1)
    with pytest.raises(ParseError, match="its pool holds a batch"):
        Settings(pool=3, batch=4)
    with pytest.raises(ParseError, match="result_share is from 0 to 1"):
        Settings(result_share=1.5)


def test_targets_mix_values_and_results() -> None:
    values = np.array([0.0, 0.5, 1.0, -1.0, 0.0], np.float32)
    results = np.array([np.nan, np.nan, np.nan, -1.0, 1.0], np.float32)
    # A value of a half is log odds of two.
    expected = [0.5, 1 / (1 + np.exp(-2)), 1, 0, 0.4 * 1 + 0.6 * 0.5]
    assert targets_of(values, results, 0.4) == pytest.approx(expected)


def learner(seed: int = 5, settings: Settings = SHORT) -> Regression:
    return Regression(StrongGames(tempo.load("gomoku(size=9)"), 1), settings, seed)


def test_the_gradient_is_that_of_the_loss() -> None:
    one = learner()
    one.iterate()
    draw = np.random.default_rng(1)
    x = draw.normal(0, 1, (20, gomoku_threats.network_inputs)).astype(np.float32)
    targets = draw.uniform(0, 1, 20).astype(np.float32)
    gradient = one._gradient(x, targets)
    for name, at in (("first", (4, 2)), ("bias", (3,)), ("second", (1,)), ("last", (0,))):
        losses = []
        for change in (1e-2, -2e-2):
            one._parts[name][at] += change
            losses.append(one._excess(x, targets))
        one._parts[name][at] += 1e-2
        slope = (losses[0] - losses[1]) / 2e-2
        assert gradient[name][at] == pytest.approx(slope, abs=2e-3)


def test_a_killed_run_ends_with_the_same_network() -> None:
    whole = learner()
    while not whole.done:
        row = whole.iterate()
    assert row["samples"] > 0
    assert len(whole.arrays()["targets"]) == SHORT.pool  # the oldest are forgotten
    killed = learner()
    for _ in range(2):
        killed.iterate()
    arrays = {name: array.copy() for name, array in killed.arrays().items()}
    resumed = learner(seed=9)
    resumed.restore(2, arrays, killed.state())
    while not resumed.done:
        resumed.iterate()
    for name, array in whole.arrays().items():
        assert np.array_equal(array, resumed.arrays()[name]), name


def test_a_short_training_learns_and_plays(tmp_path: Path) -> None:
    recipe = {
        **recipes.read("gomoku-network"),
        **{"steps": 8, "games": 6, "positions": 300, "updates": 20, "batch": 64},
    }
    run = recipes.train(recipe, seed=2, out=tmp_path / "run")
    rows = list(run.rows())
    assert rows[-1]["loss"] < 0.8 * rows[0]["loss"]
    ledger = run.ledger()
    assert ledger.games == 48
    assert ledger.gradient_steps == 160
    assert ledger.positions > 10_000
    choice = agents.load(f"gomoku-strong:nodes=300,eval={tmp_path}/run").choose(
        random_board(2, 15, "freestyle", 6)
    )
    assert choice.cost.positions <= 300
