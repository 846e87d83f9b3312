"""The endgame paper: TD-Leaf against TD-Stem on KRK and KQK (Tables III to V, Figure 4).

Each run is a folder of its own (`tempo.runs`) with the figures of its tests beside the log, so that
a reproduction which was killed goes on where it stood. What comes out of all runs is one file,
`results.json`; the verdicts (`verdicts`), the report and the figures are made from it alone.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import _core, recipes
from tempo.arena import endings
from tempo.arena.seeds import derive
from tempo.errors import TempoError
from tempo.files import write_text
from tempo.games.chess.endings import Ending
from tempo.learners.loop import restore
from tempo.ledger import Ledger, Machine
from tempo.papers.jobs import Lines, Told, side_by_side
from tempo.runs import Checkpoint, Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.learners.search_td import SearchTD

GAMES = 2000  # test games a model, half with each side
TEST_EVERY = 5  # iterations; and at the end of every stage
TEST_DEPTH = 3  # d_V of the last stages
CHECKPOINT_SECONDS = 10.0
QUICK_SEEDS, FULL_SEEDS = 2, 5
QUICK_ITERATIONS, QUICK_GAMES = 10, 5  # what the schedules are divided by
# One thread a run: many run side by side, and their CPU seconds are compared.
ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NPROC": "1",
}

Row = dict[str, Any]


@dataclass(frozen=True)
class Published:
    """One column of Table IV or V."""

    table: str
    experiment: str
    stages: int
    rule: str
    wcr: float
    we: float
    lhs: float
    episodes: int


PUBLISHED = (
    Published("IV", "krk", 7, "leaf", 0.48, 0.87, 0.80, 353_500),
    Published("IV", "krk", 7, "stem", 0.85, 0.86, 0.91, 304_500),
    Published("V", "kqk", 3, "leaf", 0.65, 0.67, 0.89, 26_000),
    Published("V", "kqk", 3, "stem", 0.77, 0.64, 0.89, 27_000),
    Published("V", "kqk", 5, "leaf", 0.90, 0.89, 0.95, 43_500),
    Published("V", "kqk", 5, "stem", 0.90, 0.89, 0.97, 44_500),
)
DIP_EPISODES = 30_000  # where the win rate of TD-Leaf begins to fall in Figure 4


@dataclass(frozen=True)
class Job:
    """One training with its tests."""

    experiment: str  # krk or kqk
    rule: str  # leaf, stem, or stem-state: TD-Stem as printed
    seed: int
    quick: bool

    @property
    def name(self) -> str:
        """Of the run's folder."""
        return f"{'quick-' if self.quick else ''}{self.experiment}-{self.rule}-{self.seed}"

    @property
    def recipe(self) -> dict[str, Any]:
        """Table III, shortened if quick."""
        recipe = recipes.read(f"paper-{self.experiment}-{self.rule.removesuffix('-state')}")
        if self.rule.endswith("-state"):
            recipe["anchor"] = "state"
        if self.quick:
            recipe["stages"] = [_shortened(stage) for stage in recipe["stages"]]
        return recipe


def _shortened(stage: Mapping[str, Any]) -> dict[str, Any]:
    iterations = max(1, stage["iterations"] // QUICK_ITERATIONS)
    return {**stage, "iterations": iterations, "games": stage["games"] // QUICK_GAMES}


def jobs(seeds: int, quick: bool, literal: bool = False) -> list[Job]:
    """All runs of a reproduction, the long ones first; `literal` adds TD-Stem as printed."""
    rules = ("leaf", "stem", "stem-state") if literal else ("leaf", "stem")
    return [
        Job(experiment, rule, seed, quick)
        for experiment in ("kqk", "krk")
        for rule in rules
        for seed in range(1, seeds + 1)
    ]


def stage_ends(recipe: Mapping[str, Any]) -> list[int]:
    """The step at which each stage is over."""
    return [int(n) for n in np.cumsum([stage["iterations"] for stage in recipe["stages"]])]


# One run


def carry_out(folder: Path, job: Job) -> Row:
    """Trains and tests, or goes on with it; returns what the results keep of it."""
    run = _opened(folder / job.name, job)
    run.hold()
    try:
        return _trained(run, job)
    finally:
        run.release()


def _trained(run: Run, job: Job) -> Row:
    ends, tests = stage_ends(job.recipe), Lines(run.folder / "tests.jsonl")
    found = run.latest()
    if found is not None and found.step == ends[-1]:
        return _kept(run, job, tests.rows())
    learner = _new_learner(job)
    restore(run, learner)
    # At the very start nothing is kept: the untrained network is tested anew.
    tests.keep(lambda row: learner.step > 0 and row["step"] <= learner.step)
    if learner.step == 0:
        tests.add(examine(learner, job, ends))
    saved = time.monotonic()
    while not learner.done:
        run.log(learner.iterate())
        if learner.step in ends or learner.step % TEST_EVERY == 0:
            tests.add(examine(learner, job, ends))
        if learner.done or time.monotonic() - saved > CHECKPOINT_SECONDS:
            checkpoint = Checkpoint(learner.step, learner.arrays(), learner.state())
            run.save(checkpoint, learner.ledger + Ledger.here())
            saved = time.monotonic()
    return _kept(run, job, tests.rows())


def _new_learner(job: Job) -> SearchTD:
    learner = recipes.ending_learner(job.recipe, job.seed)
    from tempo.learners.search_td import SearchTD  # noqa: PLC0415 - needs JAX

    assert isinstance(learner, SearchTD), "the paper's recipes name no other learner"
    return learner


def _opened(folder: Path, job: Job) -> Run:
    config = {**job.recipe, "seed": job.seed}
    if not (folder / "config.toml").exists():
        return Run.create(folder, config)
    run = Run.open(folder)
    if run.config != config:
        raise TempoError(f"{folder} holds a run with other settings; choose another --out")
    return run


def _kept(run: Run, job: Job, tests: list[Row]) -> Row:
    log = run.rows()
    columns = ("games", "won", "cpu_seconds", "epsilon", "length")
    return {
        "experiment": job.experiment,
        "rule": job.rule,
        "seed": job.seed,
        "stage_ends": stage_ends(job.recipe),
        "log": {name: [round(row[name], 4) for row in log] for name in columns},
        "tests": tests,
        "ledger": run.ledger().to_json(),
    }


# One test


@cache
def _ending(name: str) -> Ending:
    return Ending(name)


def examine(learner: SearchTD, job: Job, ends: list[int]) -> Row:
    """A model as it stands: 2,000 games against perfect play, and exactly over all positions."""
    recipe = job.recipe
    stage = recipe["stages"][min(int(np.searchsorted(ends, learner.step)), len(ends) - 1)]
    ending = _ending(recipe["ending"])
    ledger = Ledger()
    with ledger.timing():
        first, choice = policies(learner, stage.get("mate_depth", 0))
        row = {
            "step": learner.step,
            "games": learner.games,
            "cpu_seconds": round(learner.ledger.cpu_seconds, 3),
            "sampled": sampled(ending, choice, derive(job.seed, "test", learner.step)),
            "exact": exact(ending, choice),
            "exact_first": exact(ending, first),
        }
    row["test_cpu_seconds"] = round(ledger.cpu_seconds, 3)
    return row


def policies(learner: SearchTD, mate_depth: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What minimax plays with the mate search: the first of equal moves, or the best of them.

    Without a discount every forced mate is worth 1, and whoever takes the first of equals may put
    it off for ever. The better choice mates as soon, and is mated as late, as the search can see.
    """
    from tempo.learners.search_td import sweep  # noqa: PLC0415 - needs JAX

    found = learner.search(TEST_DEPTH)
    mates = sweep(learner.graph, learner.world.scores, max(mate_depth, 1), 0.999)
    mover = np.where(learner.world.turn == 0, 1, -1)
    forced = (mover * mates.values[-1] > 0) & (mate_depth > 0)
    first = np.where(forced, mates.best, found.best).astype(np.int32)
    seen = sweep(learner.graph, learner.world.scores, TEST_DEPTH, 0.999)
    sooner = np.where(seen.values[-1] != 0, seen.best, found.best)
    return first, np.where(forced, mates.best, sooner).astype(np.int32)


def sampled(ending: Ending, choice: NDArray[np.int32], seed: int) -> Row:
    """The paper's test: so many games with each side."""
    family, verdicts = ending.family, ending.verdicts
    attacks = ending.starts(GAMES // 2, derive(seed, "attack"))
    defences = ending.starts(GAMES // 2, derive(seed, "defence"), turn=endings.BLACK)
    won = _core.endings.play_attack(
        family, verdicts, attacks, choice, cap=2 * endings.MOVES, seed=derive(seed, "play")
    )
    held = _core.endings.play_defence(family, verdicts, defences, choice, seed=derive(seed, "hold"))
    return _figures(_trials(ending, attacks, won), _trials(ending, defences, held))


def exact(ending: Ending, choice: NDArray[np.int32]) -> Row:
    """The expectation of the same figures, every position once."""
    return _figures(*endings.whole(ending, choice))


def _trials(
    ending: Ending, starts: NDArray[np.int32], lengths: NDArray[np.int32]
) -> endings.Trials:
    dtm = ending.plies[starts].astype(np.float64)
    won = (lengths > 0).astype(np.float64)
    return endings.Trials(dtm, won, lengths.astype(np.float64), np.ones(len(starts)))


def _figures(attack: endings.Trials, defence: endings.Trials) -> Row:
    rates = {
        "wcr": attack.win_rate,
        "we": attack.efficiency(held=False, seed=1),
        "lhs": defence.efficiency(held=True, seed=1),
    }
    return {name: None if r.value is None else round(r.value, 5) for name, r in rates.items()}


def floors(ending: Ending, mate_plies: int, seed: int = 1) -> Row:
    """Random moves with a mate finder in place of a model."""
    games = endings.FLOOR_GAMES
    attacks = ending.starts(games, derive(seed, "floor"))
    defences = ending.starts(games, derive(seed, "floor", "held"), turn=endings.BLACK)
    won = _core.endings.play_attack(
        ending.family, ending.verdicts, attacks, mate_plies=mate_plies, cap=2 * endings.MOVES,
        seed=derive(seed, "floor", mate_plies),
    )  # fmt: skip
    held = _core.endings.play_defence(
        ending.family, ending.verdicts, defences, seed=derive(seed, "floor", "hold")
    )
    return _figures(_trials(ending, attacks, won), _trials(ending, defences, held))


# All runs


def reproduce(
    out: Path,
    *,
    seeds: int,
    quick: bool,
    workers: int,
    command: str,
    literal: bool = False,
    progress: Told | None = None,
) -> Row:
    """Runs whatever is not done yet, and writes `results.json`."""
    recipes.deep()  # said now, not by every process
    wanted = jobs(seeds, quick, literal)
    for ending in ("KRK", "KQK"):  # solved once, not by every run
        _ending(ending).tablebase.need(ending)
    begun = time.perf_counter()
    os.environ.update(ONE_THREAD)  # for the children, which read it before they load JAX
    totals = {job.name: stage_ends(job.recipe)[-1] for job in wanted}
    calls = [(carry_out, (out / "runs", job)) for job in wanted]

    def tell() -> None:
        if progress:
            progress(*_standing(out / "runs", totals))

    runs = list(side_by_side(calls, workers, tell, fresh=True))
    order = {job.name: i for i, job in enumerate(wanted)}
    runs.sort(key=lambda run: order[Job(run["experiment"], run["rule"], run["seed"], quick).name])
    ledger = sum((Ledger.from_json(run["ledger"]) for run in runs), Ledger())
    ledger.cpu_seconds += sum(t["test_cpu_seconds"] for run in runs for t in run["tests"])
    results = {
        "paper": "endgames",
        "quick": quick,
        "command": command,
        "commit": Machine.here().commit,
        "seeds": list(range(1, seeds + 1)),
        "test_games": GAMES,
        "workers": workers,
        "wall_seconds": round(time.perf_counter() - begun, 1),
        "floors": {
            f"{ending}, mates within {plies} plies": floors(_ending(ending), plies)
            for ending, plies in (("KRK", 0), ("KRK", 3), ("KQK", 0), ("KQK", 3), ("KQK", 5))
        },
        "ledger": ledger.to_json(),
        "runs": runs,
    }
    write_text(out / "results.json", json.dumps(results) + "\n")
    return results


def _standing(folder: Path, totals: Mapping[str, int]) -> tuple[int, int, str]:
    """How far the runs have come, read from their logs."""
    steps = {}
    for name in totals:
        log = folder / name / "log.jsonl"
        steps[name] = log.read_bytes().count(b"\n") if log.exists() else 0
    active = [name for name, step in steps.items() if 0 < step < totals[name]]
    more = f" and {len(active) - 2} more" if len(active) > 2 else ""
    return sum(steps.values()), sum(totals.values()), ", ".join(active[:2]) + more
