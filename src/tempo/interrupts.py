"""Ctrl-C on the command line: one line and exit status 130, whatever was under way.

Python raises KeyboardInterrupt wherever the main thread happens to be. Two such places are bad:
extension modules may crash when it comes while they are imported (JAX's does), and callbacks of the
garbage collector swallow it. So it waits for the end of an import, and comes again if it got lost.

It also leaves threads of other libraries behind that are still at work: JAX compiles in one. They
crash when the interpreter is torn down under them, so the program ends without that.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from traceback import clear_frames
from typing import TYPE_CHECKING

from tempo._core import end_all_work

if TYPE_CHECKING:
    from types import FrameType

STATUS = 130  # as shells have it
AGAIN = 0.02  # seconds to the next try
LONGEST = 1.0  # seconds that an import is waited for
SHOW_CURSOR = "\033[?25h"  # which progress bars hide
_IMPORTS = "<frozen importlib._bootstrap>"
_BEGUN = ("__main__", "tempo.__main__")  # where the program begins


@contextmanager
def handled() -> Iterator[None]:
    """Around all that the program does, in its main thread."""
    control = _Control()
    signal.signal(signal.SIGINT, control.interrupt)
    signal.signal(signal.SIGALRM, control.interrupt)
    sys.unraisablehook = control.unraisable
    try:
        yield
        if control.since is not None:
            raise KeyboardInterrupt
    except KeyboardInterrupt as interrupt:
        _tell()
        _let_go(interrupt)
        atexit.register(_end)
        sys.exit(STATUS)
    except SystemExit as end:
        if end.code == STATUS:  # typer has caught it
            _tell()
            _let_go(end)
            atexit.register(_end)
        raise
    finally:
        sys.unraisablehook = sys.__unraisablehook__
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, _quit)


class _Control:
    """Raises KeyboardInterrupt, now or a little later."""

    since: float | None = None  # when one came that has not been raised, or was lost

    def interrupt(self, _signal: int, frame: FrameType | None) -> None:
        """Handles the signal, and the alarm by which it comes again."""
        if _is_importing(frame):
            self._come_again()
        else:
            self.since = None
            raise KeyboardInterrupt

    def unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        """Told of exceptions that nobody can catch."""
        if issubclass(lost.exc_type, KeyboardInterrupt):
            self._come_again()
        else:
            sys.__unraisablehook__(lost)

    def _come_again(self) -> None:
        now = time.monotonic()
        self.since = self.since or now
        if now - self.since < LONGEST:
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            return
        if sys.stderr.isatty():
            print(SHOW_CURSOR, file=sys.stderr)
        _tell()
        _quit()


def _is_importing(frame: FrameType | None) -> bool:
    """Whether something is being imported since the program began."""
    while frame is not None and frame.f_globals.get("__name__") not in _BEGUN:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


def _tell() -> None:
    """Says so, and ends what other threads still do in the core: nobody waits for it."""
    end_all_work()
    print("tempo: interrupted", file=sys.stderr, flush=True)


def _let_go(error: BaseException | None) -> None:
    """Ends what the program has left open: from 3.12 on Python keeps its frames to the end."""
    while error is not None:
        clear_frames(error.__traceback__)
        error = error.__context__


def _end() -> None:
    """The first of the exit handlers: calls the others, and leaves Python no time to tear down."""
    atexit.unregister(_end)
    gc.freeze()  # JAX's handler lets go of its client, which must outlive a compilation
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # none, broken, closed
            stream.flush()
    _quit()


def _quit(*_: object) -> None:
    """At once: also when Ctrl-C is pressed again while the program ends."""
    os._exit(STATUS)
