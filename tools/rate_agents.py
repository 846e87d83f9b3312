"""Rates the levels of the page and the agents that come with Tempo, by a tournament for each game.

The results are written where `tempo agents` and the page find them,
`src/tempo/games/GAME/ratings.json`.

    python tools/rate_agents.py --jobs 16 --seconds 330

Each level meets the next two above it, and each agent meets every other level, from the same
openings, both sides. Rounds are played until all are done or the time is used; then what was played
is rated, the middle of the ladder being 1000. Every game is logged: the same call goes on after a
kill, and with `--seconds 0` rates what is there. Budgets count positions or simulations and never
seconds, so the same seed and rounds give the same games on any machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tempo import agents, games
from tempo.agents.level import LEVEL
from tempo.agents.settings import split
from tempo.arena.log import read_log
from tempo.arena.match import match
from tempo.arena.openings import OpeningSet, standard
from tempo.arena.result import MatchResult
from tempo.arena.seeds import derive
from tempo.arena.tournament import Standing, TournamentResult
from tempo.games.description import Level
from tempo.ledger import Machine

OUT = Path(__file__).resolve().parent.parent / "src" / "tempo" / "games"
ANCHOR = 4  # a level in the middle of the ladder
ANCHOR_RATING = 1000.0
REACH = 2  # levels above that each one meets
JAX = find_spec("jax") is not None
# Openings of each pairing of levels, by game: about as many as a share of the time allows.
ROUNDS = {
    "gomoku": 28,
    "chess": 16,
    "jiu": 10,
    "shogi": 12,
    "minishogi": 40,
    "siguo": 60,
    "othello": 30,
}
OTHER_ROUNDS = 20
AGENT_ROUNDS = 3  # of an agent against a level
# Where the default is a time, or takes too long for many games.
BUDGETS = {
    ("gomoku", "gomoku-strong"): "nodes=20000",
    ("gomoku", "gomoku-strong-1"): "nodes=20000",
    ("jiu", "alphabeta"): "depth=1",
    ("jiu", "mcts"): "sims=100",
    ("jiu", "jiu-strong"): "time=0,nodes=10000,candidates=12,fills=4",
    ("jiu", "jiu-strong-1"): "time=0,nodes=10000,candidates=12,fills=4",
    ("shogi", "mcts"): "sims=200",
    ("shogi", "shogi-strong"): "nodes=15000",
    ("siguo", "mcts"): "sims=20,determinizations=4",
    ("siguo", "siguo-strong"): "determinizations=100",
    ("siguo", "siguo-strong-1"): "determinizations=150",
}


@dataclass(frozen=True)
class Task:
    """Two games of a pairing, one opening with the sides swapped."""

    game: str
    a: str
    b: str
    round: int
    openings: OpeningSet


@cache
def entrants(game: str) -> dict[str, list[str]]:
    """The agents of a game as they are played, with budgets, each with all names that it has."""
    found: dict[str, list[str]] = {}
    for name, kind in agents.kinds().items():
        fits = game in kind.games and not kind.starts_program and kind.misfit is None
        if name == LEVEL or not fits or (name.endswith("dqn") and not JAX):
            continue
        budget = BUDGETS.get((game, name))
        played = agents.load(f"{name}:{budget}" if budget else name).name
        found.setdefault(played, []).append(name)
    return found


@cache
def steps(game: str) -> dict[str, Level]:
    """The levels of a game as they are played, weakest first; without those of some positions."""
    levels = games.load(game).description.levels
    fit = [one for one in levels if agents.kinds()[split(one.spec)[0]].misfit is None]
    return {agents.load(one.spec).name: one for one in fit}


def pairings(game: str) -> Iterator[tuple[str, str, int]]:
    """Which two meet, and in how many rounds."""
    ladder = list(steps(game))
    for i, lower in enumerate(ladder):
        for upper in ladder[i + 1 : i + 1 + REACH]:
            yield lower, upper, ROUNDS.get(game, OTHER_ROUNDS)
    for agent in entrants(game):
        if agent not in ladder:
            yield from ((level, agent, AGENT_ROUNDS) for level in ladder[1:9:2])


def tasks(names: list[str], seed: int, share: float) -> list[Task]:
    """All pairs of games, so ordered that all games get on at the same rate."""
    found: list[tuple[float, Task]] = []
    for name in names:
        meetings = list(pairings(name))
        most = max(AGENT_ROUNDS, round(share * ROUNDS.get(name, OTHER_ROUNDS)))
        starts = standard(games.load(name), most, seed)
        for i, (a, b, full) in enumerate(meetings):
            rounds = full if full == AGENT_ROUNDS else max(1, round(share * full))
            for number, opening in enumerate(starts.openings[:rounds]):
                one = OpeningSet((opening,), starts.source)
                found.append(((number + i / len(meetings)) / rounds, Task(name, a, b, number, one)))
    found.sort(key=lambda row: row[0])
    return [task for _, task in found]


@cache
def _agent(spec: str, side: str) -> Any:
    """One for each process and side, if it can be copied: some take seconds to load."""
    made = agents.load(spec)
    return made if hasattr(made, "clone") else spec


def log_of(task: Task, seed: int, folder: Path) -> Path:
    """Where the games of a task are kept: elsewhere once a level is another."""
    levels = steps(task.game)
    both = [
        f"{levels[name].agent} {levels[name].slips:g}" if name in levels else name
        for name in (task.a, task.b)
    ]
    return folder / task.game / f"{derive(seed, *both, task.round):016x}.jsonl"


def is_played(log: Path) -> bool:
    """Whether both games are there."""
    return log.exists() and len(read_log(log)[1]) == 2


def play(task: Task, seed: int, log: Path) -> MatchResult:
    """Two games, or those of the log."""
    both = {task.a: _agent(task.a, "a"), task.b: _agent(task.b, "b")}
    own = derive(seed, "pairing", task.a, task.b, task.round)
    return match(both, task.game, games=2, seed=own, openings=task.openings, log=log)


def played(
    todo: list[Task], seed: int, jobs: int, seconds: float, logs: Path
) -> Iterator[tuple[Task, MatchResult]]:
    """Results as they come, those of the logs first; none is begun when the time is used."""
    # One thread a game: networks would take all cores for each.
    os.environ |= {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "JAX_PLATFORMS": "cpu"}
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    until = time.monotonic() + seconds
    known = [is_played(log_of(task, seed, logs)) for task in todo]
    waiting = iter(sorted(zip(known, todo, strict=True), key=lambda row: not row[0]))
    ahead = next(waiting, None)
    running: dict[Future[MatchResult], Task] = {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        while True:
            while ahead and len(running) < 2 * jobs and (ahead[0] or time.monotonic() < until):
                task = ahead[1]
                running[pool.submit(play, task, seed, log_of(task, seed, logs))] = task
                ahead = next(waiting, None)
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                if error := future.exception():  # the others are worth more than this one
                    print(f"{task.game}: {task.a} and {task.b}: {error}", flush=True)
                else:
                    yield task, future.result()


def rated(game: str, results: list[MatchResult], seed: int) -> TournamentResult:
    """The tournament that all these matches of two games make up."""
    met: dict[tuple[str, str], list[MatchResult]] = {}
    for one in results:
        met.setdefault((one.a, one.b), []).append(one)
    matches = []
    for some in met.values():
        records = [record for one in some for record in one.records]
        numbered = tuple(replace(record, index=i) for i, record in enumerate(records))
        matches.append(replace(some[0], records=numbered))
    ladder = list(steps(game))
    names = tuple(dict.fromkeys([*ladder, *entrants(game)]))
    most = max(one.games for one in matches)
    return TournamentResult(game, names, most, seed, ladder[ANCHOR], ANCHOR_RATING, tuple(matches))


def row(standing: Standing) -> dict[str, Any]:
    """What is stored of an agent."""
    rating, spent = standing.rating, standing.ledger
    assert rating is not None
    return {
        "played": standing.name,
        "rating": round(rating.rating),
        "low": round(rating.low),
        "high": round(rating.high),
        "score": round(standing.score, 4),
        "games": standing.games,
        "cpu_ms": round(1000 * spent.cpu_seconds / max(1, spent.moves), 3),
        "positions": round(spent.positions / max(1, spent.moves)),
    }


def store(folder: Path, tournament: TournamentResult, commit: str) -> Path:
    """Writes the ratings of a game."""
    machine = Machine.here()
    standings = {one.name: one for one in tournament.standings if one.rating is not None}
    names = entrants(tournament.game)
    ladder = steps(tournament.game).items()
    data = {
        "game": tournament.game,
        "rules": games.load(tournament.game).rules_version,
        "anchor": tournament.anchor,
        "anchor_rating": tournament.anchor_rating,
        "seed": tournament.seed,
        "games": sum(one.games for one in tournament.matches),
        "machine": {"cpu": machine.cpu, "cores": machine.cores, "commit": commit or machine.commit},
        "command": f"tools/rate_agents.py --seed {tournament.seed}",
        "agents": {
            name: row(one) for one in standings.values() for name in names.get(one.name, ())
        },
        "levels": {
            level.name: {"agent": level.agent, "slips": level.slips, **row(standings[played])}
            for played, level in ladder
            if played in standings
        },
    }
    path = folder / tournament.game / "ratings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    return path


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*", default=list(games.names()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=330, help="begins nothing after these")
    parser.add_argument("--share", type=float, default=1.0, help="of the usual rounds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--logs", type=Path, default=Path("runs/ratings"), help="of games")
    parser.add_argument("--commit", default="", help="where there is no repository to tell it")
    asked = parser.parse_args()
    todo = tasks(asked.games, asked.seed, asked.share)
    print(f"{2 * len(todo):,} games", flush=True)
    found: dict[str, list[tuple[int, MatchResult]]] = {}
    begun = time.monotonic()
    spent: dict[str, float] = {}
    for done, (task, result) in enumerate(
        played(todo, asked.seed, asked.jobs, asked.seconds, asked.logs), start=1
    ):
        found.setdefault(task.game, []).append((task.round, result))
        cost = sum(ledger.cpu_seconds for ledger in result.ledger.values())
        spent[task.game] = spent.get(task.game, 0.0) + cost
        if done % 200 == 0:
            print(f"{done:,} of {len(todo):,}, {time.monotonic() - begun:.0f} s", flush=True)
    for game, results in found.items():
        tournament = rated(game, [one for _, one in sorted(results, key=_order)], asked.seed)
        path = store(asked.out, tournament, asked.commit)
        print(f"{path}: {len(results) * 2} games, {spent[game]:.0f} s of CPU time")
        print(tournament)


def _order(row: tuple[int, MatchResult]) -> tuple[str, str, int]:
    return row[1].a, row[1].b, row[0]


if __name__ == "__main__":
    main()
