"""From what a `go` allows to what an agent may spend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tempo import agents
from tempo.agents.base import Limited, Watched
from tempo.agents.registry import parted
from tempo.agents.settings import Range

if TYPE_CHECKING:
    from tempo.agents import Agent, Choice
    from tempo.games.protocol import Position

SHARE = 1 / 30  # of the time left, for one move of a game whose length nobody knows
MOST = 0.8  # of the time left, whatever else is said
LONGEST = 4  # times the usual share, for a move that needs it
SHORTEST = 0.01  # seconds, for a search must find something
AT_ONCE = 0.001  # seconds of a move that an order wants as fast as possible
GLANCE = 1000  # positions, at most, to guess what the other side answers

# Which settings of agents stand for a budget, by preference.
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "seconds": ("time",),
    "nodes": ("nodes", "sims"),
    "depth": ("depth",),
}
TABLES = ("table", "memory")  # settings in MiB


@dataclass(frozen=True)
class Order:
    """What follows `go`, in seconds and by whose turn it is; 0 and None are unsaid."""

    movetime: float = 0.0
    clock: float | None = None  # what is left to the side to move
    increment: float = 0.0
    byoyomi: float = 0.0
    moves_to_go: int = 0
    nodes: int = 0
    depth: int = 0
    infinite: bool = False
    ponder: bool = False

    def seconds(self, overhead: float) -> float | None:
        """The time for this move; None where the order names no time. `overhead` is kept back."""
        if self.movetime:
            return max(self.movetime - overhead, SHORTEST)
        if self.clock is None and not (self.byoyomi or self.increment):
            return None
        left = self.clock or 0.0
        share = left / self.moves_to_go if self.moves_to_go else left * SHARE
        # Byoyomi and increment are there for every move; the last of the clock is not touched.
        wanted = min(share + 0.8 * self.increment, left * MOST) + self.byoyomi
        return max(wanted - overhead, SHORTEST)

    def plan(self, overhead: float) -> Plan | None:
        """When to begin nothing new, and when to answer; None where the order names no time.

        With time on the clock a hard move may take several shares of it, and an easy one less than
        one. Byoyomi alone, or a time for the move, cannot be saved and is used up.
        """
        hard = self.seconds(overhead)
        left = (self.clock or 0.0) - overhead
        if hard is None:
            return None
        if self.movetime or left <= 0 or self.moves_to_go == 1:
            return Plan(hard)
        spare = min(LONGEST * (hard - self.byoyomi), left * MOST / 2)
        return Plan(max(hard, self.byoyomi + spare), hard)


@dataclass(frozen=True)
class Plan:
    """Seconds for a move: the most, and when to begin nothing new (0: none such)."""

    hard: float
    soft: float = 0.0


class Budgeted:
    """An agent whose budget each `go` sets anew.

    One that cannot be limited is rebuilt when the budget is another. Limits in the agent's own name
    hold too: the smaller one counts.
    """

    def __init__(self, spec: str, *, inside: bool = False) -> None:
        self.spec = self._loaded = spec
        self._agent = agents.load(spec, inside=inside)
        self._given: dict[str, str] = {}
        settings = getattr(self._agent, "settings", None)
        known = fields(settings) if settings is not None else ()
        self._known = {field.name: field.metadata["within"] for field in known}
        self._tables = {name: getattr(settings, name) for name in TABLES if name in self._known}
        if self._known:
            self._name, self._given = parted(spec)
        self._built: dict[str, str] = self._given
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Begins a new game."""
        self._seed = seed
        self._agent.reset(seed)

    def within(
        self, seconds: float | None, nodes: int = 0, depth: int = 0, soft: float = 0.0,
        memory: int | None = None,
    ) -> Agent:  # fmt: skip
        """The agent with these limits, as far as it has settings for them; `memory` in MiB."""
        given = dict(self._given)
        for name, size in self._tables.items():
            if memory is not None and size > memory:
                given[name] = str(max(memory, self._known[name][0]))
        if isinstance(self._agent, Limited):
            limits = {name: float(given.get(name, 0)) for name in ("time", "nodes", "depth")}
            agent = self._with(given)
            if isinstance(agent, Limited):  # as it was
                agent.limit(
                    seconds=_smaller(limits["time"], seconds or 0.0),
                    soft=soft,
                    nodes=int(_smaller(limits["nodes"], nodes)),
                    depth=int(_smaller(limits["depth"], min(depth, self._known["depth"][1]))),
                )
            return agent
        wanted = {"seconds": _rounded(seconds) if seconds else 0.0, "nodes": nodes, "depth": depth}
        for budget, allowed in wanted.items():
            name = next((name for name in SETTINGS[budget] if name in self._known), "")
            if name and allowed:
                value = min(allowed, self._known[name][1])
                own = float(given.get(name, 0)) or value
                given[name] = (
                    f"{min(own, value):g}" if budget == "seconds" else str(int(min(own, value)))
                )
        return self._with(given)

    def _with(self, given: dict[str, str]) -> Agent:
        """The agent with these settings, made anew if it has others."""
        if given != self._built:
            listed = ",".join(f"{name}={value}" for name, value in given.items())
            self._agent = agents.load(f"{self._name}:{listed}" if listed else self._name)
            self._agent.reset(self._seed)
            self._built = given
        return self._agent

    def watch(self, told: Callable[[Choice], None] | None) -> None:
        """Has the agent tell what it thinks, if it can."""
        if isinstance(self._agent, Watched):
            self._agent.watch(told)

    def replied(self, position: Position, move: int) -> tuple[int, ...]:
        """The move and a likely answer, found at once; the move alone where there is none.

        What the other side of a hidden game sees is not looked at.
        """
        after = position.play(move)
        if after.is_over or not isinstance(self._agent, Limited):
            return (move,)
        view = after.view(after.turn)
        if not hasattr(view, "play"):
            return (move,)
        self._agent.watch(None)
        self._agent.limit(seconds=AT_ONCE, nodes=GLANCE)
        return (move, self._agent.choose(view).move)

    def changed(self, setting: str, value: int) -> Budgeted:
        """The same agent with another value of a setting; itself if it has none such."""
        if setting not in self._known:
            return self
        low, high = self._known[setting]
        given = {**self._given, setting: str(int(min(max(value, low), high)))}
        listed = ",".join(f"{name}={text}" for name, text in given.items())
        other = Budgeted(f"{self._name}:{listed}")
        other.spec = self.spec  # by which boards know it
        other.reset(self._seed)
        return other

    def number(self, setting: str) -> tuple[int, Range] | None:
        """What a setting of whole numbers is, and its range; None if the agent has none such."""
        value = getattr(getattr(self._agent, "settings", None), setting, None)
        if setting not in self._known or type(value) is not int:
            return None
        low, high = self._known[setting]
        return value, (int(low), int(high))

    def is_on(self, setting: str) -> bool | None:
        """Whether a setting is anything but no; None if the agent has none such."""
        return self._given.get(setting, "no") != "no" if setting in self._known else None

    def switched(self, setting: str, *, on: bool) -> Budgeted:
        """The same agent with a setting on or off; itself if it has none such, or is so already."""
        if self.is_on(setting) in (None, on):
            return self
        given = {**self._given, setting: "yes" if on else "no"}
        listed = ",".join(f"{name}={text}" for name, text in given.items())
        other = Budgeted(f"{self._name}:{listed}")
        other.spec = self.spec
        other.reset(self._seed)
        return other

    def another(self) -> Budgeted:
        """One more of the same, for a search beside one that is still running."""
        other = Budgeted(self._loaded)
        other.spec = self.spec
        other.reset(self._seed)
        return other


def _smaller(own: float, given: float) -> float:
    """The smaller of two limits; 0 is none."""
    return min(own, given) if own and given else own or given


def _rounded(seconds: float) -> float:
    """Down to two digits, so that a clock that runs down does not rebuild the agent every move."""
    return float(f"{max(seconds * 0.95, AT_ONCE):.1e}") if seconds > AT_ONCE else AT_ONCE
