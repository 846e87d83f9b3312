"""The memory of deep Q-learning: targets of the moment by hand, what acts, what is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tempo
from tempo.learners.experience import Acting, Experience, self_play
from tempo.learners.memory import Memory
from tempo.learners.registry import Samples, kind
from tempo.learners.self_play import SelfPlay
from tempo.nets.approximator import Inputs
from tempo.nets.registry import Shape, make

GAME = tempo.load("othello(size=4)")
DISCOUNT = 0.5


def seen(position: Any) -> Inputs:
    batch = GAME.batch(1, seed=1, start=position)
    return Inputs(batch.input_keys, np.zeros((1, 0), np.float32))


def table_of(values: dict[Any, float]) -> Any:
    """A table with values of positions, each for the seat to move."""
    table = make("table", GAME, Shape())
    for position, value in values.items():
        table.fit(seen(position), np.array([value], np.float32), 1.0)
    return table


def played(*moves: str) -> tuple[Experience, list[Any]]:
    """A game broken off after some moves, and its positions."""
    positions: list[Any] = [GAME.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    kept = np.empty(len(moves), object)
    kept[:] = positions[:-1]
    turn = np.array([position.turn for position in positions[:-1]], np.uint8)
    zero = np.zeros(len(moves), np.float32)
    no = np.zeros(len(moves), bool)
    inputs = Inputs.joined([seen(position) for position in positions[:-1]])
    last = np.arange(len(moves)) == len(moves) - 1
    return Experience(
        inputs, np.zeros(len(moves), np.int64), turn, np.where(turn == 0, 1, -1).astype(np.float32),
        np.zeros(len(moves), np.int32), zero, zero, zero, no, last,
        np.array([[0.25, -0.25]], np.float32), inputs, zero, no, positions=kept,
    ), positions  # fmt: skip


def remembered(games: Experience, **settings: Any) -> tuple[Memory, Any]:
    memory = Memory(GAME, 100)
    memory.add(kind("dqn").rule(games, kind("dqn").settings({"discount": DISCOUNT, **settings})))
    return memory, np.arange(len(memory))


def test_targets_by_hand() -> None:
    """Three moves: the first one's seat moves again after the second; the others' do not."""
    games, positions = played("b1", "a1", "c4")
    assert games.turn.tolist() == [0, 1, 0]
    memory, every = remembered(games)
    # Where seat 0 moves next, two moves lead to positions that are worth 0.5 and -0.75 to seat 1.
    moves = positions[2].legal_moves
    after = [positions[2].play(move) for move in moves]
    target = table_of({after[0]: 0.5, after[1]: -0.75, positions[1]: 0.125})
    found, asked = memory.drawn(every, target.evaluator(), 1)
    # The best of (-0.5, 0.75, 0, ...) for seat 0 is 0.75; the target of its first move is
    # 0 + 0.5 * 0.75, and against seat 1, which moves after it. Seat 1 does not move again: it got
    # -0.25, and after its move seat 0 is to move. The last move has no position after it.
    assert asked == len(moves) >= 2
    assert found.inputs.keys.tolist() == [games.inputs.keys[1], games.inputs.keys[2]]
    assert found.low.tolist() == [-0.375, 0.25]
    online = table_of({positions[1]: 0.125})
    online.fit(found.inputs, found.low, 0.2)
    # 0.125 + 0.2 * (-0.375 - 0.125), and 0 + 0.2 * 0.25.
    assert online.values(found.inputs).tolist() == pytest.approx([0.025, 0.05])


def test_targets_are_those_of_the_target_network_of_the_moment() -> None:
    games, positions = played("b1", "a1", "c4")
    memory, every = remembered(games)
    after = positions[2].play(positions[2].legal_moves[0])
    first, second = table_of({after: -0.5}), table_of({after: -0.75})
    assert memory.drawn(every, first.evaluator(), 1)[0].low[0] == -0.25
    same, asked = memory.drawn(every, second.evaluator(), 1)
    assert (same.low[0], asked) == (-0.25, 0)  # asked once, until it is renewed
    memory.renew()
    assert memory.drawn(every, second.evaluator(), 1)[0].low[0] == -0.375


def test_results_are_mixed_into_targets() -> None:
    games, _ = played("b1", "a1", "c4")
    memory, every = remembered(games, results=0.5)
    found, _ = memory.drawn(every, table_of({}).evaluator(), 1)
    # The results 0.25 and -0.25, seen by the other seat, count half; they are a round and half a
    # round away. After the second move nothing follows: its own target is the result as it is.
    assert found.low.tolist() == pytest.approx([-0.125 * DISCOUNT, 0.125 + 0.125 * DISCOUNT**0.5])


def test_the_targets_of_fresh_moves_are_those_of_q_learning() -> None:
    """By the network that played, every target is what Q-learning notes in play."""
    game = tempo.load("othello(size=6)")
    net = make("dense", game, Shape((8,), seed=3))
    games = self_play(game, net, Acting(random=0.3, keep=True), games=4, seed=1)
    settings = kind("q_learning").settings({"discount": 0.9, "results": 0.25})
    expected: Samples = kind("q_learning").rule(games, settings)
    memory = Memory(game, 0)
    memory.add(kind("dqn").rule(games, settings))
    found, _ = memory.drawn(np.arange(len(memory)), net.evaluator(), 1)
    assert (found.inputs.keys == expected.inputs.keys).all()
    np.testing.assert_allclose(found.low, expected.low, atol=1e-6)


def test_the_oldest_moves_are_forgotten_and_the_rest_comes_back() -> None:
    games, _ = played("b1", "a1", "c4")
    made = kind("dqn").rule(games, kind("dqn").usual)
    memory = Memory(GAME, 3)
    memory.add(made)
    memory.add(made)
    assert len(memory) == 3
    again = Memory(GAME, 3)
    again.restore(memory.arrays())
    for name, array in memory.arrays().items():
        assert array.tobytes() == again.arrays()[name].tobytes(), name
    target = table_of({}).evaluator()
    one, two = (each.drawn(np.arange(3), target, 1)[0] for each in (memory, again))
    assert (one.low == two.low).all()


def test_dqn_plays_by_what_learns_and_is_taught_by_a_copy() -> None:
    settings = kind("dqn").settings({"games": 4, "refresh": 2, "hidden": (8,), "iterations": 2})
    learner = SelfPlay("dqn", GAME, settings, seed=1)
    before = learner.approximator.arrays()["weights0"].copy()
    learner.iterate()
    net, slow = learner.approximator, learner._slow
    assert (slow.arrays()["weights0"] == before).all()
    assert (net.arrays()["weights0"] != before).any()
    expected = self_play(
        GAME, net, Acting(random=0.3, keep=True), games=4, seed=1, first=4, threads=1
    )
    assert (learner._play().value == expected.value).all()
    learner.iterate()
    assert (slow.arrays()["weights0"] == net.arrays()["weights0"]).all()
