"""Agents at work: in threads, so that the page goes on; searches of the core hold no lock.

A table has one choice under way at most. When the board has changed meanwhile (somebody resigned,
a move was taken back) the answer is dropped, and whoever is due then is asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock
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


class Thinkers:
    """A pool of threads, and the agents that were used last with their trees and tables."""

    def __init__(self, workers: int, kept: int) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="agent")
        self._chores = ThreadPoolExecutor(CHORES, thread_name_prefix="chore")
        self._kept = kept
        self._agents: OrderedDict[tuple[str, int, str, int], Agent] = OrderedDict()
        self._lock = Lock()

    async def ask(self, question: Question) -> Answer:
        """An agent's answer. Waits for a free thread, never for a table of another."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._think, question)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Something else that takes a while; it never waits for an agent."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._chores, partial(work, *given))

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
        for pool in (self._pool, self._chores):
            pool.shutdown(wait=False, cancel_futures=True)
