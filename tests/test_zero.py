"""Guided search and its networks: what is packed, turned, learnt and hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tempo
from tempo import _core, agents, recipes
from tempo.errors import ParseError
from tempo.games.registry import names
from tempo.learners.guided_play import GuidedPlay, Searching, mixed, uniform
from tempo.learners.ring import Ring
from tempo.ledger import Ledger
from tempo.nets import residual
from tempo.nets.guided import NO_MOVE, Examples, Packing, grow, in_columns, symmetry_tables
from tempo.nets.policy import DensePolicy
from tempo.nets.registry import Shape, make
from tempo.recipes import general
from tempo.runs import Run

SMALL = Shape((16,), (6,), 1)  # one shape: little is compiled
OTHELLO = tempo.load("othello(size=4)")
SEARCHING = Searching(
    simulations=6, quick=0, full=1.0, considered=4, scale=1.0, opening=2, longest=100, resign=0.0,
    checked=0.0, start="", practice=True, trace=1.0, soon=0.8, discount=1.0,
)  # fmt: skip


def gumbel(games: int, threads: int = 1, **given: Any) -> Any:
    return _core.MonteCarloSettings(
        selection="gumbel", rollout_moves=0, noise_fraction=1.0, threads=threads,
        memory=games << 19, **{"simulations": 8, **given},
    )  # fmt: skip


def played(spec: str, games: int = 6, plies: int = 9) -> Any:
    batch: Any = tempo.load(spec).batch(games, seed=3)
    batch.playout(plies)
    return batch


@pytest.mark.parametrize("name", names())
def test_features_in_bits_are_the_features(name: str) -> None:
    game = tempo.load(name)
    for plies in (0, 7, 60):
        batch = played(name, plies=plies)
        packing = Packing(game)
        assert packing.is_packed
        rows = packing.rows(batch)
        assert rows.dtype == np.uint8
        assert rows.shape[1] == -(-packing.numbers // 8) + 4 * len(packing.scaled)
        np.testing.assert_array_equal(packing.features(rows), batch.features().reshape(6, -1))


@pytest.mark.parametrize("name", names())
def test_features_and_moves_turn_with_the_board(name: str) -> None:
    game = tempo.load(name)
    features, moved = symmetry_tables(game)
    assert len(features) == len(moved) == (game.symmetries if len(features) > 1 else 1)
    batch = played(name)
    for i in range(len(batch)):
        position = batch[i]
        if position.is_over:
            continue
        for s in range(len(features)):
            turned = position.transformed(s) if s else position
            flat = position.features().ravel()[features[s]]
            np.testing.assert_array_equal(turned.features().ravel(), flat)
            assert sorted(moved[s][list(position.legal_moves)]) == sorted(turned.legal_moves)


def test_policies_stand_in_columns() -> None:
    offsets, listed = np.array([0, 2, 2, 5]), np.arange(5, dtype=np.uint16)
    moves, shares = in_columns(offsets, listed, np.array([0.5, 0.5, 0.25, 0.25, 0.5], np.float32))
    assert moves.shape == shares.shape == (3, 16)
    assert moves[:, :4].tolist() == [[0, 1, NO_MOVE, NO_MOVE], [NO_MOVE] * 4, [2, 3, 4, NO_MOVE]]
    assert shares.sum(axis=1).tolist() == [1, 0, 1]
    many = np.ones(20, np.float32)
    assert in_columns(np.array([0, 20]), many.astype(np.uint16), many)[0].shape == (1, 32)


def test_a_ring_keeps_the_latest_and_comes_back() -> None:
    def numbered(first: int, count: int, columns: int = 16) -> Examples:
        numbers: Any = np.arange(first, first + count)
        rows = numbers[:, None].astype(np.uint8)
        moves = np.tile(numbers[:, None], columns).astype(np.uint16)
        return Examples(rows, moves, moves.astype(np.float16), numbers / 100, -numbers / 100)

    ring = Ring(10)
    for part in (numbered(0, 4), numbered(4, 4, 32), numbered(8, 5)):
        ring.add(part)
    assert len(ring) == 10
    assert sorted(ring[np.arange(10)].rows[:, 0].tolist()) == list(range(3, 13))
    again = Ring(10)
    again.restore(ring.arrays())
    for each in (ring, again):
        each.add(numbered(13, 3))
    assert {n: a.tobytes() for n, a in ring.arrays().items()} == {
        n: a.tobytes() for n, a in again.arrays().items()
    }
    assert sorted(again[np.arange(10)].rows[:, 0].tolist()) == list(range(6, 16))
    ring.add(numbered(20, 30))
    assert sorted(ring[np.arange(10)].rows[:, 0].tolist()) == list(range(40, 50))


def test_a_search_in_steps_depends_on_seeds_alone() -> None:
    net = DensePolicy(OTHELLO, (8,), 1)
    found = []
    for threads in (1, 2):
        batch = played("othello(size=4)", 4, 4)
        search: Any = OTHELLO.core.ManySearch(gumbel(4, threads), 4)
        for _ in range(threads):  # the second time on trees that were used
            search.begin(batch, np.array([8, 0, 8, 20]), np.array([5, 5, 5, 6], np.uint64))
            grow([search], net)
        found.append([part.tolist() for part in search.policies()])
        legal = [batch[i].legal_moves for i in range(4)]
    assert found[0] == found[1]
    moves, values, offsets, listed, shares = found[0]
    assert moves[1] == -1
    assert offsets[1] == offsets[2]
    for i in (0, 2, 3):
        part = slice(offsets[i], offsets[i + 1])
        assert sorted(listed[part]) == sorted(legal[i])
        assert sum(shares[part]) == pytest.approx(1)
        assert moves[i] in legal[i]
        assert -1 <= values[i] <= 1


def test_a_search_of_a_hidden_game_knows_no_more_than_its_seat() -> None:
    game: Any = tempo.load("siguo")
    net = DensePolicy(game, (4,), 1)
    truth = game.start(seed=1)
    other = truth.view(truth.turn).sample(99)
    assert truth != other
    assert truth.view(truth.turn) == other.view(truth.turn)
    found = []
    for position in (truth, other):
        batch = game.batch(1, start=position)
        search = game.core.ManySearch(gumbel(1), 1)
        search.begin(batch, np.array([8]), np.array([5], np.uint64))
        grow([search], net)
        found.append([part.tolist() for part in search.policies()])
    assert found[0] == found[1]


def test_steps_refuse_answers_to_other_questions() -> None:
    batch, search = played("othello(size=4)", 2, 2), OTHELLO.core.ManySearch(gumbel(2), 2)
    with pytest.raises(ParseError, match="simulations cannot be negative"):
        search.begin(batch, np.array([8, -1]), np.zeros(2, np.uint64))
    with pytest.raises(ParseError, match="the batch has 2 games, the search 3"):
        OTHELLO.core.ManySearch(gumbel(3), 3).begin(batch, np.ones(3, int), np.zeros(3, np.uint64))
    search.begin(batch, np.array([8, 8]), np.zeros(2, np.uint64))
    rows, _, moves = search.gather()
    for values, priors in ((3, len(moves)), (2, len(moves) + 1)):
        with pytest.raises(ParseError, match=r"for 2 leaves|priors for"):
            search.apply(np.zeros(values, np.float32), np.ones(priors, np.float32))
    search.apply(np.zeros(len(rows), np.float32), np.ones(len(moves), np.float32))
    other = _core.MonteCarloSettings(simulations=8, selection="puct", rollout_moves=0)
    with pytest.raises(ParseError, match="'gumbel' alone"):
        OTHELLO.core.ManySearch(other, 2).policies()
    with pytest.raises(ValueError, match="rollout_moves must be 0"):
        OTHELLO.core.ManySearch(_core.MonteCarloSettings(selection="gumbel"), 2)


def examples() -> Examples:
    """Positions whose best move is their first one, and whose value is a number of their own."""
    batch = played("othello(size=4)", 64, 5)
    offsets, listed = batch.legal_list()
    moves, shares = in_columns(offsets, listed, np.zeros(len(listed), np.float32))
    shares[:, 0] = 1
    which = np.unique(batch.input_keys, return_index=True)[1][:16]
    values = np.linspace(-0.9, 0.9, 16).astype(np.float32)
    rows = Packing(OTHELLO).rows(batch)
    return Examples(rows[which], moves[which], shares[which], values, -values)


def legal_of(given: Examples) -> tuple[Any, Any, Any]:
    """The moves one after another, with where they begin and whose they are."""
    of, column = np.nonzero(given.moves != NO_MOVE)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(given)))])
    return offsets, given.moves[of, column], of


def check_learning(approximator: Any, steps: int) -> None:
    """It learns examples by heart, and says the same of rows and of floats."""
    given, turned = examples(), np.zeros(16, np.int64)
    first = approximator.improve(given, turned, 0.01)
    for _ in range(steps):
        last = approximator.improve(given, turned, 0.01)
    assert last.total < 0.2 * first.total
    offsets, moves, of = legal_of(given)
    values, priors = approximator.ask(given.rows, offsets, moves)()
    np.testing.assert_allclose(values, given.values, atol=0.2)
    assert (np.maximum.reduceat(priors, offsets[:-1]) == priors[offsets[:-1]]).all()
    alike, later = approximator.answer(Packing(OTHELLO).features(given.rows))
    np.testing.assert_allclose(alike, values, atol=1e-5)
    expected = np.exp(np.asarray(later)[of, moves])
    sums = [np.bincount(of, weights=part)[of] for part in (priors, expected)]
    np.testing.assert_allclose(priors / sums[0], expected / sums[1], atol=1e-5)


def test_a_dense_network_learns_policies_and_both_values() -> None:
    check_learning(make("policy", OTHELLO, SMALL), 150)


def test_few_moves_of_many_are_valued_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    net, given = DensePolicy(OTHELLO, (8,), 1), examples()
    offsets, moves, _ = legal_of(given)
    found = []
    for few in (0, 10**6):
        monkeypatch.setattr("tempo.nets.policy.FEW", few)
        found.append(net.ask(given.rows, offsets, moves)()[1])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)


def test_a_turned_example_teaches_the_turned_position() -> None:
    given, net = examples(), DensePolicy(OTHELLO, (), 1)
    features, moved = symmetry_tables(OTHELLO)
    turned = np.arange(16) % 8
    losses = net.improve(given, turned, 0.0)
    plain = Packing(OTHELLO).features(given.rows)
    logits = np.asarray(net.answer(np.take_along_axis(plain, features[turned], axis=1))[1])
    offsets, moves, _ = legal_of(given)
    expected = []
    for i in range(16):
        own = logits[i][moved[turned[i]][moves[offsets[i] : offsets[i + 1]]]]
        expected.append(np.log(np.exp(own).sum()) - own[0])
    assert losses.policy == pytest.approx(np.mean(expected), rel=1e-4)


def test_examples_are_of_whole_games() -> None:
    play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), SEARCHING, 5, 1, 1)
    cost, lengths, made = Ledger(), 0, 0
    for _ in range(4):
        done = play.moves(8, cost)
        lengths += int(done.lengths.sum())
        made += len(done.examples)
        assert set(np.abs(done.examples.values)) <= {0.0, 1.0}
        assert (np.abs(done.examples.soon) <= 1).all()
        sums = done.examples.shares.astype(np.float32).sum(axis=1)
        np.testing.assert_allclose(sums, 1, atol=0.01)
    assert play.ended == cost.games > 4
    assert play.begun == play.ended + 5
    assert lengths - 2 * play.ended <= made <= lengths  # up to two moves of each were random
    assert made < cost.moves < cost.evaluations


def test_values_are_those_of_the_mover() -> None:
    play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), SEARCHING, 1, 1, 1)
    done = play.moves(14, Ledger())
    assert len(done.scores) == 1
    # Plane 3 says that the seat to move looks, the start has two discs each: who moves is known by
    # the parity of empty points, unless a side passed.
    features = Packing(OTHELLO).features(done.examples.rows).reshape(-1, 4, 16)
    discs = features[:, :2].sum(axis=(1, 2)).astype(int)
    assert (np.diff(discs) >= 0).all()
    first = discs[0] % 2 == 0
    assert done.examples.values[0] == (done.scores[0] if first else -done.scores[0])
    assert (np.abs(done.examples.values) == abs(done.scores[0])).all()


def test_games_that_seem_decided_are_broken_off_unless_they_are_checked() -> None:
    found = {}
    for checked in (0.0, 1.0):
        searching = replace(SEARCHING, opening=0, resign=1e-6, checked=checked)
        play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), searching, 8, 1, 1)
        found[checked] = play.moves(32, Ledger())
    assert found[0.0].resigned > 0.5 * len(found[0.0].scores)
    assert found[0.0].called == 0
    assert found[1.0].resigned == 0
    assert 0 < found[1.0].wrongly < found[1.0].called  # an untrained network is no judge


def test_quick_searches_give_no_policy() -> None:
    searching = replace(SEARCHING, quick=3, full=0.5, opening=0)
    play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), searching, 4, 1, 1)
    done = play.moves(30, Ledger())
    assert 0.2 < len(done.examples) / done.lengths.sum() < 0.8


def test_numbers_are_mixed_the_same_way_for_one_and_for_many() -> None:
    games = np.arange(1000)
    draws = uniform(7, games, 3)
    assert draws[5] == uniform(7, 5, 3)[0]
    assert abs(draws.mean() - 0.5) < 0.05
    assert len(set(mixed(7, games, 4).tolist())) == 1000


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"net": "dense"}, "zero needs a net with a policy: policy or residual, not dense"),
        ({"simulations": 1}, "simulations is 2 or more"),
        ({"plies": 0}, "plies is 1 or more"),
        ({"resign": 2.0}, "resign is from 0 to 1"),
        ({"quick": -1}, "quick is 0 or more"),
    ],
)
def test_settings_that_make_no_sense(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ParseError, match=says):
        general.recipe_of("zero", "othello(size=4)", given)


def test_settings_of_its_own_are_read() -> None:
    assert general.read_settings(["simulations=8", "resign=0.9"], "zero") == {
        "simulations": 8, "resign": 0.9
    }  # fmt: skip
    with pytest.raises(ParseError, match="there is no setting 'resign'"):
        general.read_settings(["resign=0.9"], "td")


# One test of everything in JAX: what is compiled serves all of it.
def test_a_residual_network_learns_goes_on_to_the_same_bytes_and_plays(tmp_path: Path) -> None:
    net: Any = make("residual", OTHELLO, SMALL)
    check_learning(net, 60)
    x = jnp.asarray(np.random.default_rng(1).normal(size=(2, 4, 4, 4)), jnp.float32)
    ways = [residual._convolved(net.sizes._replace(half=half), net.weights, "stem", x)
            for half in (False, True)]  # fmt: skip
    np.testing.assert_allclose(ways[0], ways[1], atol=1e-4)  # on a CPU and on a GPU
    short = {
        "net": "residual", "channels": (6,), "hidden": (16,), "games": 4, "simulations": 4,
        "plies": 12, "iterations": 2, "batch": 16, "passes": 1, "exam": 0,
    }  # fmt: skip
    recipe = general.recipe_of("zero", "othello(size=4)", short)
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    recipes.train(recipe, seed=3, out=whole, checkpoint_seconds=0)
    recipes.train({**recipe, "iterations": 1}, seed=3, out=pieces, checkpoint_seconds=0)
    recipes.train(recipe, seed=3, out=pieces, resume=True)
    last = [
        {name: a.tobytes() for name, a in Run.open(folder).trained().arrays.items()}
        for folder in (whole, pieces)
    ]
    assert last[0] == last[1]
    assert Run.open(whole).ledger().gradient_steps > 0
    position: Any = OTHELLO.start()
    for spec in (str(whole), f"mcts:rule=puct,sims=6,rollout=0,eval={whole}"):
        assert agents.load(spec).choose(position).move in position.legal_moves
