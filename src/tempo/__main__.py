"""The program `tempo`, and `python -m tempo`."""

import os
import signal

# Products of small matrices take many times as long on several threads that wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Until the handler below is there, Ctrl-C ends the program without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from tempo.interrupts import handled  # noqa: E402 - after the line above


def main() -> None:
    """Runs the command line."""
    with handled():
        from tempo.cli import main as run  # noqa: PLC0415 - Ctrl-C is handled before the imports

        run()


if __name__ == "__main__":
    main()
