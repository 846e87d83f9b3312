"""Siguo by rules of thumb: what attacks win on average, safety, the way to a flag, its defence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo._core import siguo, siguo_heuristic
from tempo.agents.base import Choice, Cloned, Cost, Drawing, played_by
from tempo.agents.registry import NoSettings, declare

if TYPE_CHECKING:
    from tempo.games.protocol import View


@declare(
    "siguo-heuristic",
    NoSettings,
    "rules of thumb on what a seat may know",
    games=("siguo",),
)
class SiguoHeuristic(Drawing, Cloned):
    """The move with the highest score, from the seat's view and what follows from it."""

    name = "siguo-heuristic"

    def __init__(self, settings: NoSettings | None = None) -> None:
        self.settings = settings or NoSettings()
        self.reset(0)

    def choose(self, view: View) -> Choice:
        """The best by the rules of thumb; nothing is searched."""
        known = played_by(self.name, view, siguo.View)
        move = siguo_heuristic.choose(known, self._random.getrandbits(64))
        return Choice(move, values=(), line=(move,), cost=Cost(positions=1))
