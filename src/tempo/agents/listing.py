"""The agents that come with Tempo: their ratings, costs and origins.

Ratings are those that `tools/rate_agents.py` stored beside each game; origins stand in the files
that describe the weights.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from tempo.agents.level import LEVEL
from tempo.agents.registry import Kind, kinds
from tempo.games.registry import describe
from tempo.ledger import Ledger


@dataclass(frozen=True)
class Rating:
    """What a tournament of a game showed of an agent: its rating, and CPU time a move."""

    played: str  # with the budget that it was given
    rating: int
    low: int
    high: int
    score: float
    games: int
    cpu_ms: float
    positions: int


@dataclass(frozen=True)
class Origin:
    """How an agent came about: the commands that trained its weights, and what these cost."""

    commands: tuple[str, ...] = ()
    is_program: bool = False
    ledger: Ledger = field(default_factory=Ledger)

    def __str__(self) -> str:
        if not self.commands:
            return self.made
        made = {_short(command): None for command in self.commands}
        names = ", ".join(made) if len(made) < 3 else f"{len(made)} recipes"
        gpu = f", {self.ledger.gpu_seconds:,.0f} s GPU" if self.ledger.gpu_seconds else ""
        return f"{names}, {self.ledger.cpu_seconds:,.0f} s CPU{gpu}"

    @property
    def made(self) -> str:
        """Trained, hand-written, or a program of somebody else."""
        made = "a program of its own" if self.is_program else "hand-written"
        return "trained" if self.commands else made

    def to_json(self) -> dict[str, Any]:
        """The origin as JSON."""
        spent = {"ledger": self.ledger.to_json()} if self.commands else {}
        return {"made": self.made, "commands": list(self.commands), **spent}


def _short(command: str) -> str:
    """A recipe's name, or the tool or paper that made something."""
    words = command.split()
    return words[2] if words[:2] == ["tempo", "train"] else " ".join(words[-2:])


def origin_of(kind: Kind) -> Origin:
    """Where an agent's weights come from; those without weights are hand-written."""
    commands: list[str] = []
    spent = Ledger()
    for name in kind.weights:
        about = json.loads((resources.files("tempo.weights") / f"{name}.json").read_text("utf-8"))
        commands.append(about.get("command") or f"tempo reproduce {about['paper']}")
        spent += Ledger.from_json(about["ledger"])
    return Origin(tuple(commands), kind.starts_program, spent)


@cache
def tournament_of(game: str) -> dict[str, Any]:
    """How the agents of a game were rated, as it is stored; empty where they were not."""
    package = describe(game).package
    file = resources.files(package) / "ratings.json" if package else None
    if file is None or not file.is_file():
        return {}
    stored: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return stored


def ratings_of(game: str) -> dict[str, Rating | None]:
    """The agents that play a game, the best first; None for those that were not rated."""
    rows = tournament_of(game).get("agents", {})
    names = [name for name, kind in kinds().items() if game in kind.games and name != LEVEL]
    found = {name: Rating(**rows[name]) if name in rows else None for name in names}
    return dict(sorted(found.items(), key=lambda row: -row[1].rating if row[1] else 1_000_000))


def levels_of(game: str) -> dict[str, Rating | None]:
    """The levels of a game, weakest first; None for those that were not rated as they are now."""
    rows = tournament_of(game).get("levels", {})
    found: dict[str, Rating | None] = {}
    for level in describe(game).levels:
        row = dict(rows.get(level.name, {}))
        same = (row.pop("agent", ""), row.pop("slips", 0.0)) == (level.agent, level.slips)
        found[level.name] = Rating(**row) if same else None
    return found
