"""What an agent is: it is shown a view and chooses a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from tempo.games.protocol import View


@dataclass(frozen=True, slots=True)
class Cost:
    """What one choice took besides time: the ledger adds these up."""

    positions: int = 0
    evaluations: int = 0
    multiply_adds: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was considered: what was spent on it and what it is worth to each seat."""

    move: int
    visits: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An agent's answer. Values are by seat in [-1, 1]; the line begins with the move."""

    move: int
    values: tuple[float, ...]
    line: tuple[int, ...]
    cost: Cost = Cost()
    candidates: tuple[Candidate, ...] = ()


class Resigns(Exception):  # noqa: N818 - nothing went wrong
    """An agent gives the game up instead of choosing a move."""


class Agent(Protocol):
    """What chooses moves. Acting never learns; that is a learner's business."""

    @property
    def name(self) -> str:
        """The agent and its settings in one string, as `agents.load` takes it."""
        ...

    def choose(self, view: View) -> Choice:
        """A move for the seat to move, from what that seat may know; or Resigns."""
        ...

    def reset(self, seed: int) -> None:
        """Begins a new game: forgets the last one and takes a new random stream."""
        ...


class Cloned:
    """The base of agents that their settings make whole."""

    settings: Any

    def clone(self) -> Self:
        """Another one of the same settings, for another thread or seat."""
        make: Any = type(self)
        made: Self = make(self.settings)
        return made
