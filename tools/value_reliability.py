"""Whether agents' values come true: what the study's agents expect beside how their games end.

    python tools/value_reliability.py [GAME ...] [--games 40] [--out runs/reliability]

The agent that a study of a game asks first plays itself, with a budget of about a tenth of a second
a move, from openings of up to ten random plies. Every choice gives what the seat to move expects,
(1 + value) / 2, and the end of the game its score, 0 to 1. Games are kept as lines of JSON in the
folder, so a run goes on where it was stopped. Prints a table: by tenths of the expected score the
mean score that came, in percent, and its standard error over games drawn anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import tempo
from tempo import agents

AGENTS = {
    "gomoku": "gomoku-strong:nodes=20000",
    "othello": "alphabeta:nodes=100000",
    "minishogi": "alphabeta:nodes=100000",
    "chess": "alphabeta:nodes=100000",
    "shogi": "shogi-strong:nodes=50000",
    "jiu": "alphabeta:eval=learned,nodes=20000",
    "siguo": "siguo-strong:determinizations=100",
}
OPENING = 10  # random plies at most
BINS = 10
DRAWS = 1000  # of games, for the standard error

Row = list[tuple[float, float]]  # what was expected and what came, choice by choice


def played(game: str, number: int) -> Row:
    """One game of the agent with itself."""
    rules = tempo.load(game)
    random = Random(number)
    position: Any = rules.start(seed=number) if rules.is_dealt else rules.start()
    for _ in range(random.randrange(OPENING + 1)):
        after = position.play(random.choice(list(position.legal_moves)))
        if after.is_over:
            break
        position = after
    players = [agents.load(AGENTS[game]) for _ in range(rules.seats)]
    for player in players:
        player.reset(number)
    told = []
    while not position.is_over:
        seat = position.turn
        choice = players[seat].choose(position.view(seat))
        if choice.values:
            told.append((seat, choice.values[seat]))
        position = position.play(choice.move)
    scores = position.outcome.scores
    return [(0.5 + value / 2, 0.5 + scores[seat] / 2) for seat, value in told]


def gathered(game: str, count: int, folder: Path) -> Iterator[Row]:
    """The games of a folder, and those that are still to be played."""
    file = folder / f"{game}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    yield from kept
    for number in range(len(kept), count):
        row = played(game, number)
        with file.open("a") as log:
            log.write(json.dumps([[round(a, 4), b] for a, b in row]) + "\n")
        yield row


def column(games: list[Row]) -> list[str]:
    """Bin by bin the mean score that came, with its standard error; a dash where no choice fell."""
    sums = np.zeros((len(games), BINS, 2))  # of each game and bin: choices, scores
    for i, row in enumerate(games):
        for expected, came in row:
            sums[i, min(BINS - 1, int(BINS * expected))] += 1, came
    drawn = np.random.default_rng(1).integers(0, len(games), (DRAWS, len(games)))
    again = np.array([sums[which].sum(axis=0) for which in drawn])
    cells = []
    for (choices, scores), redrawn in zip(sums.sum(axis=0), again.swapaxes(0, 1), strict=True):
        some = redrawn[redrawn[:, 0] > 0]
        error = np.std(some[:, 1] / some[:, 0]) if choices else 0.0
        cells.append(f"{100 * scores / choices:.0f} ± {100 * error:.0f}" if choices else "–")
    return cells


def main() -> None:
    """Plays, and prints a table with a column for each game."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("games", nargs="*", help=", ".join(AGENTS))
    options.add_argument("--games", dest="count", type=int, default=40, help="at least")
    options.add_argument("--out", type=Path, default=Path("runs/reliability"))
    asked = options.parse_args()
    if unknown := set(asked.games) - AGENTS.keys():
        options.error(f"no agent is given for {', '.join(sorted(unknown))}")
    found = {game: list(gathered(game, asked.count, asked.out)) for game in asked.games or AGENTS}
    names = [f"{name} ({len(games)})" for name, games in found.items()]
    print(f"| expected, % | {' | '.join(names)} |")
    print("|---" * (len(found) + 1) + "|")
    columns = [column(games) for games in found.values()]
    for i, cells in enumerate(zip(*columns, strict=True)):
        print(f"| {100 * i // BINS} to {100 * (i + 1) // BINS} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
