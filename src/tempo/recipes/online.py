"""A run that learns from whole games others bring: those that it has played on the page.

The module of its learner (`tempo.recipes.learners`) has `learn_game(learner, moves, scores)` then:
what a game teaches that has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tempo.errors import TempoError
from tempo.games.protocol import View
from tempo.games.registry import load as load_game
from tempo.learners.loop import restore, save
from tempo.recipes import make_learner
from tempo.recipes.learners import kind_of
from tempo.runs import Run

Move = tuple[View, int]  # what a seat saw, and the move it made


class OnlineRun:
    """The learner of a run, which nobody else may train meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.run = Run.open(folder)
        kind = kind_of(self.run.config)
        self.game = load_game(str(self.run.config.get("game", kind.game))).name
        self._rule = getattr(kind.load(), "learn_game", None)
        if self._rule is None:
            raise TempoError(
                f"{folder} does not learn from games played with others; runs of the learner "
                "'truncated' do"
            )
        self._learner = make_learner(self.run.config, int(self.run.config.get("seed", 1)))
        self.run.hold()
        try:
            if not restore(self.run, self._learner):
                raise TempoError(f"{folder} has no checkpoint yet")
        except TempoError:
            self.run.release()
            raise

    def learn(self, moves: Sequence[Move], scores: Sequence[float]) -> dict[str, Any]:
        """One game: the moves of its seats in their order, and what every seat got in the end."""
        assert self._rule is not None
        row: dict[str, Any] = self._rule(self._learner, moves, scores)
        self.run.log(row)
        save(self.run, self._learner)
        return row

    def close(self) -> None:
        """Lets others train the run again."""
        self.run.release()
