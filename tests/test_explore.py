"""Which move is made: greedy, ε-greedy and Metropolis, by hand and by how often."""

from __future__ import annotations

import numpy as np
import pytest

from tempo.explore import cooled, epsilon_greedy, greedy, metropolis

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


def test_cooling_is_geometric_down_to_a_floor() -> None:
    assert cooled(2.0, 0) == 2.0
    assert cooled(2.0, 2) == pytest.approx(2 * 0.99**2)
    assert cooled(2.0, 10_000) == 1e-3
