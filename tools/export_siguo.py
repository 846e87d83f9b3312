"""Make the weights of siguo-q and siguo-ttd that ship with the package from runs of `tempo train`.

    tempo train siguo-q-strength --seed 1 && tempo train siguo-ttd-summary --seed 1
    python tools/export_siguo.py q runs/siguo-q-strength
    python tools/export_siguo.py ttd runs/siguo-ttd-summary

Writes NAME.safetensors (the weights) and NAME.json (command, seed, recipe, figures with intervals,
ledger) into src/tempo/weights/siguo. The same run gives the same files.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from tempo import arena
from tempo.files import replacing, write_text
from tempo.runs import Run

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights" / "siguo"
OPPONENTS = {"random": 200}


def figures(folder: Path) -> dict[str, Any]:
    """Matches of dealt starts, each once with either team."""
    found = {}
    for opponent, games in OPPONENTS.items():
        result = arena.match({"learnt": str(folder), "opponent": opponent}, "siguo", games=games)
        low, high = result.interval
        found[opponent] = {
            "score": result.score,
            "low": low,
            "high": high,
            "won": result.wins,
            "drawn": result.draws,
            "lost": result.losses,
            "games": games,
        }
    return found


def main() -> None:
    """Reads the run, measures it and writes both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=["q", "ttd"])
    parser.add_argument("run", type=Path)
    given = parser.parse_args()
    run = Run.open(given.run)
    checkpoint = run.latest()
    assert checkpoint is not None, "the run has no checkpoint"
    data = save(checkpoint.arrays)
    recipe = {"q": "siguo-q-strength", "ttd": "siguo-ttd-summary"}[given.name]
    about = {
        "game": "siguo",
        "inputs": run.config.get("inputs", "stations"),
        "command": f"tempo train {recipe} --seed {run.config['seed']}",
        "seed": run.config["seed"],
        "figures": figures(given.run),
        "bytes": len(data),
        "ledger": run.ledger().to_json(),
        "recipe": run.config,
    }
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    with replacing(WEIGHTS / f"{given.name}.safetensors") as file:
        file.write(data)
    write_text(WEIGHTS / f"{given.name}.json", json.dumps(about, indent=1) + "\n")
    print(json.dumps(about["figures"], indent=1))


if __name__ == "__main__":
    main()
