"""Which steps of alpha-beta make an agent stronger.

A sequential test of each step alone, then of those that did best one upon the other, each kept
only if its own test accepts it.

    python tools/sprt_steps.py --workers 16 --out runs/steps

On 16 cores and 4000 positions a move this takes about twelve minutes. Games are logged in the
folder: killed and called again, it continues. The tables are printed and stored as `steps.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

# Those that need each other stand together. `stands` and `ageing` change cost more than strength.
CANDIDATES = (
    "aspiration",
    "late+late_base",
    "verify",
    "null_gain",
    "malus",
    "malus+continuation",
    "counters",
    "probcut",
    "internal",
    "recaptures",
    "evasions",
    "stands",
    "ageing",
)


class Series:
    """All tests of one agent, their logs in one folder."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self._folder = Path(given.out)
        self._folder.mkdir(parents=True, exist_ok=True)

    def alone(self, candidates: Sequence[str]) -> list[dict[str, Any]]:
        """Every candidate against the agent without steps, one thread each."""
        with ThreadPoolExecutor(self._given.workers) as pool:
            rows = pool.map(lambda steps: self._test(steps, "", self._given.games, 1), candidates)
            return sorted(rows, key=lambda row: -row["llr"])

    def together(self, rows: Sequence[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
        """The steps that were kept, and the tests that kept or dropped them."""
        kept, tests = "", []
        for row in rows:
            if row["score"] <= 0.5:
                continue
            steps = f"{kept}+{row['steps']}".strip("+")
            tests.append(self._test(steps, kept, 2 * self._given.games, self._given.workers))
            if tests[-1]["decision"] == "accept":
                kept = steps
        return kept, tests

    def _test(self, steps: str, before: str, games: int, threads: int) -> dict[str, Any]:
        given = self._given
        names = [
            f"{given.agent}:nodes={given.nodes},steps={chosen or 'none'}"
            for chosen in (steps, before)
        ]
        log = self._folder / f"{steps.replace('+', '_').replace(':', '')}-{len(before)}.jsonl"
        command = [
            sys.executable, "-m", "tempo", "match", *names, "--game", given.game, "--json",
            "--sprt", f"0,{given.elo}", "--games", str(games), "--threads", str(threads),
            "--seed", str(given.seed), "--log", str(log),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr.strip())
        found = json.loads(done.stdout)
        row = {
            key: found[key] for key in ("games", "wins", "draws", "losses", "score", "low", "high")
        }
        row |= {"steps": steps, "before": before, **found["sprt"]}
        row["seconds a move"] = [
            found["ledger"][side]["cpu_seconds"] / found["ledger"][side]["moves"] for side in "ab"
        ]
        print(line_of(row), flush=True)
        return row


def line_of(row: dict[str, Any]) -> str:
    """A row of a Markdown table."""
    cost = row["seconds a move"]
    return (
        f"| {row['steps']} | {row['before'] or 'none'} | {row['games']} | {row['score']:.3f} "
        f"[{row['low']:.3f}, {row['high']:.3f}] | {row['llr']:+.2f} | {row['decision']} "
        f"| {cost[0] / cost[1]:.2f} |"
    )


def main() -> None:
    """Runs the series and stores it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--agent", default="shogi-strong")
    parser.add_argument("--game", default="shogi")
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--games", type=int, default=800, help="of one test; twice that together")
    parser.add_argument("--elo", type=float, default=20, help="the difference looked for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--steps", nargs="*", default=CANDIDATES)
    parser.add_argument("--out", default="runs/steps")
    given = parser.parse_args()
    series = Series(given)
    print("| steps | upon | games | score | llr | decision | time |")
    print("|---|---|---|---|---|---|---|")
    alone = series.alone(given.steps)
    kept, together = series.together(alone)
    found = {"settings": vars(given), "alone": alone, "together": together, "kept": kept}
    (Path(given.out) / "steps.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(f"kept: {kept or 'none'}")


if __name__ == "__main__":
    main()
