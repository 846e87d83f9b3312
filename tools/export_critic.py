"""Make the critic of Gomoku that ships with the package from a run of `tempo train`.

    python tools/export_critic.py runs/gomoku-critic

Writes critic-INPUTS.safetensors (the weights) and critic-INPUTS.json (command, seed, recipe, curve,
figures with intervals, ledger) into src/tempo/weights/gomoku. The same run gives the same files.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from tempo import arena
from tempo.agents.gomoku.critic import read_weights
from tempo.files import replacing, write_text
from tempo.runs import Run

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights" / "gomoku"
OPPONENTS = {"random": 200, "alphabeta:depth=1": 1000, "alphabeta:depth=2": 1000}
CURVE = 5  # iterations between points of the curve that is stored


def figures(folder: Path) -> dict[str, Any]:
    """Matches of paired random openings, each once with either colour."""
    found = {}
    for opponent, games in OPPONENTS.items():
        players = {"critic": f"critic:weights={folder}", "opponent": opponent}
        result = arena.match(players, "gomoku", games=games, seed=1)
        low, high = result.interval
        found[opponent] = {"score": result.score, "low": low, "high": high, "games": games}
    return found


def main() -> None:
    """Reads the run, measures it and writes both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    run = Run.open(parser.parse_args().run)
    weights = read_weights(str(run.folder))
    data = save({"first": weights.first, "second": weights.second})
    seed, recipe = run.config["seed"], f"gomoku-critic-{weights.inputs.replace('_', '-')}"
    about = {
        "game": run.config.get("game", "gomoku"),
        "inputs": weights.inputs,
        "command": f"tempo train {recipe.removesuffix('-patterns')} --seed {seed}",
        "seed": seed,
        "figures": figures(run.folder),
        "moves_per_thousand_games": {
            row["games"]: row["moves"] for row in run.rows() if row["step"] in (1, 2, 3, 4)
            or row["step"] % CURVE == 0
        },
        "bytes": len(data),
        "ledger": run.ledger().to_json(),
        "recipe": run.config,
    }  # fmt: skip
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    with replacing(WEIGHTS / f"critic-{weights.inputs}.safetensors") as file:
        file.write(data)
    text = json.dumps(about, indent=1) + "\n"
    write_text(WEIGHTS / f"critic-{weights.inputs}.json", text)
    print(json.dumps(about["figures"], indent=1))


if __name__ == "__main__":
    main()
