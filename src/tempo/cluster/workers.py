"""Workers: who carries out calls that need nothing of each other.

A call is a function of a module and its arguments. Games of a match, jobs of a paper or of a
comparison and games of self-play are handed over as calls; which worker carries one out, and when,
changes nothing but the time it takes. `InTurn` carries them out here, `Processes` in other
processes of this machine, `tempo.cluster.on_ray.RayWorkers` on a cluster.
"""

from __future__ import annotations

import math
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import Any, Generic, Self, TypeVar

from tempo.errors import ParseError, quoted

H = TypeVar("H")  # stands for a call that was handed over
Call = tuple[Callable[..., Any], tuple[Any, ...]]
AHEAD = 2  # calls handed over for each that is carried out, so that no worker waits for its next
GLANCE = 1.0  # seconds between calls of `tell`

# One thread a call: many are carried out side by side, and their CPU seconds are compared.
ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NPROC": "1",
}


class Workers(ABC):
    """Carries out calls; a context that gives its processes back at the end."""

    away = False  # whether they may be on other machines

    @property
    @abstractmethod
    def size(self) -> int:
        """How many calls are carried out at a time."""

    def share(self, value: Any) -> Any:
        """Stands for a value that many calls have among their arguments: it is sent once."""
        return value

    @abstractmethod
    def results(
        self,
        calls: Iterable[Call],
        *,
        tell: Callable[[], None] | None = None,
        fresh: bool = False,
        end: float = math.inf,
    ) -> Generator[tuple[int, Any]]:
        """The number of each call and what it gave, in the order in which they are done.

        `tell` is called every second. If `fresh`, each call has a new process: JAX chooses its
        device once. After the moment `end` of the monotonic clock no call begins.
        """

    def close(self) -> None:
        """Gives its processes back, where it has some."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class InTurn(Workers):
    """One call after the other, in this process."""

    @property
    def size(self) -> int:
        """One."""
        return 1

    def results(
        self,
        calls: Iterable[Call],
        *,
        tell: Callable[[], None] | None = None,
        fresh: bool = False,
        end: float = math.inf,
    ) -> Generator[tuple[int, Any]]:
        """The results in the order of the calls."""
        for number, (function, given) in enumerate(calls):
            if time.monotonic() >= end:
                return
            yield number, function(*given)
            if tell:
                tell()


class HandedOver(Workers, Generic[H]):
    """What workers elsewhere share: a few calls more are under way than are carried out."""

    @abstractmethod
    def _begin(self, function: Callable[..., Any], given: tuple[Any, ...], fresh: bool) -> H:
        """Hands a call over."""

    @abstractmethod
    def _done(self, handles: list[H]) -> list[H]:
        """Those that are done, after a second at most; the first come first."""

    @abstractmethod
    def _result(self, handle: H) -> Any:
        """What a call that is done gave; raises what it raised."""

    @abstractmethod
    def _abandon(self, handles: list[H], at_once: bool) -> None:
        """Drops the calls that have not begun; `at_once` also those under way."""

    def results(
        self,
        calls: Iterable[Call],
        *,
        tell: Callable[[], None] | None = None,
        fresh: bool = False,
        end: float = math.inf,
    ) -> Generator[tuple[int, Any]]:
        """See `Workers.results`."""
        numbered = iter(enumerate(calls))
        running: dict[H, int] = {}
        ahead = AHEAD if end == math.inf else 1  # what is handed over cannot be taken back
        try:
            while True:
                most = ahead * self.size
                while len(running) < most and time.monotonic() < end:
                    following = next(numbered, None)
                    if following is None:
                        break
                    number, (function, given) = following
                    running[self._begin(function, given, fresh)] = number
                if not running:
                    return
                for handle in self._done([*running]):
                    number = running.pop(handle)
                    yield number, self._result(handle)
                if tell:
                    tell()
        except BaseException as error:
            self._abandon([*running], at_once=not isinstance(error, Exception))
            raise


class Processes(HandedOver[Future[Any]]):
    """Processes of this machine. They are spawned, never forked: JAX hangs in a fork."""

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ParseError(f"at least one process is needed, not {size}")
        self._size = size
        self._pools: dict[bool, ProcessPoolExecutor] = {}  # by whether each call has a new process

    @property
    def size(self) -> int:
        """The number of processes."""
        return self._size

    def close(self) -> None:
        """Ends them when they are done."""
        while self._pools:
            _, pool = self._pools.popitem()
            pool.shutdown(cancel_futures=True)

    def _begin(
        self, function: Callable[..., Any], given: tuple[Any, ...], fresh: bool
    ) -> Future[Any]:
        if fresh not in self._pools:
            self._pools[fresh] = ProcessPoolExecutor(
                self._size,
                mp_context=get_context("spawn"),
                max_tasks_per_child=1 if fresh else None,
                initializer=_follow_starter,
            )
        with _ctrl_c_held():
            return self._pools[fresh].submit(function, *given)

    def _done(self, handles: list[Future[Any]]) -> list[Future[Any]]:
        done, _ = wait(handles, timeout=GLANCE, return_when=FIRST_COMPLETED)
        return [handle for handle in handles if handle in done]

    def _result(self, handle: Future[Any]) -> Any:
        return handle.result()

    def _abandon(self, handles: list[Future[Any]], at_once: bool) -> None:
        while self._pools:
            _, pool = self._pools.popitem()
            pool.shutdown(cancel_futures=True, wait=not at_once)
        if at_once:  # Ctrl-C: what they do is taken up again
            for worker in active_children():
                worker.terminate()


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Holds Ctrl-C back in the block, and for good in processes and threads that begin in it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _follow_starter() -> None:
    """Ends this process when its starter is killed: the next one will take up the same folder.

    At once and from outside: a worker that waits for its next call would wait for ever.
    """
    starter = parent_process()

    def watch() -> None:
        if starter is not None:
            starter.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def workers_of(text: str) -> Workers:
    """Workers as the command line names them: `4`, `ray`, `ray=HOST:PORT`."""
    if text.isdecimal():
        return Processes(int(text))
    kind, equals, address = text.partition("=")
    if kind != "ray" or (equals and not address):
        raise ParseError(
            f"workers are a number of processes, ray, or ray=HOST:PORT, not {quoted(text)}"
        )
    from tempo.cluster.on_ray import RayWorkers  # noqa: PLC0415 - an optional library

    return RayWorkers(address)
