"""Games written in Python for three and four seats, each of which plays for itself."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test

import tempo
from tempo import agents, arena, recipes, testing
from tempo.arena.openings import Opening
from tempo.arena.table import seating
from tempo.environments import pettingzoo
from tempo.environments.gymnasium import TempoVectorEnv
from tempo.errors import ParseError
from tempo.games import Game, scene
from tempo.games.record import Record
from tempo.learners.experience import Acting, self_play
from tempo.learners.registry import kinds
from tempo.nets.registry import Shape, make
from tempo.recipes import general

NAMES = ("first", "second", "third", "fourth")


class Nim(tempo.PythonGame):
    """Take any number of counters from one heap; who takes the last one wins."""

    name, move_numbers, length_bound = "nim3", 9, 9
    seat_names: ClassVar[tuple[str, ...]] = NAMES[:3]

    def __init__(self, heaps: tuple[int, ...] = (3, 3, 3), turn: int = 0) -> None:
        self.heaps, self.turn = heaps, turn

    @property
    def legal_moves(self) -> Any:
        return [3 * i + n for i, heap in enumerate(self.heaps) for n in range(heap)]

    def play(self, move: int) -> Any:
        heaps = list(self.heaps)
        heaps[move // 3] -= move % 3 + 1
        return type(self)(tuple(heaps), (self.turn + 1) % len(self.seat_names))

    @property
    def outcome(self) -> Any:
        if any(self.heaps):
            return None
        seats = len(self.seat_names)
        return [1 if (seat + 1) % seats == self.turn else -1 / (seats - 1) for seat in range(seats)]

    def check(self) -> None:
        if len(self.heaps) != 3 or not all(0 <= heap <= 3 for heap in self.heaps):
            raise ValueError("expected three heaps of up to three")

    def features(self, seat: int) -> Any:
        return np.array([[heap > n for n in range(3)] for heap in self.heaps])


class FourNim(Nim):
    """The same for four."""

    name, seat_names = "nim4", NAMES


@pytest.fixture(params=[Nim, FourNim], ids=["three", "four"])
def nim(request: pytest.FixtureRequest, own_games: None) -> Game:
    """The game, known until the end of the test."""
    return tempo.load(tempo.register(request.param).name)


@cache
def paranoid(position: Any, seat: int) -> float:
    """What a seat gets at least, if all others play against it."""
    if position.outcome is not None:
        return float(position.outcome.scores[seat])
    values = [paranoid(position.play(move), seat) for move in position.legal_moves]
    return max(values) if position.turn == seat else min(values)


@pytest.mark.parametrize("holds", testing.PROPERTIES, ids=lambda holds: holds.__name__)
def test_conformance(nim: Game, holds: Any) -> None:
    holds(nim, 1)


def test_alpha_beta_finds_what_is_safe_from_all_others(nim: Game) -> None:
    search = agents.load("alphabeta:depth=9")
    for position in testing.sample_positions(nim, seed=3, count=60):
        if not position.is_over:
            found = search.choose(position)
            values = [paranoid(position.play(m), position.turn) for m in position.legal_moves]
            assert found.values[position.turn] == pytest.approx(max(values), abs=1e-5), position
            best = values[list(position.legal_moves).index(found.move)]
            assert best == max(values), position
            assert sum(found.values) == pytest.approx(0, abs=1e-6)


def test_a_kept_table_knows_whose_search_it_was(nim: Game) -> None:
    kept = agents.load("alphabeta:depth=9,keep=yes")
    position = nim.start()
    while not position.is_over:
        fresh = agents.load("alphabeta:depth=9").choose(position)
        assert kept.choose(position).values == fresh.values, position
        position = position.play(position.legal_moves[0])


def test_monte_carlo_search_sees_a_win_and_whom_a_loss_serves(nim: Game) -> None:
    search = agents.load("mcts:sims=300")
    position = nim.parse("0,0,2 second")
    found = search.choose(position)
    assert position.move_text(found.move) == position.move_text(7)  # both counters
    assert found.values[1] > 0.9
    assert found.values[0] == pytest.approx(-1 / (nim.seats - 1), abs=0.1)


def test_batches_have_a_score_for_every_seat(nim: Game) -> None:
    batch = nim.batch(200, seed=1)
    batch.playout()
    assert batch.scores.shape == (200, nim.seats)
    assert np.allclose(batch.scores.sum(axis=1), 0, atol=1e-6)
    assert set(batch.scores.argmax(axis=1)) == set(range(nim.seats))  # all of them win


def test_one_side_sits_alone_in_turn(nim: Game) -> None:
    seats = ["".join(seating(nim, index)) for index in range(2 * nim.seats)]
    assert seats[:4] == (["abb", "baa", "bab", "aba"] if nim.seats == 3 else
                         ["abbb", "baaa", "babb", "abaa"])  # fmt: skip
    assert len(set(seats)) == 2 * nim.seats


def test_a_match(nim: Game) -> None:
    for agent in ("mcts:sims=60", "alphabeta:depth=5"):
        result = arena.match((agent, "random"), nim, games=60, seed=1, openings=[Opening()] * 30)
        assert result.score > 0.55, agent
    even = arena.match(("random", "random"), nim, games=100, seed=1)
    assert 0.4 < even.score < 0.6


@pytest.mark.parametrize("learner", [name for name, kind in kinds().items() if kind.any_sides])
def test_a_learner(nim: Game, learner: str, tmp_path: Path) -> None:
    short = {"games": 20, "iterations": 30, "hidden": (16,)}
    recipe = general.recipe_of(learner, nim.spec, short)
    recipes.train(recipe, seed=1, out=tmp_path / "run")
    result = arena.match(
        (str(tmp_path / "run"), "random"), nim, games=60, seed=1, openings=[Opening()] * 30
    )
    assert result.score > 0.5
    for spec in (f"mcts:sims=20,rollout=0,eval={tmp_path / 'run'}",
                 f"alphabeta:depth=2,eval={tmp_path / 'run'}"):  # fmt: skip
        found = agents.load(spec).choose(nim.start())
        assert sum(found.values) == pytest.approx(0, abs=1e-5)


def test_a_table_learns_it_too(nim: Game, tmp_path: Path) -> None:
    short = {"games": 20, "iterations": 5, "net": "table"}
    recipes.train(general.recipe_of("regression", nim.spec, short), seed=1, out=tmp_path / "run")
    assert agents.load(str(tmp_path / "run")).choose(nim.start()).move in nim.start().legal_moves


def test_learners_of_two_sides_say_which_learns_more(nim: Game) -> None:
    with pytest.raises(ParseError, match=f"two sides; {nim.name} has {nim.seats}: take regression"):
        general.recipe_of("q_learning", nim.spec, {})


def test_a_seat_learns_from_its_own_next_turn(nim: Game) -> None:
    played = self_play(nim, make("table", nim, Shape()), Acting(), games=9, seed=1)
    own = played.by_seat()
    assert sorted(own.inputs.keys.tolist()) == sorted(played.inputs.keys.tolist())
    assert len(own.game) == len(played)
    for i in range(len(own) - 1):
        if own.last[i]:
            assert own.game[i] != own.game[i + 1]
        else:
            assert own.turn[i] == own.turn[i + 1]
            assert own.game[i] == own.game[i + 1]
    of = own.game // nim.seats  # the game that it was
    assert (own.outcome == played.scores[of, own.turn]).all()
    assert (own.result == own.outcome).all()
    assert (own.sign == 1).all()


def test_the_page_seats_everybody(nim: Game) -> None:
    chairs = scene.layout(nim).seats
    assert [chair.name for chair in chairs] == list(nim.seat_names)
    assert len({chair.colour for chair in chairs}) == nim.seats
    assert Record(nim.spec, (0, 3, 6)).last().turn == 3 % nim.seats


def test_an_environment(nim: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it advises other names of agents
        api_test(pettingzoo.env(nim.spec), num_cycles=50)
    env = TempoVectorEnv(nim.spec, num_envs=20, opponent=None)
    env.reset(seed=1)
    seen = set()
    for _ in range(20):
        *_, infos = env.step(env.sample_actions())
        assert np.allclose(infos["scores"].sum(axis=1), 0, atol=1e-6)
        seen |= set(infos["seat"].tolist())
    assert seen == set(range(nim.seats))


@pytest.mark.parametrize("names", [("one",), ("a", "a"), ("a", "b", "c", "d", "e")])
def test_seats_are_two_to_four_with_names_of_their_own(names: tuple[str, ...]) -> None:
    with pytest.raises(ParseError, match="expected two to four names"):
        tempo.register(type("Odd", (Nim,), {"name": "odd", "seat_names": names}))
