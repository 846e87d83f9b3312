"""Agents at work: in processes of their own, so that nothing they do holds the page up.

A table has one choice under way at most. When the board changes meanwhile (somebody resigned, a
move was taken back) the choice is interrupted, and the seat that is due then is asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from tempo.games.formats import Ply
from tempo.web.limits import Limits
from tempo.web.workers import Terms, Workers

T = TypeVar("T")
CHORES = 2  # threads for what is neither an agent's choice nor quick
LATE = 3.0  # seconds past its time until an agent's worker is ended
log = logging.getLogger("tempo.web")


@dataclass(frozen=True)
class Question:
    """What an agent is asked. The worker makes the seat's view of the line; no more is shown."""

    table: str
    seat: int
    agent: str
    seed: int
    game: str
    start: str
    steps: Sequence[Ply]


@dataclass(frozen=True)
class Answer:
    """A move and what it is worth to each seat; None if the agent gives up.

    `trouble` says why there is no answer at all.
    """

    move: int | None = None
    values: tuple[float, ...] = ()
    trouble: str = ""
    depth: int = 0  # how many moves ahead it looked
    positions: int = 0  # that it looked at


Thinks = Callable[[Answer], None]  # an answer without a move


class Pool:
    """Threads that take work in turn and never keep the program from ending.

    (The standard pool waits at the end for whatever is under way.)
    """

    def __init__(self, threads: int) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = threads
        for _ in range(threads):
            Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
            del work  # and all that it holds, while the next is waited for

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """What the work gives back, when a thread has done it."""
        future: Future[T] = Future()
        spoken = copy_context()  # the language of the request

        def carry_out() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(spoken.run(work, *given))
            except BaseException as error:  # the waiting call hears of it
                future.set_exception(error)

        self._work.put(carry_out)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Starts nothing more than what waits already."""
        for _ in range(self._threads):
            self._work.put(None)


class Thinkers:
    """Workers for agents at tables, and threads for chores."""

    def __init__(self, workers: int, limits: Limits | None = None) -> None:
        self._limits = limits = limits or Limits()
        self.workers = Workers(
            Terms(
                workers=workers,
                waiting=limits.tables,  # a table has one choice at most
                of_address=limits.tables,
                seconds=limits.choice_seconds,
                late=LATE,
                memory=limits.worker_mebibytes,
                kept=max(1, limits.agents // workers),
            )
        )
        self._chores = Pool(CHORES)

    async def start(self) -> None:
        """Starts the workers, so that the first move does not wait for one."""
        await self.workers.start()

    async def ask(
        self, question: Question, address: str = "", thinks: Thinks | None = None
    ) -> Answer:
        """An agent's answer. Waits for a free worker; addresses take turns.

        `thinks` is told what the agent thinks until then.
        """
        answer = await self._ask(question, address, thinks)
        if answer is None:  # the worker has died, perhaps of what it did before: once more
            answer = await self._ask(question, address, thinks)
        if answer is None:
            return Answer(trouble=f"{question.agent} crashed")
        if answer.trouble:
            log.warning("table %s: %s", question.table, answer.trouble)
        return answer

    async def _ask(self, question: Question, address: str, thinks: Thinks | None) -> Answer | None:
        seconds = self._limits.choice_seconds
        request = {"do": "choose", **vars(question)}
        found: dict[str, Any] = {}
        async for answer in self.workers.ask(request, address, key=question.table):
            match answer["kind"]:
                case "choice" | "resigns":
                    found = answer
                case "thought" if thinks:
                    thinks(_answer(None, answer))
                case "error":
                    if answer.get("fatal") == "died":
                        return None
                    return Answer(trouble=_trouble(question.agent, answer, seconds))
        if found["kind"] == "resigns":
            return Answer()
        return _answer(int(found["move"]), found)

    def hurry(self, table: str) -> None:
        """Lets the agent of a table move now, if it is at work."""
        self.workers.hurry(table)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Something else that takes a while; it never waits for an agent."""
        return await self._chores.run(work, *given)

    async def close(self) -> None:
        """Ends the workers; chores that are under way may end by themselves."""
        self._chores.close()
        await self.workers.close()


def _answer(move: int | None, found: dict[str, Any]) -> Answer:
    values = tuple(float(value) for value in found["values"])
    depth, positions = int(found["depth"]), int(found["positions"])
    return Answer(move, values, depth=depth, positions=positions)


def _trouble(agent: str, error: dict[str, Any], seconds: float) -> str:
    """Why an agent does not move, in words."""
    if error.get("fatal") == "late":
        return f"{agent} did not move within {seconds:g} seconds"
    return f"{agent} cannot go on: {error['text']}"
