"""Stand-ins for the three levels of a commercial program of Gomoku that papers played against.

Zhao, Zhang, Dai (2012) and Tang, Zhao, Shao, Lv (2016) measure themselves by "5-star Gomoku", which
is no longer available. HMCTS can be rebuilt and has published scores against it, so the stand-ins
are made as strong as these scores say: each has two knobs, how far it looks ahead and its share of
slips, which `tools/calibrate_standins.py` sets and `standins.json` freezes. Every table that
names one has to say "stand-in".
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from tempo import _core
from tempo._core import gomoku, gomoku_playouts, gomoku_threats
from tempo.agents.base import Choice, Cloned, Cost, Drawing, played_by
from tempo.agents.registry import declare, declare_also
from tempo.agents.search import MEBIBYTE, choice_of
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError
from tempo.games.game import by_seat

if TYPE_CHECKING:
    from tempo.games.protocol import View

FROZEN = "standins.json"  # beside this file

LEVELS = ("beginner", "dilettante", "candidate")
# Positions spent on continuous fours before the search. The dilettante has some: two moves of
# alpha-beta seemed too weak, and a knob that makes it slip can only weaken it.
FOURS = {"beginner": 0, "dilettante": 2000, "candidate": 2000}


@dataclass(frozen=True)
class StandInSettings(AgentSettings):
    """Which level, how far it looks ahead, and how often it slips."""

    level: str = setting("beginner", "beginner, dilettante or candidate", choices=LEVELS)
    depth: int = setting(-1, "moves looked ahead; -1: as calibrated", (-1, 100))
    slips: float = setting(
        -1.0, "share of moves drawn from all close to stones; -1: as calibrated", (-1, 1)
    )


@declare(
    "stand-in",
    StandInSettings,
    "stand-ins for a commercial program's three levels",
    games=("gomoku",),
)
class StandIn(Drawing, Cloned):
    """Searches a fixed depth with weights set by hand, and now and then slips.

    The beginner takes the best pattern score after its own move. The candidate's search looks for
    fours at its leaves too.
    """

    def __init__(self, settings: StandInSettings | None = None) -> None:
        self.settings = s = settings or StandInSettings()
        self.name = text_of("stand-in", s)
        self.slips = frozen_slips(s.level) if s.slips == -1 else s.slips
        if not 0 <= self.slips <= 1:
            raise ParseError(f"{self.name} has {self.slips:g} slips a move; expected 0 to 1")
        depth = frozen_depth(s.level) if s.depth == -1 else s.depth
        if depth < 1:
            raise ParseError(f"{self.name} looks {depth} moves ahead; expected 1 or more")
        self._search = _search(s.level, depth)
        self.reset(0)

    def choose(self, view: View) -> Choice:
        """A win by fours if the level looks for one, what the search likes best, or a slip."""
        position = played_by(self.name, view, gomoku.Position)
        if self._random.random() < self.slips:
            move = self._random.choice(gomoku_playouts.candidates(position))
            return Choice(move, values=(), line=(move,), cost=Cost(positions=1))
        verdict, line, visited = gomoku_threats.fours(position, FOURS[self.settings.level])
        if verdict == "win":
            return Choice(line[0], by_seat(1.0, position.turn), tuple(line), Cost(visited))
        found = choice_of(self._search.search(position))
        return replace(found, cost=replace(found.cost, positions=found.cost.positions + visited))


for _level, _rank in zip(LEVELS, ("weakest", "middle", "strongest"), strict=True):
    declare_also(f"gomoku-{_level}", f"stand-in:level={_level}", f"the {_rank} stand-in")


def _search(level: str, depth: int) -> gomoku.AlphaBeta | gomoku_threats.AlphaBeta:
    settings = _core.AlphaBetaSettings(depth=depth, table_bytes=MEBIBYTE)
    if level == "candidate":
        return gomoku_threats.AlphaBeta(gomoku_threats.Evaluator.static(), settings)
    return gomoku.AlphaBeta(gomoku.Evaluator.static(), settings)


def frozen_slips(level: str) -> float:
    """The share of slips that the calibration has chosen."""
    return float(frozen()["levels"][level]["slips"])


def frozen_depth(level: str) -> int:
    """How far the level looks ahead."""
    return int(frozen()["levels"][level]["depth"])


@cache
def frozen() -> dict[str, Any]:
    """The record of the calibration, with the knobs it chose."""
    text = (resources.files(__package__) / FROZEN).read_text()
    record: dict[str, Any] = json.loads(text)
    return record
