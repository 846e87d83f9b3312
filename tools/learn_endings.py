"""Every chess ending of three and four pieces, learnt by the usual recipe and judged exactly.

    python tools/learn_endings.py --out endings --processes 16 --seconds 120
    python tools/learn_endings.py --out endings --endings KRKN,KQKR --iterations 4 --updates 3200

One folder an ending and seed below --out: the run, and `result.json` with WCR, WE, LHS and cost,
the same of the network before it learnt, and what random moves reach. Judged over every position
against tables made here, so no figure has a sampling error; seeds say how far runs differ. What is
there is not made again; a killed run goes on. `table.md` holds what has been done so far. Endings
of more than --positions positions are left out. The smallest come first.

The usual recipe has 18 iterations of 1,600 updates. --iterations and --updates make a shorter
schedule of it, in which the step size falls to its end all the same; --seconds cuts it off.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tempo import recipes
from tempo._core.endings import Family
from tempo.agents.chess.endgame import EndgameAgent, EndgameSettings
from tempo.arena.endings import figures, floor, whole
from tempo.errors import ParseError
from tempo.files import write_text
from tempo.games.chess.endings import Ending
from tempo.recipes.endings import ending_learner
from tempo.runs import Run

PIECES = "QRBNP"
ONE_CORE = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def endings() -> list[str]:
    """All 35, the stronger side first."""
    three = [f"K{piece}K" for piece in PIECES]
    pairs = [(a, b) for i, a in enumerate(PIECES) for b in PIECES[i:]]
    return [*three, *(f"K{a}{b}K" for a, b in pairs), *(f"K{a}K{b}" for a, b in pairs)]


def shortened(recipe: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """The recipe with another number of iterations, and of updates in each."""
    (stage,) = recipe["stages"]
    stage = {**stage, "iterations": given.iterations or stage["iterations"]}
    return {**recipe, "updates": given.updates or recipe["updates"], "stages": [stage]}


def learn(name: str, seed: int, folder: Path, given: argparse.Namespace) -> None:
    """Trains and judges one ending."""
    recipe, ending = shortened(recipes.usual(name), given), Ending(name)
    result: dict[str, Any] = {"ending": name, "seed": seed, "positions": len(ending.family)}
    try:
        ending.starts(1, seed)
    except ParseError as error:  # nobody wins: there is nothing to learn
        write_text(folder / "result.json", json.dumps({**result, "nothing": str(error)}) + "\n")
        return
    untrained = ending_learner(recipe, seed).search(recipe["play_depth"]).best
    result["untrained"] = figures(*whole(ending, untrained))
    result["floor"] = {key: rate.value for key, rate in floor(ending).items()}
    run = folder / name.lower()
    recipes.train(recipe, seed=seed, out=run, resume=run.exists(), seconds=given.seconds)
    choices = EndgameAgent(EndgameSettings(weights=str(run))).choices(ending.family)
    result |= {"trained": figures(*whole(ending, choices)), "step": Run.open(run).trained().step}
    result |= {"iterations": recipe["stages"][0]["iterations"], "updates": recipe["updates"]}
    result["ledger"] = Run.open(run).ledger().to_json()
    write_text(folder / "result.json", json.dumps(result, indent=1) + "\n")


def table(out: Path) -> str:
    """What has been done, one row an ending and seed."""
    rows = [json.loads(path.read_text()) for path in sorted(out.glob("*/result.json"))]
    lines = [
        "| ending | seed | WCR | WE | LHS | untrained WCR | random, mates in 3 | iterations "
        "| CPU s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        if "nothing" in row:
            lines.append(f"| {row['ending']} | – | – | – | – | – | – | – | nobody can win |")
            continue
        cells = [*row["trained"].values(), row["untrained"]["wcr"], row["floor"]["mate_in_3"]]
        shown = " | ".join("–" if cell is None else f"{cell:.4f}" for cell in cells)
        done = f"{row['step']} of {row['iterations']}"
        cost = row["ledger"]["cpu_seconds"]
        lines.append(f"| {row['ending']} | {row['seed']} | {shown} | {done} | {cost:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Learns what is asked for and not yet there, the smallest first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--endings", default=",".join(endings()), help="names with commas between")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="of learning, on the wall; none: all of it")
    parser.add_argument("--iterations", type=int, help="in place of the recipe's 18")
    parser.add_argument("--updates", type=int, help="in an iteration, in place of 1,600")
    parser.add_argument("--positions", type=int, default=4_000_000)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)  # the seed, in a process of it
    given = parser.parse_args()
    if given.one is not None:
        folder = given.out / f"{given.endings}-{given.one}"
        learn(given.endings, given.one, folder, given)
        return
    sizes = {name: len(Family(name)) for name in given.endings.split(",")}
    left_out = [name for name, size in sizes.items() if size > given.positions]
    jobs = [
        (name, seed)
        for name in sorted(sizes, key=sizes.__getitem__)
        for seed in range(1, given.seeds + 1)
        if name not in left_out and not (given.out / f"{name}-{seed}" / "result.json").exists()
    ]
    environment = (
        {**os.environ, "XLA_FLAGS": ONE_CORE, "OMP_NUM_THREADS": "1"}
        | dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        | {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "JAX_PLATFORMS": "cpu"}
    )

    def carry_out(job: tuple[str, int]) -> int:
        name, seed = job
        folder = given.out / f"{name}-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "--out", str(given.out), "--endings", name]
        command += ["--one", str(seed)]
        for option in ("seconds", "iterations", "updates"):
            if (value := getattr(given, option)) is not None:
                command += [f"--{option}", str(value)]
        with (folder / "log.txt").open("w") as log:
            code = subprocess.run(
                command, env=environment, stdout=log, stderr=log, check=False
            ).returncode
        (given.out / "table.md").write_text(table(given.out))
        print(f"{name} seed {seed}: {'done' if code == 0 else f'failed, see {folder}/log.txt'}")
        return code

    with ThreadPoolExecutor(given.processes) as pool:
        codes = list(pool.map(carry_out, jobs))
    (given.out / "table.md").write_text(table(given.out))
    print(table(given.out), end="")
    if left_out:
        print(f"left out as too large: {', '.join(left_out)}")
    sys.exit(1 if any(codes) else 0)


if __name__ == "__main__":
    main()
