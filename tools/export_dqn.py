"""Make a file of Q-networks from a run of `tempo train`.

    python tools/export_dqn.py runs/shogi-dqn [--out FOLDER] [--games 1000] [--threads 2]

Writes dqn.safetensors (the target networks, in 16 bits) and dqn.json (command, seed, recipe, curve,
examination against random moves, ledger) into src/tempo/weights/GAME, or into another folder.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from tempo.agents.dqn import PREFIX, Player, Stored
from tempo.arena.statistics import wilson
from tempo.files import replacing, write_text
from tempo.games.registry import load
from tempo.learners.dqn_exam import against_random
from tempo.runs import Run

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights"
SHOWN = ("moves", "updates", "wall_seconds", "exam_won", "exam_drawn", "exam_lost", "exam_length")


def examined(stored: Stored, games: int, threads: int) -> dict[str, Any]:
    """Games against random moves to the end, by the numbers as they are stored."""
    game = load(str(stored.recipe["game"]))
    player = Player(stored, game.spec)
    found = against_random(
        game,
        player.encoding,
        lambda positions, bits: player.best(positions, bits)[0],
        games=games,
        cap=game.length_bound,
        seed=1,
        threads=threads,
    )
    low, high = wilson(round(found["exam_won"] * games), games)
    return {**found, "games": games, "won_low": low, "won_high": high}


def main() -> None:
    """Reads the run, examines it and writes both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--command", help="that made the run; else it is guessed from its folder")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    run = Run.open(given.run)
    checkpoint = run.latest()
    if checkpoint is None:
        raise SystemExit(f"{given.run} has no checkpoint yet")
    arrays = {
        name: array.astype(np.float16)
        for name, array in checkpoint.arrays.items()
        if name.startswith(PREFIX)
    }
    folder = given.out or WEIGHTS / load(str(run.config["game"])).name
    data, seed = save(arrays), run.config["seed"]
    about = {
        "game": run.config["game"],
        "command": given.command or f"tempo train {run.folder.name} --seed {seed}",
        "seed": seed,
        "weights": sum(array.size for array in arrays.values()),
        "bytes": len(data),
        "random": examined(Stored(run.config, arrays, "this"), given.games, given.threads),
        "ledger": run.ledger().to_json(),
        "recipe": run.config,
        "curve": [{name: row[name] for name in SHOWN} for row in run.rows() if "exam_won" in row],
    }
    with replacing(folder / "dqn.safetensors") as file:
        file.write(data)
    write_text(folder / "dqn.json", json.dumps(about, indent=1) + "\n")
    print(json.dumps({name: about[name] for name in ("random", "weights", "bytes")}, indent=1))


if __name__ == "__main__":
    main()
