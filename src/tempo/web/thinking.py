"""Agents at work: in threads, so that the page goes on; searches of the core hold no lock.

A table has one choice under way at most. When the board has changed meanwhile (somebody resigned,
a move was taken back) the answer is dropped, and whoever is due then is asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from tempo import agents
from tempo.agents.base import Choice, Resigns
from tempo.web.strength import bounded

if TYPE_CHECKING:
    from tempo.agents.base import Agent
    from tempo.games.protocol import View

T = TypeVar("T")
CHORES = 2  # threads for what is neither an agent's choice nor quick
log = logging.getLogger("tempo.web")


@dataclass(frozen=True)
class Question:
    """What an agent is asked: only what its seat may know."""

    table: str
    moment: int
    seat: int
    agent: str
    seed: int
    view: View


@dataclass(frozen=True)
class Answer:
    """A choice; None if the agent gives up. `trouble` says why there is no answer at all."""

    choice: Choice | None = None
    trouble: str = ""


class Pool:
    """Threads that take work in turn and never keep the program from ending.

    (The standard pool waits at the end for whatever is under way: a minute, if an agent thinks.)
    """

    def __init__(self, threads: int) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = threads
        for _ in range(threads):
            Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """What the work gives back, when a thread has done it."""
        future: Future[T] = Future()

        def carry_out() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work(*given))
            except BaseException as error:  # whoever waits hears of it
                future.set_exception(error)

        self._work.put(carry_out)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Starts nothing more than what waits already."""
        for _ in range(self._threads):
            self._work.put(None)


class Thinkers:
    """Threads for agents, and the agents that were used last with their trees and tables."""

    def __init__(self, workers: int, kept: int) -> None:
        self._pool = Pool(workers)
        self._chores = Pool(CHORES)
        self._kept = kept
        self._agents: OrderedDict[tuple[str, int, str, int], Agent] = OrderedDict()
        self._lock = Lock()

    async def ask(self, question: Question) -> Answer:
        """An agent's answer. Waits for a free thread, never for a table of another."""
        return await self._pool.run(self._think, question)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Something else that takes a while; it never waits for an agent."""
        return await self._chores.run(work, *given)

    def _think(self, question: Question) -> Answer:
        key = (question.table, question.seat, question.agent, question.seed)
        try:
            with self._lock:
                agent = self._agents.pop(key, None)
            if agent is None:
                agent = agents.load(bounded(question.agent))
                agent.reset(question.seed)
            choice = agent.choose(question.view)
        except Resigns:
            return Answer()
        except Exception as error:  # an agent may be wrong in any way; the server goes on
            log.warning("%s at table %s: %r", question.agent, question.table, error)
            return Answer(trouble=f"{question.agent} cannot go on: {error}")
        with self._lock:
            self._agents[key] = agent
            while len(self._agents) > self._kept:
                self._agents.popitem(last=False)
        return Answer(choice)

    def close(self) -> None:
        """Starts nothing more; what is under way may end by itself."""
        self._pool.close()
        self._chores.close()
