"""The truncated learner: its network, its targets, a toy world, Siguo, going on after a kill."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reference.truncated_buffer import Step, TruncatedBuffer, truncated_errors
from safetensors.numpy import load_file
from typer.testing import CliRunner

import tempo
from tempo import agents, arena, recipes, td
from tempo.cli import app
from tempo.errors import ParseError, TempoError
from tempo.learners.fast.truncated import Played, Settings, Truncated, rewards
from tempo.nets.tanh import TanhNetwork
from tempo.recipes.siguo_truncated import make, undone
from tempo.runs import Run

GAME = tempo.load("siguo")
FAST = Settings(games=6, report=2, exploration="epsilon")


def test_the_network_has_the_papers_weights() -> None:
    assert TanhNetwork.random(130, 5, seed=1).weights == 655
    assert TanhNetwork.random(130, 5, seed=1, has_biases=True).weights == 661


def test_a_push_is_the_sum_of_gradients() -> None:
    random = np.random.default_rng(1)
    network = TanhNetwork.random(4, 3, seed=2, has_biases=True)
    network.bias += 0.1
    network.last += 0.2
    x, by = random.normal(size=(6, 4)), random.normal(size=6)
    before = network.arrays()

    def total(arrays: dict[str, Any]) -> float:
        return float(by @ TanhNetwork.of_arrays(arrays, "test").values(x))

    network.push(x, by)
    for name, array in network.arrays().items():
        for place in np.ndindex(array.shape):
            up, down = ({k: v.copy() for k, v in before.items()} for _ in range(2))
            up[name][place] += 1e-6
            down[name][place] -= 1e-6
            slope = (total(up) - total(down)) / 2e-6
            assert array[place] - before[name][place] == pytest.approx(slope, abs=1e-7)


def test_without_biases_none_is_learnt() -> None:
    network = TanhNetwork.random(4, 3, seed=2)
    network.push(np.ones((1, 4)), np.ones(1))
    assert not network.bias.any()
    assert network.last == 0


class Arms:
    """Games of one move by seat 0: arm 0 wins, arm 1 loses; and a second seat that only watches."""

    inputs = 2

    def play(
        self,
        network: TanhNetwork,
        games: int,
        *,
        seed: int,
        begin: int,
        random_share: float,
        temperature: float,
    ) -> Played:
        values = network.values(np.eye(2)).astype(np.float32)
        draws = [np.random.default_rng([seed, begin + i]).random(2) for i in range(games)]
        arms = np.array(
            [int(d[1] < 0.5) if d[0] < random_share else int(values.argmax()) for d in draws]
        )
        scores = np.where(arms == 0, 1, -1)
        return Played(
            np.eye(2, dtype=np.float32)[arms],
            values[arms],
            np.full(games, values.max(), np.float32),
            np.zeros(games, np.uint8),
            np.zeros((games, 2), np.float32),
            np.ones(games, np.int32),
            np.stack([scores, -scores], axis=1).astype(np.float32),
            2 * games,
        )


def test_it_learns_which_arm_wins() -> None:
    settings = Settings(games=400, report=100, exploration="epsilon", random_share=0.3, spread=0.5)
    learner = Truncated(Arms(), settings, seed=1)
    rows = []
    while not learner.done:
        rows.append(learner.iterate())
    values = learner.network.values(np.eye(2))
    assert values[0] > 0.8
    assert values[1] < -0.8
    assert rows[-1]["loss"] < rows[0]["loss"]
    assert learner.total == len(rows) == 4
    assert learner.ledger.games == 400


def test_everyone_is_paid_at_the_last_own_move() -> None:
    turn = np.array([0, 1, 2, 3, 0, 0, 1], np.uint8)
    lengths = np.array([5, 2], np.int32)
    last = np.array([False, False, False, False, True, False, True])
    scores = np.array([[1, -1, 1, -1], [-1, 1, -1, 1]], np.float32)
    blank = np.zeros(7, np.float32)
    gains = np.zeros((7, 4), np.float32)
    gains[0] = [5, -5, 0, 0]  # seat 0 takes five of seat 1's strength
    gains[3] = [-2, 0, 0, 2]  # seat 3 takes two of seat 0's before it moves again
    gains[6] = [-4, 4, 0, 0]
    played = Played(np.zeros((7, 1), np.float32), blank, blank, turn, gains, lengths, scores, 7)
    own, _ = td.successors(turn, last, "own_turn")
    assert rewards(played, own).tolist() == [0, -1, 1, -1, 1, -1, 1]
    paid = rewards(played, own, strength=0.01)
    assert paid == pytest.approx([0.03, -1, 1, -0.98, 1, -1.04, 1.04])
    team, _ = td.successors(turn, last, "team")
    assert rewards(played, team).tolist() == [0, 0, 0, 0, 1, 0, 1]


@pytest.mark.parametrize("successor", ["own_turn", "team", "literal"])
def test_the_change_after_a_game_is_the_corrected_equation(successor: td.Successor) -> None:
    """w += α Σ_t ∇Q_t Σ_j (γλ)^{j-t} d_j, with every move the best one."""
    settings = Settings(successor=successor, trace=0.6, steps=3, step_size=0.01, games=1)
    learner = make(GAME, settings, {}, seed=3)
    played = learner.play(1)
    assert (played.taken == played.best).all()
    twin = TanhNetwork.of_arrays(learner.arrays(), "test")
    last = np.arange(len(played.turn)) == len(played.turn) - 1
    following, sign = td.successors(played.turn, last, successor)
    errors = truncated_errors(
        rewards(played, following),
        played.best,
        played.taken,
        following,
        sign,
        np.zeros(len(last), bool),
        td.Truncation(0.6, 3, 0.98),
    )
    learner.learn(played)
    twin.push(played.rows, 0.01 * errors)
    for name, array in twin.arrays().items():
        assert learner.arrays()[name] == pytest.approx(array, abs=1e-12)


def test_adaptive_traces_and_temperatures_follow_the_games() -> None:
    settings = Settings(adaptive="closed", exploration="metropolis", temperature=0.5)
    assert settings.truncation(50) == td.Truncation(0.5, 20, 0.98)
    assert Settings(rule="q_learning").truncation(9) == td.Truncation(0.0, 1, 0.98)
    assert Settings(rule="q_lambda").truncation(9) == td.Truncation(0.3, None, 0.98)
    learner = make(GAME, settings, {}, seed=1)
    learner.games = 2
    assert learner.temperature == pytest.approx(0.5 * 0.99**2)


def test_parallel_games_do_not_depend_on_threads() -> None:
    settings = replace(FAST, parallel=3)
    one, two = (make(GAME, settings, {}, seed=5, threads=n) for n in (1, 2))
    for learner in (one, two):
        while not learner.done:
            learner.iterate()
    for name, array in one.arrays().items():
        assert array.tobytes() == two.arrays()[name].tobytes()


def test_a_run_goes_on_byte_for_byte(tmp_path: Path) -> None:
    recipe = {**recipes.read("siguo-metropolis-ttd"), "games": 6, "report": 2}
    whole = recipes.train(recipe, seed=4, out=tmp_path / "whole")

    class KilledError(Exception):
        pass

    def stop(at: recipes.Progress) -> None:
        if at.done == 2:
            raise KilledError

    with pytest.raises(KilledError):
        recipes.train(recipe, seed=4, out=tmp_path / "cut", checkpoint_seconds=0, progress=stop)
    cut = recipes.train(recipe, out=tmp_path / "cut", resume=True)
    first, second = whole.latest(), cut.latest()
    assert first
    assert second
    for name, array in first.arrays.items():
        assert array.tobytes() == second.arrays[name].tobytes()
    assert whole.ledger().games == cut.ledger().games == 6

    for spec in (str(tmp_path / "cut"), f"siguo-ttd:weights={tmp_path / 'cut'}"):
        agent = agents.load(spec)
        assert agent.name == spec
        view = GAME.start(1).view(0)
        choice = agent.choose(view)
        assert choice.move in list(view.legal_moves)
        assert choice.values[0] == choice.values[2] == -choice.values[1]


def test_the_command_line_trains(tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text('learner = "truncated"\ngame = "siguo"\ngames = 4\nreport = 2\n')
    done = CliRunner().invoke(app, ["train", str(recipe), "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    rows = Run.open(tmp_path / "run").rows()
    assert [row["games"] for row in rows] == [2, 4]
    assert all(0 <= row["won"] <= row["decided"] <= 1 for row in rows)


def test_every_recipe_of_siguo_can_be_made() -> None:
    made = [name for name in recipes.names() if name.startswith("siguo-")]
    assert len(made) >= 7
    for name in made:
        recipe = recipes.read(name)
        if recipe["learner"] == "truncated":
            assert recipes.make_learner(recipe, 1).total in {20, 40}


@pytest.mark.parametrize("name", ["siguo-q", "siguo-ttd"])
def test_shipped_weights_play_better_than_anything(name: str) -> None:
    choice = agents.load(name).choose(GAME.start().view(0))
    assert choice.move in GAME.start().legal_moves
    result = arena.match({"learnt": name, "random": "random"}, "siguo", games=10, seed=3)
    assert result.losses == 0
    assert result.wins >= 4
    weights = resources.files("tempo.weights") / f"siguo/{name[6:]}"
    about = json.loads(Path(f"{weights}.json").read_text())
    assert about["figures"]["random"]["low"] > 0.75
    network = TanhNetwork.of_arrays(load_file(f"{weights}.safetensors"), name)
    assert undone(network, about["inputs"]) == about["undone"] <= 0.2  # nobody likes shuffling
    assert recipes.read(about["command"].split()[2])["rule"] == about["recipe"]["rule"]


def test_wrong_settings_are_refused() -> None:
    for wrong in ({"rule": "sarsa"}, {"adaptive": "slow"}, {"exploration": "none"}):
        with pytest.raises(ParseError, match=r"there is no|it takes one of"):
            recipes.settings_of({"learner": "truncated", **wrong})
    with pytest.raises(ParseError, match="from 0 to 1"):
        Settings(trace=1.5)
    with pytest.raises(ParseError, match="start at 1"):
        Settings(games=0)
    with pytest.raises(ParseError, match="expected stations, ranks"):
        make(GAME, Settings(inputs="faces"), {}, 1)
    with pytest.raises(ParseError, match="truncated learners play siguo"):
        recipes.make_learner({"learner": "truncated", "game": "chess"}, 1)
    learner = make(GAME, FAST, {}, 1)
    other = make(GAME, replace(FAST, trace=0.5), {}, 1)
    with pytest.raises(TempoError, match="other settings"):
        other.restore(0, learner.arrays(), learner.state())


# On-line, and against opponents

ONLINE = Settings(
    games=4, report=2, online=True, opponents="stand-in", exploration="epsilon", trace=0.7, steps=5
)


def test_taught_at_every_move_as_the_reference_teaches() -> None:
    """The core's pushes are those of Cichosz's buffer, on the moves that were made.

    With a step size too small to change a choice, the game of the core is that of fixed weights:
    its sum of squared errors is the reference's.
    """
    settings = replace(ONLINE, step_size=1e-9, exploration="greedy", opponents="itself")
    learner = make(GAME, settings, {}, 3)
    played = learner.play(1)
    online = make(GAME, settings, {}, 3).learn_online()
    assert online.made == online.length == len(played.turn)
    last = np.zeros(len(played.turn), bool)
    last[-1] = True
    following, _ = td.successors(played.turn, last, "own_turn")
    reward = rewards(played, following)
    buffers = {seat: TruncatedBuffer(settings.truncation(0)) for seat in range(4)}
    squares = 0.0
    for entry, seat in enumerate(played.turn):
        after = following[entry]
        utility = 0.0 if after < 0 else float(played.best[after])
        step = Step(entry, float(reward[entry]), utility)
        for at, target in buffers[int(seat)].add(step, done=bool(after < 0)):
            squares += (target - float(played.taken[at])) ** 2
    assert online.squares == pytest.approx(squares, rel=1e-3)


def test_a_push_of_the_core_is_that_of_numpy() -> None:
    """One game of one own move in reach: α times the error along the gradient, in both."""
    settings = replace(ONLINE, rule="q_learning", exploration="greedy", games=1)
    learner = make(GAME, settings, {}, 5)
    before = learner.network.arrays()
    learner.learn_online()
    moved = sum(float(np.abs(before[k] - v).sum()) for k, v in learner.network.arrays().items())
    assert moved > 0
    assert not learner.network.bias.any()  # none without biases
    with_biases = make(GAME, replace(settings, biases=True), {}, 5)
    with_biases.learn_online()
    assert with_biases.network.bias.any()


@pytest.mark.parametrize("opponents", ["itself", "stand-in", "heuristic", "stand-in+heuristic"])
@pytest.mark.parametrize("online", [True, False])
def test_the_same_seed_gives_the_same_training(opponents: str, online: bool) -> None:
    settings = replace(ONLINE, opponents=opponents, online=online)
    lines, arrays = [], []
    for _ in range(2):
        learner = make(GAME, settings, {}, 7)
        lines.append([{**learner.iterate(), "cpu_seconds": 0} for _ in range(learner.total)])
        arrays.append(learner.arrays())
    assert lines[0] == lines[1]
    assert all((arrays[0][name] == arrays[1][name]).all() for name in arrays[0])


def test_opponents_moves_are_not_learnt_from() -> None:
    learner = make(GAME, replace(ONLINE, online=False), {}, 1)
    even, odd = learner.play(1), None
    learner.games = 1
    odd = learner.play(1)
    assert set(even.turn.tolist()) == {0, 2}
    assert set(odd.turn.tolist()) == {1, 3}
    # What opponents take is charged to the own move before: gains of a game add up to nothing.
    assert even.gains.sum() == pytest.approx(0.0, abs=1e-3)


def test_a_trace_falls_within_a_game() -> None:
    settings = replace(ONLINE, adaptive="moves")
    assert settings.online_rule(0).trace == settings.online_rule(50).trace == (0.9, 0.1, 50.0)
    by_games = replace(ONLINE, adaptive="closed")
    assert by_games.online_rule(50).trace == pytest.approx((0.5, 0.0, 0.0))
    assert replace(ONLINE, rule="q_learning").online_rule(0).steps == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"averaged": True}, "averages nothing"),
        ({"successor": "team"}, "own_turn"),
        ({"parallel": 2}, "one game at a time"),
        ({"online": False, "adaptive": "moves"}, "needs online"),
        ({"notices": 2.0}, "from 0 to 1"),
    ],
)
def test_what_cannot_be_learnt_online_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        replace(ONLINE, **changes)


def test_unknown_opponents_are_refused() -> None:
    with pytest.raises(ParseError, match="expected itself, stand-in or heuristic"):
        make(GAME, replace(ONLINE, opponents="stand-in+nobody"), {}, 1)
    with pytest.raises(ParseError, match="cannot be learnt from while"):
        Truncated(Arms(), ONLINE, 1)
