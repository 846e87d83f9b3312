"""Deep Q-learners of games, and their networks as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tempo.agents.dqn import PREFIX, Player, Stored
from tempo.arena.statistics import wilson
from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.games.registry import load
from tempo.learners.fast.dqn import Dqn
from tempo.learners.fast.dqn_exam import against_random
from tempo.learners.fast.dqn_settings import Settings
from tempo.nets.encoding import Encoding
from tempo.nets.encodings import encoding_of
from tempo.recipes.exports import Exported, Source

GAMES = 1000  # against random moves
SHOWN = ("moves", "updates", "wall_seconds", "exam_won", "exam_drawn", "exam_lost", "exam_length")


def refusal(game: Game, settings: Settings, recipe: Mapping[str, Any]) -> str:
    """A game without an encoding is not learnt."""
    try:
        _encoding(game, settings, recipe)
    except ParseError as error:
        return str(error)
    return ""


def _encoding(game: Game, settings: Settings, recipe: Mapping[str, Any]) -> Encoding:
    return encoding_of(game, settings.method, recipe.get("reward", "material"))


def make(
    game: Game, settings: Settings, recipe: Mapping[str, Any], seed: int, threads: int = 1
) -> Dqn:
    """The learner of a recipe, which says what moves earn in its game."""
    encoding = _encoding(game, settings, recipe)
    return Dqn(game, encoding, settings, seed, threads)


def export(source: Source) -> Exported:
    """The target networks in 16 bits, with the curve and games against random moves."""
    arrays = {
        name: array.astype(np.float16)
        for name, array in source.checkpoint.arrays.items()
        if name.startswith(PREFIX)
    }
    rows = [row for row in source.run.rows() if "exam_won" in row]
    return Exported.of_arrays(
        "dqn",
        arrays,
        weights=sum(array.size for array in arrays.values()),
        random=_against_random(Stored(source.run.config, arrays, "this"), source),
        curve=[{name: row[name] for name in SHOWN} for row in rows],
    )


def _against_random(stored: Stored, source: Source) -> dict[str, Any]:
    """Whole games by the numbers as they are stored."""
    games = source.games or GAMES
    game = load(str(stored.recipe["game"]))
    player = Player(stored, game.spec)
    found = against_random(
        game,
        player.encoding,
        lambda positions, bits: player.best(positions, bits)[0],
        games=games,
        cap=game.length_bound,
        seed=1,
        threads=source.threads,
    )
    low, high = wilson(round(found["exam_won"] * games), games)
    return {**found, "games": games, "won_low": low, "won_high": high}
