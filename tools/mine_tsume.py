"""Mine mate problems from games of the package's own players.

    python tools/mine_tsume.py --game minishogi --player alphabeta:depth=2 --count 30 --out FILE

Games start with random moves, so that they differ. A position is kept if the side to move has a
mate of 1, 3, 5 or 7 plies, or checks but no mate; the length, and that nothing is faster, is
confirmed by the exhaustive search of tests/reference/tsume.py, which shares nothing with the mate
search but the rules. A problem is a line of JSON: `game`, `sfen`, `plies` (0: no mate within
`checked` plies), `checked`. The same command gives the same file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import tempo
from tempo import agents
from tempo._core import shogi_mate
from tempo.files import write_text

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from reference import tsume

OPENING = 8  # random moves
LONGEST = 7  # plies; trying everything takes too long for more
BUDGET = 20_000  # positions of a mate search
REPLIES = 60  # checks of a position at most, or trying everything takes too long


def positions(game: Any, player: str, random: Random) -> Iterator[Any]:
    """Positions of game after game, without end."""
    agent = agents.load(player)
    while True:
        position = game.start()
        ply = 0
        while not position.is_over:
            if ply > OPENING:
                yield position
            legal = position.legal_moves
            if ply < OPENING or random.random() < 0.1:
                move = legal[random.randrange(len(legal))]
            else:
                move = agent.choose(position).move
            position = position.play(move)
            ply += 1


def problem(name: str, position: Any) -> dict[str, Any] | None:
    """A position as a problem, if it is one that trying everything confirms."""
    if not 0 < len(position.checks) <= REPLIES:
        return None
    mate = shogi_mate.search(position, BUDGET)
    if mate.verdict == "win" and not (mate.shortest and mate.length <= LONGEST):
        return None
    if mate.verdict == "unknown":
        return None
    checked = mate.length if mate.verdict == "win" else LONGEST - 2
    found = tsume.length(position, checked)
    if (found or 0) != mate.length:
        sys.exit(f"{position.text}: {mate.length} plies, but trying everything says {found}")
    return {"game": name, "sfen": position.text, "plies": mate.length, "checked": checked}


def mined(name: str, player: str, count: int, seed: int) -> list[dict[str, Any]]:
    """`count` problems of every length, no two from neighbouring positions."""
    kept: list[dict[str, Any]] = []
    counts: Counter[int] = Counter()
    wanted = (0, *range(1, LONGEST + 1, 2))
    last = ""
    for position in positions(tempo.load(name), player, Random(seed)):
        if len(kept) == count * len(wanted):
            break
        board = position.text.split()[0]
        found = problem(name, position) if board != last else None
        if found is None or counts[found["plies"]] == count:
            continue
        last = board
        counts[found["plies"]] += 1
        kept.append(found)
        print(dict(sorted(counts.items())), file=sys.stderr)
    return sorted(kept, key=lambda one: (one["plies"], one["sfen"]))


def main() -> None:
    """Writes one file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", choices=["shogi", "minishogi"], default="shogi")
    parser.add_argument("--player", default="alphabeta:depth=2")
    parser.add_argument("--count", type=int, default=20, help="problems of each length")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    found = mined(given.game, given.player, given.count, given.seed)
    write_text(given.out, "".join(json.dumps(one) + "\n" for one in found))


if __name__ == "__main__":
    main()
