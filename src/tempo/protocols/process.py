"""Another program as a child process that is spoken to in lines."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from tempo.errors import TempoError
from tempo.stopping import stopped

LONGEST_LINE = 1 << 16  # bytes; what is longer comes in parts
WAITING_LINES = 10_000  # said by the program and not yet read; then it has to wait
LAST_WORDS = 6  # lines that errors quote
PATIENCE = 2.0  # seconds from the farewell to termination, and from there to killing
GLANCE = 0.02  # seconds between looks at whether waiting is to end
LINGERING = 0.5  # seconds from the end of its output to its own end

Lines = queue.Queue[str | None]  # None: the program has closed its output


class EngineError(TempoError):
    """An engine that cannot be started, died, fell silent or answered nonsense."""


class EngineProcess:
    """A program, its lines in and out, and an end that leaves nothing behind.

    It is ended by `close()`, and at the latest when this object or the whole interpreter goes.
    """

    def __init__(self, command: Sequence[str], farewell: str = "quit") -> None:
        self.name = " ".join(command)
        try:
            process = subprocess.Popen(
                [found(command[0]) or command[0], *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a Ctrl-C at the terminal is for us alone
            )
        except OSError as error:
            raise EngineError(f"{self.name} cannot be started: {error.strerror}") from error
        self._process = process
        self._lines: Lines = queue.Queue(WAITING_LINES)
        self._said: deque[str] = deque(maxlen=LAST_WORDS)
        self._listeners = (
            _listening(process.stdout, self._lines.put, self._lines),
            _listening(process.stderr, self._said.append),
        )
        self.close = weakref.finalize(self, _end, process, farewell, self._lines, self._listeners)

    def send(self, line: str) -> None:
        """Says a line; EngineError if nobody listens."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._gone(f"nobody listened to '{line[:60]}'") from error

    def read(self, until: float, awaited: str, *, obeys: bool = False) -> str | None:
        """The next line, or None if `time.monotonic` gets there first; EngineError at the end.

        `awaited` is what errors say was waited for. If it `obeys`, it is None when stopped too.
        """
        while True:
            left = max(until - time.monotonic(), 0)
            try:
                line = self._lines.get(timeout=min(left, GLANCE))
                break
            except queue.Empty:
                if left <= GLANCE or (obeys and stopped()):
                    return None
        if line is None:
            self._lines.put(None)  # whoever asks again hears it again
            raise self._gone(f"it ended before {awaited}")
        self._said.append(line)
        return line

    def read_until(self, wanted: Callable[[str], bool], seconds: float, awaited: str) -> list[str]:
        """All lines up to the first wanted one; EngineError if none comes."""
        until = time.monotonic() + seconds
        lines: list[str] = []
        while (line := self.read(until, awaited)) is not None:
            lines.append(line)
            if wanted(line):
                return lines
        raise self.error(f"no {awaited} within {seconds:g} s")

    def error(self, what: str) -> EngineError:
        """What went wrong, with the name of the program and its last words."""
        quoted = " | ".join(line[:80] for line in self._said) or "nothing"
        return EngineError(f"{self.name}: {what}; it last said: {quoted}")

    def _gone(self, what: str) -> EngineError:
        if (status := _status(self._process, LINGERING)) is not None:
            what += f" (exit status {status})"
        for listener in self._listeners:
            listener.join(LINGERING)  # what it said last may still be on its way
        return self.error(what)


def found(program: str) -> str | None:
    """Where a program is: on the path, or where Debian puts games, which is not on every path."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/games")


def _status(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """How a program ended, if it does in this time; it is not waited for and keeps its number."""
    until = time.monotonic() + seconds
    while True:
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        if time.monotonic() >= until:
            return None
        time.sleep(0.005)


def _listening(
    stream: IO[bytes] | None, take: Callable[[str], None], ends: Lines | None = None
) -> threading.Thread:
    """A thread that hands over every line. It holds no reference to the object that it serves."""
    assert stream is not None
    thread = threading.Thread(target=_listen, args=(stream, take, ends), daemon=True)
    thread.start()
    return thread


def _listen(stream: IO[bytes], take: Callable[[str], None], ends: Lines | None) -> None:
    with stream:
        while line := stream.readline(LONGEST_LINE):
            take(line.decode(errors="replace").rstrip("\r\n"))
    if ends is not None:
        ends.put(None)


def _end(
    process: subprocess.Popen[bytes],
    farewell: str,
    lines: Lines,
    listeners: Sequence[threading.Thread],
) -> None:
    """Asks the program to go, then makes it go, and waits for the threads that listen to it."""
    assert process.stdin is not None
    with suppress(OSError, ValueError):
        process.stdin.write(f"{farewell}\n".encode())
        process.stdin.close()
    if _status(process, PATIENCE) is None:
        os.killpg(process.pid, signal.SIGTERM)
        _status(process, PATIENCE)
    # Whatever the program has started goes too. It has not been waited for: its number is its own.
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    until = time.monotonic() + PATIENCE
    for listener in listeners:
        while listener.is_alive() and time.monotonic() < until:  # it may wait for room
            with suppress(queue.Empty):
                lines.get_nowait()
            listener.join(0.01)
