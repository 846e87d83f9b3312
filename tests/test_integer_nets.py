"""Networks in integers: core and NumPy agree to the bit, teaching lowers the loss, runs resume."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

import tempo
from tempo import _core, agents, recipes
from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.learners.bulk import in_bulk
from tempo.learners.experience import Acting
from tempo.learners.registry import kind
from tempo.learners.self_play import SelfPlay
from tempo.learners.settings import Settings
from tempo.learners.targets import learnable
from tempo.nets.approximator import Inputs
from tempo.nets.incremental import Incremental, Sparse
from tempo.nets.lines import Lines, pattern_numbers, patterns_of, split
from tempo.nets.registry import Shape, make
from tempo.nets.stored import read_rounded
from tempo.recipes import general
from tempo.runs import Run

teaching = pytest.importorskip("tempo.nets.teaching", reason="needs the extra `deep`")

SEED = 17
SPARSE = ["shogi", "minishogi", "othello", "othello(size=6)"]


def positions(game: Game, count: int = 40) -> Any:
    """A batch of games at random places, none of them over."""
    print(f"seed {SEED}")
    batch: Any = game.batch(count, seed=SEED)
    random = np.random.default_rng(SEED)
    stops = random.integers(0, 12 if game.name == "othello" else 60, count)
    for ply in range(int(stops.max())):
        offsets, moves = batch.legal_list()
        drawn = [
            int(random.choice(moves[a:b])) if b > a and ply < stop else -1
            for a, b, stop in zip(offsets[:-1], offsets[1:], stops, strict=True)
        ]
        batch.play(np.array(drawn, np.int32))
    return batch


def layers(random: np.random.Generator, sizes: list[int]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        made[f"dense{i}.weights"] = random.integers(-127, 128, (outputs, inputs)).astype(np.int8)
        made[f"dense{i}.bias"] = random.integers(-5000, 5000, outputs).astype(np.int32)
    return made


def incremental(game: Game, width: int = 32) -> Incremental:
    sparse, random = Sparse.of(game.core), np.random.default_rng(SEED)
    return Incremental(
        {
            "version": np.frombuffer(sparse.version.encode(), np.uint8),
            "rows": random.integers(-40, 41, (sparse.count, width)).astype(np.int8),
            "bias": random.integers(0, 200, width).astype(np.int16),
            **layers(random, [2 * width, 16, 8, 1]),
        }
    )


def lines(game: Game) -> Lines:
    random = np.random.default_rng(SEED)
    return Lines(
        {
            "version": np.frombuffer(game.core.line_board.encode(), np.uint8),
            "rows": random.integers(-90, 91, (int(pattern_numbers().max()), 32)).astype(np.int8),
            "bias": random.integers(-50, 50, 32).astype(np.int16),
            "policy": random.integers(-127, 128, 32).astype(np.int8),
            **layers(random, [32, 16, 8, 1]),
        }
    )


@pytest.mark.parametrize("spec", SPARSE)
def test_the_core_and_numpy_agree_to_the_bit(spec: str) -> None:
    game = tempo.load(spec)
    batch, network = positions(game), incremental(game)
    going = ~batch.over
    ours = network.values(Sparse.of(game.core).active(batch.packed()))
    theirs = batch.values(game.core.Evaluator.quantized(network.network))
    assert len(set(ours[going].tolist())) > 5
    np.testing.assert_array_equal(ours[going], theirs[going])


@pytest.mark.parametrize("spec", ["gomoku", "gomoku(size=6)"])
def test_lines_of_the_core_and_of_numpy_agree_to_the_bit(spec: str) -> None:
    game = tempo.load(spec)
    batch, network = positions(game), lines(game)
    going = ~batch.over
    cells, best = split(batch.packed())
    assert (best == 0xFFFF).all()
    theirs = batch.values(game.core.Evaluator.quantized(network.network))
    np.testing.assert_array_equal(network.values(cells)[going], theirs[going])
    assert len(set(theirs[going].tolist())) > 5


def test_patterns_are_those_of_the_line_through_a_point() -> None:
    cells = np.zeros((1, 7, 7), np.uint8)
    cells[0, 3, 1:4] = 1, 1, 2
    found = patterns_of(cells, pattern_numbers())
    row = [3, 0, 1, 1, 2, 0, 0, 0, 3]  # around the point in the middle, edges included
    code = sum(cell << (2 * i) for i, cell in enumerate(row))
    assert found[0, 0, 3, 3] == pattern_numbers()[code]
    mirrored = sum(cell << (2 * i) for i, cell in enumerate(reversed(row)))
    assert pattern_numbers()[mirrored] == pattern_numbers()[code]


def test_files_that_do_not_fit_are_refused_in_a_sentence(tmp_path: Path) -> None:
    othello, good = tempo.load("othello"), incremental(tempo.load("othello"))
    cases = {
        "has no 'rows'": {k: v for k, v in good.arrays.items() if k != "rows"},
        "expected int8": {**good.arrays, "rows": good.arrays["rows"].astype(np.int16)},
        "steps of 32": {**good.arrays, "rows": good.arrays["rows"][:, :31].copy()},
        "takes 64 inputs": {**good.arrays, "bias": np.zeros(96, np.int16),
                            "rows": np.zeros((128, 96), np.int8)},
    }  # fmt: skip
    for sentence, arrays in cases.items():
        path = str(tmp_path / "net.safetensors")
        save_file(arrays, path)
        with pytest.raises(ParseError, match=sentence):
            read_rounded(path)
    with pytest.raises(ValueError, match="othello-discs"):
        tempo.load("shogi").core.Evaluator.quantized(good.network)
    Path(path).write_text("no tensors")
    with pytest.raises(ParseError, match="cannot be read"):
        read_rounded(path)
    assert othello.core.Evaluator.quantized(good.network).multiply_adds > 0


@pytest.mark.parametrize("spec", ["shogi", "gomoku"])
def test_threads_do_not_change_games(spec: str) -> None:
    game = tempo.load(spec)
    network: Any = lines(game) if spec == "gomoku" else incremental(game)
    evaluator = game.search.Evaluator.quantized(network.network)
    settings = _core.AlphaBetaSettings(positions=60, table_bytes=1 << 16)
    one, two = (
        game.search.network_games(
            evaluator, game.start(), settings, 0.1, 8, 40, SEED, 5, 4, threads, 0.5, 0.8
        )
        for threads in (1, 2)
    )
    assert one.keys() == two.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], two[name])
    assert len(np.unique(one["game"])) == 4
    assert one["inputs"].shape == one["leaves"].shape
    assert np.abs(one["best"]).max() <= 1
    asides = len(one["aside_best"])
    assert 0 < asides < len(one["game"])
    assert one["aside_inputs"].shape == (asides, one["inputs"].shape[1])
    assert one["aside_keys"].shape == (asides,)
    assert np.abs(one["aside_best"]).max() <= 1


def test_openings_are_drawn_until_the_search_finds_one_even() -> None:
    game = tempo.load("gomoku")
    evaluator = game.search.Evaluator.static()
    settings = _core.AlphaBetaSettings(positions=200, table_bytes=1 << 16)

    def first_values(even: float) -> Any:
        played: dict[str, Any] = game.search.network_games(
            evaluator, game.start(), settings, 0.0, 12, 1, SEED, 0, 40, 1, 0.0, even
        )
        assert len(played["best"]) == 40  # one move a game
        return np.abs(played["best"])

    assert first_values(1.0).max() > 0.3 >= first_values(0.3).max()


def test_positions_off_the_line_are_learnt_from_their_searches_alone() -> None:
    game = tempo.load("gomoku(size=7)")
    approximator = taught("gomoku(size=7)", "lines", (32, 8))
    acting = Acting(random=0.0, opening=4, longest=60, detours=1.0)
    played = in_bulk(game, approximator, acting, 100, games=4, seed=SEED, first=0, threads=1)
    assert played.asides is not None
    keys, first = np.unique(played.asides.inputs.keys, return_index=True)
    samples: Any = kind("regression").rule(played, Settings(results=1.0, discount=1.0, quiet=True))
    np.testing.assert_array_equal(samples.inputs.keys[-len(keys) :], keys)
    np.testing.assert_array_equal(samples.low[-len(keys) :], played.asides.low[first])
    assert set(np.unique(samples.low[: -len(keys)])) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("symmetry", range(8))
def test_a_board_turned_or_mirrored_has_the_same_value_by_lines(symmetry: int) -> None:
    game = tempo.load("gomoku(size=9)")
    cells, _ = split(positions(game).packed())
    turned = np.rot90(cells.transpose(0, 2, 1) if symmetry & 4 else cells, symmetry & 3, (1, 2))
    network = lines(game)
    np.testing.assert_array_equal(network.values(turned), network.values(cells))


def test_a_network_plays_its_game_in_searches_of_every_kind(tmp_path: Path) -> None:
    for spec, agent in (("shogi", "shogi-strong"), ("gomoku", "gomoku-strong")):
        game = tempo.load(spec)
        network: Any = lines(game) if spec == "gomoku" else incremental(game)
        path = tmp_path / f"{spec}.safetensors"
        save_file(network.arrays, str(path))
        choice = agents.load(f"{agent}:nodes=200,eval={path}").choose(game.start())
        assert game.start().is_legal(choice.move)
        with pytest.raises(ParseError, match="does not play with"):
            agents.load(f"{'shogi' if spec == 'gomoku' else 'gomoku'}-strong:nodes=9,eval={path}")


def taught(spec: str, net: str, hidden: tuple[int, ...]) -> Any:
    return make(net, tempo.load(spec), Shape(hidden=hidden, seed=1))


@pytest.mark.parametrize(
    ("spec", "net", "hidden"),
    [("minishogi", "incremental", (32,)), ("gomoku(size=7)", "lines", (32, 8))],
)
def test_teaching_lowers_the_loss_and_what_is_taught_is_what_plays(
    spec: str, net: str, hidden: tuple[int, ...]
) -> None:
    game, approximator = tempo.load(spec), taught(spec, net, hidden)
    batch = positions(game, 64)
    packed = batch.packed()
    inputs = Inputs(batch.input_keys, packed)
    stones = (packed[:, :-2] == 1).sum(axis=1) if net == "lines" else packed.sum(axis=1)
    targets = np.where(stones > np.median(stones), 0.8, -0.8).astype(np.float32)
    losses = [approximator.fit(inputs, targets, 5e-3) for _ in range(40)]
    assert losses[-1] < 0.3 * losses[0]
    floats = approximator.values(inputs)
    rounded = batch.values(approximator.evaluator())
    going = ~batch.over
    # Sums over a board of lines reach the end of what single floats count exactly.
    np.testing.assert_allclose(floats[going], rounded[going], atol=0.01)
    assert np.abs(floats - rounded)[going].mean() < 1e-4
    again = taught(spec, net, hidden)
    again.restore(approximator.arrays())
    np.testing.assert_array_equal(again.values(inputs), floats)
    again.begin_with(approximator.rounded())
    for name, array in approximator.rounded().arrays.items():
        np.testing.assert_array_equal(again.rounded().arrays[name], array)
    with pytest.raises(ParseError, match="shape"):
        taught(spec, net, (64, *hidden[1:])).begin_with(approximator.rounded())


def test_games_in_bulk_say_what_learners_ask() -> None:
    game, approximator = tempo.load("minishogi"), taught("minishogi", "incremental", (32,))
    acting = Acting(random=0.2, opening=3, longest=40)
    played = in_bulk(game, approximator, acting, 30, games=6, seed=SEED, first=0, threads=1)
    assert played.quiet is not None
    assert 0 < played.quiet.mean() < 1
    assert played.last.sum() == 6
    assert 0 < played.explored.mean() < 0.5
    np.testing.assert_array_equal(played.sign, np.where(played.turn == 0, 1, -1))
    every, quiet = (learnable(played, Settings(nodes=30, quiet=q)) for q in (False, True))
    keys = played.inputs.keys
    assert len(np.unique(keys[every])) == every.sum() == len(np.unique(keys))
    np.testing.assert_array_equal(quiet, every & played.quiet)
    # A leaf that was evaluated has the search's value, turned to the seat that moves there.
    network = approximator.rounded()
    there = network.values(approximator.sparse.active(played.leaves.features))
    wanted = played.leaf_sign * played.best
    np.testing.assert_allclose(there[played.evaluated], wanted[played.evaluated], atol=2e-6)
    assert played.evaluated.mean() > 0.5
    with pytest.raises(ParseError, match="ships with Tempo"):
        in_bulk(
            game, approximator, acting, 30, games=1, seed=1, first=0, threads=1, given=True
        )  # fmt: skip


def test_a_run_that_was_killed_ends_as_one_that_was_not() -> None:
    settings = Settings(
        net="incremental", hidden=(32,), iterations=2, games=3, nodes=40, exploration="0.1",
        longest=30, results=0.5, quiet=True, replay=100, batch=64, passes=1, exam=2,
    )  # fmt: skip
    game = tempo.load("minishogi")
    recipe = {"learner": "regression"}
    straight, first = (general.make(game, settings, recipe, seed=3) for _ in range(2))
    rows = [straight.iterate() for _ in range(2)]
    first.iterate()
    second = general.make(game, settings, recipe, seed=3, threads=2)
    second.restore(first.step, first.arrays(), first.state())
    later = second.iterate()
    assert {**rows[1], "cpu_seconds": 0} == {**later, "cpu_seconds": 0}
    assert 0 <= later["previous"][1] <= later["previous"][0] <= later["previous"][2] <= 1
    for name, array in straight.arrays().items():
        np.testing.assert_array_equal(array, second.arrays()[name], err_msg=name)


def test_a_network_imitates_the_evaluation_that_ships() -> None:
    settings = kind("regression").settings(
        {"net": "lines", "hidden": (32, 8), "nodes": 100, "games": 24, "imitate": 2, "passes": 6,
         "batch": 256, "step_size": 1e-2, "iterations": 2, "opening": 6, "exploration": "0"}
    )  # fmt: skip
    learner = SelfPlay("regression", tempo.load("gomoku(size=7)"), settings, seed=1)
    first, second = learner.iterate(), learner.iterate()
    assert first["held_out"] > 0.8 * first["unknowing"]
    assert second["held_out"] < 0.7 * second["unknowing"]


def test_a_training_begins_with_the_weights_of_a_run_or_of_a_file(tmp_path: Path) -> None:
    game = tempo.load("gomoku(size=7)")
    given = lines(game)
    save_file(given.arrays, str(tmp_path / "net.safetensors"))
    settings = Settings(net="lines", hidden=(32, 16, 8), init=str(tmp_path / "net.safetensors"))
    begun: Any = SelfPlay("regression", game, settings, seed=1).approximator
    for name, array in given.arrays.items():
        np.testing.assert_array_equal(begun.rounded().arrays[name], array)
    with pytest.raises(ParseError, match="not dense"):
        SelfPlay("regression", game, replace(settings, net="dense"), seed=1)
    recipe = {
        "learner": "td", "game": game.spec, "net": "dense", "hidden": [8], "iterations": 1,
        "games": 2, "exam": 0,
    }  # fmt: skip
    recipes.train(recipe, seed=1, out=tmp_path / "run")
    dense = Settings(hidden=(8,), init=str(tmp_path / "run"))
    first, fresh = (SelfPlay("td", game, s, 2) for s in (dense, replace(dense, init="")))
    weights = [learner.approximator.arrays()["weights0"] for learner in (first, fresh)]
    kept: Any = Run.open(tmp_path / "run").trained().arrays["net.weights0"]
    np.testing.assert_array_equal(weights[0], kept)
    assert not np.array_equal(weights[1], kept)
    with pytest.raises(ParseError, match=r"hidden \[8\], not dense with \[9\]"):
        SelfPlay("td", game, replace(dense, hidden=(9,)), 2)
