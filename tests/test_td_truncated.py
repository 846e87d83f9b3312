"""The truncated rules of the Siguo paper: three forms of one return, on line and after a game."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from reference.truncated_buffer import Step, TruncatedBuffer, truncated_errors

from tempo import td

Floats = NDArray[np.float64]
GAMMA, TRACE, LENGTH = 0.9, 0.6, 30


def chain(length: int = LENGTH) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
    """One seat's episode: what follows each entry, signs, and no cuts."""
    following = np.append(np.arange(1, length), -1)
    return following, np.ones(length), np.zeros(length, bool)


def closed_sum(t: int, reward: Floats, values: Floats, trace: float, steps: int) -> float:
    """Eq. 3 term by term; `values` has a zero for the end."""
    decay, total = GAMMA * trace, 0.0
    reach = min(steps, len(reward) - t)
    for k in range(reach):
        total += decay**k * (reward[t + k] + GAMMA * (1 - trace) * values[t + k + 1])
    return float(total + decay**reach * values[t + reach])


@pytest.mark.parametrize("steps", [1, 3, 20])
def test_closed_sum_recursion_and_differences_are_one(steps: int) -> None:
    random = np.random.default_rng(3)
    reward, values = random.normal(size=LENGTH), np.append(random.normal(size=LENGTH), 0.0)
    following, sign, cut = chain()
    how = td.Truncation(TRACE, steps, GAMMA)
    z = td.truncated(reward, values[:-1], following, sign, cut, how)
    deltas = reward + GAMMA * values[1:] - values[:-1]
    for t in range(LENGTH):
        terms = range(t, min(LENGTH, t + steps))
        summed = values[t] + sum((GAMMA * TRACE) ** (j - t) * deltas[j] for j in terms)
        assert z[t] == pytest.approx(closed_sum(t, reward, values, TRACE, steps), abs=1e-12)
        assert z[t] == pytest.approx(summed, abs=1e-12)


def test_one_step_and_no_trace_are_q_learning_and_a_full_one_monte_carlo() -> None:
    random = np.random.default_rng(4)
    reward, best = random.normal(size=LENGTH), random.normal(size=LENGTH)
    following, sign, cut = chain()
    last = following < 0
    turn = np.zeros(LENGTH, int)
    one_step = td.q_learning(reward, best, turn, last, GAMMA)
    args = reward, best, following, sign, cut
    for trace, steps in ((0.7, 1), (0.0, 7), (0.0, None)):
        z = td.truncated(*args, td.Truncation(trace, steps, GAMMA))
        assert z == pytest.approx(one_step, abs=1e-12)
    returns = [float(GAMMA ** np.arange(LENGTH - t) @ reward[t:]) for t in range(LENGTH)]
    for many in (LENGTH, None):
        z = td.truncated(*args, td.Truncation(1.0, many, GAMMA))
        assert z == pytest.approx(returns, abs=1e-12)


def test_four_seats_by_hand() -> None:
    """S E N W S, won by S and N: each seat's last move earns it its result."""
    turn = np.array([0, 1, 2, 3, 0])
    last = np.array([False, False, False, False, True])
    best = np.array([0.1, 0.2, 0.4, -0.3, 0.5])
    cut = np.zeros(5, bool)
    how = td.Truncation(0.5, 2, 0.9)

    following, sign = td.successors(turn, last, "own_turn")
    assert following.tolist() == [4, -1, -1, -1, -1]
    own = np.array([0.0, -1.0, 1.0, -1.0, 1.0])
    z = td.truncated(own, best, following, sign, cut, how)
    # S: 0 + .9 (.5 * 1 + .5 * .5); the others are paid at their only moves.
    assert z == pytest.approx([0.675, -1, 1, -1, 1], abs=1e-12)

    ending = np.array([0.0, 0.0, 0.0, 0.0, 1.0])  # the last mover is paid for all
    following, sign = td.successors(turn, last, "team")
    assert following.tolist() == [1, 2, 3, 4, -1]
    assert sign[:4].tolist() == [-1] * 4
    z = td.truncated(ending, best, following, sign, cut, how)
    # W: -.9 (.5 * 1 + .5 * .5); N looks at W's one step: z1 = -.9 * .5 = -.45,
    # so -.9 (.5 * -.45 + .5 * -.3) = .3375.
    assert z[2:] == pytest.approx([0.3375, -0.675, 1.0], abs=1e-12)

    following, sign = td.successors(turn, last, "literal")
    z = td.truncated(ending, best, following, sign, cut, how)
    assert sign.tolist() == [1] * 5
    assert z[3] == pytest.approx(0.675)


def test_a_partner_that_follows_counts_for_the_seat() -> None:
    turn, last = np.array([0, 2, 3]), np.array([False, False, True])  # E is out
    _, sign = td.successors(turn, last, "team")
    assert sign[:2].tolist() == [1, -1]
    _, sign = td.successors(turn, last, "negamax")
    assert sign[:2].tolist() == [-1, -1]


@pytest.mark.parametrize("steps", [1, 2, 4, 50])
@pytest.mark.parametrize("length", [1, 3, 4, 11])
def test_the_buffer_gives_the_same_targets_in_order(steps: int, length: int) -> None:
    random = np.random.default_rng(length)
    reward, values = random.normal(size=length), np.append(random.normal(size=length), 0.0)
    buffer = TruncatedBuffer(td.Truncation(TRACE, steps, GAMMA))
    learnt = []
    for t in range(length):
        ready = buffer.add(Step(t, reward[t], values[t + 1]), done=t == length - 1)
        if t < min(steps, length) - 1:
            assert ready == []  # nothing is learnt in the first m - 1 moves
        learnt += ready
    assert [entry for entry, _ in learnt] == list(range(length))
    z = td.truncated(reward, values[:-1], *chain(length), td.Truncation(TRACE, steps, GAMMA))
    assert [target for _, target in learnt] == pytest.approx(z, abs=1e-12)
    assert buffer.flush() == []


def test_watkins_cuts_where_another_move_was_made() -> None:
    random = np.random.default_rng(8)
    reward, values = random.normal(size=LENGTH), np.append(random.normal(size=LENGTH), 0.0)
    following, sign, cut = chain()
    cut[[0, 7, 8, 20]] = True
    buffer = TruncatedBuffer(td.Truncation(TRACE, 5, GAMMA))
    learnt = []
    for t in range(LENGTH):
        if cut[t]:
            learnt += buffer.flush()
        learnt += buffer.add(Step(t, reward[t], values[t + 1]), done=t == LENGTH - 1)
    z = td.truncated(reward, values[:-1], following, sign, cut, td.Truncation(TRACE, 5, GAMMA))
    assert [target for _, target in sorted(learnt)] == pytest.approx(z, abs=1e-12)
    assert z[6] == pytest.approx(reward[6] + GAMMA * values[7], abs=1e-12)


@pytest.mark.parametrize("steps", [1, 4, None])
def test_the_update_after_a_game_is_the_sum_of_errors(steps: int | None) -> None:
    random = np.random.default_rng(9)
    reward, best = random.normal(size=LENGTH), random.normal(size=LENGTH)
    following, sign, cut = chain()
    cut[[5, 6, 17]] = True
    taken = np.where(cut, best - 0.3, best)
    how = td.Truncation(TRACE, steps, GAMMA)
    errors = truncated_errors(reward, best, taken, following, sign, cut, how)
    z = td.truncated(reward, best, following, sign, cut, how)
    assert errors == pytest.approx(z - taken, abs=1e-12)
    # Without cuts the errors of moves that were not the best run on into what came before.
    naive = truncated_errors(reward, best, taken, following, sign, ~cut & False, how)
    if steps != 1:
        z = td.truncated(reward, best, following, sign, ~cut & False, how)
        assert naive[4] - (z - taken)[4] > GAMMA * TRACE * 0.3


def test_the_adaptive_trace_falls_as_published() -> None:
    closed = [td.adaptive_trace("closed", t) for t in (0, 10, 50, 100, 500, 1000)]
    assert [round(value, 2) for value in closed] == [0.90, 0.77, 0.50, 0.37, 0.17, 0.14]
    recursive = [td.adaptive_trace("recursive", t) for t in (0, 1, 2, 1000)]
    assert recursive == pytest.approx([0.9, 0.12, 0.10025, 0.1], abs=1e-12)
