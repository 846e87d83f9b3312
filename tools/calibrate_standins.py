"""Make Gomoku's stand-ins as strong as the papers' opponents were, and freeze them.

    python tools/calibrate_standins.py --games 40 --check 100 --threads 2

HMCTS with 400 playouts a candidate scored 46, 13 and 0 % against the three levels of a commercial
program (Tang, Zhao, Shao, Lv 2016). Each stand-in has one knob, its share of slips. For every level
HMCTS plays a match at a few settings of the knob; a straight line through the scores says where the
published one is met; a match with other seeds then says what the frozen stand-in is worth. Writes
src/tempo/agents/gomoku_standins.json. `--only` calibrates some levels anew and keeps the others.
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
from tempo.agents.gomoku_playouts import Hmcts, HmctsSettings
from tempo.agents.gomoku_standins import FROZEN, StandIn, StandInSettings
from tempo.arena import openings
from tempo.files import write_text

GAME = "gomoku"
PLIES, JUDGE, LIMIT = 4, "alphabeta:depth=2,table=1", 0.1  # of openings, whatever else there is
TARGETS = {"beginner": 0.46, "dilettante": 0.13, "candidate": 0.0}
KNOBS = {"beginner": (0.0, 0.02, 0.05), "dilettante": (0.0, 0.02), "candidate": (0.0,)}
FILE = Path(__file__).resolve().parent.parent / "src" / "tempo" / "agents" / FROZEN


def measure(
    level: str, slips: float, games: int, seed: int, chosen: argparse.Namespace
) -> dict[str, Any]:
    """HMCTS against a stand-in with this knob."""
    players = (
        Hmcts(HmctsSettings(playouts=chosen.playouts)),
        StandIn(StandInSettings(level=level, slips=slips)),
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


def calibrate(level: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """The knob of a level, how it was found, and what the stand-in is worth with it."""
    target = TARGETS[level]
    tried = [
        measure(level, slips, chosen.games, chosen.seed + i, chosen)
        for i, slips in enumerate(KNOBS[level])
    ]
    slips = crossing(tried, target)
    check = measure(level, slips, chosen.check, chosen.seed + 1000, chosen)
    return {"slips": slips, "published": target, "tried": tried, "check": check}


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
