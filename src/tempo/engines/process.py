"""Another program as a child process that is spoken to in lines."""

from __future__ import annotations

import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from tempo.errors import TempoError
from tempo.stopping import stopped

LONGEST_LINE = 1 << 14  # bytes; what is longer comes in parts
WAITING_LINES = 2000  # said by the program and not yet read; then it has to wait
MOST_LINES = 10_000  # that an answer may take
LAST_WORDS = 6  # lines that errors quote
PATIENCE = 2.0  # seconds from the farewell to termination, and from there to killing
GLANCE = 0.02  # seconds between looks at whether waiting is to end
DEAFNESS = 10.0  # seconds that a program may leave what it is told unread
KILLING = 10.0  # seconds that the supervisor may take for it
LINGERING = 0.5  # seconds from the end of its output to its own end

Lines = queue.Queue[str | None]  # None: the program has closed its output


SUPERVISOR = Path(__file__).with_name("supervisor.py")


class EngineError(TempoError):
    """An engine that died, fell silent or answered nonsense: it has lost its game."""


class NotStarted(EngineError):  # noqa: N818 - reads better where it is caught
    """An engine that never worked: nothing to play a match with."""


class EngineProcess:
    """A program, its lines in and out, and an end that leaves nothing behind.

    It is ended by `close()`, and at the latest when this object or the whole interpreter goes. A
    supervisor (tempo.engines.supervisor) ends it and all that it has started even if this process
    is killed.
    """

    def __init__(self, command: Sequence[str], farewell: str = "quit") -> None:
        self.name = " ".join(command)
        program = found(command[0])
        if program is None:
            raise NotStarted(f"{self.name} cannot be started: there is no such program")
        theirs, ours = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), str(theirs), program, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(theirs,),
                start_new_session=True,  # a Ctrl-C at the terminal is for us alone
            )
        except (OSError, ValueError) as error:
            os.close(ours)
            raise NotStarted(f"{self.name} cannot be started: {error}") from error
        finally:
            os.close(theirs)
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        self._process = process
        self._lines: Lines = queue.Queue(WAITING_LINES)
        self._said: deque[str] = deque(maxlen=LAST_WORDS)
        self._listeners = (
            _listening(process.stdout, self._lines.put, self._lines),
            _listening(process.stderr, self._said.append),
        )
        self.close = weakref.finalize(
            self, _end, process, ours, farewell, self._lines, self._listeners
        )

    def send(self, line: str) -> None:
        """Says a line; EngineError if nobody listens."""
        assert self._process.stdin is not None
        rest, until = f"{line}\n".encode(), time.monotonic() + DEAFNESS
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) or 0 :]
                if rest:
                    select.select([], [self._process.stdin], [], max(until - time.monotonic(), 0))
                if rest and time.monotonic() >= until:
                    raise self.error(f"it does not read '{line[:60]}'")
        except (OSError, ValueError) as error:
            raise self._gone(f"nobody listened to '{line[:60]}'") from error

    def read(self, until: float, awaited: str, *, obeys: bool = False) -> str | None:
        """The next line, or None if `time.monotonic` gets there first; EngineError at the end.

        `awaited` is what errors say was waited for. If it `obeys`, it is None when stopped too.
        """
        while True:
            left = until - time.monotonic()
            if left <= 0 or (obeys and stopped()):  # whatever it goes on saying
                return None
            try:
                line = self._lines.get(timeout=min(left, GLANCE))
                break
            except queue.Empty:
                continue
        if line is None:
            self._lines.put(None)  # the next call hears it again
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
            if len(lines) > MOST_LINES:
                raise self.error(f"more than {MOST_LINES} lines and no {awaited}")
        raise self.error(f"no {awaited} within {seconds:g} s")

    def error(self, what: str) -> EngineError:
        """What went wrong, with the name of the program and its last words."""
        said = " | ".join(line[:80] for line in self._said) or "nothing"
        quoted = "".join(c if c.isprintable() else "?" for c in said)
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
    owner: int,
    farewell: str,
    lines: Lines,
    listeners: Sequence[threading.Thread],
) -> None:
    """Asks the program to go, then makes it go, and waits for the threads that listen to it."""
    assert process.stdin is not None
    with suppress(OSError, ValueError):
        process.stdin.write(f"{farewell}\n".encode())
    with suppress(OSError, ValueError):
        process.stdin.close()
    if _status(process, PATIENCE) is None:
        os.killpg(process.pid, signal.SIGTERM)
        _status(process, PATIENCE)
    os.close(owner)  # now the supervisor kills the program and whatever that has started
    _status(process, KILLING)
    # It has not been waited for: its number is its own.
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    until = time.monotonic() + PATIENCE
    for listener in listeners:
        while listener.is_alive() and time.monotonic() < until:  # it may wait for room
            with suppress(queue.Empty):
                lines.get_nowait()
            listener.join(0.01)
