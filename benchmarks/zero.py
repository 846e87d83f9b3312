"""Measure guided search: positions evaluated a second inside the search, and where the time goes.

    python benchmarks/zero.py --game "gomoku(size=15)" --net residual --channels 64,64,64,64,64,64 \
        --games 4096 --simulations 32 --threads 16 --device gpu [--moves 8] [--json]

Two halves of the games, as in training: `trees` is growing them to their leaves (features packed
and moves listed on the way) and backing values up, `ask` is Python and JAX handing leaves to the
network, `wait` is waiting for its answers, `begin` is planting trees, `end` is reading policies and
playing.
The shares are of the wall time of the thread that drives all of this. `network alone` is what the
network does on batches of the same size when nothing else runs: the search cannot be faster.
"""

import argparse
import json
import os
from time import perf_counter, process_time
from typing import Any

import numpy as np

import tempo
from tempo import _core, recipes
from tempo.learners.guided_play import SIMULATION, TREE, mixed
from tempo.nets.registry import DEEP, Shape, make


class Clock:
    """Seconds by what they were spent on."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def __call__(self, what: str, work: Any, *given: Any) -> Any:
        """Does some work, and notes how long it took."""
        begun = perf_counter()
        found = work(*given)
        self.spent[what] = self.spent.get(what, 0.0) + perf_counter() - begun
        return found


def search(half: tuple[Any, Any], net: Any, clock: Clock) -> Any:
    """The next answer that a search waits for; None when it is done."""
    rows, offsets, moves = clock("trees", half[1].gather)
    return clock("ask", net.ask, rows, offsets, moves) if len(rows) else None


def move(halves: list[tuple[Any, Any]], net: Any, simulations: int, ply: int, clock: Clock) -> None:
    """A move in every game, by the loop of `tempo.nets.guided.grow`."""
    for i, (batch, trees) in enumerate(halves):
        clock("begin", batch.restart, batch.over)
        budgets = np.full(len(batch), simulations, np.int32)
        clock("begin", trees.begin, batch, budgets, mixed(np.arange(len(batch)), i, ply))
    waiting = [(half, search(half, net, clock)) for half in halves]
    while waiting := [(half, answer) for half, answer in waiting if answer]:
        following = []
        for half, answer in waiting:
            values, priors = clock("wait", answer)
            clock("trees", half[1].apply, values, priors)
            following.append((half, search(half, net, clock)))
        waiting = following
    for batch, trees in halves:
        clock("end", lambda b=batch, t=trees: b.play(t.policies()[0]))


def alone(net: Any, halves: list[tuple[Any, Any]], seconds: float) -> float:
    """Positions a second of the network on one batch again and again."""
    batch, trees = halves[0]
    trees.begin(batch, np.full(len(batch), 2, np.int32), mixed(np.arange(len(batch)), 7))
    rows, offsets, moves = trees.gather()
    net.ask(rows, offsets, moves)()
    done, begun = 0, perf_counter()
    while perf_counter() - begun < seconds:
        answers = [net.ask(rows, offsets, moves) for _ in range(4)]
        for answer in answers:
            answer()
        done += len(answers) * len(rows)
    return done / (perf_counter() - begun)


def measured(args: argparse.Namespace) -> dict[str, Any]:
    """Figures of one configuration."""
    if args.net in DEEP and args.device:
        recipes.use_device(args.device)
    game = tempo.load(args.game)
    hidden, channels = (tuple(map(int, text.split(","))) for text in (args.hidden, args.channels))
    net: Any = make(args.net, game, Shape(hidden, channels, 1))
    count = args.games // 2
    settings = _core.MonteCarloSettings(
        simulations=args.simulations, selection="gumbel", rollout_moves=0, noise_fraction=1.0,
        threads=args.threads, memory=count * (TREE + SIMULATION * args.simulations),
    )  # fmt: skip
    halves = [
        (game.batch(count, seed=i, threads=args.threads), game.core.ManySearch(settings, count))
        for i in range(2)
    ]
    for ply in range(args.warm):  # compiles, and spreads the games
        move(halves, net, args.simulations, ply, Clock())
    clock, before = Clock(), sum(trees.evaluations for _, trees in halves)
    begun, cpu = perf_counter(), process_time()
    for ply in range(args.moves):
        move(halves, net, args.simulations, args.warm + ply, clock)
    wall, cpu = perf_counter() - begun, process_time() - cpu
    evaluated = sum(trees.evaluations for _, trees in halves) - before
    return {
        "game": game.spec, "net": args.net, "games": args.games, "simulations": args.simulations,
        "threads": args.threads, "million_multiply_adds": round(net.multiply_adds / 1e6, 3),
        "evaluations": evaluated, "a_second": round(evaluated / wall),
        "a_cpu_second": round(evaluated / cpu), "network_alone": round(alone(net, halves, 2.0)),
        "shares": {name: round(spent / wall, 3) for name, spent in clock.spent.items()},
    }  # fmt: skip


def main() -> None:
    """Reads the arguments, measures, prints."""
    parser = argparse.ArgumentParser(description="Speed of guided search.")
    add = parser.add_argument
    add("--game", default="gomoku(size=15)")
    add("--net", default="residual")
    add("--channels", default="64,64,64,64,64,64", help="of residual: a number a block")
    add("--hidden", default="64")
    add("--games", type=int, default=4096)
    add("--simulations", type=int, default=32)
    add("--threads", type=int, default=os.cpu_count() or 1)
    add("--moves", type=int, default=8, help="measured, in every game")
    add("--warm", type=int, default=2, help="not measured")
    add("--device", default="", help="cpu or gpu")
    add("--json", action="store_true")
    args = parser.parse_args()
    found = measured(args)
    if args.json:
        print(json.dumps(found))
        return
    print(f"{found['game']}, {args.net}, {args.games} games, {args.simulations} simulations")
    print(f"{found['million_multiply_adds']} million multiply-adds a position")
    print(f"{found['a_second']:,} positions a second, {found['a_cpu_second']:,} a CPU second")
    print(f"{found['network_alone']:,} a second by the network alone")
    print(", ".join(f"{name} {share:.0%}" for name, share in found["shares"].items()))


if __name__ == "__main__":
    main()
