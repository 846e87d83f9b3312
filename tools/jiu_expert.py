"""Tune the weights by which the expert of Jiu places, by matches against those it has.

    python tools/jiu_expert.py --generations 13 --seed 1 --out runs/jiu-expert --write

The cross-entropy method (Rubinstein 1999): logarithms of weights are drawn from a normal
distribution, every draw plays the same boards against the weights by priority, seats swapped, and
the distribution moves to the best quarter. A board begins with some stones at random; then each
side places its own, and one quick search fights for both. With `--write`, the mean becomes the
package's weights. It goes on from its folder; a killed call loses the generation under way. The
same seed and generations give the same weights.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

import tempo
from tempo._core import jiu_players
from tempo.agents.jiu.placing import Layouts, RandomPlacer, expert_weights, rules, side
from tempo.files import replacing, write_text
from tempo.ledger import Ledger

Numbers = NDArray[np.float64]

WEIGHTS = Path(tempo.__file__).parent / "weights/jiu"
DRAWS, BEST = 24, 6  # of a generation, and how many of them it is judged by
PAIRS = 48  # boards for each
RANDOM = 16  # stones at random on each board
BATTLE = "search:100"  # who fights
CHECK = 1_000  # pairs of the match in the end
LEAST = 0.15  # spread that remains


def scores(draws: Numbers, pairs: int, seed: int, battle: str = BATTLE) -> Numbers:
    """[draws, pairs] what each draw scores against the weights by priority, 0 to 1 a pair."""
    options, usual = rules(), expert_weights("priority")
    boards = np.random.default_rng(seed).integers(0, 2**63, pairs, np.uint64)
    seeds = np.tile(np.repeat(boards, 2), len(draws))
    games = Layouts.start(options, seeds)
    player = np.repeat(np.arange(len(draws)), 2 * pairs)  # who plays the game
    seat = np.tile([0, 1], len(seeds) // 2)  # as White or as Black
    points = games.size**2
    while games.placed < points:
        allowed = games.allowed()
        if games.placed < RANDOM:
            games = games.place(RandomPlacer().place(games, allowed))
            continue
        chosen = np.empty(len(seeds), np.int32)
        own = seat == games.seat
        for weights, rows in [
            (usual, np.flatnonzero(~own)),
            *((draw, np.flatnonzero(own & (player == i))) for i, draw in enumerate(draws)),
        ]:
            worth = jiu_players.expert_scores(
                options, games.boards[rows], games.seat, allowed[rows], weights
            )
            chosen[rows] = jiu_players.pick(worth, 0.0, seeds[rows], games.placed)
        games = games.place(chosen)
    battles = jiu_players.battles(options, games.boards)
    result, *_ = jiu_players.play_battles(battles, seeds, (battle, battle))
    won: Numbers = (1 + result[np.arange(len(seeds)), seat].astype(np.float64)) / 2
    both: Numbers = won.reshape(len(draws), pairs, 2).mean(axis=2)
    return both


def start() -> dict[str, Any]:
    """Where the search begins: the order of the priorities, but with much smaller steps."""
    usual = expert_weights("priority")
    mean = np.log(np.where(usual > 0, usual, 1.0)) / 2
    return {"generation": 0, "mean": mean.tolist(), "spread": [1.2] * len(mean), "log": [],
            "ledger": Ledger.here().to_json()}  # fmt: skip


def climb(state: dict[str, Any], generations: int, seed: int, path: Path) -> None:
    """As many generations in all."""
    spent = Ledger.from_json(state["ledger"])
    for number in range(state["generation"], generations):
        random = np.random.default_rng([seed, number])
        mean, spread = np.array(state["mean"]), np.array(state["spread"])
        drawn = mean + spread * random.standard_normal((DRAWS, len(mean)))
        drawn[0] = mean
        with spent.timing():
            found = scores(np.exp(drawn), PAIRS, seed * 100_003 + number).mean(axis=1)
        spent.games += found.size * 2 * PAIRS
        spent.moves += found.size * 2 * PAIRS * (side(rules()) ** 2 - RANDOM)
        best = drawn[np.argsort(-found)[:BEST]]
        state["mean"] = (0.3 * mean + 0.7 * best.mean(axis=0)).tolist()
        state["spread"] = np.maximum(0.3 * spread + 0.7 * best.std(axis=0), LEAST).tolist()
        state["generation"] = number + 1
        state["ledger"] = spent.to_json()
        state["log"].append([round(float(found[0]), 3), round(float(found.mean()), 3)])
        write_text(path, json.dumps(state))
        print(f"generation {number}: mean {found[0]:.3f}, of all {found.mean():.3f}", flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--generations", type=int, default=13, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder; goes on from there")
    parser.add_argument("--write", action="store_true", help="make the mean the package's weights")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / "state.json"
    state = json.loads(path.read_text()) if path.exists() else start()
    climb(state, args.generations, args.seed, path)
    weights = np.exp(np.array(state["mean"]))
    for name, weight in zip(jiu_players.expert_features(), weights, strict=True):
        print(f"{name:>14} {weight:9.3f}")
    one = scores(weights[None], CHECK, args.seed + 10**9)[0]
    half = 1.96 * float(one.std(ddof=1)) / math.sqrt(CHECK)
    print(f"{one.mean():.3f} ± {half:.3f} of {2 * CHECK} games on boards of another seed")
    if not args.write:
        return
    about = {
        "game": "jiu", "seed": args.seed,
        "command": f"python tools/jiu_expert.py --generations {state['generation']} "
                   f"--seed {args.seed} --out runs/jiu-expert --write",
        "weights": dict(zip(jiu_players.expert_features(), weights.round(4).tolist(), strict=True)),
        "figures": {"score_against_priority": round(float(one.mean()), 4), "half": round(half, 4),
                    "games": 2 * CHECK, "battle": BATTLE},
        "ledger": state["ledger"],
    }  # fmt: skip
    with replacing(WEIGHTS / "expert.safetensors") as file:
        file.write(save({"weights": weights.astype(np.float32)}))
    write_text(WEIGHTS / "expert.json", json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
