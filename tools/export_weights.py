"""Make the weights that ship with the package from a run of `tempo train`.

    python tools/export_weights.py runs/krk
    python tools/export_weights.py krk.safetensors --recipe krk --ledger krk-ledger.json

Writes NAME.safetensors (the network alone, in 16 bits where that changes no figure) and NAME.json
(ending, recipe, command, seed, ledger, exact figures) into src/tempo/weights. The same run gives
the same files.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from tempo import recipes
from tempo.agents.chess import endgame
from tempo.arena.endings import whole
from tempo.games.chess.endings import Ending
from tempo.ledger import Ledger
from tempo.nets import plain
from tempo.runs import Checkpoint, Run, read_checkpoint

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights"
MOST_BYTES = 8_000_000
FIGURES = ("wcr", "we", "lhs")

Arrays = dict[str, NDArray[Any]]


def figures(arrays: Arrays, recipe: dict[str, Any]) -> dict[str, float | None]:
    """Exact over every position of the ending, at the depth that the recipe plays with."""
    ending = Ending(recipe["ending"])
    learnt = endgame.Learnt(ending.name, recipe, plain.read(arrays), "the run")
    attack, defence = whole(ending, endgame.Player(learnt, learnt.depth).choices(), threads=2)
    rates = (
        attack.win_rate,
        attack.efficiency(held=False, seed=1),
        defence.efficiency(held=True, seed=1),
    )
    return {name: rate.value for name, rate in zip(FIGURES, rates, strict=True)}


def narrowed(arrays: Arrays, recipe: dict[str, Any]) -> tuple[Arrays, dict[str, float | None]]:
    """In 16 bits unless a figure then falls in its fourth place."""
    narrow = {name: array.astype(np.float16) for name, array in arrays.items()}
    exact, rounded = figures(arrays, recipe), figures(narrow, recipe)
    worse = [n for n in FIGURES if (exact[n] or 0) - (rounded[n] or 0) > 5e-5]
    print(f"32 bits {exact}\n16 bits {rounded}", file=sys.stderr)
    return (arrays, exact) if worse else (narrow, rounded)


def source(chosen: argparse.Namespace) -> tuple[Checkpoint, dict[str, Any], Ledger]:
    """The last checkpoint, the recipe with its seed, and what it cost."""
    path = Path(chosen.source)
    if path.is_dir():
        run = Run.open(path)
        found = run.latest()
        if found is None:
            sys.exit(f"{path} has no checkpoint yet")
        return found, run.config, run.ledger()
    found = read_checkpoint(path)
    if not chosen.recipe:
        sys.exit("a checkpoint does not know its recipe: name it with --recipe")
    recipe = {**recipes.read(chosen.recipe), "seed": found.state["seed"]}
    ledger = json.loads(Path(chosen.ledger).read_text()) if chosen.ledger else Ledger().to_json()
    return found, recipe, Ledger.from_json(ledger)


def main() -> None:
    """Export one run."""
    parser = argparse.ArgumentParser(description="Make the weights that ship with the package.")
    parser.add_argument("source", help="run folder or checkpoint file")
    parser.add_argument("--recipe", help="of a checkpoint file: a recipe's name or .toml file")
    parser.add_argument("--ledger", help="of a checkpoint file: what it cost, a JSON file")
    parser.add_argument("--command", help="how it was made, where that differs from the recipe's")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    checkpoint, recipe, ledger = source(chosen)
    network = {k: v for k, v in checkpoint.arrays.items() if k.startswith("network.")}
    kept, judged = narrowed(network, recipe)
    metadata = {"tempo": json.dumps({"step": checkpoint.step, "state": {}})}
    stored = save(dict(sorted(kept.items())), metadata)
    if len(stored) > MOST_BYTES:
        sys.exit(f"{len(stored):,} bytes are too many to ship; at most {MOST_BYTES:,}")
    name, seed = recipe["ending"].lower(), recipe["seed"]
    about = {
        "ending": recipe["ending"],
        "command": chosen.command or f"tempo train {name} --seed {seed}",
        "seed": seed,
        "step": checkpoint.step,
        "figures": judged,
        "bytes": len(stored),
        "ledger": ledger.to_json(),
        "recipe": recipe,
    }
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / f"{name}.safetensors").write_bytes(stored)
    (chosen.out / f"{name}.json").write_text(json.dumps(about, indent=1) + "\n")
    print(f"{name}: {len(stored):,} bytes, {judged}")


if __name__ == "__main__":
    main()
