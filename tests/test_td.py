"""Every learning rule by hand-worked numbers, by the toy chain and by the random walk."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tempo import td

# Two episodes end to end: three positions won, two positions lost.
VALUES = np.array([0.0, 0.5, 0.2, -0.1, -0.4])
LEAVES = np.array([0.3, 0.4, 0.9, -0.2, -0.6])
OUTCOME = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
LAST = np.array([False, False, True, False, True])


def test_differences_end_in_the_outcome_and_never_cross_episodes() -> None:
    expected = [0.5, -0.3, 0.8, -0.3, -0.6]
    assert td.differences(VALUES, OUTCOME, LAST) == pytest.approx(expected)


def test_td_lambda_by_hand() -> None:
    # G_2 = .8, G_1 = -.3 + .5*.8 = .1, G_0 = .5 + .5*.1 = .55; G_4 = -.6, G_3 = -.3 - .3 = -.6
    expected = [0.55, 0.6, 1.0, -0.7, -1.0]
    assert td.td(VALUES, OUTCOME, LAST, trace=0.5) == pytest.approx(expected)


def test_truncation_keeps_the_first_terms_only() -> None:
    # K = 2: G_0 = .5 + .5*(-.3) = .35, G_1 = -.3 + .5*.8 = .1, G_2 = .8; G_3 = -.6, G_4 = -.6
    expected = [0.35, 0.6, 1.0, -0.7, -1.0]
    assert td.td(VALUES, OUTCOME, LAST, trace=0.5, steps=2) == pytest.approx(expected)


def test_one_step_is_plain_td() -> None:
    expected = [0.5, 0.2, 1.0, -0.4, -1.0]
    assert td.td(VALUES, OUTCOME, LAST, trace=0.0) == pytest.approx(expected)
    assert td.td(VALUES, OUTCOME, LAST, trace=0.9, steps=1) == pytest.approx(expected)


def test_full_trace_is_monte_carlo() -> None:
    assert td.td(VALUES, OUTCOME, LAST, trace=1.0) == pytest.approx(OUTCOME)


def test_discount_by_hand() -> None:
    # λ = 1, γ = .9: the outcome comes .9 a step nearer; the last position sees it undiscounted.
    expected = [0.81, 0.9, 1.0, -0.9, -1.0]
    assert td.td(VALUES, OUTCOME, LAST, trace=1.0, discount=0.9) == pytest.approx(expected)


def test_td_leaf_by_hand() -> None:
    # δ = .1, .5, .1 | -.4, -.4; λ = .5: G = .375, .55, .1 | -.6, -.4
    expected = [0.675, 0.95, 1.0, -0.8, -1.0]
    assert td.td_leaf(LEAVES, OUTCOME, LAST, trace=0.5) == pytest.approx(expected)


def test_td_stem_by_hand() -> None:
    leaf = td.td_stem(VALUES, LEAVES, OUTCOME, LAST, trace=0.5)
    assert leaf == pytest.approx([0.675, 0.95, 1.0, -0.8, -1.0])
    state = td.td_stem(VALUES, LEAVES, OUTCOME, LAST, trace=0.5, anchor="state")
    assert state == pytest.approx([0.375, 1.05, 0.3, -0.7, -0.8])


def test_td_stem_is_a_lambda_return_over_searched_values() -> None:
    # (1-λ) Σ_{j=1}^{T-t-1} λ^{j-1} V(l(s_{t+j})) + λ^{T-t-1} z, for t = 0 of the first episode
    trace = 0.7
    expected = (1 - trace) * (0.4 + trace * 0.9) + trace**2 * 1.0
    target = td.td_stem(VALUES, LEAVES, OUTCOME, LAST, trace=trace)
    assert target[0] == pytest.approx(expected)


def test_td_root_without_trace_is_the_next_searched_value() -> None:
    assert td.td_root(LEAVES, OUTCOME, LAST) == pytest.approx([0.4, 0.9, 1.0, -0.6, -1.0])


def test_straps() -> None:
    assert td.root_strap(LEAVES) is LEAVES
    low = np.array([-1.0, 0.6, 0.1, -0.5, -1.0])
    high = np.array([-0.2, 1.0, 0.3, 0.5, -0.7])
    expected = [-0.2, 0.6, 0.2, -0.1, -0.7]
    assert td.tree_strap(VALUES, low, high) == pytest.approx(expected)


def test_episode_weights_sum_to_one_an_episode() -> None:
    assert td.episode_weights(LAST) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2])


@given(
    lengths=st.lists(st.integers(1, 7), min_size=1, max_size=5),
    trace=st.floats(0, 1),
    discount=st.floats(0.5, 1),
    steps=st.integers(1, 9),
    seed=st.integers(0, 2**32 - 1),
)
def test_trace_sum_is_the_sum_it_says(
    lengths: list[int], trace: float, discount: float, steps: int, seed: int
) -> None:
    last = np.concatenate([np.arange(n) == n - 1 for n in lengths])
    deltas = np.random.default_rng(seed).normal(size=len(last))
    got = td.trace_sum(deltas, last, trace, steps, discount)
    ends = np.flatnonzero(last)
    for t in range(len(last)):
        end = ends[np.searchsorted(ends, t)]
        terms = range(t, min(end, t + steps - 1) + 1)
        expected = sum((discount * trace) ** (n - t) * deltas[n] for n in terms)
        assert got[t] == pytest.approx(expected, abs=1e-9)


def sweep_chain(anchor: Literal["leaf", "state"], sweeps: int) -> NDArray[np.float64]:
    """A won chain of 12 states, each searched 3 deep: where the literal reading fails."""
    length, depth = 12, 3
    values = np.zeros(length)
    outcome = np.ones(length)
    last = np.arange(length) == length - 1
    for _ in range(sweeps):
        # A search that reaches the end sees the win; else its leaf is `depth` states on.
        leaves = np.where(np.arange(length) + depth >= length, 1.0, np.roll(values, -depth))
        target = td.td_stem(values, leaves, outcome, last, trace=0.5, anchor=anchor)
        values = values + 0.1 * (target - values)
    return values


def test_leaf_anchor_converges_on_the_chain() -> None:
    assert sweep_chain("leaf", 400) == pytest.approx(np.ones(12), abs=1e-3)


def test_literal_anchor_diverges_on_the_chain() -> None:
    values = sweep_chain("state", 400)
    assert np.abs(values).max() > 1_000
    assert values[-3:] == pytest.approx(np.zeros(3))  # they see the mate and never move


def test_td_leaf_learns_discounted_values_where_the_search_discounts() -> None:
    """On a won chain every ply before the end is worth γ of the next, whatever the depth."""
    length, depth, discount = 12, 3, 0.97
    values, place = np.zeros(length), np.arange(length)
    last, outcome = place == length - 1, np.full(length, discount)  # the last move is a ply, too
    seen = place + depth >= length  # the search reaches the end
    for _ in range(400):
        deeper = discount**depth * np.roll(values, -depth)
        found = np.where(seen, discount ** (length - place), deeper)
        target = td.td_leaf(found, outcome, last, 0.5, discount=discount, plies=depth)
        values[depth:] += 0.2 * (target[:-depth] - values[depth:])
    expected = discount ** (length - place)
    assert values[depth:] == pytest.approx(expected[depth:], abs=1e-3)


@pytest.mark.parametrize("trace", [0.0, 0.4, 0.9])
def test_random_walk_values_are_learnt(trace: float) -> None:
    """Sutton's walk of five states, ends worth -1 and 1: true values -2/3, -1/3, 0, 1/3, 2/3."""
    random = np.random.default_rng(7)
    table = np.zeros(5)
    for episode in range(4000):
        path, at = [], 2
        while 0 <= at < 5:
            path.append(at)
            at += random.choice((-1, 1))
        states = np.array(path)
        outcome = np.full(len(path), 1.0 if at == 5 else -1.0)
        last = np.arange(len(path)) == len(path) - 1
        target = td.td(table[states], outcome, last, trace=trace)
        rate = 0.05 / (1 + episode / 200)
        np.add.at(table, states, rate * (target - table[states]))
    assert table == pytest.approx(np.array([-2, -1, 0, 1, 2]) / 3, abs=0.08)


# One game in a column, five moves of two seats in turn; entry 0 is what the target is for.
REWARD = np.array([[1.0], [2.0], [4.0], [8.0], [16.0]])
TURN = np.array([[0], [1], [0], [1], [0]])
NONE = np.zeros((5, 1), bool)


def ahead(
    steps: int,
    successor: td.Successor,
    *,
    last: int = -1,
    cut: int = -1,
    broken: int = -1,
    replies: bool = True,
) -> tuple[float, float, int, bool]:
    flags = []
    for place in (last, cut, broken):
        flag = NONE.copy()
        if place >= 0:
            flag[place] = True
        flags.append(flag)
    count = td.look_ahead(steps, successor) + 1
    found = td.n_step(
        REWARD[:count],
        TURN[:count],
        *(flag[:count] for flag in flags),
        discount=0.5,
        steps=steps,
        successor=successor,
        replies=replies,
    )
    return float(found.gain[0]), float(found.factor[0]), int(found.offset[0]), bool(found.known[0])


def test_n_step_targets_by_hand() -> None:
    # One step: the other's value counts against the seat, or as printed for it, or is passed over.
    assert ahead(1, "negamax") == (1.0, -0.5, 1, True)
    assert ahead(1, "literal") == (1.0, 0.5, 1, True)
    assert ahead(1, "own_turn", replies=False) == (1.0, 0.5, 2, True)
    assert ahead(1, "own_turn") == (1.0 - 2.0, 0.5, 2, True)
    # Three steps: 1 - 2/2 + 4/4, then -1/8 of a value; two own turns: 1 - 2 + 4/2 - 8/2, then 1/4.
    assert ahead(3, "negamax") == (1.0, -0.125, 3, True)
    assert ahead(3, "literal") == (1.0 + 1.0 + 1.0, 0.125, 3, True)
    assert ahead(2, "own_turn") == (-3.0, 0.25, 4, True)
    assert ahead(2, "own_turn", replies=False) == (3.0, 0.25, 4, True)


def test_n_step_targets_end_with_the_game() -> None:
    assert ahead(3, "negamax", last=0) == (1.0, 0.0, 0, True)
    assert ahead(3, "negamax", last=1) == (0.0, 0.0, 0, True)
    # What the other's last move earned costs the seat that did not move again.
    assert ahead(1, "own_turn", last=1) == (-1.0, 0.0, 0, True)
    assert ahead(1, "own_turn", last=1, replies=False) == (1.0, 0.0, 0, True)


def test_n_step_targets_look_no_further_than_a_cut() -> None:
    assert ahead(3, "negamax", cut=1) == (1.0, -0.5, 1, True)
    assert ahead(3, "negamax", cut=2) == (0.0, 0.25, 2, True)
    assert ahead(3, "negamax", cut=0) == ahead(3, "negamax")  # it is the move itself
    assert ahead(2, "own_turn", cut=2) == (-1.0, 0.5, 2, True)
    assert ahead(2, "own_turn", cut=1) == ahead(2, "own_turn")  # the other's moves are its own


def test_a_game_that_was_broken_off_has_a_value_but_no_end() -> None:
    assert ahead(3, "negamax", broken=2) == (0.0, 0.25, 2, True)
    assert not ahead(3, "negamax", broken=0)[3]
    assert ahead(2, "own_turn", broken=2) == (-1.0, 0.5, 2, True)
    assert not ahead(2, "own_turn", broken=1)[3]


def test_one_step_of_n_step_is_q_learning() -> None:
    random = np.random.default_rng(1)
    reward, best = random.normal(size=5), random.normal(size=5)
    turn, last = np.array([0, 1, 0, 1, 0]), np.array([False, False, False, False, True])
    names: tuple[td.Successor, ...] = ("negamax", "literal", "own_turn")
    for name in names:
        expected = td.q_learning(reward, best, turn, last, 0.9, name)
        for t in range(5):
            rows = slice(t, t + 1 + td.look_ahead(1, name))
            none = np.zeros((len(turn[rows]), 1), bool)
            found = td.n_step(
                reward[rows, None], turn[rows, None], last[rows, None], none, none,
                discount=0.9, steps=1, successor=name, replies=False,
            )  # fmt: skip
            target = found.gain[0] + found.factor[0] * best[t + found.offset[0]]
            assert found.known[0]
            assert target == pytest.approx(expected[t], abs=1e-6)
