"""Make the weights of a game's terms that ship with the package from a run of `tempo train`.

    python tools/export_terms.py runs/gomoku-terms --figures figures.json

Writes GAME/terms.safetensors and GAME/terms.json (command, seed, ledger, recipe, figures) into
src/tempo/weights; GAME/network.* if the run has learnt a network on the terms. `figures.json` holds
what was measured of them, such as a match against the weights typed in.
"""

import argparse
import json
import sys
from pathlib import Path

from safetensors.numpy import save

from tempo.games.registry import parse_spec
from tempo.nets.relu import PARTS
from tempo.runs import Run

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights"


def main() -> None:
    """Export one run."""
    parser = argparse.ArgumentParser(description="Make the weights of terms that ship.")
    parser.add_argument("run", help="run folder")
    parser.add_argument("--recipe", help="its name; GAME-terms or GAME-network if none")
    parser.add_argument("--figures", type=Path, help="what was measured, a JSON file")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    run = Run.open(chosen.run)
    last = run.latest()
    if last is None:
        sys.exit(f"{chosen.run} has no checkpoint yet")
    game = parse_spec(run.config["game"])[0]
    kind, names = ("terms", ("weights",)) if "weights" in last.arrays else ("network", PARTS)
    stored = save({name: last.arrays[name] for name in names})
    recipe, seed = chosen.recipe or f"{game}-{kind}", run.config["seed"]
    about = {
        "game": game,
        "command": f"tempo train {recipe} --seed {seed}",
        "seed": seed,
        "step": last.step,
        "figures": json.loads(chosen.figures.read_text()) if chosen.figures else {},
        "bytes": len(stored),
        "ledger": run.ledger().to_json(),
        "recipe": run.config,
    }
    folder = chosen.out / game
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{kind}.safetensors").write_bytes(stored)
    (folder / f"{kind}.json").write_text(json.dumps(about, indent=1) + "\n")
    print(f"{game} {kind}: {len(stored)} bytes")


if __name__ == "__main__":
    main()
