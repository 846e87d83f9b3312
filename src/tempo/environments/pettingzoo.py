"""Every game as an AEC environment of PettingZoo.

>>> from tempo.environments import pettingzoo
>>> env = pettingzoo.env("gomoku(size=9)")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.possible_agents
['black', 'white']
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from tempo.environments import spaces
from tempo.errors import missing_extra
from tempo.games import Game, load

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing_extra(error) or error from None

if TYPE_CHECKING:
    from gymnasium import spaces as gym_spaces

    from tempo.games.protocol import Position


def env(
    game: str | Game, render_mode: str | None = None
) -> AECEnv[str, spaces.Observation, int | None]:
    """A game in the wrappers of PettingZoo's own: an illegal move ends it and costs its mover 1."""
    made: AECEnv[str, spaces.Observation, int | None] = raw_env(game, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv[str, spaces.Observation, "int | None"]):  # noqa: N801 - PettingZoo's name
    """A game without wrappers: an illegal move is IllegalMove.

    The agents are the game's seats. Each observes what its seat may know, and no more.
    """

    def __init__(self, game: str | Game, render_mode: str | None = None) -> None:
        self.game = load(game)
        self.render_mode = spaces.checked_mode(render_mode)
        self.metadata = {
            **spaces.METADATA,
            "name": f"tempo_{self.game.name}_v0",
            "is_parallelizable": False,
        }
        self.possible_agents = list(self.game.seat_names)
        self.observation_spaces: dict[str, gym_spaces.Space[Any]] = {
            agent: spaces.observation_space(self.game) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, gym_spaces.Space[Any]] = {
            agent: spaces.action_space(self.game) for agent in self.possible_agents
        }
        self.position: Position
        self._random = Random()

    def observation_space(self, agent: str) -> gym_spaces.Space[Any]:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym_spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; the seed decides this deal and later ones, where there are deals."""
        if seed is not None:
            self._random.seed(seed)
        deal = self._random.getrandbits(63) if self.game.is_dealt else None
        self.position = self.game.start(deal)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Plays a move of the agent whose turn it is; None takes leave after the end."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent] or action is None:
            self._was_dead_step(action)
            return
        self.position = self.position.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        if (outcome := self.position.outcome) is not None:
            self.rewards = dict(zip(self.agents, map(float, outcome.scores), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.position.turn]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> spaces.Observation:
        """What an agent may know now; the mask is empty while it is another's turn."""
        return spaces.observe(self.game, self.position, self.possible_agents.index(agent))

    def render(self) -> str | None:
        """The board as the agent whose turn it is may see it."""
        seat = self.possible_agents.index(self.agent_selection)
        return spaces.render(self.position, seat, self.render_mode)

    def close(self) -> None:
        """Does nothing: there is no window."""
