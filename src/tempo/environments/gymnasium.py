"""Every game as an environment of Gymnasium: one seat against an opponent, one game or thousands.

>>> import gymnasium
>>> import tempo.environments.gymnasium  # makes the ids known
>>> env = gymnasium.make("tempo/Gomoku-v0", game="gomoku(size=9)", opponent="alphabeta:depth=1")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> observation["observation"].shape
(3, 9, 9)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tempo.environments import spaces
from tempo.environments.table import Table
from tempo.errors import ParseError, missing_extra
from tempo.games import Game, load, names

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing_extra(error) or error from None

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TempoEnv(gymnasium.Env[spaces.Observation, int]):
    """A game in which you have one seat, and an opponent has every other, a partner's included.

    `opponent` is an agent's name, as `tempo.agents.load` takes it. `seat` is a number, a name, or
    `alternate`: another seat in every game. The reward is your score when the game ends. An illegal
    move loses the game.
    """

    metadata = spaces.METADATA

    def __init__(
        self,
        game: str | Game,
        opponent: str = "random",
        seat: int | str = 0,
        render_mode: str | None = None,
    ) -> None:
        self.game = load(game)
        self.render_mode = spaces.checked_mode(render_mode)
        self.observation_space = spaces.observation_space(self.game)
        self.action_space = spaces.action_space(self.game)
        self._table = Table(self.game, 1, opponent, seat, threads=1)

    @property
    def position(self) -> Any:
        """The position, hidden parts included."""
        return self._table.batch[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[spaces.Observation, dict[str, Any]]:
        """Starts a game; the seed decides deals and the opponent's choices from here on."""
        super().reset(seed=seed)
        self._table.begin(seed)
        return self._seen()

    def step(self, action: int) -> tuple[spaces.Observation, float, bool, bool, dict[str, Any]]:
        """Plays your move and the opponent's replies, until it is your turn again or the end."""
        if self._table.over[0]:
            raise ParseError("there is no game under way; reset() starts one")
        reward = float(self._table.step(np.array([action], np.int64))[0])
        observation, info = self._seen()
        return observation, reward, bool(self._table.over[0]), False, info

    def _seen(self) -> tuple[spaces.Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        seen = {name: rows[0] for name, rows in self._table.observe().items()}
        return seen, {"seat": int(self._table.seats[0])}

    def render(self) -> str | None:
        """The board as your seat may see it."""
        return spaces.render(self.position, int(self._table.seats[0]), self.render_mode)


class TempoVectorEnv(VectorEnv[spaces.Observation, "NDArray[Any]", "NDArray[Any]"]):
    """Many games at once in the core, each as `TempoEnv` has it: game i is seeded with `seed + i`.

    A random opponent replies in bulk, any other game by game. With an opponent of None you play
    every seat: you observe as the seat to move, and the reward is that of the seat that moved. In
    `infos`, `seat` [B] says which seat observes and `scores` [B, seats] what each got. A game that
    is over begins anew in the next step, which ignores its action.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponent: str | None = "random",
        seat: int | str = 0,
        threads: int = 1,
    ) -> None:
        self.game = load(game)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = spaces.observation_space(self.game)
        self.single_action_space = spaces.action_space(self.game)
        self._table = Table(self.game, num_envs, opponent, seat, threads)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[spaces.Observation, dict[str, Any]]:
        """Starts every game; the seed decides deals and the opponent's choices from here on."""
        super().reset(seed=seed)
        self._table.begin(seed)
        return self._table.observe(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        spaces.Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, NDArray[Any]]
    ]:
        """Plays your move in every game and the opponent's replies."""
        if np.shape(actions) != (self.num_envs,):
            raise ParseError(f"there are {self.num_envs} games, and actions {np.shape(actions)}")
        rewards = self._table.step(np.asarray(actions))
        ended = self._table.over
        truncated = np.zeros_like(ended)
        return self._table.observe(), rewards, ended.copy(), truncated, self._infos()

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, all as likely: faster than sampling by the mask."""
        return self._table.random_moves(self.np_random.random(self.num_envs))

    def _infos(self) -> dict[str, NDArray[Any]]:
        return {"seat": self._table.seats.copy(), "scores": self._table.scores}


def register() -> None:
    """Makes every registered game known to `gymnasium.make`, as `tempo/Gomoku-v0`."""
    for name in names():
        env_id = f"tempo/{name.capitalize()}-v0"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point=f"{__name__}:TempoEnv",
                vector_entry_point=f"{__name__}:TempoVectorEnv",
                kwargs={"game": name},
            )


register()
