"""The endgame paper: TD-Leaf against TD-Stem on KRK and KQK (Tables III to V, Figure 4).

Each training is a run folder (`tempo.runs`) with the figures of its tests beside the log, so that a
reproduction which was killed goes on where it stood.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import recipes
from tempo.cluster.workers import ONE_THREAD
from tempo.errors import TempoError
from tempo.learners.loop import learn, restore
from tempo.ledger import Ledger
from tempo.papers.endgames.conditions import conditions
from tempo.papers.endgames.measure import GAMES, ending_of, examine, floors
from tempo.papers.jobs import Job, Lines, Row, Stage, digest
from tempo.papers.reproduction import Plan
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.learners.fast.search_td import SearchTD

TEST_EVERY = 5  # iterations; and at the end of every stage
CHECKPOINT_SECONDS = 10.0
QUICK_ITERATIONS, QUICK_GAMES = 10, 5  # what the schedules are divided by
FLOORS = (("KRK", 0), ("KRK", 3), ("KQK", 0), ("KQK", 3), ("KQK", 5))  # and plies of a mate finder
PARTS = {
    "printed": "TD-Leaf, and TD-Stem as the text has it",
    "literal": "TD-Stem as its formula is printed, anchored at the state",
    "conditions": "both rules by depth, optimizer and discount, at equal cost",
}
CONDITION_SEEDS = 2  # for each of the other parts


@dataclass(frozen=True)
class Training(Job):
    """One training with its tests."""

    folder = "runs"
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

    @property
    def config(self) -> dict[str, Any]:
        """Of the run."""
        return {**self.recipe, "seed": self.seed}

    def result(self, out: Path) -> Path:
        """The file of its row."""
        return out / self.folder / f"{self.name}-{digest(self.config)}.json"

    @property
    def steps(self) -> int:
        """Iterations."""
        return stage_ends(self.recipe)[-1]

    def progress(self, out: Path) -> int:
        """Lines of the log."""
        log = out / self.folder / self.name / "log.jsonl"
        return log.read_bytes().count(b"\n") if log.exists() else 0

    def work(self, out: Path, threads: int) -> Row:
        """Trains and tests, or resumes it."""
        run = self._opened(out / self.folder / self.name)
        run.hold()
        try:
            found = run.latest()
            tests = Lines(run.folder / "tests.jsonl")
            if found is None or found.step < self.steps:
                self._train(run, tests)
            return self._kept(run, tests.rows())
        finally:
            run.release()

    def _opened(self, folder: Path) -> Run:
        if not (folder / "config.toml").exists():
            return Run.create(folder, self.config)
        run = Run.open(folder)
        if run.config != self.config:
            raise TempoError(f"{folder} holds a run with other settings; choose another --out")
        return run

    def _train(self, run: Run, tests: Lines) -> None:
        from tempo.recipes.endings import ending_learner  # noqa: PLC0415 - needs JAX

        learner, ends = ending_learner(self.recipe, self.seed), stage_ends(self.recipe)
        restore(run, learner)
        # At the very start nothing is kept: the untrained network is tested anew.
        tests.keep(lambda row: learner.step > 0 and row["step"] <= learner.step)
        if learner.step == 0:
            tests.add(self._tested(learner))
        for _ in learn(learner, run, CHECKPOINT_SECONDS):
            if learner.step in ends or learner.step % TEST_EVERY == 0:
                tests.add(self._tested(learner))

    def _tested(self, learner: SearchTD) -> Row:
        recipe, ends = self.recipe, stage_ends(self.recipe)
        stage = recipe["stages"][min(int(np.searchsorted(ends, learner.step)), len(ends) - 1)]
        return examine(learner, recipe["ending"], stage.get("mate_depth", 0), self.seed)

    def _kept(self, run: Run, tests: list[Row]) -> Row:
        log = run.rows()
        columns = ("games", "won", "cpu_seconds", "epsilon", "length")
        return {
            "experiment": self.experiment,
            "rule": self.rule,
            "seed": self.seed,
            "stage_ends": stage_ends(self.recipe),
            "log": {name: [round(row[name], 4) for row in log] for name in columns},
            "tests": tests,
            "ledger": run.ledger().to_json(),
        }


def _shortened(stage: Mapping[str, Any]) -> dict[str, Any]:
    iterations = max(1, stage["iterations"] // QUICK_ITERATIONS)
    return {**stage, "iterations": iterations, "games": stage["games"] // QUICK_GAMES}


def stage_ends(recipe: Mapping[str, Any]) -> list[int]:
    """The step at which each stage is over."""
    return [int(n) for n in np.cumsum([stage["iterations"] for stage in recipe["stages"]])]


@dataclass(frozen=True)
class Floors(Job):
    """What random moves with a mate finder win in place of a model."""

    name = "floors"

    def work(self, out: Path, threads: int) -> Row:
        """Plays the games."""
        return {
            "floors": {
                f"{ending}, mates within {plies} plies": floors(ending_of(ending), plies)
                for ending, plies in FLOORS
            }
        }


# All jobs


def stages(seeds: int, quick: bool) -> list[Stage]:
    """All runs of a reproduction, the long ones first."""

    def trainings(*rules: str) -> list[Job]:
        return [
            Training(experiment, rule, seed, quick)
            for experiment in ("kqk", "krk")
            for rule in rules
            for seed in range(1, seeds + 1)
        ]

    return [
        Stage([*trainings("leaf", "stem"), Floors()], "printed", fresh=True),
        Stage(trainings("stem-state"), "literal", fresh=True),
        Stage(conditions(CONDITION_SEEDS * seeds, quick), "conditions"),
    ]


def prepare(_: Collection[str]) -> None:
    """Looks for JAX, solves the endings once, and limits runs to one thread."""
    recipes.deep()  # said now, not by every process
    for ending in ("KRK", "KQK"):
        ending_of(ending).tablebase.need(ending)
    os.environ.update(ONE_THREAD)  # for the children, which read it before they load JAX


def collect(rows: list[Row], quick: bool) -> Row:
    """What the results hold."""
    runs = [row for row in rows if "experiment" in row]
    crossed = [row for row in rows if "points" in row]
    ledger = sum((Ledger.from_json(run["ledger"]) for run in runs), Ledger())
    ledger.cpu_seconds += sum(t["test_cpu_seconds"] for run in runs for t in run["tests"])
    compared = sum((Ledger.from_json(row["ledger"]) for row in crossed), Ledger())
    compared.cpu_seconds += sum(row["test_cpu_seconds"] for row in crossed)
    return {
        "test_games": GAMES,
        "floors": next((row["floors"] for row in rows if "floors" in row), {}),
        "ledger": ledger.to_json(),
        "runs": runs,
        "conditions": {"ledger": compared.to_json(), "rows": crossed} if crossed else None,
    }


PLAN = Plan(
    "endgames",
    stages,
    collect,
    prepare,
    parts=PARTS,
    optional=frozenset({"literal", "conditions"}),
    alone=frozenset({"conditions"}),
)
