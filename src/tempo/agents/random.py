"""The random mover: the floor of every comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.agents.base import Choice, Cloned, Cost, Drawing
from tempo.agents.registry import NoSettings, declare

if TYPE_CHECKING:
    from tempo.games.protocol import View


@declare("random", NoSettings, "a uniformly random legal move")
class RandomAgent(Drawing, Cloned):
    """Plays a uniformly random legal move."""

    name = "random"

    def __init__(self, settings: NoSettings | None = None) -> None:
        self.settings = settings or NoSettings()
        self.reset(0)

    def choose(self, view: View) -> Choice:
        """Any legal move, each as likely as the next."""
        moves = view.legal_moves
        move = moves[self._random.randrange(len(moves))]
        return Choice(move, values=(), line=(move,), cost=Cost(positions=1))
