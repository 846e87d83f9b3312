"""The learner of siguo-strong's evaluation: results of games that the rules of thumb play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo._core import siguo_strong
from tempo.games.game import Game
from tempo.games.registry import load as load_game
from tempo.learners.fast.results import Floats, Results, Settings
from tempo.recipes.terms import export

__all__ = ["HeuristicGames", "export", "make", "refusal"]


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


def refusal(game: Game, _: Settings, __: Mapping[str, Any]) -> str:
    """Rules of thumb are of one game, and play it by its usual rules."""
    if game != load_game("siguo"):
        return f"results are learnt of siguo by its usual rules, not of {game.spec}"
    return ""


def make(
    _: Game, settings: Settings, __: Mapping[str, Any], seed: int, threads: int = 1
) -> Results:
    """Learns from results of Siguo."""
    return Results(HeuristicGames(threads), settings, seed)
