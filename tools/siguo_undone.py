"""How many of their moves players of Siguo take back at once, in stored matches.

    tempo match siguo-q siguo-heuristic -g siguo -n 40 --log q.jsonl
    python tools/siguo_undone.py q.jsonl

A move counts as undone if it leads back to where the seat's last move came from, as in
`core/games/siguo/self_play.h`. The share is of all moves, the interval over games. No player that
ships should take back more than a fifth of its moves (docs/learners/truncated.md).
"""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path

import numpy as np

from tempo import games
from tempo.arena.table import GameRecord
from tempo.papers.judging import Mean, student

BETWEEN = re.compile(r"[^A-Z0-9]+|x")


def counted(record: GameRecord, game: games.Game) -> dict[str, tuple[int, int]]:
    """By side the moves undone and made."""
    position = game.start(seed=record.opening.deal)
    before: dict[int, list[str]] = {}
    made, undone = {"a": 0, "b": 0}, {"a": 0, "b": 0}
    for text in record.moves:
        seat, points = int(position.turn), BETWEEN.split(text)
        side = record.seats[seat]
        made[side] += 1
        undone[side] += len(points) == 2 and points == before.get(seat, [])[::-1]
        before[seat] = points
        position = position.play(position.parse_move(text))
    return {side: (undone[side], made[side]) for side in made}


def share(counts: list[tuple[int, int]]) -> Mean:
    """Of all moves; the interval by how much games differ from that share."""
    undone, made = np.array(counts, float).T
    mean = undone.sum() / made.sum()
    apart = (undone - mean * made).std(ddof=1) * math.sqrt(len(made)) / made.sum()
    reach = student(len(made) - 1) * apart
    return Mean(float(mean), max(0.0, mean - reach), mean + reach)


def main() -> None:
    """Prints a line a match and side."""
    for path in map(Path, sys.argv[1:]):
        header, *rows = [json.loads(line) for line in path.read_text().splitlines()]
        game = games.load(header["game"])
        found = [counted(GameRecord.from_json(row), game) for row in rows]
        for side, other in (("a", "b"), ("b", "a")):
            mean = share([row[side] for row in found])
            names = f"{header[side]['name']} against {header[other]['name']}"
            span = f"[{mean.low:.1%}, {mean.high:.1%}]"
            print(f"{names}: {mean.value:.1%} {span}, {len(found)} games")


if __name__ == "__main__":
    main()
