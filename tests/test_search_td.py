"""The learner: one update by hand for each rule, what TreeStrap trains, and a run that learns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tempo import recipes
from tempo.arena.endings import floor, whole
from tempo.errors import ParseError
from tempo.games.chess.endings import Ending

search_td = pytest.importorskip("tempo.learners.fast.search_td", reason="needs the extra `deep`")
ending_recipes = pytest.importorskip("tempo.recipes.endings")

STEP = 0.1


def chain() -> Any:
    """Three positions in a row and then a win: 0 → 1 → 2 → 3. One number tells them apart."""
    return search_td.GameGraph(
        offsets=np.array([0, 1, 2, 3, 3]),
        next=np.array([1, 2, 3], np.int32),
        turn=np.array([0, 1, 0, 1], np.uint8),
        end=np.array([0, 0, 0, 1], np.int8),
        starts=np.array([0], np.int32),
        planes=np.zeros((4, 1), np.uint64),
        numbers=np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]], np.float32),
    )


def learner_on_chain(rule: str, **changes: Any) -> Any:
    """V(s) = tanh(w_s): no hidden layer, so every position has a weight of its own."""
    stage = {"games": 1, "iterations": 1, "depth": 2, "trace": 0.5, **changes}
    settings = search_td.Settings(
        rule=rule, hidden=(), step_size=STEP, exploration="none", opening=0,
        stages=(search_td.Stage(**stage),),
    )  # fmt: skip
    learner = search_td.SearchTD(chain(), settings, seed=1)
    arrays = learner.arrays()
    weight = np.zeros_like(arrays["network.layers[0].weight"])
    weight[0, 64:] = np.arctanh([0.1, 0.2, 0.4])
    learner.restore(0, {**arrays, "network.layers[0].weight": weight}, learner.state())
    return learner


def moved(learner: Any) -> Any:
    """How far the three weights go in an iteration, as multiples of the step."""
    name = "network.layers[0].weight"
    before = learner.arrays()[name][0, 64:].copy()
    learner.iterate()
    return (learner.arrays()[name][0, 64:] - before) / STEP


# V = (0.1, 0.2, 0.4). Looking two moves ahead: V(l) = (0.4, 1, 1) with leaves 2, 3, 3, of which 3
# is the end. dV/dw = 1 - V² = (0.99, 0.96, 0.84).
#
# td         δ = (0.1, 0.2, 0.6); traces at λ = 0.5: (0.35, 0.5, 0.6)
# td_leaf    δ of (0.4, 1, 1) = (0.6, 0, 0): 0.6 at s_0, whose leaf is 2; the others' is the end
# td_stem    the same δ on the leaves' values, 0.4 + 0.6, 1 and 1, less V(s)
# td_root    V(l(s_{t+1})) = (1, 1, z = 1), less V(s)
# root_strap V(l(s_t)) = (0.4, 1, 1), less V(s)
# tree_strap s_0 in the tree of s_0 by depth 2, s_1 by its own search, s_2 too: as root_strap
BY_HAND = {
    "td": (0.35 * 0.99, 0.5 * 0.96, 0.6 * 0.84),
    "td_leaf": (0.0, 0.0, 0.6 * 0.84),
    "td_stem": (0.9 * 0.99, 0.8 * 0.96, 0.6 * 0.84),
    "td_root": (0.9 * 0.99, 0.8 * 0.96, 0.6 * 0.84),
    "root_strap": (0.3 * 0.99, 0.8 * 0.96, 0.6 * 0.84),
    "tree_strap": (0.3 * 0.99, 0.8 * 0.96, 0.6 * 0.84),
}


@pytest.mark.parametrize("rule", search_td.RULES)
def test_one_update_by_hand(rule: str) -> None:
    np.testing.assert_allclose(moved(learner_on_chain(rule)), BY_HAND[rule], atol=1e-5)


def test_the_printed_anchor_of_td_stem() -> None:
    """Anchored at the state, the same differences are added to V(s): (0.6, 0, 0)."""
    learner = learner_on_chain("td_stem")
    object.__setattr__(learner.settings, "anchor", "state")
    np.testing.assert_allclose(moved(learner), (0.6 * 0.99, 0.0, 0.0), atol=1e-5)


def test_searched_values_are_discounted_by_distance() -> None:
    learner = learner_on_chain("tree_strap")
    found = search_td.sweep(learner.graph, learner.values(), 3, discount=0.5)
    np.testing.assert_allclose(found.values[3], [0.125, 0.25, 0.5, 1])
    np.testing.assert_array_equal(found.leaves, [3, 3, 3, 3])
    np.testing.assert_array_equal(found.best, [1, 2, 3, -1])


def test_a_row_of_the_log() -> None:
    learner = learner_on_chain("td")
    row = learner.iterate()
    assert (row["step"], row["games"], row["won"], row["length"]) == (1, 1, 1.0, 3.0)
    assert learner.done
    # Half the mean squared difference to the targets (0.45, 0.7, 1).
    assert row["loss"] == pytest.approx((0.35**2 + 0.5**2 + 0.6**2) / 6, rel=1e-4)
    spent = learner.ledger
    assert (spent.games, spent.moves, spent.evaluations, spent.gradient_steps) == (1, 3, 4, 1)


def test_tree_strap_trains_exactly_the_nodes_of_the_trees() -> None:
    """By walking the trees from every visited position, a move at a time."""
    recipe = {
        **recipes.read("krk"), "hidden": [4], "stages": [{"games": 3, "iterations": 1, "depth": 3}],
    }  # fmt: skip
    learner = ending_recipes.ending_learner(recipe, seed=2)
    world, searched = learner.game, learner.search(3)
    episodes = learner._play(searched.best, 3, 0.2)
    samples = learner._samples(searched, episodes, learner.settings.stages[0])
    layer = {int(node) for node in episodes[0][episodes[0] >= 0]}
    deepest: dict[int, int] = {}
    for depth in (3, 2, 1):
        for node in layer:
            if world.end[node] == 0:
                deepest.setdefault(node, depth)
        layer = {
            int(next_)
            for node in layer
            for next_ in world.next[world.offsets[node] : world.offsets[node + 1]]
        }
    assert sorted(samples.inputs) == sorted(deepest)
    for node, target in zip(samples.inputs[:500], samples.targets[:500], strict=True):
        assert target == searched.values[deepest[int(node)]][node]


def test_a_share_of_games_and_positions_is_of_what_the_ending_becomes() -> None:
    """KPK becomes KQK and KRK: half of the games begin there, half of what is drawn is there."""
    recipe = {
        **recipes.usual("kpk"), "hidden": [4],
        "stages": [{"games": 40, "iterations": 1, "depth": 1}],
    }  # fmt: skip
    learner = ending_recipes.ending_learner(recipe, seed=2)
    later = set(learner.game.later.tolist())
    assert later and not later & set(learner.game.starts.tolist())  # noqa: PT018
    states, lengths, _ = learner._play(learner.search(1).best, 40, 0.0)
    first = states[:, 0][lengths > 0]
    assert np.isin(first[:20], learner.game.later).all()
    inputs = np.concatenate([learner.game.starts[:9900], learner.game.later[:100]])
    counted = np.arange(len(inputs))
    random = np.random.default_rng(1)
    drawn = learner._drawn_later(np.zeros(20_000, np.intp), inputs, counted, random)
    assert np.isin(inputs[drawn], learner.game.later).mean() == pytest.approx(0.5, abs=0.02)


def test_a_short_run_beats_mate_finding_chance_by_far() -> None:
    """Floor with mates in 3 moves found: WCR 0.14 in KQK. Some seconds of learning: over 0.6."""
    recipe = {
        **recipes.read("krk-minute"), "ending": "KQK", "hidden": [64], "updates": 60,
        "stages": [{"games": 500, "iterations": 10, "depth": 5}],
    }  # fmt: skip
    learner = ending_recipes.ending_learner(recipe, seed=1)
    while not learner.done:
        learner.iterate()
    ending = Ending("KQK")
    attack, _ = whole(ending, learner.search(3).best)
    chance = floor(ending, games=2000)["mate_in_3"].value
    assert chance is not None
    assert attack.win_rate.value is not None
    assert attack.win_rate.value > chance + 0.4


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rule": "td_branch"}, "there is no rule 'td_branch'"),
        ({"optimizer": "magic"}, "there is no optimizer 'magic'"),
        ({"final_share": 0.1}, "needs updates"),
        ({"later_share": 1.5}, "later_share is between 0 and 1"),
        ({"exploration": "often"}, "there is no exploration 'often'"),
        ({"colour": "red"}, "has no 'colour'"),
        ({"stages": [{"games": 1}]}, "incomplete"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_unsound_settings_are_refused(changes: dict[str, Any], says: str) -> None:
    recipe = {**recipes.read("paper-krk-stem"), **changes}
    with pytest.raises(ParseError, match=says):
        ending_recipes.ending_learner(recipe, seed=1).iterate()
