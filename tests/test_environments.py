"""Games as environments of PettingZoo and Gymnasium: those libraries' own tests, and ours."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import game_data
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from numpy.typing import NDArray
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

import tempo
from tempo import agents, games
from tempo.environments import pettingzoo as ours
from tempo.environments import spaces
from tempo.environments.gymnasium import TempoEnv, TempoVectorEnv
from tempo.environments.table import Table
from tempo.errors import IllegalMove, ParseError
from tempo.games import Game

REGISTERED = [tempo.load(name) for name in games.names()]
GAMES = [tempo.load(spec) for name in games.names() for spec in game_data.specs_of(name)]
HIDDEN = [game for game in GAMES if game.is_hidden]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
registered = pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.name)
hidden = pytest.mark.parametrize("game", HIDDEN, ids=lambda game: game.spec)

# What PettingZoo says of every environment but those that it lists by name.
SAID_OF_MASKS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "We recommend agents to be named",
    "Action mask numpy array is all zeros",  # as it is when a game is over
    "Observation numpy array is all zeros",  # as an empty board is
)


# ---- PettingZoo ----------------------------------------------------------------------------------


@every_game
def test_pettingzoo_accepts(game: Game) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(ours.env(game), num_cycles=game.length_bound + 1 if game.seats > 2 else 100)
        seed_test(lambda: ours.env(game), num_cycles=50)
    assert [str(w.message) for w in said if not str(w.message).startswith(SAID_OF_MASKS)] == []


@every_game
def test_agents_are_seats_that_share_the_scores(game: Game) -> None:
    env = ours.raw_env(game)
    env.reset(seed=5)
    random = np.random.default_rng(5)
    while not (position := env.position).is_over:
        agent = game.seat_names[position.turn]
        assert env.agent_selection == agent
        assert set(env.rewards.values()) == {0}
        seen = env.observe(agent)
        assert seen["action_mask"].nonzero()[0].tolist() == sorted(position.legal_moves)
        env.step(int(random.choice(seen["action_mask"].nonzero()[0])))
    outcome = env.position.outcome
    assert outcome is not None
    assert env.rewards == dict(zip(game.seat_names, outcome.scores, strict=True))
    assert all(env.terminations.values())


@registered
def test_an_illegal_move_ends_a_game_of_pettingzoo(game: Game) -> None:
    raw, env = ours.raw_env(game), ours.env(game)
    raw.reset(seed=1)
    env.reset(seed=1)
    first = raw.position.legal_moves[0]  # all are legal on an empty board
    raw.step(first)
    env.step(first)
    mover = raw.agent_selection
    illegal = int(raw.observe(mover)["action_mask"].argmin())
    with pytest.raises(IllegalMove):
        raw.step(illegal)
    env.step(illegal)
    assert env.rewards == {agent: -1 if agent == mover else 0 for agent in game.seat_names}
    assert all(env.terminations.values())


@hidden
def test_a_seed_decides_the_deals(game: Game) -> None:
    def deals(seed: int) -> list[str]:
        env = ours.raw_env(game)
        env.reset(seed=seed)
        first = env.position.text
        env.reset()
        return [first, env.position.text]

    assert deals(1) == deals(1)
    assert len({*deals(1), *deals(2)}) == 4


# ---- Gymnasium -----------------------------------------------------------------------------------


@registered
@pytest.mark.parametrize("seat", [0, "alternate"])
def test_gymnasium_accepts(game: Game, seat: int | str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"tempo/{game.name.capitalize()}-v0", seat=seat)
        check_env(env.unwrapped)


@every_game
def test_gymnasium_accepts_options(game: Game) -> None:
    check_env(TempoEnv(game, seat=game.seat_names[-1]), skip_render_check=True)


def legal(random: np.random.Generator, mask: NDArray[np.int8]) -> int:
    moves = mask.nonzero()[0]
    return int(random.choice(moves)) if len(moves) else 0


@every_game
def test_a_game_is_the_same_alone_and_among_others(game: Game) -> None:
    """Observations, rewards and ends, with a random opponent; stragglers are moved one by one."""
    same_game(game, 1, "random", count=20, steps=60)


@registered
def test_a_game_is_the_same_against_any_agent(game: Game) -> None:
    same_game(game, "alternate", "alphabeta:depth=1", count=2, steps=12)


def same_game(game: Game, seat: int | str, opponent: str, count: int, steps: int) -> None:
    many = TempoVectorEnv(game, count, opponent, seat, threads=2)
    alone = SyncVectorEnv([lambda: TempoEnv(game, opponent, seat) for _ in range(count)])
    random = np.random.default_rng(7)
    first, _ = many.reset(seed=3)
    second, _ = alone.reset(seed=3)
    assert equal(first, second)
    ended = 0
    for step in range(steps):
        actions = np.array([legal(random, mask) for mask in first["action_mask"]])
        if step % 10 == 5:
            actions[0] = first["action_mask"][0].argmin()  # an illegal one
        first, *told, infos = many.step(actions)
        second, *told_too, infos_too = alone.step(actions)
        assert equal(first, second)
        assert all(np.array_equal(a, b) for a, b in zip(told, told_too, strict=True))
        assert np.array_equal(infos["seat"], infos_too["seat"])
        ended += int(told[1].sum())
    assert many.observation_space.contains(first)
    assert ended > 0


def equal(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in ("observation", "action_mask"))


@every_game
def test_random_games_by_the_caller_alone_are_games(game: Game) -> None:
    """With no opponent the caller plays every seat; the rewards are the movers' own scores."""
    env = TempoVectorEnv(game, 8, opponent=None)
    _, infos = env.reset(seed=2)
    singles: list[Any] = [env._table.batch[i] for i in range(8)]
    ended = 0
    while ended < 8:
        movers, actions = infos["seat"], env.sample_actions()
        assert movers.tolist() == [single.turn for single in singles]
        over = [single.is_over for single in singles]
        observations, rewards, terminations, truncations, infos = env.step(actions)
        for i in range(8):
            single = env._table.batch[i] if over[i] else singles[i].play(int(actions[i]))
            scores = single.outcome.scores if single.is_over else (0.0,) * game.seats
            assert single == env._table.batch[i]
            assert terminations[i] == single.is_over
            assert infos["scores"][i].tolist() == list(scores)
            assert rewards[i] == (0 if over[i] else scores[movers[i]])
            assert np.array_equal(observations["observation"][i], single.features())
            singles[i] = single
        assert not truncations.any()
        ended += int(terminations.sum())


@registered
def test_threads_change_nothing(game: Game) -> None:
    def rewards(threads: int) -> list[list[float]]:
        env = TempoVectorEnv(game, 20, threads=threads)
        env.reset(seed=9)
        return [env.step(env.sample_actions())[1].tolist() for _ in range(60)]

    assert rewards(1) == rewards(3)


@registered
def test_an_illegal_move_loses_its_game_alone(game: Game) -> None:
    env = TempoVectorEnv(game, 3)
    env.reset(seed=1)
    observations = env.step(env.sample_actions())[0]
    actions = env.sample_actions()
    actions[1] = observations["action_mask"][1].argmin()
    observations, rewards, terminations, _, infos = env.step(actions)
    assert terminations.tolist() == [False, True, False]
    assert rewards.tolist() == [0, -1, 0]
    assert infos["scores"][1].tolist() == [
        -1 if team == game.teams[0] else 1 for team in game.teams
    ]
    assert not observations["action_mask"][1].any()


def test_an_opponent_may_resign(monkeypatch: pytest.MonkeyPatch) -> None:
    class GivesUp:
        name = "gives-up"

        def choose(self, view: object) -> object:
            raise agents.Resigns

        def reset(self, seed: int) -> None:
            pass

    monkeypatch.setattr("tempo.agents.load", lambda spec: GivesUp())
    for game in REGISTERED:
        table = Table(game, 2, "gives-up", 0, threads=1)
        table.begin(1)
        rewards = np.zeros(2)
        while not table.over.all():
            rewards = table.step(table.random_moves(np.zeros(2)))
        won = 1 if game.teams[1] != game.teams[0] else -1
        assert rewards.tolist() == [won, won]
        assert not table.observe()["action_mask"].any()


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: ours.env("no-such"), "there is no game"),
    (lambda: ours.env("othello", render_mode="rgb_array"), "there is no render mode 'rgb_array'"),
    (lambda: TempoEnv("othello", opponent="nobody"), "there is no agent 'nobody'"),
    (lambda: TempoEnv("othello", seat=2), "a seat is 0 to 1 or one of black, white, alternate"),
    (lambda: TempoEnv("othello", seat="east"), "a seat is 0 to 1 or one of"),
    (lambda: TempoEnv("othello").step(19), "reset() starts one"),
    (lambda: TempoVectorEnv("othello", 0), "a batch needs at least one game"),
    (lambda: begun(2).step(np.array([19, 65])), "game 1: an action is from 0 to 64, not 65"),
    (lambda: begun(2).step(np.array([-1, 19])), "game 0: an action is from 0 to 64, not -1"),
    (lambda: begun(2).step(np.array([19])), "there are 2 games, and actions (1,)"),
]


def begun(count: int) -> TempoVectorEnv:
    env = TempoVectorEnv("othello", count)
    env.reset(seed=1)
    return env


@pytest.mark.parametrize(("make", "says"), REFUSED)
def test_what_is_wrong_is_said(make: Callable[[], object], says: str) -> None:
    with pytest.raises(ParseError) as error:
        make()
    assert says in str(error.value)


def test_a_game_without_features_is_refused() -> None:
    game: Any = SimpleNamespace(name="bare", core=SimpleNamespace(Batch=object))
    with pytest.raises(ParseError, match="bare has no features"):
        spaces.observation_space(game)


# ---- what is hidden ------------------------------------------------------------------------------


@hidden
def test_seats_that_cannot_tell_two_worlds_apart_observe_the_same(game: Game) -> None:
    """Every seat of a game under way, in worlds drawn from what that seat knows."""
    env = ours.raw_env(game, render_mode="svg")
    env.reset(seed=11)
    table = Table(game, 1, None, 0, threads=1)
    random = np.random.default_rng(11)
    others = 0
    for ply in range(300):
        truth: Any = env.position
        if truth.is_over:
            break
        for seat, agent in enumerate(game.seat_names if ply % 10 == 0 else ()):
            seen = env.observe(agent)
            picture = env.render()
            world = truth.view(seat).sample(ply)
            others += world != truth
            env.position = world
            assert equal(env.observe(agent), seen)
            assert seat != truth.turn or env.render() == picture
            env.position = truth
            if seat == truth.turn:
                table.batch.place(0, world)
                table._look()
                assert equal({name: rows[0] for name, rows in table.observe().items()}, seen)
        env.step(legal(random, env.observe(env.agent_selection)["action_mask"]))
    assert others > 40


@registered
def test_boards_are_shown_as_the_own_seat_sees_them(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    env = TempoEnv(game, seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.position.view(1).board
    assert capsys.readouterr().out == ""
    TempoEnv(game, seat=1, render_mode="human").reset(seed=1)
    assert capsys.readouterr().out == f"{env.position.view(1).board}\n"
    ours.env(game, render_mode="human").reset(seed=1)
    assert capsys.readouterr().out != ""


# ---- installing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("package", ["gymnasium", "pettingzoo"])
def test_without_the_extra_it_is_said_in_one_sentence(package: str) -> None:
    program = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from tempo.errors import TempoError\n"
        "try:\n"
        f"    import tempo.environments.{package}\n"
        "except TempoError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    extra = "pip install 'tempo-games[envs]'"
    assert done.stdout == f"this needs {package}, of the extra `envs`: {extra}\n", done.stderr
