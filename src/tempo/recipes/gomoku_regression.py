"""The learner of gomoku-strong's network: games of that search against itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tempo import weights
from tempo._core import gomoku, gomoku_threats
from tempo.games.game import Game
from tempo.learners.fast.regression import Regression, Samples, Settings
from tempo.ledger import Ledger
from tempo.nets.relu import PARTS, Layers
from tempo.recipes.exports import Exported, Source


class StrongGames:
    """Games on one board, on threads that change nothing; at first by the learnt terms."""

    def __init__(self, game: Game, threads: int) -> None:
        self._start: Any = game.start()
        self._threads = threads
        self._given = gomoku_threats.Evaluator.linear(weights.terms("gomoku"))

    @property
    def inputs(self) -> int:
        """Of the network."""
        return gomoku_threats.network_inputs

    def play(
        self, layers: Layers | None, games: int, *, positions: int, seed: int, begin: int
    ) -> Samples:
        """Games evaluated by a network, or by the learnt terms."""
        evaluator = gomoku_threats.Evaluator.network(layers) if layers else self._given
        inputs, values, results, won, moves, visited, evaluations = (
            gomoku_threats.self_play_samples(
                evaluator,
                self._start,
                games,
                seed,
                begin=begin,
                positions=positions,
                threads=self._threads,
            )
        )
        cost = Ledger(games=games, moves=moves, positions=visited, evaluations=evaluations)
        cost.multiply_adds = evaluations * evaluator.multiply_adds
        return Samples(inputs, values, results, won, cost)


def refusal(game: Game, _: Settings, __: Mapping[str, Any]) -> str:
    """The search that plays is of one game."""
    if not isinstance(game.options, gomoku.Options):
        return f"this regression plays games of gomoku, not of {game.name}"
    return ""


def make(
    game: Game, settings: Settings, _: Mapping[str, Any], seed: int, threads: int = 1
) -> Regression:
    """Learns from games of Gomoku."""
    return Regression(StrongGames(game, threads), settings, seed)


def export(source: Source) -> Exported:
    """The network. Figures are measured apart: see `tempo export --figures`."""
    return Exported.of_arrays("network", source.checkpoint.arrays, PARTS, figures={})
