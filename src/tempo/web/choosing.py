"""What a worker does when an agent is to move: the line of play becomes a view, the view a choice.

The hidden part of a position goes no further than the worker: an agent is given the view of its
seat and nothing else.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from tempo import agents
from tempo.agents.base import Choice, Resigns, Watched, as_choice
from tempo.arena.seeds import derive
from tempo.games import load
from tempo.games.formats import Ply
from tempo.web.replay_line import played
from tempo.web.skipping import SKIP, skipped
from tempo.web.strength import bounded

if TYPE_CHECKING:
    from tempo.agents.base import Agent
    from tempo.games.protocol import Position

Key = tuple[str, int, str, int]
EVERY = 0.1  # seconds between two thoughts that are told


def position_of(game: str, start: str, steps: Sequence[Ply]) -> Position:
    """Where a table's line of play has led."""
    rules = load(game)
    position = rules.parse(start) if start else rules.start()
    for step in steps:
        position = skipped(rules, position) if step == SKIP else played(position, step)
    return position


class Chooser:
    """Agents at tables; those used last are kept with their trees and what they remember."""

    def __init__(self, kept: int) -> None:
        self._most = kept
        self._kept: OrderedDict[Key, Agent] = OrderedDict()

    def answers(
        self, request: dict[str, Any], tell: Callable[[dict[str, object]], None]
    ) -> Iterator[dict[str, object]]:
        """The agent's choice, or that it gives up; meanwhile what it thinks is told."""
        seat = request["seat"]
        view = position_of(request["game"], request["start"], request["steps"]).view(seat)
        key = (request["table"], seat, request["agent"], request["seed"])
        agent = self._kept.pop(key, None) or self._loaded(request)
        if isinstance(agent, Watched):
            agent.watch(_thoughts(tell))
        try:
            choice = as_choice(agent.choose(view), view, agent.name)
        except Resigns:
            yield {"kind": "resigns"}
            return
        self._kept[key] = agent
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        yield {"kind": "choice", "move": choice.move, **_thought(choice)}

    def _loaded(self, request: dict[str, Any]) -> Agent:
        """An agent that has seen nothing yet: its random stream is another one at each move."""
        agent = agents.load(bounded(request["agent"]))
        agent.reset(derive(request["seed"], "from", len(request["steps"])))
        return agent

    def forget(self) -> None:
        """Lets all agents go."""
        self._kept.clear()


def _thought(choice: Choice) -> dict[str, object]:
    """How deep a choice looked, over how many positions, and what it expects."""
    return {
        "values": choice.values,
        "depth": choice.depth or len(choice.line),
        "positions": choice.cost.positions,
    }


def _thoughts(tell: Callable[[dict[str, object]], None]) -> Callable[[Choice], None]:
    """Tells what a search thinks, not too often."""
    due = 0.0

    def told(choice: Choice) -> None:
        nonlocal due
        if monotonic() >= due:
            due = monotonic() + EVERY
            tell({"kind": "thought", **_thought(choice)})

    return told
