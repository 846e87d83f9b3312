"""Six learning rules on one ending at equal cost: same games, same network, same gradient steps.

    python tools/compare_rules.py --ending KRK --seeds 3 --out results.json

Everything but the rule is the ending's own recipe, shortened by --iterations and --updates. Judged
exactly, over all positions, by minimax of depth 1 and 3 with the learned values at the leaves.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from tempo import recipes
from tempo.arena.endings import whole
from tempo.files import write_text
from tempo.games.chess.endings import Ending
from tempo.learners.fast.search_td import RULES, SearchTD
from tempo.ledger import Ledger
from tempo.recipes.endings import ending_learner

DEPTHS = (1, 3)


def judged(learner: SearchTD, ending: Ending, threads: int) -> dict[str, Any]:
    """WCR and WE over the whole space, at each depth."""
    figures: dict[str, Any] = {}
    for depth in DEPTHS:
        attack, defence = whole(ending, learner.search(depth).best, threads=threads)
        figures[f"depth_{depth}"] = {
            "wcr": attack.win_rate.value,
            "we": attack.efficiency(held=False, seed=1).value,
            "lhs": defence.efficiency(held=True, seed=1).value,
        }
    return figures


def main() -> None:
    """Trains and judges every rule with every seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--ending", default="KRK")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    recipe = recipes.read(given.ending.lower())
    stage = {**recipe["stages"][0], "iterations": given.iterations, "trace": 0.8}
    ending = Ending(given.ending)
    rows = []
    for rule in RULES:
        for seed in range(1, given.seeds + 1):
            settings = {**recipe, "rule": rule, "updates": given.updates, "stages": [stage]}
            learner = ending_learner(settings, seed, given.threads)
            while not learner.done:
                last = learner.iterate()
            cost = (learner.ledger + Ledger.here()).to_json()
            row = {"rule": rule, "seed": seed, "loss": last["loss"], "ledger": cost}
            rows.append({**row, **judged(learner, ending, given.threads)})
            print(rule, seed, {k: v for k, v in rows[-1].items() if k.startswith("depth")})
    result = {"ending": given.ending, "command": vars(given), "rows": rows}
    write_text(given.out, json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
