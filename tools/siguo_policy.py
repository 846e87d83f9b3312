"""Tune the playout policy of Siguo by matches, and look for a policy that exploits siguo-strong.

    python tools/siguo_policy.py tune --seconds 240 --seed 1 --write
    python tools/siguo_policy.py probe --seconds 600 --simulations 64 --seed 1

Both climb by simultaneous perturbation (SPSA; Spall 1992): every number of the policy is moved a
little up or down at random, two such policies that lie opposite play each other on a few deals,
teams swapped, and the policy goes towards the better one. `tune` lets policies play each other
without search, and `--write` puts the result into the core. `probe` is a best response: both play
against the policy that ships, each with the same search on top, so that what is found is a hole of
that player and not a better player in general; what comes out is measured on deals of another seed.
"""

from __future__ import annotations

import argparse
import math
import os
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tempo import weights
from tempo._core import siguo_strong

HEADER = Path(__file__).resolve().parent.parent / "core/games/siguo/policy_weights.h"
BEGIN = "inline constexpr PolicyNumbers tuned_policy{\n"
SHARE = 0.15  # of a number that it is moved by,
LEAST = 0.004  # and at least this
HALF_LIFE = 300  # steps after which a step is half as long
Floats = NDArray[np.float32]


def climb(
    play: Callable[[Floats, Floats, int], float],
    start: Floats,
    seconds: float,
    rng: np.random.Generator,
    rate: float,
) -> tuple[Floats, int]:
    """Where SPSA gets from `start`, and in how many steps.

    `play(one, other, step)` is what `one` scores, from -1 to 1, the other being its opposite.
    """
    numbers, began, step = start.astype(np.float64), time.monotonic(), 0
    scale = np.maximum(SHARE * np.abs(start), LEAST)
    while time.monotonic() - began < seconds:
        change = scale * rng.choice([-1.0, 1.0], len(start))
        score = play(
            (numbers + change).astype(np.float32), (numbers - change).astype(np.float32), step
        )
        numbers += rate / (1 + step / HALF_LIFE) * score * change
        step += 1
    return numbers.astype(np.float32), step


def interval(scores: Floats) -> str:
    """Scores of deals, from -1 to 1, as a percentage with its 95 % interval."""
    mean = 50 * (1 + float(scores.mean()))
    half = 98 * float(scores.std(ddof=1)) / math.sqrt(len(scores))
    return f"{mean:.1f} % ({mean - half:.1f}-{mean + half:.1f}), {2 * len(scores)} games"


def written(numbers: Floats, header: str) -> str:
    """The header with other numbers."""
    head, _, rest = header.partition(BEGIN)
    _, _, tail = rest.partition("};\n")
    rows = ", ".join(f"{float(number):#.4g}F" for number in numbers)
    rows = textwrap.fill(rows, 96, initial_indent="    ", subsequent_indent="    ")
    return f"{head}{BEGIN}{rows}}};\n{tail}"


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("tune", "probe"))
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--deals", type=int, default=40, help="of each step")
    parser.add_argument("--simulations", type=int, default=64, help="a move, of a probe")
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--measured", type=int, default=200, help="deals in the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="a tuned policy into the core")
    args = parser.parse_args()
    evaluator = siguo_strong.Evaluator.linear(weights.terms("siguo"))
    tells = siguo_strong.Tells.linear(weights.terms("siguo", "tells"))
    simulations = args.simulations if args.what == "probe" else 0
    shipped = siguo_strong.policy()

    def scores(one: Floats, other: Floats, deals: int, seed: int, begin: int) -> Floats:
        return siguo_strong.match(
            evaluator, tells, one, other, deals, seed, begin, simulations, args.threads
        )

    def tuning(one: Floats, other: Floats, step: int) -> float:
        return float(scores(one, other, args.deals, args.seed, step * args.deals).mean())

    def probing(one: Floats, other: Floats, step: int) -> float:
        both = [
            scores(policy, shipped, args.deals, args.seed, step * args.deals).mean()
            for policy in (one, other)
        ]
        return float(both[0] - both[1]) / 2

    cpu = time.process_time()
    found, steps = climb(
        probing if args.what == "probe" else tuning,
        shipped,
        args.seconds,
        np.random.default_rng(args.seed),
        args.rate,
    )
    cpu = time.process_time() - cpu
    print(f"{steps} steps, {cpu:.0f} s of CPU time")
    print(" ".join(f"{number:.4g}" for number in found), flush=True)
    measured = scores(found, shipped, args.measured, args.seed + 1_000_000, 0)
    print(f"against what ships: {interval(measured)}")
    if args.write and args.what == "tune":
        HEADER.write_text(written(found, HEADER.read_text()))


if __name__ == "__main__":
    main()
