"""What else a game is played by: clocks, and when it is given up or called a draw.

A clock is a seat's own: `60+0.6` is a minute and 0.6 s more after every move. Agents that plan with
a clock are given it; the others get a share of it as their time. A seat whose clock is below zero
has lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from tempo.agents.base import Limited
from tempo.errors import ParseError
from tempo.protocols.budget import Budgeted, Order

if TYPE_CHECKING:
    from tempo.agents.base import Agent, Choice
    from tempo.games.protocol import View

OVERHEAD = 0.01  # seconds of a move that are kept back
_clock = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class Clock:
    """Seconds for the whole game, and seconds more after every move."""

    seconds: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `60+0.6`."""
        found = _clock.fullmatch(text.strip())
        if found is None or not 0 < float(found[1]) <= 1e6:
            raise ParseError(f"'{text}' is no clock; expected seconds and increment, as 60+0.6")
        return cls(float(found[1]), float(found[2] or 0))

    def __str__(self) -> str:
        return f"{self.seconds:g}+{self.increment:g}"


@dataclass(frozen=True)
class Conditions:
    """How games are timed and adjudicated; nothing of it, if nothing is said.

    `resign` is (moves, value): a side that values its own position at -value or below so often in a
    row has lost. `draw` is (from, moves, value): from that move on, a game that both sides value
    between -value and value for this many moves each is a draw. `longest` is a number of moves
    after which it is one, too.
    """

    clock: Clock | None = None
    resign: tuple[int, float] | None = None
    draw: tuple[int, int, float] | None = None
    longest: int = 0

    @classmethod
    def parse(
        cls, clock: str | None = None, resign: str | None = None, draw: str | None = None,
        longest: int = 0,
    ) -> Self:  # fmt: skip
        """From the texts of the command line: `60+0.6`, `4,0.95`, `40,8,0.02`."""
        given = _numbers("resign", resign, "moves and value, as 4,0.95", 2)
        even = _numbers("draw", draw, "first move, moves and value, as 40,8,0.02", 3)
        return cls(
            Clock.parse(clock) if clock else None,
            (int(given[0]), given[1]) if given else None,
            (int(even[0]), int(even[1]), even[2]) if even else None,
            longest,
        )

    def __str__(self) -> str:
        parts = {
            "clock": self.clock, "resign": self.resign, "draw": self.draw,
            "longest": self.longest or None,
        }  # fmt: skip
        return ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)


def _numbers(what: str, text: str | None, expected: str, count: int) -> list[float]:
    if not text:
        return []
    words = [word.strip() for word in text.split(",")]
    sound = len(words) == count and all(re.fullmatch(r"\d+(\.\d+)?", word) for word in words)
    if not sound or not all(float(word) >= 1 for word in words[:-1]) or float(words[-1]) > 1:
        raise ParseError(f"--{what} takes {expected}; not '{text}'")
    return [float(word) for word in words]


class Judge:
    """Adjudicates one game by what the sides themselves think of it."""

    def __init__(self, conditions: Conditions, seats: tuple[str, ...]) -> None:
        self._conditions, self._seats = conditions, seats
        self._losing = dict.fromkeys(seats, 0)
        self._even = 0

    def verdict(self, choice: Choice, seat: int, moves: int) -> str | None:
        """The side that has lost, an empty text for a draw, None while the game goes on."""
        rules, value = self._conditions, choice.values[seat] if len(choice.values) > seat else None
        if rules.longest and moves >= rules.longest:
            return ""
        if value is None:
            self._even = 0
            return None
        side = self._seats[seat]
        if rules.resign:
            self._losing[side] = self._losing[side] + 1 if value <= -rules.resign[1] else 0
            if self._losing[side] >= rules.resign[0]:
                return side
        if rules.draw:
            first, often, near = rules.draw
            self._even = self._even + 1 if moves >= first and abs(value) <= near else 0
            if self._even >= 2 * often:
                return ""
        return None


class Clocked:
    """An agent that is given what its clock leaves it."""

    def __init__(self, agent: Agent, spec: str | None) -> None:
        self._agent, self.name = agent, agent.name
        self._plans = hasattr(agent, "clock")
        limited = self._plans or isinstance(agent, Limited)
        self._budgeted = Budgeted(spec) if spec is not None and not limited else None
        # Limits in the agent's own name hold too; its usual ones do not.
        settings: Any = getattr(agent, "settings", None)
        self._own: dict[str, Any] = {
            one.name: getattr(settings, one.name)
            for one in (fields(settings) if settings is not None else ())
            if one.name in ("time", "nodes", "depth") and getattr(settings, one.name) != one.default
        }

    def reset(self, seed: int) -> None:
        """Begins a new game."""
        self._agent.reset(seed)
        if self._budgeted is not None:
            self._budgeted.reset(seed)

    def start(self, left: tuple[float, ...], increment: float) -> None:
        """Has a program started before its clock runs."""
        if self._plans:
            plans: Any = self._agent
            plans.clock(left, increment)

    def choose(self, view: View, left: tuple[float, ...], increment: float) -> Any:
        """The agent's answer within its time."""
        if self._plans:
            plans: Any = self._agent
            plans.clock(left, increment)
            return plans.choose(view)
        plan = Order(clock=left[view.turn], increment=increment).plan(OVERHEAD)
        assert plan is not None
        if isinstance(self._agent, Limited):
            own = self._own
            self._agent.limit(
                seconds=min(plan.hard, own.get("time", plan.hard)), soft=plan.soft,
                nodes=own.get("nodes", 0), depth=own.get("depth", 0),
            )  # fmt: skip
            return self._agent.choose(view)
        if self._budgeted is not None:
            return self._budgeted.within(plan.hard, soft=plan.soft).choose(view)
        return self._agent.choose(view)
