"""Fast learners against the general ones whose settings they are: the same games, the same targets.

Targets are equal to the byte where both sides call `tempo.td` with the same numbers, and to
rounding where the core adds in another order or holds values as 32 bits. `regression` and `results`
of recipes are no settings of general learners: they fit probabilities by logistic regression.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tempo
from tempo import td
from tempo._core import AlphaBetaSettings, gomoku_critic, othello
from tempo.learners.experience import TABLE, Acting, Experience, Nodes, self_play
from tempo.learners.fast import tabular, tree_strap, truncated
from tempo.learners.registry import Samples, kind, samples_of
from tempo.nets.approximator import Inputs
from tempo.nets.linear import Linear
from tempo.nets.table import Table

GAME, SMALL = tempo.load("othello(size=6)"), tempo.load("othello(size=4)")
TRACE = 0.6


def start() -> Any:
    return GAME.start()


def blank(keys: Any) -> Inputs:
    """Inputs that are told apart by their keys."""
    return Inputs(np.asarray(keys, np.uint64), np.zeros((len(keys), 0), np.float32))


def linear(seed: int) -> Linear:
    """Terms of Othello with random weights."""
    net = Linear(GAME)
    noise = np.random.default_rng(seed).normal(size=len(net.weights))
    net.weights = (othello.hand_tuned_weights() + noise).astype(np.float32)
    return net


def samples_by(name: str, played: Experience, **settings: Any) -> Samples:
    found: Samples = kind(name).rule(played, kind(name).settings({"results": 0.0, **settings}))
    return found


def invented(**changed: Any) -> Experience:
    """Games of random numbers: 40 moves, two seats that do not always take turns."""
    random, count = np.random.default_rng(3), 40
    turn = random.integers(2, size=count).astype(np.uint8)
    last = np.isin(np.arange(count), (9, 10, 27, 39))
    game: NDArray[np.int64] = np.cumsum(last) - last
    numbers = random.uniform(-1, 1, (4, count)).astype(np.float32)
    sign = np.where(turn == 0, 1, -1).astype(np.float32)
    result = random.choice([-1, 0, 1], 4).astype(np.float32)
    made = Experience(
        blank(np.arange(count)), game, turn, sign, np.zeros(count, np.int32), numbers[0],
        numbers[1], np.minimum(numbers[1], numbers[2]), numbers[2] < numbers[1], last,
        np.stack([result, -result], 1), blank(np.arange(count) + 100),
        random.choice([-1, 1], count).astype(np.float32), random.random(count) < 0.8,
    )  # fmt: skip
    return replace(made, **changed)


# ---- terms of a search ---------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2])
def test_td_leaf_sums_the_gradient_of_the_general_samples(depth: int) -> None:
    """A whole game in the core, and the same through experience, samples and the linear loss."""
    net = linear(1)
    played = self_play(
        GAME, net, Acting(depth=depth, random=0, opening=0, record=1), games=1, seed=1
    )
    made = samples_by("td_leaf", played, trace=TRACE, discount=1.0)
    search = AlphaBetaSettings(depth=depth, table_bytes=TABLE)
    sums = othello.leaf_games(
        net.evaluator(), start(), search, TRACE, 0, 0, seed=1, first=0, count=1
    )
    assert (sums.moves, sums.leaves) == (len(played), len(made))
    assert sums.leaves >= 20
    errors = net.values(made.inputs).astype(np.float64) - made.low
    assert sums.squares == pytest.approx(float(np.sum(errors**2)), rel=1e-4)
    expected = errors @ made.inputs.features / othello.half_win
    np.testing.assert_allclose(sums.gradient, expected, rtol=1e-4, atol=1e-6)


def test_tree_strap_learns_from_the_nodes_of_the_general_one() -> None:
    """The search of a position proves the same bounds, and the loss is that of the same targets."""
    net, record = linear(2), 500
    settings = tree_strap.Settings(
        games=1, depth=3, record=record, random_share=0, opening=0, outcome_share=0
    )
    fast = tree_strap.TreeStrap(
        othello, lambda _: GAME.start(), settings, seed=1, weights=net.weights
    )
    played = self_play(
        GAME, net, Acting(depth=3, random=0, opening=0, record=record), games=1, seed=1
    )
    for _ in range(4):
        searched = othello.AlphaBeta(
            net.evaluator(),
            AlphaBetaSettings(depth=3, table_bytes=TABLE, reduce=True, record=record),
        )
        position: Any = fast._games[0].position
        searched.search(position)
        terms, low, high = searched.nodes()
        assert played.nodes is not None
        count = len(low)
        proved = samples_by("tree_strap", played)[:count]
        assert (proved.inputs.features == terms).all()
        assert (proved.low == low).all()
        assert (proved.high == high).all()
        values = net.values(proved.inputs)
        loss = np.mean((values - td.tree_strap(values, proved.low, proved.high)) ** 2)
        assert loss > 0
        fast.weights = net.weights
        assert fast.iterate()["loss"] == pytest.approx(float(loss), rel=1e-5)
        rest = played.nodes
        later = Nodes(rest.inputs[count:], rest.low[count:], rest.high[count:], rest.ply[count:])
        played = replace(played, nodes=later)


# ---- endings written down as graphs --------------------------------------------------------------


@pytest.mark.parametrize("name", ["td", "td_leaf", "td_stem", "td_root", "root_strap"])
def test_targets_of_endings_are_the_general_ones(name: str) -> None:
    """Positions and leaves are numbers of nodes; seat 0 looks at all of them there."""
    pytest.importorskip("jax", reason="needs the extra `deep`")
    from tempo.learners.fast import search_td  # noqa: PLC0415 - needs JAX

    played = invented(explored=np.zeros(40, bool))
    played = replace(played, leaf_sign=played.sign * np.sign(np.sin(np.arange(40) + 1.0)))
    trace = 0.0 if name == "td_root" else TRACE
    made = samples_by(name, played, trace=trace, discount=0.9**2, steps=5)  # two moves a round
    end = np.zeros(140, np.int8)
    end[100:][~played.evaluated] = 3
    learner = search_td.SearchTD.__new__(search_td.SearchTD)
    learner.settings = search_td.Settings(rule=name, discount=0.9)
    nothing: Any = None
    learner.game = search_td.GameGraph(nothing, nothing, nothing, end, nothing, nothing, nothing)
    own, found, leaves = np.zeros(140, "f4"), np.zeros(140, "f4"), np.zeros(140, "i4")
    own[:40], found[:40] = played.sign * played.value, played.sign * played.best
    leaves[:40] = np.arange(40) + 100
    lengths = np.diff(np.flatnonzero(played.last), prepend=-1).astype(np.int32)
    states = np.full((4, lengths.max()), -1, np.int32)
    for i, length in enumerate(lengths):
        states[i, :length] = np.arange(40, dtype=np.int32)[played.game == i]
    stage = search_td.Stage(1, 1, trace=trace, steps=5)
    fast = learner._samples(
        search_td.Searched([own, found], leaves, leaves), (states, lengths, played.scores[:, 0]),
        stage,
    )  # fmt: skip
    if name == "td_leaf":  # whose search discounts: the general one does not
        fast = replace(fast, targets=fast.targets * 0.9**stage.depth)
    counted = fast.weights > 0
    inputs = fast.inputs[counted]
    seat = {**dict(enumerate(played.sign)), **dict(enumerate(played.sign * played.leaf_sign, 100))}
    sign = np.array([seat[int(node)] for node in inputs])
    assert inputs.tolist() == made.inputs.keys.tolist()
    expected = samples_of(made.inputs, sign * fast.targets[counted]).low  # from -1 to 1, as values
    np.testing.assert_allclose(made.low, expected, atol=1e-6)


# ---- moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["q_learning", "q_lambda", "ttd"])
@pytest.mark.parametrize("successor", ["own_turn", "team"])
def test_truncated_targets_are_the_general_ones(rule: Any, successor: td.Successor) -> None:
    played = invented()
    settings = truncated.Settings(
        rule=rule, successor=successor, trace=TRACE, steps=5, cut_on_explore=rule == "q_lambda"
    )
    learner = truncated.Truncated.__new__(truncated.Truncated)
    learner.settings, learner.games = settings, 0
    lengths = np.diff(np.flatnonzero(played.last), prepend=-1).astype(np.int32)
    no_rows: Any = np.zeros((40, 0), np.float32)
    targets = learner.targets(
        truncated.Played(
            no_rows, played.taken, played.best, played.turn, no_rows, lengths, played.scores, 0
        )
    )
    given = {"trace": TRACE, "steps": 0 if rule == "q_lambda" else 5, "successor": successor}
    explored = replace(played, explored=played.taken < played.best)
    made = samples_by(rule, explored, discount=settings.discount, **given)
    kept = np.flatnonzero(~played.last)
    sign = played.sign[kept] * played.sign[kept + 1]
    assert (made.low == samples_of(made.inputs, sign * targets[kept]).low).all()


class OneGame:
    """The end of a game of Othello by the table's protocol: only the last move earns something."""

    games, seats, is_tree = 1, 2, False

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.position: Any = SMALL.start()
        for _ in range(7):
            self.position = self.position.play(self.position.legal_moves[0])

    @property
    def turns(self) -> NDArray[np.uint8]:
        return np.array([self.position.turn], np.uint8)

    def legal_mask(self) -> NDArray[np.bool_]:
        mask = np.zeros((1, SMALL.move_numbers), bool)
        if not self.position.is_over:
            mask[0, list(self.position.legal_moves)] = True
        return mask

    def next_keys(self) -> NDArray[np.uint64]:
        keys = np.zeros((1, SMALL.move_numbers), np.uint64)
        for move in self.position.legal_moves:
            after = SMALL.batch(1, seed=1, start=self.position.play(move))
            keys[0, move] = after.input_keys[0]
        return keys

    def play(self, moves: NDArray[np.integer]) -> NDArray[np.float64]:
        mover, self.position = self.position.turn, self.position.play(int(moves[0]))
        over = self.position.outcome
        return np.array([over.scores[mover] if over else 0.0])


@pytest.mark.parametrize("rule", ["sarsa", "q_learning"])
def test_a_table_learns_as_the_general_one_does(rule: Any) -> None:
    """Games by the fast learner; after each the general one's table holds the same values.

    The fast one values a move for the seat that makes it, the general one the position after it
    for the seat that moves there. The end alone differs: the fast table learns the last move, too.
    """
    settings = tabular.Settings(
        rule=rule, successor="team", discount=0.9, step_size=0.5, exploration="0.5", parallel=1
    )
    fast, general = tabular.Tabular(OneGame(), settings, seed=4), Table(SMALL)
    largest, repeated = 0.0, 0
    for _ in range(30):
        played = fast.play()
        count, keys = len(played.turn), played.keys
        sign = np.where(played.turn == 0, 1, -1).astype(np.float32)
        turned = sign[:-1] * sign[1:]
        before = turned * general.values(blank(keys[:-1]))
        np.testing.assert_allclose(before, played.taken[:-1], atol=1e-6)
        first = float(played.reward[-1] * sign[-1])
        same = invented(
            inputs=blank(np.append(np.uint64(0), keys[:-1])), game=np.zeros(count, np.int64),
            turn=played.turn, sign=sign, best=played.ahead, last=played.last,
            taken=np.append(before, played.taken[-1]),
            scores=np.array([[first, -first]], np.float32),
        )  # fmt: skip
        made = samples_by(rule, same, discount=0.9, successor="team")
        general.fit(made.inputs, made.low, 0.5)
        fast.learn(played)
        values = turned * fast.table.read(keys[:-1])[0]
        np.testing.assert_allclose(general.values(blank(keys[:-1])), values, atol=1e-6)
        largest, repeated = max(largest, float(np.abs(values).max())), repeated + int(before.any())
    assert largest > 0.1
    assert repeated > 5


def test_the_critic_follows_the_general_rule() -> None:
    """Gomoku's critic moves a position towards that after the next move of either seat.

    That is the general `adp` with successors of the team. The end alone differs: the critic in the
    core learns the last position, too, whose result the general one takes as it is.
    """
    game = tempo.load("gomoku(size=9)")
    options: Any = game.options
    critic = gomoku_critic.Critic(options, hidden=8)
    random = np.random.default_rng(5)
    critic.load(*(random.uniform(-0.5, 0.5, part.shape).astype("f4") for part in critic.weights()))
    idle = gomoku_critic.LearningRule(repeats=0, discount=1.0)
    firsts = np.zeros(1, np.uint8)
    rule = gomoku_critic.PlayRule(random_share=0.3)
    moves, _, lengths, results, squares, *_ = critic.teach_itself(firsts, 6, 0, idle, rule)
    positions: list[Any] = [game.start()]
    for move in moves:
        positions.append(positions[-1].play(int(move)))
    count = int(lengths[0])
    worth = 2 * critic.values(positions, first=0) - 1  # for seat 0
    turn = (np.arange(count) % 2).astype(np.uint8)
    sign = np.where(turn == 0, 1, -1).astype(np.float32)
    result = np.array([[2 * results[0] - 1, 1 - 2 * results[0]]], np.float32)
    taken = sign * worth[1:]
    taken[-1] = result[0, turn[-1]]
    same = invented(
        inputs=blank(np.arange(count)), game=np.zeros(count, np.int64), turn=turn, sign=sign,
        taken=taken, last=np.arange(count) == count - 1, scores=result,
    )  # fmt: skip
    made = samples_by("adp", same, discount=1.0, successor="team")
    targets = dict(zip(made.inputs.keys.tolist(), (sign[1:] * made.low).tolist(), strict=True))
    inner = [targets[t] - worth[t] for t in range(1, count - 1)]
    start, end = worth[1] - worth[0], [worth[-1] - worth[-2], 2 * results[0] - 1 - worth[-1]]
    errors = np.array([start, *inner, *end]) / 2  # a critic's values lie from 0 to 1
    assert count > 15
    assert squares[0] == pytest.approx(float(np.sum(errors**2)), rel=1e-3)


def test_steps_of_the_fast_dqn_are_the_general_ones() -> None:
    """One step ahead, with results at the end of a game, `n_step` makes the same parts."""
    played = invented()
    positions = np.empty(40, object)
    positions[:] = list(range(40))
    moves = kind("dqn").rule(
        replace(played, positions=positions),
        kind("dqn").settings({"discount": 0.9, "successor": "team"}),
    )
    reward = np.where(played.last, played.result, 0)
    no = np.zeros((2, 39), bool)
    pair = np.stack([np.arange(39), np.arange(1, 40)])
    ahead = td.n_step(
        reward[pair], played.turn[pair], played.last[pair], no, no,
        discount=0.9, steps=1, successor="team",
    )  # fmt: skip
    kept = np.flatnonzero(~played.last)
    assert (ahead.gain[kept] == moves.gain).all()
    assert (ahead.factor[kept] == moves.factor).all()
    assert (kept + ahead.offset[kept] == moves.following.astype(int)).all()
