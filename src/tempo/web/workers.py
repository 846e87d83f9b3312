"""Processes that think: agents at tables, and whatever is studied. A fair share for every address.

A worker is a process of its own (`tempo.web.worker`), with a bound on its memory. So a search can
be ended at any moment, and one that crashes, hangs or takes too much harms only itself: the worker
is ended and started again. Requests wait in one queue for each address, and workers are given to
the addresses in turn; no address holds all of them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from socket import socketpair
from subprocess import DEVNULL, Popen
from typing import Any

from tempo.web.messages import Refused

BEAT = 1.0  # seconds between looks whether anybody still listens
STARTING = 60.0  # seconds that a worker has to start; machines may be busy
POLL = 0.005  # seconds between looks whether a process that was killed has ended
GRACE = 2.0  # seconds that a worker has to stop when it is told to
KEYS = 64  # requests that a worker is remembered by
LINE_BYTES = 4 * 2**20  # of an answer
LAST = ("end", "error")
log = logging.getLogger("tempo.web")


@dataclass(frozen=True)
class Terms:
    """What workers are granted, and how many requests may wait for them."""

    workers: int = 2
    waiting: int = 8
    of_address: int = 4  # requests of one address that work or wait
    seconds: float = 120.0  # a request, whatever it asks for; then its best answer so far counts
    late: float = 3.0  # seconds after that until the worker is ended
    memory: int = 1024  # MiB a worker
    niceness: int = 5
    kept: int = 6  # agents that a worker keeps with their trees and tables


class Worker:
    """A place for a process, which is started at need and again after it has ended."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._process: Popen[bytes] | None = None
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._starting = asyncio.Lock()
        self._closed = False
        self._keys: OrderedDict[str, None] = OrderedDict()

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        return self._process.pid if self._process is not None else None

    def knows(self, key: str) -> bool:
        """Whether it was asked under this key, and may have kept something of it."""
        return key in self._keys

    async def start(self) -> None:
        """Makes sure that there is a process, and that it is ready; OSError if it will not be."""
        async with self._starting:
            if self._process is not None and self._process.poll() is None:
                return
            if self._closed:
                raise OSError("the server ends")
            try:
                await self._spawn()
                async with asyncio.timeout(STARTING):
                    ready = await self.hear()
            except BaseException:
                await self.end()
                raise
            if ready is None:
                await self.end()
                raise OSError("a worker has ended before it was ready")

    async def _spawn(self) -> None:
        """Starts a process at the other end of a socket.

        (Not by asyncio: a task that is cancelled while it starts a process may wait for ever.)
        """
        await self.end()
        self._keys.clear()
        terms = (str(self._terms.memory), str(self._terms.niceness), str(self._terms.kept))
        command = [sys.executable, "-m", "tempo.web.worker", *terms]
        ours, theirs = socketpair()
        try:
            with theirs:
                self._process = Popen(
                    command, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=DEVNULL
                )
            self._line = await asyncio.open_connection(sock=ours, limit=LINE_BYTES)
        except BaseException:
            ours.close()
            raise

    async def tell(self, request: dict[str, Any], key: str = "") -> None:
        """Sends a request, or that it is to stop."""
        if self._line is None:
            return
        if key:
            self._keys[key] = None
            self._keys.move_to_end(key)
            while len(self._keys) > KEYS:
                self._keys.popitem(last=False)
        with suppress(ConnectionError):  # it has ended; so has its output, which is noticed
            self._line[1].write(json.dumps(request).encode() + b"\n")
            await self._line[1].drain()

    async def hear(self) -> dict[str, Any] | None:
        """The next answer; None if the process has ended or talks nonsense."""
        if self._line is None:
            return None
        try:
            line = await self._line[0].readline()
            answer = json.loads(line) if line else None
        except (ValueError, ConnectionError):  # no JSON, longer than LINE_BYTES, or ended
            return None
        return answer if isinstance(answer, dict) and "kind" in answer else None

    async def end(self) -> None:
        """Ends the process, whatever it does."""
        process, self._process = self._process, None
        line, self._line = self._line, None
        if line is not None:
            line[1].close()
        if process is not None:
            process.kill()
            while process.poll() is None:
                await asyncio.sleep(POLL)

    async def close(self) -> None:
        """Ends the process for good, and one that is just being started."""
        self._closed = True
        await self.end()
        async with self._starting:
            await self.end()


@dataclass
class _Job:
    address: str
    key: str
    place: asyncio.Future[Worker]


class Workers:
    """Some workers and the requests that wait for them. Usable from one event loop."""

    def __init__(self, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self._free = [Worker(self.terms) for _ in range(self.terms.workers)]
        self._all = list(self._free)
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()  # by address, next one first
        self._asked: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._at_work: dict[str, Worker] = {}  # by key
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def is_wanted(self) -> bool:
        """Whether requests wait for a worker."""
        return bool(self._waiting)

    async def start(self) -> None:
        """Starts all workers now, so that nobody waits for one later."""
        started = (worker.start() for worker in self._all)
        for fault in await asyncio.gather(*started, return_exceptions=True):
            if isinstance(fault, Exception) and not self._closed:
                log.warning("a worker cannot be started: %s", fault)

    async def ask(
        self,
        request: dict[str, Any],
        address: str = "",
        *,
        key: str = "",
        seconds: float | None = None,
        is_gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """The answers to a request as they come; the last is of kind `end` or `error`.

        Nothing at all comes for BEAT seconds: then {"kind": "beat"}. A caller that stops
        listening ends the work. The `key` leads to a worker that has met it before, if one is free.
        """
        if (
            self._asked.total() >= self.terms.workers + self.terms.waiting
            or self._asked[address] >= self.terms.of_address
        ):
            raise Refused("analysis", "too many positions are being studied; try again soon", 503)
        limit = seconds or self.terms.seconds
        job = _Job(address, key, asyncio.get_running_loop().create_future())
        self._asked[address] += 1
        worker = None
        healthy = False
        try:
            self._waiting.setdefault(address, deque()).append(job)
            self._assign()
            worker = await job.place
            healthy = True  # it has nothing to do yet
            await worker.start()
            healthy = False
            await worker.tell({**request, "limit": limit}, key)
            self._at_work[key] = worker
            async for answer in self._answers(worker, limit, is_gone):
                healthy = answer["kind"] in LAST and "fatal" not in answer
                yield answer
        finally:
            if worker is not None and self._at_work.get(key) is worker:
                del self._at_work[key]
            self._done(job, worker, healthy=healthy)

    def hurry(self, key: str) -> None:
        """Stops the search that runs under a key: it answers with what it has found."""
        worker = self._at_work.get(key)
        if key and worker is not None:
            self._run(worker.tell({"do": "stop"}))

    async def _answers(
        self,
        worker: Worker,
        seconds: float,
        is_gone: Callable[[], Awaitable[bool]] | None,
    ) -> AsyncIterator[dict[str, Any]]:
        now = asyncio.get_running_loop().time
        until = now() + seconds + self.terms.late
        while is_gone is None or not await is_gone():
            answer = await self._next(worker, min(BEAT, until - now()))
            if answer["kind"] == "beat" and now() >= until:
                text = f"stopped after {seconds:g} seconds"
                answer = {"kind": "error", "text": text, "fatal": "late"}
            yield answer
            if answer["kind"] in LAST:
                return

    async def _next(self, worker: Worker, seconds: float) -> dict[str, Any]:
        try:
            # A line that is half there when the time is up stays in the reader's buffer.
            async with asyncio.timeout(max(0.0, seconds)):
                answer = await worker.hear()
        except TimeoutError:
            return {"kind": "beat"}
        if answer is None:
            text = "the worker ended; the position was too much for it"
            return {"kind": "error", "text": text, "fatal": "died"}
        return answer

    # ---- who is next -----------------------------------------------------------------------------

    def _assign(self) -> None:
        """Gives free workers to addresses in turn, each worker to one that it knows if it can."""
        most = max(1, self.terms.workers - 1)  # of one address, so that another finds a worker
        for address in list(self._waiting):
            if not self._free or self._closed:
                return
            if self._running[address] >= most:
                continue
            jobs = self._waiting[address]
            job = jobs.popleft()
            if jobs:
                self._waiting.move_to_end(address)
            else:
                del self._waiting[address]
            known = (one for one in self._free if job.key and one.knows(job.key))
            worker = next(known, self._free[-1])
            self._free.remove(worker)
            self._running[address] += 1
            job.place.set_result(worker)
        if self._free and any(self._running[one] < most for one in self._waiting):
            self._assign()

    def _done(self, job: _Job, worker: Worker | None, *, healthy: bool) -> None:
        """A request has ended: with an answer, or because nobody waits for one."""
        if worker is None and job.place.done() and not job.place.cancelled():
            worker = job.place.result()  # it was given in the moment in which nobody waited
            healthy = True
        if worker is None:
            jobs = self._waiting.get(job.address)
            if jobs is not None and job in jobs:
                jobs.remove(job)
                if not jobs:
                    del self._waiting[job.address]
            self._less(self._asked, job.address)
        elif healthy and not self._closed:
            self._give_back(job, worker)
        else:
            self._run(self._recover(job, worker))

    async def _recover(self, job: _Job, worker: Worker) -> None:
        """A worker that still works is told to stop; if it does not, it is ended and replaced."""
        try:
            if self._closed or not await self._stopped(worker):
                await worker.end()
                if not self._closed:
                    await worker.start()
        except OSError as error:  # no process can be started just now; the next request tries again
            log.warning("a worker cannot be started: %s", error)
        finally:
            self._give_back(job, worker)

    async def _stopped(self, worker: Worker) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await worker.tell({"do": "stop"})
                while (answer := await worker.hear()) is not None:
                    if answer["kind"] in LAST:
                        return True
        return False

    def _give_back(self, job: _Job, worker: Worker) -> None:
        self._less(self._asked, job.address)
        self._less(self._running, job.address)
        self._free.append(worker)
        self._assign()

    def _less(self, counts: Counter[str], address: str) -> None:
        counts[address] -= 1
        if counts[address] <= 0:
            del counts[address]

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Ends all workers; what still waits is never begun."""
        self._closed = True
        await asyncio.gather(*(worker.close() for worker in self._all))
        if self._tasks:
            await asyncio.wait(set(self._tasks))
