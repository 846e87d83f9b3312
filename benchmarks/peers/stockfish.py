# The peers are not installed where types are checked.
# mypy: ignore-errors

"""Stockfish over UCI. Its perft counts in bulk at the last ply, as ours does."""

import atexit
import os
import re
import shutil
import subprocess
import time

NAME = "Stockfish"
DEPTH = 6

# Debian installs games where a plain PATH does not look.
BINARY = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
if BINARY is None:
    raise FileNotFoundError("no stockfish on PATH or in /usr/games")

engine = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
atexit.register(engine.kill)


def ask(command, answer):
    """Send a command and return the match of the first line that `answer` matches."""
    engine.stdin.write(command + "\n")
    engine.stdin.flush()
    for line in engine.stdout:
        if match := re.match(answer, line):
            return match
    raise RuntimeError(f"stockfish ended during {command!r}")


VERSION = ask("uci", r"id name Stockfish (\S+)")[1]


def clock():
    """CPU seconds of the engine's process alone; Linux numbers that clock by the process id."""
    return time.clock_gettime((~engine.pid << 3) | 2)


def perft():
    """Counting the leaves of the move tree."""
    ask("isready", "readyok")
    return lambda: int(ask(f"go perft {DEPTH}", r"Nodes searched: (\d+)")[1])


TASKS = {"chess-perft": ("nodes", perft)}
