"""The learners of what siguo-strong knows, from games that others play.

Its evaluation learns from results of games by the rules of thumb; its tells (`learns = "tells"`),
what play says about hidden ranks, from games of the search itself, or of its policy where
`simulations` is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo import weights as shipped
from tempo._core import siguo_strong
from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.games.registry import load as load_game
from tempo.learners.fast.results import Floats, Results, Settings
from tempo.recipes.exports import Exported, Source


class HeuristicGames:
    """Games of the rules of thumb against themselves, on threads that change nothing."""

    def __init__(self, threads: int) -> None:
        self._threads = threads

    def first_weights(self) -> Floats:
        """The worths of pieces that the rules of thumb go by."""
        return siguo_strong.hand_tuned_weights()

    def gradient(
        self, weights: Floats, games: int, *, seed: int, begin: int, random_share: float
    ) -> tuple[NDArray[np.float64], float, int, int, float]:
        """The gradient of the log loss, the loss, positions, moves and games won."""
        return siguo_strong.result_gradient(
            siguo_strong.Evaluator.linear(weights),
            games,
            seed,
            begin,
            random_share=random_share,
            threads=self._threads,
        )


class SearchGames:
    """Games of the search against itself, and what play in them tells about ranks."""

    def __init__(self, threads: int, simulations: int) -> None:
        self._threads = threads
        self._simulations = simulations
        self._evaluator = siguo_strong.Evaluator.linear(shipped.terms("siguo"))

    def first_weights(self) -> Floats:
        """Nothing is told."""
        return np.zeros(siguo_strong.tell_terms, np.float32)

    def gradient(
        self, weights: Floats, games: int, *, seed: int, begin: int, random_share: float
    ) -> tuple[NDArray[np.float64], float, int, int, float]:
        """The gradient of the log loss, the loss, exchanges, moves and games won."""
        return siguo_strong.tell_gradient(
            siguo_strong.Tells.linear(weights),
            self._evaluator,
            games,
            seed,
            begin,
            random_share=random_share,
            simulations=self._simulations,
            threads=self._threads,
        )


def refusal(game: Game, _: Settings, recipe: Mapping[str, Any]) -> str:
    """Rules of thumb are of one game, and play it by its usual rules."""
    if game != load_game("siguo"):
        return f"results are learnt of siguo by its usual rules, not of {game.spec}"
    if recipe.get("learns", "terms") not in ("terms", "tells"):
        return f"results teach terms or tells, not {recipe['learns']!r}"
    return ""


def make(
    _: Game, settings: Settings, recipe: Mapping[str, Any], seed: int, threads: int = 1
) -> Results:
    """Learns from games of Siguo."""
    if recipe.get("learns") != "tells":
        return Results(HeuristicGames(threads), settings, seed)
    simulations = recipe.get("simulations", 0)
    if not 0 <= simulations <= 1_000_000:
        raise ParseError("a recipe's simulations are a whole number from 0 to 1000000")
    return Results(SearchGames(threads, simulations), settings, seed)


def export(source: Source) -> Exported:
    """The weights. Figures are measured apart: see `tempo export --figures`."""
    name = source.run.config.get("learns", "terms")
    return Exported.of_arrays(name, source.checkpoint.arrays, ["weights"], game="siguo", figures={})
