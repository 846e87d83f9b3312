"""The least game that a class can be, as tests use it."""

from __future__ import annotations

from typing import Any

import tempo


class Race(tempo.PythonGame):
    """Add 1 or 2 in turn; who says ten wins."""

    name, move_numbers, length_bound = "race", 3, 10
    legal_moves: Any = (1, 2)
    alive = 0

    def __init__(self, said: int = 0, turn: int = 0) -> None:
        self.said, self.turn = said, turn
        Race.alive += 1

    def __del__(self) -> None:
        Race.alive -= 1

    def play(self, move: int) -> Any:
        return type(self)(self.said + move, 1 - self.turn)

    @property
    def outcome(self) -> Any:
        return None if self.said < 10 else (-1, 1) if self.turn == 0 else (1, -1)
