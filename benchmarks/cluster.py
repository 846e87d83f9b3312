"""How self-play scales with workers: games a second, and the share of what workers could do.

    python benchmarks/cluster.py --workers 1 2                  processes of this machine
    python benchmarks/cluster.py --workers 1 2 --ray            a Ray cluster, begun here
    python benchmarks/cluster.py --workers 16 --address HOST:6379

The same iterations of a learner are played by each number of workers (`tempo.learners.gathering`):
weights go out, games come back and are joined. Efficiency is the speed beside as many times that of
one worker. Rounds of all numbers take turns, so that a machine that slows down slows all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from contextlib import ExitStack
from typing import Any

import tempo
from tempo.cluster.cores import cores
from tempo.cluster.workers import Processes, Workers, workers_of
from tempo.learners.experience import Acting
from tempo.learners.gathering import Asked, gathered, weights_alone
from tempo.nets.registry import Shape, make


def local_cluster(stack: ExitStack, size: int) -> str:
    """A Ray cluster on this machine: a head without cores, and nodes of one core."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an optional library

    small: dict[str, Any] = {"object_store_memory": 200 * 2**20, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    stack.callback(made.shutdown)
    for _ in range(size):
        made.add_node(num_cpus=1, **small)
    return str(made.address)


class Limited(Workers):
    """Some of the workers of a cluster."""

    def __init__(self, workers: Workers, size: int) -> None:
        self._workers, self._size = workers, size

    @property
    def size(self) -> int:
        """As many as are wanted."""
        return self._size

    def share(self, value: Any) -> Any:
        """As the cluster does."""
        return self._workers.share(value)

    def results(self, calls: Any, **given: Any) -> Any:
        """As the cluster does: there are as many calls as workers are wanted."""
        return self._workers.results(calls, **given)


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="How self-play scales with workers.")
    add = parser.add_argument
    add("--workers", type=int, nargs="+", default=[1, 2])
    add("--ray", action="store_true", help="on a Ray cluster that is begun on this machine")
    add("--address", default="", help="of a Ray cluster that is there")
    add("--game", default="othello")
    add("--net", default="dense")
    add("--depth", type=int, default=2)
    add("--games", type=int, default=64, help="of an iteration, for each worker")
    add("--rounds", type=int, default=5)
    args = parser.parse_args()
    game, shape = tempo.load(args.game), Shape()
    player, most = make(args.net, game, shape), max(args.workers)
    sent = sum(part.nbytes for part in weights_alone(player).values())
    with ExitStack() as stack:
        by: dict[int, Workers] = {}
        if args.ray or args.address:
            address = args.address or local_cluster(stack, most)
            cluster = stack.enter_context(workers_of(f"ray={address}"))
            by = {size: Limited(cluster, size) for size in args.workers}
        else:
            by = {size: stack.enter_context(Processes(size)) for size in args.workers}
        speeds: dict[int, list[float]] = {size: [] for size in args.workers}
        back = 0.0
        for turn in range(args.rounds + 1):
            for size, workers in by.items():
                games = args.games * size
                asked = Asked(game.spec, args.net, shape, Acting(depth=args.depth), 1, turn, games)
                begun = time.perf_counter()
                found = gathered(workers, asked, player)
                took = time.perf_counter() - begun
                back = (found.inputs.features.nbytes + found.leaves.features.nbytes) / games
                if turn:  # in the first round processes start and import
                    speeds[size].append(games / took)
    print(f"{game.spec}, {args.net}, depth {args.depth}, {args.games} games a worker and iteration")
    print(f"{cores()} cores here; {sent:,} bytes of weights out, {back:,.0f} bytes a game back")
    one = statistics.median(speeds[min(speeds)]) / min(speeds)
    print("workers  games/s (lowest to highest)  efficiency")
    for size, found_speeds in speeds.items():
        middle = statistics.median(found_speeds)
        span = f"{min(found_speeds):.1f} to {max(found_speeds):.1f}"
        print(f"{size:7}  {middle:7.1f} ({span})  {middle / (size * one):10.0%}")


if __name__ == "__main__":
    main()
