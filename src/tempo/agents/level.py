"""The levels of the page as agents: a step of a game's ladder, random moves included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo.agents.base import Choice, Cloned, Cost, Drawing, Watched
from tempo.agents.registry import declare, load
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import unknown
from tempo.games.description import STEPS
from tempo.games.registry import load as load_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from tempo.agents.base import Agent
    from tempo.games.description import Level
    from tempo.games.protocol import View

LEVEL = "level"


@dataclass(frozen=True)
class LevelSettings(AgentSettings):
    """Which step of the ladder."""

    name: str = setting("club", "a step of the game's ladder, from newcomer to best")


@declare(LEVEL, LevelSettings, "a level of the page: the game's own agent, with random moves")
class LevelAgent(Drawing, Cloned):
    """Plays as the level of this name in the game that it is shown."""

    _told: Callable[[Choice], None] | None = None

    def __init__(self, settings: LevelSettings | None = None) -> None:
        self.settings = settings or LevelSettings()
        if self.settings.name not in STEPS:
            raise unknown("level", self.settings.name, STEPS)
        self.name = text_of(LEVEL, self.settings)
        self._levels: dict[str, tuple[Level, Agent]] = {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Takes a new random stream, for the agent of the level too."""
        super().reset(seed)
        self._seed = seed
        for _, agent in self._levels.values():
            agent.reset(seed)

    def choose(self, view: View) -> Choice:
        """A random move as often as the level says, else that of its agent."""
        level, agent = self._level(view)
        if isinstance(agent, Watched):
            agent.watch(self._told)
        if level.slips and self._random.random() < level.slips:
            moves = view.legal_moves
            move = moves[self._random.randrange(len(moves))]
            return Choice(move, values=(), line=(move,), cost=Cost(positions=1))
        return agent.choose(view)

    def watch(self, told: Callable[[Choice], None] | None) -> None:
        """Has the agent of the level tell what it thinks, if it can."""
        self._told = told

    def _level(self, view: View) -> tuple[Level, Agent]:
        if view.game not in self._levels:
            levels = load_game(view.game).description.levels
            level = next(one for one in levels if one.name == self.settings.name)
            agent = load(level.agent)
            agent.reset(self._seed)
            self._levels[view.game] = level, agent
        return self._levels[view.game]
