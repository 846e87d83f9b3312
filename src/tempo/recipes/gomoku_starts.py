"""Positions of Gomoku to learn from: a few stones close together near the middle."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tempo.games.game import Game
from tempo.games.protocol import Position

FEWEST, MOST = 2, 7  # stones
REACH = 3  # points from the middle, across and along


def gomoku_starts(game: Game) -> Callable[[int], Position]:
    """A start for every number: so few stones that the game is open, and none of it typical."""

    def start(seed: int) -> Position:
        random = Random(seed)
        position: Position = game.start()
        size = round(len(position.legal_moves) ** 0.5)
        for _ in range(random.randint(FEWEST, MOST)):
            free = [point for point in position.legal_moves if _is_central(point, size)]
            position = position.play(free[random.randrange(len(free))])
        return position

    return start


def _is_central(point: int, size: int) -> bool:
    row, column = divmod(point, size)
    return abs(row - size // 2) <= REACH and abs(column - size // 2) <= REACH
