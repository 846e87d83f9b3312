"""Engines of any open game that speak UGI, as agents: `ugi:path=PROGRAM,movetime=1`.

UGI is UCI for any game (docs/protocols.md): positions are the game's own texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo.agents.engines import EngineAgent, PonderingSettings, started
from tempo.agents.registry import declare
from tempo.agents.settings import text_of
from tempo.engines.answer import Engine, Limits
from tempo.engines.usi import UGI
from tempo.errors import ParseError

if TYPE_CHECKING:
    from tempo.agents.base import Choice
    from tempo.games.protocol import View


@dataclass(frozen=True)
class UgiSettings(PonderingSettings):
    """At least one limit is needed, or a clock; which of them an engine knows, it says itself."""


@declare("ugi", UgiSettings, "any engine that speaks UGI, run as a program of its own")
class UgiAgent(EngineAgent):
    """Any engine that speaks UGI."""

    plays = object

    def __init__(self, settings: UgiSettings | None = None) -> None:
        self.settings = s = settings or UgiSettings()
        self.limits = Limits(s.movetime, 0.0, s.nodes, s.depth)
        super().__init__(text_of("ugi", s))

    def choose(self, view: View) -> Choice:
        """The engine's move; ParseError in a game that hides something."""
        if not hasattr(view, "play"):
            raise ParseError("ugi plays games in which nothing is hidden")
        return super().choose(view)

    def _start(self) -> Engine:
        return started("ugi", self.settings, self._on_clock or self.limits, UGI)
