"""Learners of the weights of a game's terms: for which search, and where their games start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo._core import gomoku_threats, jiu, shogi_strong
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.games.registry import parse_spec
from tempo.learners.fast import td_leaf, tree_strap
from tempo.recipes.exports import Exported, Source
from tempo.recipes.gomoku_starts import gomoku_starts
from tempo.recipes.jiu_battles import battle_starts


def _from_the_start(game: Game) -> Callable[[int], Position]:
    return lambda _: game.start()


@dataclass(frozen=True)
class Terms:
    """What of a game is learnt."""

    core: ModuleType  # with the terms, and the search that evaluates by them
    starts: Callable[[Game], Callable[[int], Position]] = _from_the_start  # by number
    zero: bool = False  # from weights of 0, nothing but the rules; else from the hand-tuned ones


# Games whose terms are learnt for another search than the usual one, or not from the start.
GAMES = {
    "gomoku": Terms(gomoku_threats, gomoku_starts),
    "jiu": Terms(jiu, battle_starts),
    "shogi": Terms(shogi_strong, zero=True),
}


Settings = tree_strap.Settings | td_leaf.Settings


def refusal(game: Game, settings: Settings, _: Mapping[str, Any]) -> str:
    """A game needs terms and, for TD-Leaf, games of the core with their leaves."""
    core = _terms_of(game).core
    if not hasattr(core, "term_names"):
        return f"{game.name} has no terms to learn"
    if isinstance(settings, td_leaf.Settings) and not hasattr(core, "leaf_games"):
        return f"the core plays no games of {game.name} for TD-Leaf"
    return ""


def _terms_of(game: Game) -> Terms:
    return GAMES.get(game.name) or Terms(game.core)


def make(
    game: Game, settings: Settings, _: Mapping[str, Any], seed: int, threads: int = 1
) -> tree_strap.TreeStrap | td_leaf.TDLeaf:
    """TreeStrap or TD-Leaf, by the settings."""
    terms = _terms_of(game)
    if isinstance(settings, td_leaf.Settings):
        return td_leaf.TDLeaf(terms.core, game.start(), settings, seed, threads=threads)
    weights: NDArray[np.float32] | None = None
    if terms.zero:
        weights = np.zeros(len(terms.core.term_names), np.float32)
    return tree_strap.TreeStrap(
        terms.core, terms.starts(game), settings, seed, threads=threads, weights=weights
    )


def export(source: Source) -> Exported:
    """The weights of the terms. Figures are measured apart: see `tempo export --figures`."""
    game = parse_spec(source.run.config["game"])[0]
    return Exported.of_arrays("terms", source.checkpoint.arrays, ["weights"], game=game, figures={})
