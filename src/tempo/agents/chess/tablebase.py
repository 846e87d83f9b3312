"""Perfect play in chess endings of at most four pieces, by exact tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tempo import _core
from tempo.agents.base import Choice, Cost, Drawing
from tempo.agents.registry import declare
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError
from tempo.games.chess.tablebase import Tablebase, best_moves, value
from tempo.games.game import by_seat

if TYPE_CHECKING:
    from tempo.games.protocol import Position, View


@dataclass(frozen=True)
class TablebaseSettings(AgentSettings):
    """Where the tables are."""

    folder: str = setting("", "folder of tables; empty: the user's cache", opens="file")


def misfit(position: Position, agent: str, config: Mapping[str, Any]) -> str:
    """Why tables cannot play on from a position; empty when they can."""
    try:
        _core.endings.Tables.material(cast("_core.chess.Position", position))
    except ParseError:
        return f"{agent} plays endings of at most 4 pieces, not this position"
    return ""


@declare(
    "tablebase",
    TablebaseSettings,
    "perfect play in chess endings of at most four pieces",
    games=("chess",),
    misfit=misfit,
)
class TablebaseAgent(Drawing):
    """Mates as soon as can be, is mated as late as can be, and chooses at random among equals.

    Tables that are missing are computed, which takes seconds for four pieces. The fifty-move rule
    and repetition are not looked at: no mate of four pieces needs so long.
    """

    def __init__(
        self, settings: TablebaseSettings | None = None, tablebase: Tablebase | None = None
    ) -> None:
        self.settings = settings or TablebaseSettings()
        self.name = text_of("tablebase", self.settings)
        self._tablebase = tablebase or Tablebase(self.settings.folder or None)
        self.reset(0)

    def choose(self, view: View) -> Choice:
        """One of the best moves. Raises ParseError where no table can know the position."""
        rows = self._tablebase.moves(view)
        best = best_moves(rows)
        move = best[self._random.randrange(len(best))]
        values = by_seat(float(value(dict(rows)[move])), view.turn)
        return Choice(move, values, line=(move,), cost=Cost(positions=len(rows)))

    def clone(self) -> TablebaseAgent:
        """A copy that shares the tables, for another thread or seat."""
        return TablebaseAgent(self.settings, self._tablebase)
