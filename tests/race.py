"""The least game that a class can be, as tests use it."""

from __future__ import annotations

from random import Random
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
        return type(self)(self.said + move, (self.turn + 1) % len(self.seat_names))

    @property
    def outcome(self) -> Any:
        seats = len(self.seat_names)
        won = (self.turn - 1) % seats
        others = -1 / (seats - 1)
        return None if self.said < 10 else [1 if s == won else others for s in range(seats)]


class RaceForThree(Race):
    """The same for three."""

    seat_names = ("first", "second", "third")


class RaceForFour(Race):
    """The same for four."""

    seat_names = ("first", "second", "third", "fourth")


class HiddenRace(Race):
    """The same; the second seat does not hear what was said before."""

    name = "hidden-race"

    @property
    def text(self) -> str:
        return f"{self.said} {self.turn}"

    @classmethod
    def parse(cls, text: str) -> HiddenRace:
        said, turn = text.split(" ")
        if text not in (f"{n} {t}" for n in range(12) for t in (0, 1)):
            raise ValueError("expected what was said and whose turn it is, as in 3 1")
        return cls(int(said), int(turn))

    def view(self, seat: int) -> str:
        return self.text if seat == 0 or self.outcome else "?"

    def sample(self, seat: int, random: Random) -> HiddenRace:
        known = self.view(seat) != "?"
        return self if known else HiddenRace(random.randrange(10), self.turn)
