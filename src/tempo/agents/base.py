"""What an agent is: it is shown a view and chooses a move."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from tempo.errors import ParseError, TempoError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tempo.games.protocol import View

P = TypeVar("P")


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
    values: tuple[float, ...] = ()
    line: tuple[int, ...] = ()
    cost: Cost = Cost()
    candidates: tuple[Candidate, ...] = ()
    depth: int = 0  # that a search completed; 0: unsaid


class Resigns(Exception):  # noqa: N818 - nothing went wrong
    """An agent resigns instead of choosing a move."""


def as_choice(answer: Any, view: View, name: str) -> Choice:
    """What an agent answered, as a choice: a move by its number or its text is one, too.

    Raises TempoError with a sentence for anything else. Whether a move is legal the game says.
    """
    if isinstance(answer, str):
        try:
            answer = view.parse_move(answer)
        except ParseError as error:
            raise TempoError(f"{name} answered {quoted(answer)}: {error}") from None
    if not isinstance(answer, Choice):
        move = _number(answer)
        if move is None:
            raise TempoError(
                f"{name} answered {quoted(answer)}; choose returns a move, as its number or its "
                "text, or a Choice"
            )
        return Choice(move, (), (move,))
    if not isinstance(answer.cost, Cost):
        raise TempoError(f"{name} answered a Choice whose cost is {quoted(answer.cost)}, no Cost")
    values = answer.values
    if not isinstance(values, tuple) or not all(isinstance(one, int | float) for one in values):
        raise TempoError(
            f"{name} answered a Choice whose values are {quoted(answer.values)}; expected a number "
            "from -1 to 1 for each seat, or ()"
        )
    return answer


def _number(answer: Any) -> int | None:
    try:
        return None if isinstance(answer, bool) else index(answer)
    except TypeError:
        return None


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


@runtime_checkable
class Watched(Protocol):
    """An agent that tells what it thinks while it searches."""

    def watch(self, told: Callable[[Choice], None] | None) -> None:
        """Has the moves to come tell what is known so far, a few times a second."""
        ...


@runtime_checkable
class Limited(Watched, Protocol):
    """An agent whose budget can be set for each move, and that tells what it thinks meanwhile."""

    def limit(
        self, seconds: float = 0.0, soft: float = 0.0, nodes: int = 0, depth: int = 0
    ) -> None:
        """Other budgets for the moves to come; 0: no limit. `soft`: when to begin nothing new."""
        ...


class Cloned:
    """The base of agents that their settings make whole."""

    settings: Any
    name: str

    def clone(self) -> Self:
        """A copy with the same settings and name, for another thread or seat."""
        make: Any = type(self)
        made: Self = make(self.settings)
        made.name = self.name
        return made


class Drawing:
    """The base of agents that draw: each game has a random stream of its own."""

    _random: Random

    def reset(self, seed: int) -> None:
        """Takes a new random stream."""
        self._random = Random(seed)

    def _best(self, worth: NDArray[np.floating]) -> int:
        """The place of the highest; of equal ones any."""
        equal = np.flatnonzero(worth == worth.max())
        return int(equal[self._random.randrange(len(equal))])


def played_by(agent: str, view: View, kind: type[P]) -> P:
    """The view as what an agent of one game is shown; ParseError in any other game."""
    if isinstance(view, kind):
        return view
    other = getattr(view, "game", "games with hidden ranks")
    name, game = agent.partition(":")[0], kind.__module__.rpartition(".")[2]
    raise ParseError(f"{name} plays {game}, not {other}")
