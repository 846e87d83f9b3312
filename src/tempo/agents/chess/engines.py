"""Engines of chess as agents.

uci:path=stockfish,movetime=0.1,options=Threads:1;Skill Level:3
"""

from __future__ import annotations

from dataclasses import dataclass

from tempo._core import chess
from tempo.agents.engines import EngineAgent, PonderingSettings, started
from tempo.agents.registry import declare
from tempo.agents.settings import text_of
from tempo.engines.answer import Engine, Limits
from tempo.engines.usi import UCI


@dataclass(frozen=True)
class UciSettings(PonderingSettings):
    """At least one limit is needed, or a clock; which of them an engine knows, it says itself."""


@declare(
    "uci",
    UciSettings,
    "any engine that speaks UCI, run as a program of its own",
    games=("chess",),
)
class UciAgent(EngineAgent):
    """Any engine that speaks UCI."""

    plays = chess.Position

    def __init__(self, settings: UciSettings | None = None) -> None:
        self.settings = s = settings or UciSettings()
        self.limits = Limits(s.movetime, 0.0, s.nodes, s.depth)
        super().__init__(text_of("uci", s))

    def _start(self) -> Engine:
        return started("uci", self.settings, self._on_clock or self.limits, UCI)
