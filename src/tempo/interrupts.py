"""Ctrl-C on the command line: one line and exit status 130, whatever was under way.

Python raises KeyboardInterrupt wherever the main thread happens to be. Two such places are bad:
extension modules may crash when it comes while they are imported (JAX's does), and callbacks of the
garbage collector swallow it. So it waits for the end of an import, and comes again if it got lost.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tempo._core import end_all_work

if TYPE_CHECKING:
    from types import FrameType

STATUS = 130  # as shells have it
AGAIN = 0.02  # seconds to the next try
_IMPORTS = "<frozen importlib._bootstrap>"
_BEGUN = ("__main__", "tempo.__main__")  # where the program begins


@contextmanager
def handled() -> Iterator[None]:
    """Around all that the program does, in its main thread."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGALRM, _interrupt)
    sys.unraisablehook = _unraisable
    try:
        yield
    except KeyboardInterrupt:
        _tell()
        sys.exit(STATUS)
    except SystemExit as end:
        if end.code == STATUS:  # typer has caught it
            _tell()
        raise


def _tell() -> None:
    """Says so, and ends what other threads still do in the core: nobody waits for it."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever cannot wait may press it again
    end_all_work()
    print("tempo: interrupted", file=sys.stderr)


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    if _is_importing(frame):
        _come_again()
        return
    raise KeyboardInterrupt


def _come_again() -> None:
    signal.setitimer(signal.ITIMER_REAL, AGAIN)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether something is being imported since the program began."""
    while frame is not None and frame.f_globals.get("__name__") not in _BEGUN:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _come_again()
    else:
        sys.__unraisablehook__(lost)
