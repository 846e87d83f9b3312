"""Engines of shogi as agents.

usi:path=gpsusi,byoyomi=0.5,options=Thread:1;BookDepth:0
gnushogi:movetime=0.5
"""

from __future__ import annotations

from dataclasses import dataclass

from tempo._core import shogi
from tempo.agents.engines import EngineAgent, PonderingSettings, started
from tempo.agents.registry import declare
from tempo.agents.settings import SECONDS, AgentSettings, setting, text_of
from tempo.engines.answer import Engine, Limits
from tempo.engines.gnushogi import GnuShogi
from tempo.engines.usi import USI


@dataclass(frozen=True)
class UsiSettings(PonderingSettings):
    """At least one limit is needed, or a clock; which of them an engine knows, it says itself."""

    byoyomi: float = setting(
        0.0, "seconds a move and nothing else on the clock; all engines know it", SECONDS
    )


@dataclass(frozen=True)
class GnuShogiSettings(AgentSettings):
    """GNU Shogi counts in whole seconds; a shorter time is measured here."""

    path: str = setting("gnushogi", "the program", opens="program")
    movetime: float = setting(1.0, "seconds a move", (0.01, SECONDS[1]))


@declare(
    "usi",
    UsiSettings,
    "any engine that speaks USI, run as a program of its own",
    games=("shogi",),
)
class UsiAgent(EngineAgent):
    """Any engine that speaks USI."""

    plays = shogi.Position

    def __init__(self, settings: UsiSettings | None = None) -> None:
        self.settings = s = settings or UsiSettings()
        self.limits = Limits(s.movetime, s.byoyomi, s.nodes, s.depth)
        super().__init__(text_of("usi", s))

    def _start(self) -> Engine:
        return started("usi", self.settings, self._on_clock or self.limits, USI)


@declare("gnushogi", GnuShogiSettings, "GNU Shogi, where it is installed", games=("shogi",))
class GnuShogiAgent(EngineAgent):
    """GNU Shogi in its own language."""

    plays = shogi.Position

    def __init__(self, settings: GnuShogiSettings | None = None) -> None:
        self.settings = settings or GnuShogiSettings()
        self.limits = Limits(movetime=self.settings.movetime)
        super().__init__(text_of("gnushogi", self.settings))

    def _start(self) -> Engine:
        return GnuShogi(self.settings.path)
