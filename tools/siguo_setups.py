"""Learn which deployments of Siguo are good, and measure what that is worth.

    python tools/siguo_setups.py learn --games 80000 --seed 1 --write
    python tools/siguo_setups.py match learned uniform --games 2000 --seed 1
    python tools/siguo_setups.py match learned:4 sound --agent siguo-strong:sims=200

`learn` lets the rules of thumb play games with uniform deployments and fits a linear model of their
results: what each kind adds on each station, the arm mirrored until the flag stands on the left. A
fifth of the games is held back to see how much it foretells. `--write` makes the core's table of
it. `match` deals one team in one way and the other in another: the two teams of a deal swap their
setups in a second game, and the pair is the unit of the interval.
"""

from __future__ import annotations

import argparse
import math
import os
import textwrap
import time
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo import agents
from tempo._core import siguo, siguo_heuristic
from tempo.arena.seeds import derive

HEADER = Path(__file__).resolve().parent.parent / "core/games/siguo/setup_worths.h"
KINDS = "987654321BMF"
SLOTS = 25
MIRROR = [4, 3, 2, 1, 0, 7, 6, 5, 11, 10, 9, 8, 14, 13, 12, *range(19, 14, -1), *range(24, 19, -1)]
LEFT = 21  # the slot of the headquarters on the left
HELD_BACK = 5  # every fifth game
RIDGE = 30.0
SCALE = 1000  # the table is in thousandths of a game's score
CHUNK = 500
OPTIONS = siguo.Options({})


def kinds_of(setup: str) -> list[int]:
    """The kinds of a setup by slot, mirrored if need be so that the flag stands on the left."""
    kinds = [KINDS.index(letter) for letter in setup if letter in KINDS]
    return kinds if kinds[LEFT] == KINDS.index("F") else [kinds[slot] for slot in MIRROR]


def played(position: Any, seed: int) -> tuple[float, int]:
    """The score of south and north when the rules of thumb play, and how many moves it took."""
    moves = 0
    while not position.is_over:
        view = position.view(position.turn)
        position = position.play(siguo_heuristic.choose(view, derive(seed, moves)))
        moves += 1
    return position.outcome.scores[0], moves


def played_samples(
    seed: int, first: int, count: int
) -> tuple[NDArray[np.int8], NDArray[np.float32], int]:
    """Games by number: kinds [games, 4, 25], scores [games], and how many moves were made."""
    kinds = np.zeros((count, 4, SLOTS), np.int8)
    scores = np.zeros(count, np.float32)
    moves = 0
    for i in range(count):
        start = siguo.deal(OPTIONS, derive(seed, "deal", first + i))
        kinds[i] = [kinds_of(start.setup(seat)) for seat in range(4)]
        scores[i], made = played(start, derive(seed, "play", first + i))
        moves += made
    return kinds, scores, moves


def inputs(kinds: NDArray[np.int8]) -> NDArray[np.float32]:
    """[games, 300] how often each kind stands on each slot, own team less the other."""
    games = len(kinds)
    x = np.zeros((games, len(KINDS) * SLOTS), np.float32)
    rows = np.arange(games)[:, None]
    for seat in range(4):
        at = kinds[:, seat].astype(np.int64) * SLOTS + np.arange(SLOTS)
        np.add.at(x, (rows, at), 1.0 if seat % 2 == 0 else -1.0)
    return x


def fit(x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float64]:
    """The weights of a linear model, with a constant for who moves first."""
    x = np.hstack([x, np.ones((len(x), 1), np.float32)])
    square = (x.T @ x).astype(np.float64) + RIDGE * np.eye(x.shape[1])
    return np.linalg.solve(square, (x.T @ y).astype(np.float64)).astype(np.float64)


def learn(games: int, seed: int, workers: int, write: bool) -> None:
    """Plays, fits, says what it foretells, and writes the core's table."""
    began = time.process_time() + sum(os.times()[2:4])
    work = [(seed, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)]
    with Pool(workers) as pool:
        parts = pool.starmap(played_samples, work)
    seconds = time.process_time() + sum(os.times()[2:4]) - began
    kinds, y = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    moves = sum(p[2] for p in parts)
    x = inputs(kinds)
    test = np.arange(games) % HELD_BACK == 0
    weights = fit(x[~test], y[~test])
    told = x[test] @ weights[:-1] + weights[-1]
    right = np.corrcoef(told, y[test])[0, 1]
    print(f"{games} games, {moves} moves, {seconds:.0f} s of processor time")
    print(f"held back: correlation {right:.3f} of {test.sum()} games")
    worths = fit(x, y)[:-1].reshape(len(KINDS), SLOTS)
    table = centred(worths, kinds)
    own = np.round(table * SCALE).astype(int)
    sums = own[kinds[:, 0].astype(np.int64), np.arange(SLOTS)].sum(axis=1)
    print(f"score of a uniform setup: {sums.mean():.1f} +- {sums.std():.1f} thousandths")
    show(own)
    if write:
        ledger = f"{games:,} games, {moves:,} moves, {seconds:.0f} s of processor time"
        HEADER.write_text(header(own, f"learn --games {games} --seed {seed}", ledger))


def centred(worths: NDArray[np.float64], kinds: NDArray[np.int8]) -> NDArray[np.float64]:
    """The same model with a mean of nought on every slot, so that weights can be compared."""
    share = np.array([(kinds == kind).mean(axis=(0, 1)) for kind in range(len(KINDS))])
    return np.where(share > 0, worths - (share * worths).sum(axis=0), 0.0)


def show(own: NDArray[Any]) -> None:
    """The table as arms."""
    form = "ABCDE/F.G.H/IJ.KL/M.N.O/PQRST/UVWXY"
    for kind, letter in enumerate(KINDS):
        cells = [" ." if c == "." else c for c in form]
        text = [f"{own[kind][ord(c) - 65]:5d}" if c.isalpha() else c for c in cells]
        print(letter, "".join(f"{t:>5}" if t != "/" else " |" for t in text))


def header(own: NDArray[Any], command: str, ledger: str) -> str:
    """The core's table."""
    rows = ",\n".join(
        textwrap.fill("{" + ", ".join(map(str, row)) + "}", 96, initial_indent="  ",
                      subsequent_indent="   ") for row in own
    )  # fmt: skip
    return f"""// What a kind is worth on a slot, the arm mirrored until the flag stands in its left
// headquarters: thousandths of a game's score. Learnt from results of games with uniform setups:
//   python tools/siguo_setups.py {command} --write
//   {ledger}
#pragma once

#include "pieces.h"

namespace tempo::siguo {{

// clang-format off
inline constexpr std::array<std::array<std::int16_t, slots>, kinds> setup_worths{{{{
{rows},
}}}};
// clang-format on

}}  // namespace tempo::siguo
"""


# ---- matches -------------------------------------------------------------------------------------


def dealer(name: str) -> Callable[[int], str]:
    """A setup from a seed: as the option `deal` has it, or the best of k alone (learned:k)."""
    kind, _, draws = name.partition(":")
    if draws:
        return lambda seed: max(
            (siguo.deal(OPTIONS, derive(seed, i)).setup(0) for i in range(int(draws))),
            key=siguo.setup_worth,
        )
    options = siguo.Options({"deal": kind})
    return lambda seed: siguo.deal(options, seed).setup(0)


def pair(a: str, b: str, agent: str, seed: int, number: int) -> float:
    """The score of dealer a in two games with the same setups, teams swapped."""
    own, other = ([dealer(n)(derive(seed, n, number, i)) for i in (0, 1)] for n in (a, b))
    total = 0.0
    for game in range(2):
        one, two = (own, other) if game == 0 else (other, own)
        start: Any = siguo.of_setups([one[0], two[0], one[1], two[1]], OPTIONS)
        play = derive(seed, "play", number, game)
        score = played(start, play)[0] if agent == "siguo-heuristic" else match(agent, start, play)
        total += score if game == 0 else -score
    return (total / 2 + 1) / 2


def match(agent: str, position: Any, seed: int) -> float:
    """The score of south and north when an agent sits on every seat."""
    seats = [agents.load(agent) for _ in range(4)]
    for number, one in enumerate(seats):
        one.reset(derive(seed, number))
    while not position.is_over:
        position = position.play(seats[position.turn].choose(position.view(position.turn)).move)
    score: float = position.outcome.scores[0]
    return score


def measure(a: str, b: str, agent: str, games: int, seed: int, workers: int) -> None:
    """A match of two ways to deploy."""
    work = [(a, b, agent, seed, number) for number in range(games // 2)]
    with Pool(workers) as pool:
        scores = np.array(pool.starmap(pair, work, chunksize=8))
    error = 1.96 * scores.std(ddof=1) / math.sqrt(len(scores))
    low, high = (100 * (scores.mean() + side * error) for side in (-1, 1))
    print(f"{a} - {b}, {agent}: {100 * scores.mean():.1f} % ({low:.1f}-{high:.1f}), {games} games")


def main() -> None:
    """Learn or measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("what", choices=("learn", "match"))
    parser.add_argument(
        "dealers", nargs="*", help="of a match: two of uniform, sound, learned, learned:K"
    )
    parser.add_argument("--agent", default="siguo-heuristic")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="write the core's table")
    given = parser.parse_args()
    if given.what == "learn":
        learn(given.games, given.seed, given.workers, given.write)
    else:
        a, b = given.dealers
        measure(a, b, given.agent, given.games, given.seed, given.workers)


if __name__ == "__main__":
    main()
