"""What engines are asked and what they answer, whatever they speak."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tempo.engines.trail import Trail

RESIGN, WIN = "resign", "win"  # instead of a move
CENTIPAWNS = 600.0  # where a value is tanh(1), three quarters of a win


@dataclass(frozen=True)
class Limits:
    """How long a search may be; 0 is no limit. At least one must be given."""

    movetime: float = 0.0  # seconds
    byoyomi: float = 0.0  # seconds a move and nothing else on the clock
    nodes: int = 0
    depth: int = 0
    clocks: tuple[float, ...] = ()  # seconds left, by seat
    increment: float = 0.0  # seconds, for every move made
    turn: int = 0  # whose clock runs

    @property
    def seconds(self) -> float:
        """The time that the engine has, or 0."""
        if self.clocks:
            return max(self.clocks[self.turn], 0.001)
        return self.movetime or self.byoyomi


@dataclass(frozen=True)
class Answer:
    """A move as text, or `resign`, or `win`; and what the engine said of it."""

    move: str
    value: float | None = None  # for the seat to move, in [-1, 1]
    nodes: int = 0
    line: tuple[str, ...] = field(default=())
    reply: str = ""  # what it would think about while the other side does


class Engine(Protocol):
    """A program that plays one game at a time."""

    def new_game(self) -> None:
        """Forgets the last game."""
        ...

    def go(self, trail: Trail, limits: Limits) -> Answer:
        """What to play where a game stands."""
        ...

    def close(self) -> object:
        """Ends the program."""
        ...


def value_of(centipawns: float) -> float:
    """A score as a value in [-1, 1]."""
    return math.tanh(centipawns / CENTIPAWNS)


def centipawns_of(value: float) -> int:
    """A value as a score, at most what is 0.999 of a win."""
    return round(CENTIPAWNS * math.atanh(max(-0.999, min(0.999, value))))
