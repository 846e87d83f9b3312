"""Try every game of OpenSpiel: which pass the conformance suite, and what is said of the others.

python tools/check_openspiel.py [NAME ...]    all registered games without names

Needs `open_spiel`. Each game has a process of its own, for at most SECONDS; the last line counts.
"""

import subprocess
import sys
from collections import Counter

import pyspiel

SECONDS = 600
SCRIPT = """
import sys, tempo
from tempo import testing
try:
    game = tempo.load(sys.argv[1])
except tempo.ParseError as error:
    print("refused:", error)
else:
    testing.check_game(game)
    print("passes")
"""


def verdict(name: str) -> str:
    """What became of one game, in a line."""
    command = [sys.executable, "-c", SCRIPT, f"openspiel:{name}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"slow: not done after {SECONDS} s"
    if done.returncode == 0:
        return done.stdout.strip()
    return f"fails: {' '.join(done.stderr.split())[-300:]}"


def main() -> None:
    """Print a line for each game, and how many there are of each kind."""
    names = sys.argv[1:] or [kind.short_name for kind in pyspiel.registered_games()]
    counts: Counter[str] = Counter()
    for name in names:
        told = verdict(name)
        counts[told.partition(":")[0]] += 1
        print(f"{name:32} {told}", flush=True)
    print(*(f"{count} {kind}" for kind, count in counts.most_common()), sep=", ")


if __name__ == "__main__":
    main()
