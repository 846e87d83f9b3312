"""Battles of Jiu to learn from: boards filled by various hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from tempo._core import jiu, jiu_players
from tempo.agents.jiu.placing import ExpertPlacer, RandomPlacer, lay_out
from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.games.registry import parse_spec

BLOCK = 256  # battles made together
LEARNT_FROM = 64  # blocks that learners begin from; later ones are left for tests


def battle_starts(game: Game) -> Callable[[int], Position]:
    """A battle for every number."""

    @cache
    def made(block: int) -> list[Position]:
        return battles(game, block)

    return lambda seed: made(seed // BLOCK % LEARNT_FROM)[seed % BLOCK]


def battles(game: Game, block: int) -> list[Position]:
    """A block of battles: the centre by chance or by the expert, the rest by the expert."""
    if game.name != "jiu":
        raise ParseError(f"{game.name} has no battles to start from; jiu has")
    options = jiu.Options(dict(parse_spec(game.spec)[1]))
    seeds = np.arange(BLOCK, dtype=np.uint64) + np.uint64(block * BLOCK)
    placers = (RandomPlacer(), ExpertPlacer(temperature=0.3))
    by_seat = np.array([(i & 1, i >> 1 & 1) for i in range(BLOCK)], np.intp)
    layouts = lay_out(options, placers, by_seat, seeds)
    return list(jiu_players.battles(options, layouts.boards))
