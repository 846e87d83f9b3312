"""Runs one program and outlives it: started as `python supervisor.py FD PROGRAM ARGUMENTS...`.

FD is the read end of a pipe whose other end our process holds. When that closes, be it because our
process was killed, the program and everything that it has started are killed. The same happens to
what the program has started when it ends by itself. The exit status is the program's own.

It is a program of its own because the kernel's PR_SET_PDEATHSIG watches the thread that started a
child, not its process, and does not reach grandchildren. It imports nothing of Tempo.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
NOT_STARTED = 126  # exit status, as a shell has it
LONGEST_END = 5.0  # seconds of killing what begets more


def main() -> None:
    """Starts the program, waits for its end or ours, and leaves nothing behind."""
    owner, command = int(sys.argv[1]), sys.argv[2:]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # meant for the program
    _prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans of the program become ours
    child = os.fork()
    if child == 0:
        _become(command, owner)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # so that its ends of the pipes are the only ones
        os.dup2(nothing, descriptor)
    status = _wait(child, owner)
    _kill_descendants()
    if status is None or os.WIFSIGNALED(status):
        ending = int(signal.SIGKILL) if status is None else os.WTERMSIG(status)
        if ending != signal.SIGKILL:
            signal.signal(ending, signal.SIG_DFL)
        os.kill(os.getpid(), ending)
    os._exit(os.waitstatus_to_exitcode(status or 0))


def _become(command: list[str], owner: int) -> None:
    """Turns this process into the program."""
    os.close(owner)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # should this supervisor be killed
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"it cannot be started: {error.strerror}\n".encode())
    os._exit(NOT_STARTED)


def _wait(child: int, owner: int) -> int | None:
    """How the program ended; None if our process goes first."""
    try:
        ending = [os.pidfd_open(child)]
    except (AttributeError, OSError):  # a kernel before 5.3
        ending = []
    while True:
        ready, _, _ = select.select([owner, *ending], [], [], None if ending else 0.02)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if owner in ready:
            return None


def _kill_descendants() -> None:
    until = time.monotonic() + LONGEST_END
    while (found := _descendants(os.getpid())) and time.monotonic() < until:
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _descendants(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return children + [one for child in children for one in _descendants(child)]


def _prctl(option: int, value: int) -> None:
    import ctypes  # noqa: PLC0415 - the program is started a little sooner without

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
