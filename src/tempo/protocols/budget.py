"""From what a `go` allows to what an agent may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tempo import agents
from tempo.agents.settings import split

if TYPE_CHECKING:
    from tempo.agents import Agent

SHARE = 1 / 30  # of the time left, for one move of a game whose length nobody knows
MOST = 0.8  # of the time left, whatever else is said
SHORTEST = 0.01  # seconds, for a search must find something
AT_ONCE = 0.001  # seconds of a move that an order wants as fast as possible

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

    def seconds(self, overhead: float) -> float | None:
        """The time for this move; None where the order names no time. `overhead` is kept back."""
        if self.movetime:
            return max(self.movetime - overhead, SHORTEST)
        if self.clock is None and not (self.byoyomi or self.increment):
            return None
        left = self.clock or 0.0
        share = left / self.moves_to_go if self.moves_to_go else left * SHARE
        # Byoyomi and increment are there for every move; the last of the clock is not touched.
        wanted = min(share, left * MOST) + self.byoyomi + min(0.8 * self.increment, left * MOST)
        return max(wanted - overhead, SHORTEST)


class Budgeted:
    """An agent whose budget each `go` sets anew: rebuilt only when the budget is another.

    Limits in the agent's own name hold too: the smaller one counts.
    """

    def __init__(self, spec: str, *, inside: bool = False) -> None:
        self.spec = spec
        self._agent = agents.load(spec, inside=inside)
        self._given: dict[str, str] = {}
        settings = getattr(self._agent, "settings", None)
        known = fields(settings) if settings is not None else ()
        self._known = {field.name: field.metadata["within"] for field in known}
        self._tables = {name: getattr(settings, name) for name in TABLES if name in self._known}
        if self._known:
            self._name, self._given = split(spec)
        self._built: dict[str, str] = self._given
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Begins a new game."""
        self._seed = seed
        self._agent.reset(seed)

    def within(
        self, seconds: float | None, nodes: int = 0, depth: int = 0, memory: int | None = None
    ) -> Agent:
        """The agent with these limits, as far as it has settings for them; `memory` in MiB."""
        given = dict(self._given)
        wanted = {"seconds": _rounded(seconds) if seconds else 0.0, "nodes": nodes, "depth": depth}
        for budget, allowed in wanted.items():
            name = next((name for name in SETTINGS[budget] if name in self._known), None)
            if name and allowed:
                value = min(allowed, self._known[name][1])
                own = float(given.get(name, 0)) or value
                given[name] = (
                    f"{min(own, value):g}" if budget == "seconds" else str(int(min(own, value)))
                )
        for name, size in self._tables.items():
            if memory is not None and size > memory:
                given[name] = str(max(memory, self._known[name][0]))
        if given != self._built:
            listed = ",".join(f"{name}={value}" for name, value in given.items())
            self._agent = agents.load(f"{self._name}:{listed}" if listed else self._name)
            self._agent.reset(self._seed)
            self._built = given
        return self._agent

    def another(self) -> Budgeted:
        """One more of the same, for a search beside one that is still running."""
        other = Budgeted(self.spec)
        other.reset(self._seed)
        return other


def _rounded(seconds: float) -> float:
    """Down to two digits, so that a clock that runs down does not rebuild the agent every move."""
    return float(f"{max(seconds * 0.95, AT_ONCE):.1e}") if seconds > AT_ONCE else AT_ONCE
