"""Deep Q-learners of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tempo.games.registry import load
from tempo.learners.dqn import Dqn
from tempo.learners.dqn_settings import Settings
from tempo.nets.encodings import encoding_of


def q_learner(recipe: Mapping[str, Any], settings: Settings, seed: int, threads: int) -> Dqn:
    """The learner of a recipe that names its game, and what moves earn in it."""
    game = load(recipe.get("game", "shogi"))
    encoding = encoding_of(game, settings.method, recipe.get("reward", "material"))
    return Dqn(game, encoding, settings, seed, threads)
