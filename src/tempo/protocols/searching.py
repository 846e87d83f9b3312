"""One search of a protocol engine, in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tempo.agents.base import Choice, as_choice
from tempo.protocols.budget import Budgeted, Order, Plan
from tempo.stopping import Stop

if TYPE_CHECKING:
    from tempo.games.protocol import Position

FOREVER = 1e6  # seconds of a search without limit
PATIENCE = 1.0  # seconds from a stop to the answer of an agent that obeys

Report = Callable[["Position", "Choice | Exception", float], None]
Tell = Callable[["Position", Choice, float], None]


class Search:
    """Answered exactly once.

    Without a limit it is answered when it is stopped; what it has found by itself before, it tells
    at once. One that ponders has no limit until `hit`; what it has thought by then counts.
    """

    def __init__(
        self,
        agent: Budgeted,
        position: Position,
        order: Order,
        plan: Plan | None,
        report: Report,
        tell: Tell,
        *,
        replies: bool = False,
    ) -> None:
        self._agent, self._position, self._order = agent, position, order
        self._report, self._tell, self._plan = report, tell, plan
        self._waits = order.infinite or order.ponder
        self._replies = replies  # whether the line is to have a move after the first
        self._begun = time.monotonic()
        self._stop, self._stopped = Stop(), threading.Event()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self.answered = False
        self._thought: Choice | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the agent is still in use."""
        return self._thread.is_alive()

    @property
    def ponders(self) -> bool:
        """Whether it waits for `hit`."""
        return self._order.ponder and self._timer is None and not self._stopped.is_set()

    def hit(self) -> None:
        """The move that was expected came: from now on the clock runs."""
        thought = time.monotonic() - self._begun
        allowed = FOREVER
        if self._plan is not None:
            allowed = min(self._plan.hard, max((self._plan.soft or self._plan.hard) - thought, 0))
        self._timer = threading.Timer(allowed, self._stop.set)
        self._timer.daemon = True
        self._timer.start()
        self._stopped.set()

    def stop(self) -> None:
        """Has it answered with the best found so far; an agent that does not obey, by any move."""
        self._stop.set()
        self._stopped.set()
        self._thread.join(PATIENCE)
        if not self.answered:
            move = next(iter(self._position.legal_moves))
            found = Choice(move, values=(), line=(move,))
            self._answer(found, time.monotonic() - self._begun)

    def _run(self) -> None:
        found: Choice | Exception
        try:
            with self._stop:
                plan = Plan(FOREVER) if self._waits else self._plan
                seconds, soft = (plan.hard, plan.soft) if plan else (None, 0.0)
                agent = self._agent.within(seconds, self._order.nodes, self._order.depth, soft)
                self._agent.watch(self._thinks)
                view = self._position.view(self._position.turn)  # all of it in an open game
                found = as_choice(agent.choose(view), view, agent.name)
                found = self._with_line(found)
            if self._replies and len(found.line) < 2:  # cut before it knew one
                found = replace(found, line=self._agent.replied(self._position, found.move))
        except Exception as error:
            found = error
        took = time.monotonic() - self._begun
        if self._waits and not self._stopped.is_set():
            if isinstance(found, Choice):
                self._thinks(found)
            self._stopped.wait()
        if self._timer is not None:
            self._timer.cancel()
        self._answer(found, took)

    def _with_line(self, found: Choice) -> Choice:
        """With the line last told, where a search that was ended has none but its move."""
        told = self._thought
        if told is None or told.move != found.move or len(told.line) <= len(found.line):
            return found
        return replace(found, line=told.line)

    def _thinks(self, choice: Choice) -> None:
        with self._lock:
            if not self.answered:
                self._thought = choice
                self._tell(self._position, choice, time.monotonic() - self._begun)

    def _answer(self, found: Choice | Exception, took: float) -> None:
        with self._lock:
            if self.answered:
                return
            self.answered = True
            self._report(self._position, found, took)


def effort_of(found: Choice, seconds: float) -> list[str]:
    """How deep a search has come, and by how much work, in the words of the protocols."""
    parts = [f"depth {found.depth}"] if found.depth else []
    parts.append(f"time {round(1000 * seconds)}")
    if found.cost.positions:
        rate = round(found.cost.positions / max(seconds, 0.001))
        parts.append(f"nodes {found.cost.positions} nps {rate}")
    return parts
