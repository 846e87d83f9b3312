"""Agents that place Jiu's central stones by an opening library, as in the paper.

The libraries that come with the package were learnt by Sarsa and by Q-learning in 160,000 games of
self-play (`tempo reproduce jiu`). Where a library ends, the expert places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import cast, get_args

import numpy as np

from tempo._core.jiu_preparation import Preparation
from tempo._core.tables import ValueTable
from tempo.agents.jiu.placing import Boards, ExpertPlacer, Layouts, Placer, Points
from tempo.agents.jiu.players import ENGINES, BattleAgent, JiuAgent
from tempo.agents.registry import Runs, declare
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError
from tempo.games.jiu import library_sgf
from tempo.games.jiu.board import size_of
from tempo.games.jiu.library import By, Library, from_table
from tempo.games.registry import load as load_game
from tempo.runs import Run

SHIPPED = ("sarsa", "q_learning")


@dataclass
class LibraryPlacer:
    """The best placement that a library knows; where it ends, another's. Counts both."""

    library: Library
    by: By = "sequence"
    otherwise: Placer = field(default_factory=ExpertPlacer)
    asked: int = 0
    known: int = 0

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        if games.size != self.library.size:
            raise ParseError(
                f"a library of boards with {self.library.size} points a side, not {games.size}"
            )
        points = np.array([self._best(line) for line in games.placements.tolist()], np.int32)
        unknown = np.flatnonzero(points < 0)
        if len(unknown):
            points[unknown] = self.otherwise.place(games.some(unknown), allowed[unknown])
        self.asked += len(points)
        self.known += len(points) - len(unknown)
        return points

    def _best(self, line: list[int]) -> int:
        """-1 where the library ends, or where nobody has watched the placements."""
        point = None if -1 in line else self.library.best(line, self.by)
        return -1 if point is None else point


@dataclass(frozen=True)
class LibrarySettings(AgentSettings):
    """Which library, how it is asked, and who fights."""

    library: str = setting(
        "",
        "an SGF file or a run folder; the one that comes with the package if none",
        choices=SHIPPED,
        opens="file",
    )
    by: str = setting(
        "symmetry", f"what counts as the same: {', '.join(get_args(By))}", choices=get_args(By)
    )
    battle: str = setting("paper", f"who fights: {' or '.join(ENGINES)}")


def library_agent(
    agent: str, rule: str, settings: LibrarySettings | None = None, name: str = ""
) -> JiuAgent:
    """A library in the centre, the expert around it."""
    chosen = settings or LibrarySettings()
    battle = BattleAgent(chosen.battle)  # refused before a library is read
    placer = LibraryPlacer(opened(chosen.library or rule), cast(By, chosen.by))
    return JiuAgent(name or text_of(agent, chosen), placer, battle)


RUNS = Runs({"tabular": "jiu"}, lambda folder, _: LibrarySettings(folder), "placements")

for _name, _rule, _words in (
    ("jiu-sarsa", "sarsa", "Sarsa"),
    ("jiu-qlearning", "q_learning", "Q-learning"),
):
    declare(
        _name,
        LibrarySettings,
        f"places by a library that {_words} has learnt",
        games=("jiu",),
        weights=(f"jiu/{_rule}",),
        runs=RUNS if _rule == SHIPPED[0] else None,
    )(partial(library_agent, _name, _rule))


def opened(name: str) -> Library:
    """A library that comes with the package, or that of a file or a run folder."""
    return _learnt(Run.open(name)) if Path(name).is_dir() else _read(name)


@cache
def _read(name: str) -> Library:
    return _shipped(name) if name in SHIPPED else library_sgf.load(name)


def _learnt(run: Run) -> Library:
    """What a table has learnt so far."""
    arrays, table = run.trained().arrays, ValueTable()
    try:
        table.load(arrays["keys"], arrays["values"], arrays["visits"])
    except (KeyError, TypeError, ValueError) as error:
        raise ParseError(f"{run.folder} holds no table of placements: {error}") from None
    size = size_of(load_game(str(run.config.get("game", "jiu"))))
    keys = str(run.config.get("keys", "sequence"))
    return from_table(table, partial(Preparation, size=size, keys=keys))


def _shipped(rule: str) -> Library:
    with resources.as_file(resources.files("tempo.weights") / "jiu" / f"{rule}.sgf") as path:
        return library_sgf.load(path)
