"""Siguo by rules of thumb: what attacks win on average, safety, the way to a flag, its defence."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tempo._core import siguo, siguo_heuristic
from tempo.agents.base import Choice, Cloned, Cost
from tempo.agents.registry import NoSettings, declare
from tempo.errors import ParseError

if TYPE_CHECKING:
    from tempo.games.protocol import View


@declare(
    "siguo-heuristic",
    NoSettings,
    "rules of thumb on what a seat may know",
    games=("siguo",),
)
class SiguoHeuristic(Cloned):
    """The move with the highest score, from the seat's view and what follows from it."""

    name = "siguo-heuristic"

    def __init__(self, settings: NoSettings | None = None) -> None:
        self.settings = settings or NoSettings()
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Takes a new random stream, which decides between moves that score nearly alike."""
        self._random = Random(seed)

    def choose(self, view: View) -> Choice:
        """The best by the rules of thumb; nothing is searched."""
        if not isinstance(view, siguo.View):
            raise ParseError(f"{self.name} plays siguo alone, not {getattr(view, 'game', '?')}")
        move = siguo_heuristic.choose(view, self._random.getrandbits(64))
        return Choice(move, values=(), line=(move,), cost=Cost(positions=1))
