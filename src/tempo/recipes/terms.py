"""Learners of a game's terms: which search they learn for, and where their games start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tempo._core import gomoku_threats, shogi_strong
from tempo.errors import ParseError
from tempo.games.registry import load as load_game
from tempo.learners import regression, td_leaf
from tempo.learners.tree_strap import Settings, TreeStrap
from tempo.recipes.gomoku_regression import regression_learner
from tempo.recipes.gomoku_starts import gomoku_starts
from tempo.recipes.jiu_battles import battle_starts


def terms_learner(
    recipe: Mapping[str, Any],
    settings: Settings | td_leaf.Settings | regression.Settings,
    seed: int,
    threads: int,
) -> TreeStrap | td_leaf.TDLeaf | regression.Regression:
    """TreeStrap, TD-Leaf or lessons, by the settings, on the game of a recipe; Jiu if it has none.

    Lessons teach a network that is fed by terms.
    """
    game = load_game(recipe.get("game", "jiu"))
    if isinstance(settings, regression.Settings):
        return regression_learner(game, settings, seed, threads)
    if isinstance(settings, td_leaf.Settings):
        if game.name != "shogi":
            raise ParseError(f"TD-Leaf plays whole games of shogi, not of {game.name}")
        return td_leaf.TDLeaf(shogi_strong, game.start(), settings, seed, threads=threads)
    if game.name == "gomoku":
        return TreeStrap(gomoku_threats, gomoku_starts(game), settings, seed, threads=threads)
    if game.name == "shogi":  # from nothing but the rules: all weights 0
        nothing = np.zeros(len(shogi_strong.term_names), np.float32)
        return TreeStrap(
            shogi_strong, lambda _: game.start(), settings, seed, threads=threads, weights=nothing
        )
    return TreeStrap(game.core, battle_starts(game), settings, seed, threads=threads)
