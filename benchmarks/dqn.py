"""Measure deep Q-learning: training steps and moves a second, before and after tuning.

    python benchmarks/dqn.py [RECIPE] [--device gpu] [--threads 16] [--seconds 15] [--only NAME ...]

Every variant is the recipe with some settings changed; `one game` is the loop as it is usually
written, one game and a small batch. A variant learns until its compiled parts are warm, then for so
many seconds. Prints a table and, last, one line of JSON.
"""

import argparse
import json
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from tempo import recipes
from tempo.learners.fast.dqn import Dqn

SOME = {"memory": 65536, "first": 1, "seconds": 0.0, "exam": 0, "opening": 0}
VARIANTS: dict[str, Mapping[str, Any]] = {
    "one game": {"games": 1, "batch": 32, "half": False, "plies": 16},
    "256 games, 32 bits": {"games": 256, "batch": 256, "half": False, "plies": 8},
    "2048 games, 32 bits": {"games": 2048, "batch": 4096, "half": False, "plies": 8},
    "2048 games, 16 bits": {"games": 2048, "batch": 4096, "half": True, "plies": 8},
    "4096 games, 16 bits": {"games": 4096, "batch": 4096, "half": True, "plies": 8},
    "as it is": {},
}


def measure(recipe: Mapping[str, Any], seconds: float, threads: int) -> dict[str, float]:
    """Moves, updates and samples a second of one variant, and the seconds it took to be ready."""
    began = perf_counter()
    learner = recipes.make_learner(recipe, 1, threads)
    assert isinstance(learner, Dqn)
    while learner.updates == 0:
        learner.iterate()
    learner.iterate()
    ready = perf_counter()
    moves, updates = learner.moves, learner.updates
    while (spent := perf_counter() - ready) < seconds:
        learner.iterate()
    samples = (learner.updates - updates) * learner.settings.batch
    return {
        "moves": (learner.moves - moves) / spent,
        "updates": (learner.updates - updates) / spent,
        "samples": samples / spent,
        "ready": ready - began,
    }


def main() -> None:
    """Measures the variants one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", nargs="?", default="shogi-dqn")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--only", nargs="*", choices=tuple(VARIANTS))
    given = parser.parse_args()
    where = recipes.use_device(given.device)
    recipe = recipes.read(given.recipe)
    found = {}
    print(f"{given.recipe} on {where}\n{'':22}{'updates/s':>10}{'samples/s':>11}{'moves/s':>10}")
    for name in given.only or VARIANTS:
        changed = {**recipe, **(SOME if VARIANTS[name] else {"exam": 0}), **VARIANTS[name]}
        row = found[name] = measure(changed, given.seconds, given.threads)
        print(
            f"{name:22}{row['updates']:10.1f}{row['samples']:11.0f}{row['moves']:10.0f}"
            f"   ready after {row['ready']:.0f} s",
            flush=True,
        )
    print(json.dumps({"recipe": given.recipe, "device": where, "variants": found}))


if __name__ == "__main__":
    main()
