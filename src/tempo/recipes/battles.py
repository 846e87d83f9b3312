"""Battles of Jiu to learn from: boards filled by various hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from tempo._core import jiu, jiu_players
from tempo.agents.jiu_placing import ExpertPlacer, RandomPlacer, lay_out
from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.games.registry import parse_spec

LAYOUTS = 256  # made together


def battle_starts(game: Game) -> Callable[[int], Position]:
    """A battle for every number: the centre by chance or by an expert, the rest by the expert."""
    if game.name != "jiu":
        raise ParseError(f"{game.name} has no battles to start from; jiu has")
    options = jiu.Options(dict(parse_spec(game.spec)[1]))

    @cache
    def block(number: int) -> list[Position]:
        seeds = np.arange(LAYOUTS, dtype=np.uint64) + np.uint64(number * LAYOUTS)
        placers = (RandomPlacer(), ExpertPlacer(temperature=0.3))
        by_seat = np.array([(i & 1, i >> 1 & 1) for i in range(LAYOUTS)], np.intp)
        layouts = lay_out(options, placers, by_seat, seeds)
        return list(jiu_players.battles(options, layouts.boards))

    return lambda seed: block(seed // LAYOUTS % 64)[seed % LAYOUTS]
