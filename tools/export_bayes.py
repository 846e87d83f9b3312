"""Make the Bayesian tables of Jiu that ship with the package, and the games behind them.

    python tools/export_bayes.py

Writes into src/tempo/weights/jiu: bayes-300 and bayes-3000, each as .safetensors (counts) and .json
(command, seed, figures, ledger), and the 300 games as expert-300.sgf.gz. The 3,000 are made again
from their seed. The same command gives the same files, times aside.
"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

from tempo.agents.jiu.placing import BayesPlacer, ExpertPlacer, Placer, RandomPlacer, compare, rules
from tempo.arena.statistics import Pairs, pair_interval
from tempo.files import replacing, write_text
from tempo.games.jiu import sgf as jiu
from tempo.ledger import Ledger
from tempo.nets.bayes import BlockNetwork, stored
from tempo.recipes import jiu_bayes as bayes
from tempo.recipes import jiu_expert_games as expert_games

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights" / "jiu"
SEEDS = {300: 300, 3000: 3000}
HELD_OUT, HELD_OUT_SEED = 300, 1
PAIRS, MATCH_SEED = 1000, 1
BATTLES = ("paper", "search:100")
AREAS = {"all_points": 0, "centre": 6}


def match(first: Placer, second: Placer, area: int, battle: str) -> dict[str, float]:
    """The first placer's score against the second, with its interval."""
    scores = compare(rules(), (first, second), PAIRS, MATCH_SEED, battle, area, threads=2)
    pairs = Pairs.of(scores.sum(1))
    low, high = pair_interval(pairs)
    return {
        "score": pairs.mean,
        "low": low,
        "high": high,
        "white": float(scores[:, 0].mean()),
        "black": float(scores[:, 1].mean()),
        "draws": float(np.mean(scores == 0.5)),
        "games": 2 * PAIRS,
    }


def figures(network: BlockNetwork, games: expert_games.Games) -> dict[str, Any]:
    """What the network foretells of games it has not seen, and what it scores."""
    options = games.options
    held_out = expert_games.play(HELD_OUT, HELD_OUT_SEED, threads=2)
    judged = bayes.judge(network, games.placements, held_out.placements, options)
    changes = bayes.count(held_out.placements, options)[:, :, :, :, 0]
    by_block = bayes.transition_log_likelihoods(network, changes)
    placer = BayesPlacer(network)
    return {
        "held_out_games": HELD_OUT,
        "log_likelihood": judged.network,
        "log_likelihood_rings": judged.rings,
        "log_likelihood_uniform": judged.uniform,
        "agreement": judged.agreement,
        "by_block": dict(zip(("network", "rings", "reachable"), by_block, strict=True)),
        "matches": [
            {"against": name, "on": where, "battle": battle, **match(placer, other, area, battle)}
            for name, other in (("random", RandomPlacer()), ("expert", ExpertPlacer()))
            for where, area in AREAS.items()
            for battle in BATTLES
        ],
    }


def export(number: int, out: Path) -> None:
    """Play, count, judge, write."""
    ledger = Ledger.here()
    with ledger.timing():
        games = expert_games.play(number, SEEDS[number], threads=2)
        network = bayes.learn(games.placements, games.options)
    ledger.games = number
    ledger.moves = int(games.placements.size + sum(len(battle) for battle in games.battles))
    data = stored(network)
    about = {
        "tables": f"bayes-{number}",
        "command": "python tools/export_bayes.py",
        "seed": SEEDS[number],
        "games": number,
        "author": expert_games.AUTHOR,
        "smoothing": network.smoothing,
        "figures": figures(network, games),
        "bytes": len(data),
        "ledger": ledger.to_json(),
    }
    with replacing(out / f"bayes-{number}.safetensors") as file:
        file.write(data)
    write_text(out / f"bayes-{number}.json", json.dumps(about, indent=1) + "\n")
    print(json.dumps(about["figures"], indent=1))
    if number == min(SEEDS):
        text = jiu.write(games.records()).encode()
        with replacing(out / f"expert-{number}.sgf.gz") as file:
            file.write(gzip.compress(text, 9, mtime=0))


def main() -> None:
    """Make all of it."""
    parser = argparse.ArgumentParser(description="Make the Bayesian tables of Jiu.")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    for number in SEEDS:
        export(number, chosen.out)


if __name__ == "__main__":
    main()
