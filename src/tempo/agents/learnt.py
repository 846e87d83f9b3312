"""Playing by what a run has learnt, whatever the game and the learner."""

from __future__ import annotations

from dataclasses import dataclass

from tempo.agents.registry import declare
from tempo.agents.search import AlphaBetaAgent, AlphaBetaSettings
from tempo.agents.settings import DEPTH, DRAWS, AgentSettings, setting
from tempo.errors import ParseError
from tempo.runs import Run


@dataclass(frozen=True)
class LearntSettings(AgentSettings):
    """Which run, and how deep it is searched."""

    weights: str = setting("", "run folder", opens="file")
    depth: int = setting(0, "moves below the root; 0: as in training", DEPTH)
    determinizations: int = setting(
        8, "determinizations searched a move, in games with hidden ranks", DRAWS
    )


@declare("learnt", LearntSettings, "alpha-beta over what a run has learnt", runs={"self_play": ""})
class LearntAgent(AlphaBetaAgent):
    """Alpha-beta with the approximator of a run at the leaves."""

    def __init__(self, settings: LearntSettings, name: str = "") -> None:
        if not settings.weights:
            raise ParseError("learnt plays a run: give weights=RUN")
        depth = settings.depth or int(Run.open(settings.weights).config.get("depth", 1))
        super().__init__(
            AlphaBetaSettings(
                depth=depth, eval=settings.weights, determinizations=settings.determinizations
            )
        )
        self._learnt = settings
        self.name = name or self.name

    def clone(self) -> LearntAgent:
        """Another one of the same run."""
        return LearntAgent(self._learnt, self.name)
