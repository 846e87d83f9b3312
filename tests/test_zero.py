"""Guided search and its networks: what is packed, turned, learnt and hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tempo
from tempo import _core, recipes
from tempo.errors import ParseError
from tempo.games.registry import names
from tempo.learners.guided_play import GuidedPlay, Searching, mixed, uniform
from tempo.ledger import Ledger
from tempo.nets.guided import Examples, Packing, Policies, grow, symmetry_tables
from tempo.nets.policy import DensePolicy
from tempo.nets.registry import Shape, make
from tempo.recipes import general

SMALL = Shape((16,), (6,), 1)  # one shape: little is compiled
OTHELLO = tempo.load("othello(size=4)")
SEARCHING = Searching(
    simulations=6, quick=0, full=1.0, considered=4, scale=1.0, opening=2, longest=100, resign=0.0,
    checked=0.0, start="",
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


def test_policies_are_laid_end_to_end_and_taken_apart() -> None:
    policies = Policies(np.array([0, 2, 2, 5]), np.arange(5, dtype=np.uint16),
                        np.arange(5, dtype=np.float32))  # fmt: skip
    some = policies[np.array([2, 0])]
    assert some.offsets.tolist() == [0, 3, 5]
    assert some.moves.tolist() == [2, 3, 4, 0, 1]
    moves, shares = some.padded(4)
    assert moves.tolist() == [[2, 3, 4, -1], [0, 1, -1, -1]]
    assert shares.tolist() == [[2, 3, 4, 0], [0, 1, 0, 0]]
    both = Policies.joined([some, policies])
    assert len(both) == 5
    assert both[-1:].moves.tolist() == [2, 3, 4]


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


def examples(spec: str = "othello(size=4)") -> tuple[Any, Examples]:
    """Positions whose best move is their first one, and whose value is a number of their own."""
    game, batch = tempo.load(spec), played(spec, 16, 5)
    offsets, moves = batch.legal_list()
    shares = np.zeros(len(moves), np.float32)
    shares[offsets[:-1]] = 1
    values = np.linspace(-0.9, 0.9, 16).astype(np.float32)
    return game, Examples(
        Packing(game).rows(batch), Policies(offsets, moves, shares), values, -values
    )


@pytest.mark.parametrize(("net", "steps"), [("policy", 150), ("residual", 60)])
def test_networks_learn_policies_and_both_values(net: str, steps: int) -> None:
    game, given = examples()
    approximator: Any = make(net, game, SMALL)
    turned = np.zeros(16, np.int64)
    first = approximator.improve(given, turned, 0.01)
    for _ in range(steps):
        last = approximator.improve(given, turned, 0.01)
    assert last.total < 0.2 * first.total
    values, priors = approximator.ask(given.rows, given.policies.offsets, given.policies.moves)()
    np.testing.assert_allclose(values, given.values, atol=0.2)
    for i in range(16):
        part = priors[given.policies.offsets[i] : given.policies.offsets[i + 1]]
        assert part[0] == part.max()
    # The same in floats, with logits of all moves.
    features = Packing(game).features(given.rows)
    alike, logits = approximator._answer(features)
    np.testing.assert_allclose(alike, values, atol=1e-5)
    of = np.repeat(np.arange(16), np.diff(given.policies.offsets))
    expected = np.exp(logits[of, given.policies.moves] - logits.max(axis=1)[of])
    np.testing.assert_allclose(priors, expected, atol=1e-5)


def test_a_turned_example_teaches_the_turned_position() -> None:
    game, given = examples()
    net = DensePolicy(game, (), 1)
    features, moved = symmetry_tables(game)
    turned = np.arange(16) % 8
    losses = net.improve(given, turned, 0.0)
    plain = np.take_along_axis(Packing(game).features(given.rows), features[turned], axis=1)
    _, logits = net._answer(plain)
    offsets, moves = given.policies.offsets, given.policies.moves
    expected = []
    for i in range(16):
        own = logits[i][moved[turned[i]][moves[offsets[i] : offsets[i + 1]]]]
        expected.append(np.log(np.exp(own).sum()) - own[0])
    assert losses.policy == pytest.approx(np.mean(expected), rel=1e-4)


def test_examples_are_of_whole_games() -> None:
    play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), SEARCHING, 5, 1, 1)
    cost = Ledger()
    seen: list[int] = []
    for _ in range(3):
        done = play.moves(8, cost)
        moves = done.moves
        for game in np.unique(moves.game):
            own = moves.game == game
            assert len(set(done.outcome[own])) == 1
            first = int(moves.ply[own][0])
            assert moves.ply[own].tolist() == list(range(first, first + int(own.sum())))
            assert first <= SEARCHING.opening
            seen.append(int(game))
        made = done.examples(1.0, 0.8, 1.0)
        np.testing.assert_allclose(made.values, moves.sign * done.outcome, atol=1e-6)
        assert len(made.policies) == len(made) == len(moves)
        assert (np.abs(made.soon) <= 1).all()
    assert len(seen) == len(set(seen)) == play.ended == cost.games
    assert play.begun == play.ended + 5
    assert cost.evaluations > 0


def test_games_that_seem_decided_are_broken_off_unless_they_are_checked() -> None:
    found = {}
    for checked in (0.0, 1.0):
        searching = Searching(6, 0, 1.0, 4, 1.0, 0, 100, 1e-6, checked, "")
        play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), searching, 8, 1, 1)
        found[checked] = [play.moves(16, Ledger()) for _ in range(2)]
    assert max(played.resigned for played in found[0.0]) > 0.5
    assert max(played.resigned for played in found[1.0]) == 0
    assert max(played.wrongly for played in found[1.0]) > 0  # an untrained network is no judge


def test_quick_searches_give_no_policy() -> None:
    searching = Searching(8, 3, 0.5, 4, 1.0, 0, 100, 0.0, 0.0, "")
    play = GuidedPlay(OTHELLO, DensePolicy(OTHELLO, (8,), 1), searching, 4, 1, 1)
    done = play.moves(30, Ledger())
    full = np.diff(done.moves.policies.offsets) > 0
    assert 0.2 < full.mean() < 0.8
    assert len(done.examples(1.0, 0.8, 1.0)) == full.sum()


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
    with pytest.raises(ParseError, match="there is no setting 'simulations=8'"):
        general.read_settings(["simulations=8"], "td")


def test_a_residual_run_goes_on_to_the_same_bytes_and_plays(tmp_path: Any) -> None:
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
        {name: a.tobytes() for name, a in tempo.runs.Run.open(folder).trained().arrays.items()}
        for folder in (whole, pieces)
    ]
    assert last[0] == last[1]
    assert tempo.runs.Run.open(whole).ledger().gradient_steps > 0
    position: Any = OTHELLO.start()
    for spec in (str(whole), f"mcts:rule=puct,sims=6,rollout=0,eval={whole}"):
        assert tempo.agents.load(spec).choose(position).move in position.legal_moves
