"""Measure networks in integers inside the searches that use them: evaluations a second of one core.

    python benchmarks/networks.py [shogi|gomoku ...] [--width 256] [--nodes 200000] [--repeats 3]

Weights are drawn at random, or read from a file (--file): speed hardly depends on them. Each search
visits `nodes` positions from a few random openings on one thread; what is counted is evaluations
for each second of CPU time of the whole search, moves and tables included, and beside it the same
search with the evaluation that ships. Sides take turns; figures are medians.
"""

import argparse
import json
from itertools import pairwise
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import tempo
from tempo import _core
from tempo.learners.bulk import search_settings, shipped
from tempo.nets.incremental import Incremental, Sparse
from tempo.nets.lines import Lines, pattern_numbers
from tempo.nets.stored import read_rounded

GOAL = 700_000  # evaluations a second
OPENINGS = 4


def layers(random: np.random.Generator, sizes: list[int]) -> dict[str, Any]:
    """Dense layers of random weights."""
    made: dict[str, Any] = {}
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        made[f"dense{i}.weights"] = random.integers(-64, 65, (outputs, inputs)).astype(np.int8)
        made[f"dense{i}.bias"] = random.integers(-4000, 4000, outputs).astype(np.int32)
    return made


def drawn(game: Any, width: int) -> Any:
    """A network of random weights for a game."""
    random = np.random.default_rng(1)
    if hasattr(game.core, "line_board"):
        patterns = int(pattern_numbers().max())
        return Lines(
            {
                "version": np.frombuffer(game.core.line_board.encode(), np.uint8),
                "rows": random.integers(-60, 61, (patterns, 32)).astype(np.int8),
                "bias": np.zeros(32, np.int16),
                "policy": np.zeros(32, np.int8),
                **layers(random, [32, 32, 32, 1]),
            }
        )
    sparse = Sparse.of(game.core)
    return Incremental(
        {
            "version": np.frombuffer(sparse.version.encode(), np.uint8),
            "rows": random.integers(-30, 31, (sparse.count, width)).astype(np.int8),
            "bias": np.full(width, 60, np.int16),
            **layers(random, [2 * width, 16, 32, 1]),
        }
    )


def openings(game: Any) -> list[Any]:
    """Positions after some moves of a shallow search with slips."""
    evaluator = shipped(game)
    found = []
    for i in range(OPENINGS):
        games = game.search.network_games(
            evaluator, game.start(), search_settings(200), 0.2, 6, 24, 1, i, 1
        )
        position = game.start()
        for move in games["moves"]:
            following = position.play(int(move)) if position.is_legal(int(move)) else position
            if following.is_over:
                break
            position = following
        found.append(position)
    return found


def rate(game: Any, evaluator: Any, positions: list[Any], nodes: int) -> tuple[float, float]:
    """Evaluations and positions a second of CPU time."""
    evaluations = visited = 0
    spent = 0.0
    for position in positions:
        search = game.search.AlphaBeta(evaluator, search_settings(nodes))
        began = process_time()
        found = search.search(position)
        spent += process_time() - began
        evaluations += found.evaluations
        visited += found.positions
    return evaluations / spent, visited / spent


def main() -> None:
    """Prints a line a game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=["shogi", "gomoku"])
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--file", help="weights as `tempo export` writes them")
    asked = parser.parse_args()
    for name in asked.games:
        game = tempo.load(name)
        network = read_rounded(asked.file) if asked.file else drawn(game, asked.width)
        sides = {
            "network": game.search.Evaluator.quantized(network.network),
            "shipped": shipped(game),
        }
        positions = openings(game)
        rates: dict[str, list[tuple[float, float]]] = {side: [] for side in sides}
        for _ in range(asked.repeats):
            for side, evaluator in sides.items():
                rates[side].append(rate(game, evaluator, positions, asked.nodes))
        row: dict[str, Any] = {"game": name, "kernels": _core.networks.kernels()[0], "goal": GOAL}
        for side, found in rates.items():
            row[side] = {
                "evaluations_per_second": round(median(e for e, _ in found)),
                "positions_per_second": round(median(p for _, p in found)),
            }
        print(json.dumps(row))


if __name__ == "__main__":
    main()
