"""Deep Q-learning: memory, outputs of legal moves, the loop, and what a kill must not change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import tempo
from tempo import agents, recipes
from tempo.explore import schedule
from tempo.learners.fast import replay
from tempo.learners.fast.dqn import Dqn
from tempo.learners.fast.dqn_settings import Settings
from tempo.learners.loop import carry_out
from tempo.nets.encoding import Planes
from tempo.nets.qmethods import unpacked
from tempo.runs import Run

GAME = tempo.load("gomoku(size=5)")
ENCODING = Planes(GAME)
SMALL = Settings(
    steps=6, plies=6, games=32, channels=8, blocks=1, exploration="0.5", opening=4, memory=4096,
    first=64, batch=64, n_step=2, random_share=0.3, exam=16, exam_every=3, cap=20,
)  # fmt: skip


def learner(settings: Settings = SMALL, *, threads: int = 1, seed: int = 1) -> Dqn:
    return Dqn(GAME, ENCODING, settings, seed, threads)


# Exploration and settings


def test_the_papers_exploration() -> None:
    printed = [0.800, 0.525, 0.357, 0.256, 0.195, 0.157, 0.135, 0.121, 0.113, 0.108]
    found = [schedule("exponential", game) for game in range(1, 11)]
    assert found == pytest.approx(printed, abs=0.0006)


def test_the_papers_recipe_says_what_the_paper_says() -> None:
    settings = recipes.settings_of(recipes.read("shogi-dqn-faithful"))
    assert (settings.memory, settings.batch, settings.step_size) == (2000, 10, 1e-4)
    assert (settings.discount, settings.win, settings.target_every) == (0.95, 1000, 200)
    assert (settings.method, settings.successor, settings.exploration) == (
        "paper", "own_turn", "exponential",
    )  # fmt: skip
    corrected = recipes.settings_of(recipes.read("shogi-dqn-corrected"))
    assert corrected == replace(settings, method="corrected")


@pytest.mark.parametrize("name", ["shogi-dqn", "minishogi-dqn"])
def test_recipes_of_the_improved_learner(name: str) -> None:
    settings = recipes.settings_of(recipes.read(name))
    assert settings.double
    assert settings.dueling
    assert settings.successor == "negamax"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "dreams"}, "there is no method 'dreams'"),
        ({"n_step": 0}, "n_step must be at least 1"),
        ({"memory": 8, "batch": 16}, "less than a batch"),
    ],
)
def test_bad_settings_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(tempo.ParseError, match=words):
        Settings(**given)


def test_pieces_and_places_are_of_shogi() -> None:
    recipe = {"learner": "dqn", "game": "gomoku(size=5)", "method": "paper"}
    with pytest.raises(tempo.ParseError, match="learnt by method 'joint'"):
        recipes.make_learner(recipe, 1)


# Memory


def filled(priorities: list[list[float]]) -> jax.Array:
    return jax.numpy.array(priorities, dtype=np.float32)


def test_entries_are_drawn_by_their_priorities() -> None:
    given = filled([[0, 1, 3], [0, 0, 0], [4, 0, 0]])
    drawn = jax.jit(replay.draw, static_argnums=2)(given, jax.random.key(1), 4000, 0.0)
    counts = np.zeros((3, 3))
    np.add.at(counts, (np.asarray(drawn.rows), np.asarray(drawn.games)), 1)
    np.testing.assert_allclose(counts / 4000, np.asarray(given) / 8, atol=0.03)
    assert np.asarray(drawn.weights) == pytest.approx(1.0)


def test_weights_undo_what_priorities_do() -> None:
    given = filled([[1, 3]])
    drawn = replay.draw(given, jax.random.key(1), 100, 1.0)
    weights = np.asarray(drawn.weights)
    # The rarer entry counts fully, the other a third of it.
    assert np.unique(weights[np.asarray(drawn.games) == 0]) == pytest.approx([1.0])
    assert np.unique(weights[np.asarray(drawn.games) == 1]) == pytest.approx([1 / 3])


def test_a_row_can_be_drawn_only_between_finishing_and_overwriting() -> None:
    memory, priorities = replay.empty(3, 2, (4, np.uint8), 1)
    stored, bits = np.arange(8, dtype=np.uint8).reshape(2, 4), np.ones((2, 1), np.uint8)
    memory, priorities = replay.put(memory, priorities, 1, stored, bits)
    assert not np.asarray(priorities).any()
    ahead = (np.array([1.0, 2.0]), np.array([0.5, 0.0]), np.array([1, 0]))
    known = np.array([True, False])
    memory, priorities = replay.finish(memory, priorities, 1, np.array([3, 4]), ahead, known)
    np.testing.assert_array_equal(np.asarray(priorities), [[0, 0], [1, 0], [0, 0]])
    np.testing.assert_array_equal(np.asarray(memory.positions[1]), stored)
    assert np.asarray(memory.gains[1]).tolist() == [1, 2]
    _, priorities = replay.put(memory, priorities, 1, stored, bits)
    assert not np.asarray(priorities).any()


def test_bits_come_back() -> None:
    flags = np.random.default_rng(1).random((3, 21)) < 0.5
    bits = np.packbits(flags, axis=1, bitorder="little")
    np.testing.assert_array_equal(np.asarray(unpacked(jax.numpy.asarray(bits), 21)), flags)


# Encoding


def test_legal_moves_and_their_places() -> None:
    batch = GAME.batch(3)
    batch.play(np.array([0, 7, -1], np.int32))
    legal = ENCODING.legal(batch)
    assert np.diff(legal.offsets).tolist() == [24, 24, 25]
    places = legal.places(np.array([5, 7, 24]))
    assert places[1] == -1
    assert legal.moves[places[[0, 2]]].tolist() == [5, 24]
    draws = legal.drawn(np.array([0.0, 0.999999, 0.5]))
    assert legal.moves[draws].tolist() == [1, 24, 12]
    assert legal.games[draws].tolist() == [0, 1, 2]


def test_symmetries_turn_planes_and_outputs_alike() -> None:
    position: Any = GAME.start().play(3).play(11).play(17)
    for s in range(len(ENCODING.cells)):
        other = position.transformed(s)
        flat = position.features().reshape(-1)[ENCODING.cells[s]]
        np.testing.assert_array_equal(flat.reshape(other.features().shape), other.features())
        moves = {int(ENCODING.turned[s][move]) for move in position.legal_moves}
        assert moves == set(other.legal_moves)


def test_every_game_with_features_has_an_encoding() -> None:
    for name in ("chess", "jiu(size=6)"):
        game = tempo.load(name)
        encoding = Planes(game)
        batch = game.batch(2, seed=1)
        batch.playout(9)
        legal = encoding.legal(batch)
        assert legal.moves[legal.drawn(np.array([0.1, 0.9]))].tolist()
        assert encoding.observe(batch).shape == (2, encoding.stored[0])
        assert encoding.turned.max() < encoding.kinds * encoding.shape[1] * encoding.shape[2]


# The loop


def test_a_killed_run_ends_with_the_same_everything(tmp_path: Path) -> None:
    whole = learner()
    carry_out(Run.create(tmp_path / "whole", {}), whole, checkpoint_seconds=0)
    assert whole.updates > 0
    assert whole.games > 0

    class KilledError(Exception):
        pass

    def kill(row: dict[str, Any]) -> None:
        if row["step"] == 4:
            raise KilledError

    cut = Run.create(tmp_path / "cut", {})
    with pytest.raises(KilledError):
        carry_out(cut, learner(threads=2), checkpoint_seconds=0, progress=kill)
    resumed = learner()
    carry_out(cut, resumed, resume=True, checkpoint_seconds=0)
    expected, found = whole.arrays(), resumed.arrays()
    assert expected.keys() == found.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(array, found[name], err_msg=name)
    assert resumed.state() == whole.state()
    assert resumed.ledger.without_times() == whole.ledger.without_times()


def test_what_is_remembered_is_what_was_played() -> None:
    """Every finished entry's position, legal moves and target agree with games played again."""
    played = learner(replace(SMALL, first=10**6, exam=0, n_step=1, random_share=0.0))
    moves: list[Any] = []
    inner = played.batch.play

    class Spy:
        def __getattr__(self, name: str) -> Any:
            return getattr(batch, name)

        def __len__(self) -> int:
            return len(batch)

        def play(self, given: Any) -> None:
            moves.append(np.array(given))
            inner(given)

    batch, played.batch = played.batch, Spy()
    for _ in range(4):
        played.iterate()
    memory = {k: np.asarray(v) for k, v in played.memory._asdict().items()}
    again = GAME.batch(SMALL.games)
    for row in range(len(moves) - 1):
        stored = ENCODING.observe(again)
        np.testing.assert_array_equal(memory["positions"][row], stored)
        np.testing.assert_array_equal(memory["legal"][row], ENCODING.legal(again).bits)
        np.testing.assert_array_equal(memory["outputs"][row], moves[row])
        turn = again.turns
        again.play(moves[row])
        scores = again.scores[np.arange(SMALL.games), turn]
        np.testing.assert_allclose(memory["gains"][row], scores)
        np.testing.assert_allclose(memory["factors"][row] == 0, again.over | (again.lengths >= 20))
        again.restart(again.over | (again.lengths >= 20))


def test_errors_shrink() -> None:
    pupil = learner(replace(SMALL, steps=30, exam=0, step_size=3e-3))
    rows = [pupil.iterate() for _ in range(30)]
    assert rows[-1]["loss"] < 0.2 * rows[1]["loss"]
    assert rows[-1]["error"] < 0.5 * rows[1]["error"]


def test_the_ledger_counts_looks_and_multiply_adds() -> None:
    pupil = learner(replace(SMALL, exam=0))
    for _ in range(3):
        pupil.iterate()
    cost = pupil.method.cost(pupil.nets)
    looks = 3 * 6 * 32 + pupil.updates * 64 * 5
    assert pupil.ledger.evaluations == looks
    assert pupil.ledger.multiply_adds == looks * cost
    assert pupil.ledger.gradient_steps == pupil.updates
    assert pupil.ledger.moves == pupil.moves == 576


def test_learning_by_recipe_makes_a_run_that_plays(tmp_path: Path) -> None:
    recipe = {
        **recipes.read("minishogi-dqn"), "steps": 2, "games": 4, "plies": 6, "first": 10**6,
        "memory": 64, "batch": 8, "channels": 8, "blocks": 1, "exam": 2, "exam_every": 2, "cap": 8,
    }  # fmt: skip
    run = recipes.train(recipe, out=tmp_path / "run", seconds=1000)
    assert run.config["seconds"] == 1000
    assert run.rows()[-1]["exam_won"] >= 0
    agent = agents.load(str(tmp_path / "run"))
    position: Any = tempo.load("minishogi").start()
    choice = agent.choose(position)
    assert choice.move in position.legal_moves
    assert choice.cost.multiply_adds > 0
    assert choice == agent.choose(position)
    with pytest.raises(tempo.ParseError, match="plays minishogi, not gomoku"):
        agent.choose(GAME.start())


def test_the_clock_ends_learning() -> None:
    pupil = learner(replace(SMALL, steps=10**6, seconds=1e-9, exam=0))
    assert not pupil.done
    pupil.iterate()
    assert pupil.done


def test_an_agent_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(tempo.ParseError, match="no Q-network of gomoku comes with Tempo"):
        agents.load("dqn").choose(GAME.start())
    with pytest.raises(tempo.ParseError, match="there are no weights"):
        agents.load(f"dqn:weights={tmp_path / 'none.safetensors'}").choose(GAME.start())
