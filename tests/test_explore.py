"""Which move is made: greedy, ε-greedy, Metropolis and Boltzmann, by hand and by how often."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from tempo.explore import boltzmann, cooled, epsilon_greedy, greedy, metropolis

VALUES = np.array([[0.1, 0.5, 0.9, 0.5]])
LEGAL = np.array([[True, True, False, True]])  # the best of all is not legal


def test_greedy_takes_a_best_legal_move_and_draws_among_equals() -> None:
    assert greedy(VALUES, LEGAL, np.array([0.0])).tolist() == [1]
    assert greedy(VALUES, LEGAL, np.array([0.99])).tolist() == [3]


def test_epsilon_greedy_explores_below_epsilon() -> None:
    assert epsilon_greedy(VALUES, LEGAL, 0.1, np.array([[0.05], [0.0]])).tolist() == [0]
    assert epsilon_greedy(VALUES, LEGAL, 0.1, np.array([[0.15], [0.0]])).tolist() == [1]


def test_metropolis_accepts_by_the_loss() -> None:
    # a_q = 0, a_p = 1: accepted up to exp(-0.4 / 0.4) = 0.368.
    assert metropolis(VALUES, LEGAL, 0.4, np.array([[0.36], [0.0], [0.0]])).tolist() == [0]
    assert metropolis(VALUES, LEGAL, 0.4, np.array([[0.37], [0.0], [0.0]])).tolist() == [1]
    # An equal one is always accepted, and at temperature 0 nothing worse ever is.
    assert metropolis(VALUES, LEGAL, 0.4, np.array([[0.999], [0.99], [0.0]])).tolist() == [3]
    assert metropolis(VALUES, LEGAL, 0.0, np.array([[0.0], [0.0], [0.0]])).tolist() == [1]


def test_metropolis_explores_as_often_as_it_says() -> None:
    games = 200_000
    draws = np.random.default_rng(5).random((3, games))
    moves = metropolis(np.repeat(VALUES, games, 0), np.repeat(LEGAL, games, 0), 0.4, draws)
    share = np.bincount(moves, minlength=4) / games
    worse = np.exp(-1) / 3
    assert share == pytest.approx([worse, (1 - worse) / 2, 0, (1 - worse) / 2], abs=0.005)


@given(
    values=arrays(np.float32, st.integers(2, 9), elements=st.floats(-1, 1, width=32)),
    temperature=st.floats(0.01, 10), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_boltzmann_draws_as_often_as_the_formula_says(
    values: NDArray[np.float32], temperature: float, seed: int
) -> None:
    games, random = 20_000, np.random.default_rng(seed)
    legal = random.random(len(values)) < 0.7
    legal[random.integers(len(values))] = True
    weights = np.where(legal, np.exp(values.astype(np.float64) / temperature), 0)
    shares = weights / weights.sum()
    # Every game has a draw of its own stretch, so that shares are off by less than two of them.
    draws = (random.permutation(games) + random.random(games)) / games
    moves = boltzmann(
        np.repeat(values[None], games, 0), np.repeat(legal[None], games, 0), temperature, draws
    )
    assert legal[moves].all()
    found = np.bincount(moves, minlength=len(values)) / games
    np.testing.assert_allclose(found, shares, atol=2.1 / games)


def test_boltzmann_at_its_limits() -> None:
    assert boltzmann(VALUES, LEGAL, 0.0, np.array([0.0])).tolist() == [1]  # greedy
    last = np.nextafter(1.0, 0)
    for temperature in (1e-300, 1e-3, 1e300):
        assert boltzmann(VALUES, LEGAL, temperature, np.array([last])).tolist() == [3]
        # What stands beside a game does not change what it draws.
        wide, legal = np.zeros((2, 4)), np.ones((2, 4), bool)
        wide[0], legal[0] = VALUES[0], LEGAL[0]
        draws = np.array([0.4, 0.9])
        alone = boltzmann(VALUES, LEGAL, temperature, draws[:1])
        assert boltzmann(wide, legal, temperature, draws)[0] == alone[0]


def test_cooling_is_geometric_down_to_a_floor() -> None:
    assert cooled(2.0, 0) == 2.0
    assert cooled(2.0, 2) == pytest.approx(2 * 0.99**2)
    assert cooled(2.0, 10_000) == 1e-3
