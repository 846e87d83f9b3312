"""Make Gomoku's stand-ins as strong as the papers' opponents were, and freeze them.

    python tools/calibrate_standins.py --games 40 --check 100 --threads 2

HMCTS with 400 playouts a candidate scored 46, 13 and 0 % against the three levels of a commercial
program (Tang, Zhao, Shao, Lv 2016). Each stand-in looks a number of moves ahead and slips now and
then. For the lower levels HMCTS plays a match at a few shares of slips; a straight line through the
scores says where the published one is met; a match with other seeds then says what the frozen
stand-in is worth. No slip can bring a score of 0 closer: the candidate gets the shallowest search
that agrees with the published games, and other seeds again say what that is worth. Writes
src/tempo/agents/gomoku/standins.json. `--only` calibrates some levels anew and keeps the others.
"""

import argparse
import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import tempo
from tempo import agents, arena
from tempo.agents.gomoku.playouts import Hmcts, HmctsSettings
from tempo.agents.gomoku.standins import FROZEN, StandIn, StandInSettings
from tempo.arena import openings
from tempo.arena.statistics import wilson
from tempo.files import write_text

GAME = "gomoku"
PLIES, JUDGE, LIMIT = 4, "alphabeta:depth=2,table=1", 0.1  # of openings, whatever else there is
TARGETS = {"beginner": 0.46, "dilettante": 0.13, "candidate": 0.0}
PUBLISHED_GAMES = 100  # behind each of these
# What is tried: moves looked ahead, and shares of slips.
KNOBS: dict[str, list[tuple[int, float]]] = {
    "beginner": [(1, 0.0), (1, 0.02), (1, 0.05)],
    "dilettante": [(2, 0.0), (2, 0.02)],
    "candidate": [(4, 0.0), (5, 0.0), (6, 0.0), (8, 0.0)],
}
FILE = Path(__file__).resolve().parent.parent / "src" / "tempo" / "agents" / "gomoku" / FROZEN


def measure(
    level: str, knobs: tuple[int, float], games: int, seed: int, chosen: argparse.Namespace
) -> dict[str, Any]:
    """HMCTS against a stand-in with these knobs."""
    depth, slips = knobs
    players = (
        Hmcts(HmctsSettings(playouts=chosen.playouts)),
        StandIn(StandInSettings(level=level, depth=depth, slips=slips)),
    )
    game = tempo.load(GAME)
    begun = openings.generate(
        game, (games + 1) // 2, seed=seed, plies=PLIES, judge=agents.load(JUDGE), limit=LIMIT
    )
    result = arena.match(
        players, game, games=games, seed=seed, openings=list(begun), threads=chosen.threads
    )
    low, high = result.interval
    found = {
        "depth": depth,
        "slips": slips,
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": round(result.score, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "seed": seed,
    }
    print(level, found, flush=True)
    return found


def crossing(tried: list[dict[str, Any]], target: float) -> float:
    """Where a straight line through the scores meets the target, within the knobs tried."""
    knobs = [trial["slips"] for trial in tried]
    if len(set(knobs)) < 2:
        return float(knobs[0])
    slope, start = np.polyfit(knobs, [trial["score"] for trial in tried], 1)
    if slope <= 0:  # more slips cannot make a player stronger: noise alone
        nearest = min(tried, key=lambda trial: abs(trial["score"] - target))
        return float(nearest["slips"])
    return round(float(np.clip((target - start) / slope, min(knobs), max(knobs))), 3)


def agrees(trial: dict[str, Any], target: float) -> bool:
    """Whether the score and the published one could be the same."""
    low, high = wilson(target * PUBLISHED_GAMES, PUBLISHED_GAMES)
    return bool(trial["low"] <= high and low <= trial["high"])


def calibrate(level: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """The knobs of a level, how they were found, and what the stand-in is worth with them."""
    target, tried = TARGETS[level], []
    for i, knobs in enumerate(KNOBS[level]):
        tried.append(measure(level, knobs, chosen.games, chosen.seed + i, chosen))
        if target > 0 or not agrees(tried[-1], target):
            continue
        check = measure(level, knobs, chosen.check, chosen.seed + 1000, chosen)
        if agrees(check, target):
            return _found(knobs, target, tried, check)
        tried.append(check)
    if target == 0:
        raise SystemExit(f"no depth of the {level} agrees with the published score of 0")
    knobs = (KNOBS[level][0][0], crossing(tried, target))
    check = measure(level, knobs, chosen.check, chosen.seed + 1000, chosen)
    return _found(knobs, target, tried, check)


def _found(
    knobs: tuple[int, float], target: float, tried: list[dict[str, Any]], check: dict[str, Any]
) -> dict[str, Any]:
    depth, slips = knobs
    return {"depth": depth, "slips": slips, "published": target, "tried": tried, "check": check}


def main() -> None:
    """Calibrates and freezes."""
    parser = argparse.ArgumentParser(description="Calibrate Gomoku's stand-ins through HMCTS.")
    parser.add_argument("--games", type=int, default=40, help="at each setting of a knob")
    parser.add_argument("--check", type=int, default=100, help="with the knob chosen")
    parser.add_argument("--playouts", type=int, default=400, help="of HMCTS after every candidate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="games side by side")
    parser.add_argument("--only", nargs="+", choices=list(TARGETS), default=list(TARGETS))
    parser.add_argument("--out", type=Path, default=FILE)
    chosen = parser.parse_args()
    levels = json.loads(chosen.out.read_text())["levels"] if chosen.out.is_file() else {}
    command = "python tools/calibrate_standins.py " + shlex.join(sys.argv[1:])
    for level in chosen.only:
        begun = time.perf_counter()
        found = calibrate(level, chosen)
        seconds = round(time.perf_counter() - begun, 1)
        levels[level] = {**found, "command": command.strip(), "seconds": seconds}
        record = {
            "about": "Stand-ins for a commercial program's levels; scores are HMCTS's, with 95 % "
            "intervals over pairs of games.",
            "game": tempo.load(GAME).spec,
            "hmcts": Hmcts(HmctsSettings(playouts=chosen.playouts)).name,
            "openings": f"{PLIES} random moves that {JUDGE} finds balanced, a pair of games each",
            "levels": {name: levels[name] for name in TARGETS if name in levels},
        }
        write_text(chosen.out, json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
