"""Processes that study positions, a few at most; each can be stopped by ending it."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from tempo.web.messages import Refused

WORKERS = 2
WAITING = 8  # requests that wait for a worker; more are refused
LONGEST = 120.0  # seconds a request, whatever it asks for
BEAT = 1.0  # seconds between looks whether anybody still listens
LINE_BYTES = 4 * 2**20  # of an answer


class Pool:
    """Workers on demand. Made once a server; usable from one event loop."""

    def __init__(self, workers: int = WORKERS, waiting: int = WAITING) -> None:
        self.workers = workers
        self.waiting = waiting
        self._idle: list[Process] = []
        self._asked = 0  # requests that work or wait
        self._free = asyncio.Semaphore(workers)

    async def ask(
        self, request: dict[str, Any], is_gone: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[dict[str, Any]]:
        """The answers to a request as they come. Whoever stops listening ends the work.

        Nothing at all comes for BEAT seconds: then {"kind": "beat"}.
        """
        if self._asked >= self.workers + self.waiting:
            raise Refused("analysis", "too many positions are being studied; try again soon", 503)
        self._asked += 1
        try:
            async with self._free:
                async for answer in self._work(request, is_gone):
                    yield answer
        finally:
            self._asked -= 1

    async def _work(
        self, request: dict[str, Any], is_gone: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[dict[str, Any]]:
        worker = await self._worker()
        done = False
        try:
            assert worker.stdin is not None
            worker.stdin.write(json.dumps(request).encode() + b"\n")
            await worker.stdin.drain()
            deadline = asyncio.get_running_loop().time() + LONGEST
            while not done and not await is_gone():
                answer = await self._answer(worker, deadline)
                done = answer["kind"] in ("end", "error")
                yield answer
        finally:
            # A worker that has just died may not be known to have: its output has ended.
            if done and worker.returncode is None and not _has_ended(worker):
                self._idle.append(worker)
            else:
                await self._end(worker)

    async def _answer(self, worker: Process, deadline: float) -> dict[str, Any]:
        """The next answer, or a beat; an error that ends the work when the time is up."""
        assert worker.stdout is not None
        left = deadline - asyncio.get_running_loop().time()
        if left <= 0:
            await self._end(worker)
            return {"kind": "error", "text": f"stopped after {LONGEST:g} seconds"}
        try:
            # A line that is half there when the beat comes stays in the reader's buffer.
            line = await asyncio.wait_for(worker.stdout.readline(), min(BEAT, left))
        except TimeoutError:
            return {"kind": "beat"}
        if not line:
            return {"kind": "error", "text": "the worker ended; the position was too much for it"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _worker(self) -> Process:
        while self._idle:
            worker = self._idle.pop()
            if worker.returncode is None:
                return worker
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tempo.web.analysis_worker",
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LINE_BYTES,
        )

    async def _end(self, worker: Process) -> None:
        with suppress(ProcessLookupError):
            worker.kill()
        await worker.wait()

    async def close(self) -> None:
        """Ends all workers that have nothing to do; the others end with their requests."""
        for worker in self._idle:
            await self._end(worker)
        self._idle.clear()


def _has_ended(worker: Process) -> bool:
    return worker.stdout is None or worker.stdout.at_eof()
