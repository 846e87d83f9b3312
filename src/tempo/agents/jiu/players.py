"""Agents that play whole games of Jiu: one who places the stones, and one who fights with them.

A placer fills the central square, where opening engines differ; the expert fills the rest for
all of them. Who fights is any agent: an engine of the core by its name (`paper`, `random`, or
`search:N` with N positions a turn), or a search of its own. `JiuAgent` puts the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from tempo import _core
from tempo._core import jiu_players
from tempo.agents.base import Agent, Choice, Cost, Watched, played_by
from tempo.agents.jiu.placing import (
    AREA,
    PLACING,
    BayesPlacer,
    Boards,
    ExpertPlacer,
    Layouts,
    Placer,
    central,
    rules,
)
from tempo.agents.registry import declare
from tempo.agents.settings import FACTOR, AgentSettings, setting, text_of
from tempo.errors import ParseError, quoted
from tempo.nets import bayes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tempo.games.protocol import View

TABLES = "bayes-300"  # of those that come with the package
_search = re.compile(r"search:[1-9]\d{0,8}")


class BattleAgent:
    """Fights by an engine of the core, which plans a whole turn at once."""

    def __init__(self, engine: str = "paper") -> None:
        if engine not in ENGINES and not _search.fullmatch(engine):
            raise ParseError(
                f"battle cannot be {quoted(engine)}; it takes {', '.join(ENGINES)} or search:N"
            )
        self.name = engine
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Takes a new random stream."""
        self._seed = seed % 2**64
        self._plan: dict[int, tuple[int, ...]] = {}

    def choose(self, view: View) -> Choice:
        """The next move of the turn that the engine likes best."""
        battle = played_by(self.name, view, _core.jiu.Position)
        if battle.key not in self._plan:
            self._plan = _rest(battle, jiu_players.choose_turn(battle, self.name, self._seed))
        line = self._plan[battle.key]
        return Choice(line[0], values=(), line=line, cost=Cost(positions=1))

    def clone(self) -> BattleAgent:
        """A copy, for another thread or seat."""
        return BattleAgent(self.name)


ENGINES = ("paper", "random")


def _rest(position: _core.jiu.Position, turn: list[int]) -> dict[int, tuple[int, ...]]:
    """What is left of a turn, by the key of each position in it."""
    plan = {}
    for place, move in enumerate(turn):
        plan[position.key] = tuple(turn[place:])
        position = position.play(move)
    return plan


class JiuAgent:
    """Places by one, fights by the other. Remembers the order of placements it has watched."""

    def __init__(self, name: str, placer: Placer, battle: Agent, area: int = AREA) -> None:
        self.name = name
        self.placer, self.battle, self.area = placer, battle, area
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begins a new game."""
        self._seed = seed % 2**64
        self._order: list[int] = []
        self.battle.reset(seed)

    def choose(self, view: View) -> Choice:
        """A point to place on, or the battle agent's move."""
        position = played_by(self.name, view, _core.jiu.Position)
        if position.is_battle:
            return self.battle.choose(view)
        games = self._watch(position)
        allowed = games.allowed(self.area)
        inside = bool(np.any(allowed[0][central(games.size, self.area)])) or games.placed < 2
        placer = self.placer if inside else ExpertPlacer()
        point = int(placer.place(games, allowed)[0])
        self._order.append(point)
        points = games.size**2
        move = points * points + 8 * points + point
        return Choice(move, values=(), line=(move,), cost=Cost(positions=1))

    def watch(self, told: Callable[[Choice], None] | None) -> None:
        """Has the battle agent tell what it thinks, if it can."""
        if isinstance(self.battle, Watched):
            self.battle.watch(told)

    def _watch(self, position: _core.jiu.Position) -> Layouts:
        """The board with the order of its stones, or -1 for all where that was not seen."""
        boards = jiu_players.boards_of([position])
        stones = np.flatnonzero(boards[0])
        fresh = [int(point) for point in stones if point not in self._order]
        kept = len(self._order) + len(fresh) == len(stones)
        if kept and len(fresh) <= 1 and self._is_due(boards, fresh):
            self._order += fresh
            order = self._order
        else:
            self._order = order = [-1] * len(stones)
        placements = np.array([order], np.int32)
        return Layouts(rules(position.game), boards, placements, np.array([self._seed], np.uint64))

    def _is_due(self, boards: Boards, fresh: list[int]) -> bool:
        """Whether the stones are of the colours that their order asks for."""
        order = self._order + fresh
        first = boards[0][order[:1]].sum() if order else 1
        expected = [(first - 1 + i) % 2 + 1 for i in range(len(order))]
        return -1 not in order and list(boards[0][order]) == expected

    def clone(self) -> JiuAgent:
        """A copy, for another thread or seat."""
        make = getattr(self.battle, "clone", None)
        if make is None:
            raise ParseError(f"{self.battle.name} cannot be copied, so {self.name} cannot be")
        return JiuAgent(self.name, self.placer, make(), self.area)


# ---- by name -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExpertSettings(AgentSettings):
    """How the expert places, varies and fights."""

    weights: str = setting(
        "priority",
        "defend, attack, connect by priority, or a sum by score, or as matches have tuned it",
        choices=PLACING,
    )
    temperature: float = setting(0.0, "of the draw among points; 0: the best", FACTOR)
    battle: str = setting("paper", "who fights: paper, random or search:N")


@dataclass(frozen=True)
class BayesSettings(AgentSettings):
    """Which tables, where they are used, and who fights."""

    tables: str = setting(
        TABLES,
        "bayes-300 or bayes-3000, or a file of counts",
        choices=("bayes-300", "bayes-3000"),
        opens="file",
    )
    area: int = setting(
        AREA, "side of the central square placed by the tables; 0: all points", (0, 30)
    )
    temperature: float = setting(0.0, "of the draw among points; 0: the best", FACTOR)
    battle: str = setting("paper", "who fights: paper, random or search:N")


@declare("jiu-expert", ExpertSettings, "places by an expert's priorities", games=("jiu",))
def expert_agent(settings: ExpertSettings | None = None) -> JiuAgent:
    """The expert on all points."""
    chosen = settings or ExpertSettings()
    placer = ExpertPlacer(chosen.temperature, chosen.weights)
    return JiuAgent(text_of("jiu-expert", chosen), placer, BattleAgent(chosen.battle), area=0)


@declare(
    "jiu-bayes",
    BayesSettings,
    "places by a Bayesian network of shapes",
    games=("jiu",),
    weights=(f"jiu/{TABLES}",),
)
def bayes_agent(settings: BayesSettings | None = None) -> JiuAgent:
    """The Bayesian network in the centre, the expert around it."""
    chosen = settings or BayesSettings()
    placer = BayesPlacer(network(chosen.tables), chosen.temperature)
    name = text_of("jiu-bayes", chosen)
    return JiuAgent(name, placer, BattleAgent(chosen.battle), chosen.area)


def network(tables: str = TABLES) -> bayes.BlockNetwork:
    """A Bayesian network that comes with the package, or one of a file."""
    shipped = resources.files("tempo.weights") / "jiu" / f"{tables}.safetensors"
    if shipped.is_file():
        return bayes.read(shipped.read_bytes(), tables)
    try:
        with open(tables, "rb") as file:
            return bayes.read(file.read(), tables)
    except OSError as error:
        raise ParseError(f"there are no tables '{tables}': {error.strerror}") from None
