"""Gomoku's critic as a pupil: games and learning in the core, thousands of games a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo._core import gomoku, gomoku_critic
from tempo.agents.gomoku.critic import VARIANTS, Weights, read_weights
from tempo.games.game import Game
from tempo.learners.fast.adp import Adp, Floats, Games, Settings, Shown, Stage
from tempo.recipes.exports import Exported, Source

OPPONENTS = {"random": 200, "alphabeta:depth=1": 1000, "alphabeta:depth=2": 1000}  # and games
CURVE = 5  # iterations between points of the curve that is exported


@dataclass
class CorePupil:
    """A critic of Gomoku in the core. The same numbers as NumPy's, but for rounding."""

    options: gomoku.Options
    settings: Settings = field(default_factory=Settings)
    expert: gomoku_critic.Critic | None = None

    def __post_init__(self) -> None:
        s = self.settings
        self.critic = gomoku_critic.Critic(self.options, inputs=s.inputs, hidden=s.hidden)
        self._learning = gomoku_critic.LearningRule(
            alpha=s.alpha,
            rate_in=s.rate_in,
            rate_out=s.rate_out,
            discount=s.discount,
            repeats=s.repeats,
            moving_target=s.target == "moving",
        )

    def weights(self) -> tuple[Floats, Floats]:
        """Into [I, H] and out of [H] the hidden layer."""
        return self.critic.weights()

    def load(self, first: Floats, second: Floats) -> None:
        """Takes these weights."""
        self.critic.load(np.ascontiguousarray(first), np.ascontiguousarray(second))

    def teach_itself(self, firsts: NDArray[np.uint8], seed: int, begin: int, stage: Stage) -> Games:
        """Games against itself."""
        rule = play_rule(stage, self.settings)
        return Games(
            firsts,
            *self.critic.teach_itself(firsts, seed, begin, self._learning, rule, self.expert),
        )

    def watch(self, games: Games, stage: Stage) -> Games:
        """Given games."""
        rule = play_rule(stage, self.settings)
        return Games(
            games.firsts,
            *self.critic.watch(
                games.moves, games.is_random, games.lengths, games.firsts, self._learning, rule
            ),
        )


def play_rule(stage: Stage, settings: Settings) -> gomoku_critic.PlayRule:
    """How the games of a stage are played."""
    return gomoku_critic.PlayRule(
        random_share=stage.random_share,
        random_opening=stage.random_opening,
        forced=settings.forced,
        radius=settings.radius,
    )


def games_of(expert: gomoku_critic.Critic, settings: Settings, threads: int = 1) -> Shown:
    """Games that an expert plays with itself, explored as the stages say, for a pupil to watch."""

    def shown(firsts: NDArray[np.uint8], seed: int, begin: int, stage: Stage) -> Games:
        rule = play_rule(stage, settings)
        return Games(firsts, *expert.play(firsts, seed, begin, rule, threads))

    return shown


def refusal(game: Game, _: Settings, __: Mapping[str, Any]) -> str:
    """The critic in the core sees stones of one game."""
    if not isinstance(game.options, gomoku.Options):
        return f"this critic plays gomoku; see tempo train adp --game {game.name}"
    return ""


def make(game: Game, settings: Settings, _: Mapping[str, Any], seed: int, threads: int = 1) -> Adp:
    """A critic of Gomoku in the core."""
    assert isinstance(game.options, gomoku.Options)  # `refusal` sees to it
    expert = _expert(settings.expert).critic(game.options) if settings.expert else None
    pupil = CorePupil(game.options, settings, expert)
    shown = games_of(expert, settings, threads) if expert else None
    return Adp(pupil, settings, seed, shown)


def export(source: Source) -> Exported:
    """The critic, with moves per thousand games and scores against searches."""
    weights = read_weights(str(source.run.folder))
    return Exported.of_arrays(
        f"critic-{weights.inputs}",
        {"first": weights.first, "second": weights.second},
        inputs=weights.inputs,
        figures=source.matches("gomoku", OPPONENTS),
        moves_per_thousand_games={
            row["games"]: row["moves"]
            for row in source.run.rows()
            if row["step"] in (1, 2, 3, 4) or row["step"] % CURVE == 0
        },
    )


def _expert(name: str) -> Weights:
    """The critic of a variant that comes with the package, or one of a run or a file."""
    return read_weights("", name) if name in (*VARIANTS, "board") else read_weights(name)
