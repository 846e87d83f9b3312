"""The Siguo paper: Q-learning, truncated TD and Metropolis (Figures 6 and 7, Tables II and III).

A job is one training with its tests. A reproduction that was killed trains again what was under
way, some seconds, and nothing else.

Two of the networks play two stand-ins that notice good attacks now and then. How often they do, and
after how many plies a game is drawn, was set on seeds of its own so that Q-learning's row of Table
III comes out as published; the grids of that are played again in every run.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tempo import recipes
from tempo.arena.seeds import derive
from tempo.learners.fast.truncated import Settings, Truncated
from tempo.learners.loop import learn
from tempo.ledger import Ledger
from tempo.papers.jobs import Job, Row, Stage, digest, ledgers, total
from tempo.papers.reproduction import Plan
from tempo.papers.siguo import online
from tempo.papers.siguo.published import GROUPS, PRINTED, TABLE_2, Arm
from tempo.papers.siguo.testing import GAME, MOST_PLIES, NOTICES, against_stand_ins, examined

GAMES, QUICK_GAMES = 500, 100  # of training
WINDOW, QUICK_WINDOW = 25, 5  # training games in a point of a curve
POINTS = 8  # tests on the way
# 5 trainings of 170 pairs are 1,700 games an arm: 1,627 tell 19 from 23 % wins (power 80 %).
PAIRS, QUICK_PAIRS = 170, 20
POINT_PAIRS, QUICK_POINT_PAIRS = 10, 4

NOTICED = (0.0, 0.1, 0.2, 0.3, 0.4, 1.0)
LIMITS = (400, 500, 600, 700, 2000)
STAND_IN_SEEDS, STAND_IN_PAIRS = (101, 102, 103, 104, 105), 50
# The second grid: the temperature at which 15 % of the first 100 games' moves are not the best.
TEMPERATURES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
EXPLORED, FIRST_GAMES = 0.15, 100
TEMPERATURE_SEEDS = (101, 102, 103)
HEATED = (("printed", "metropolis"), ("printed", "metropolis-ttd"), ("averaged", "metropolis-ttd"))

BASELINES = ("random", "untrained")
LOGGED = ("games", "moves", "explored", "decided", "loss", "trace", "temperature")


def recipe_of(arm: Arm, **changes: Any) -> Row:
    """The recipe of an arm, as changed."""
    return {**recipes.read(arm.recipe), **arm.changes, **changes}


@dataclass(frozen=True)
class Training(Job):
    """One training with its tests, or one line of a grid."""

    group: str  # printed, averaged or switches; stand-in or temperature; baselines
    arm: str
    seed: int
    quick: bool
    at: float = 0.0  # the temperature of a grid

    @property
    def settings(self) -> Settings:
        """All that its training depends on."""
        settings: Settings = recipes.settings_of(self.recipe)
        return settings

    @property
    def recipe(self) -> Row:
        """What it is trained by."""
        length = {
            "games": QUICK_GAMES if self.quick else GAMES,
            "report": QUICK_WINDOW if self.quick else WINDOW,
        }
        if self.group in ("stand-in", "baselines"):
            return recipe_of(PRINTED["q"], **length)
        if self.group == "temperature":
            reading, arm = self.arm.split(" ")
            cooled = {"temperature": self.at, "cooling": 0.99, "games": FIRST_GAMES}
            return recipe_of(GROUPS[reading][arm], **cooled, report=FIRST_GAMES)
        return recipe_of(GROUPS[self.group][self.arm], **length)

    @property
    def pairs(self) -> int:
        """Of its tests."""
        if self.group == "stand-in":
            return QUICK_POINT_PAIRS if self.quick else STAND_IN_PAIRS
        return QUICK_PAIRS if self.quick else PAIRS

    @property
    def name(self) -> str:
        """Of its file: other settings, other files."""
        config = [asdict(self), asdict(self.settings), self.pairs, POINTS, NOTICES, MOST_PLIES]
        return f"{self.group}-{self.arm.replace(' ', '-')}-{self.seed}-{digest(config)}"

    def work(self, out: Path, threads: int) -> Row:
        """Trains and tests, by its group."""
        others = {"stand-in": _meet, "temperature": _heat, "baselines": _stay}
        work = others.get(self.group, _train)
        return {"group": self.group, "arm": self.arm, "seed": self.seed, **work(self)}


def trainings(seeds: int, quick: bool) -> list[Training]:
    """All of them: the grids first, since they came first, then the long ones."""
    few = 1 if quick else None
    grids = [Training("stand-in", "q", seed, quick) for seed in STAND_IN_SEEDS[:few]]
    grids += [
        Training("temperature", f"{reading} {arm}", seed, quick, at)
        for reading, arm in HEATED
        for seed in TEMPERATURE_SEEDS[:few]
        for at in TEMPERATURES
    ]
    arms = [("baselines", arm) for arm in BASELINES]
    arms += [(group, arm) for group, found in GROUPS.items() for arm in found]
    arms.sort(key=lambda place: place != ("switches", "summary"))
    return grids + [Training(*place, seed, quick) for place in arms for seed in range(1, seeds + 1)]


# One job


def _learner(job: Training) -> Truncated:
    """Trained by a seed that all arms share: those with one number begin with the same weights."""
    learner = recipes.make_learner(job.recipe, derive(job.seed, "train"))
    assert isinstance(learner, Truncated), "the paper's recipes name no other learner"
    return learner


def _train(job: Training) -> Row:
    """A training; then its tests as it plays best, and for Table II as it explores if it does."""
    arm, learner, playing = GROUPS[job.group][job.arm], _learner(job), Ledger()
    log, points, every = [], [], -(-learner.total // POINTS)
    few = QUICK_POINT_PAIRS if job.quick else POINT_PAIRS
    if arm.curve:
        points.append(_test(job, learner, "curve", few, playing))
    for line in learn(learner):
        log.append(line)
        if arm.curve and (learner.done or learner.step % every == 0):
            points.append(_test(job, learner, "curve", few, playing))
    row: Row = {
        "curves": {name: [round(line[name], 6) for line in log] for name in LOGGED},
        "test": _test(job, learner, "test", job.pairs, playing),
    }
    if arm.curve:
        row["points"] = points
    if job.arm in TABLE_2 and learner.settings.exploration != "greedy":
        row["exploring"] = _test(job, learner, "test", job.pairs, playing, exploring=True)
    return {
        **row,
        "training": (learner.ledger + Ledger.here()).to_json(),
        "playing": (playing + Ledger.here()).to_json(),
    }


def _stay(job: Training) -> Row:
    """A test without learning: weights as drawn, or all 0, which plays anything."""
    learner, playing = _learner(job), Ledger()
    if job.arm == "random":
        learner.network.second[:] = 0
    row = {"test": _test(job, learner, "test", job.pairs, playing)}
    ledgers = {"training": Ledger.here(), "playing": playing + Ledger.here()}
    return {**row, **{part: ledger.to_json() for part, ledger in ledgers.items()}}


def _test(
    job: Training,
    learner: Truncated,
    kind: str,
    pairs: int,
    ledger: Ledger,
    *,
    exploring: bool = False,
) -> Row:
    """Against two stand-ins. Trainings of one number meet the same starts, whatever they learnt."""
    return examined(learner, pairs, derive(job.seed, kind), ledger, exploring=exploring)


def _meet(job: Training) -> Row:
    """The first grid: Q-learning against stand-ins that notice more or less, by limits of plies.

    A game that would have gone on past a limit is drawn there: one match serves all limits.
    """
    learner, playing = _learner(job), Ledger()
    for _ in learn(learner):
        pass
    cells = []
    for notices in NOTICED:
        seed = derive(job.seed, "stand-in")
        scores, counts, _ = against_stand_ins(
            learner, max(LIMITS), job.pairs, seed, playing, notices=notices
        )
        for limit in LIMITS:
            ended = np.where(counts[..., 0] < limit, scores, 0)
            shares = [float(np.mean(ended == won)) for won in (1, 0, -1)]
            moves = float(np.minimum(counts[..., 0], limit).mean()) / 4
            cells.append([notices, limit, *shares, moves])
    return {
        "cells": [[round(value, 5) for value in cell] for cell in cells],
        "training": (learner.ledger + Ledger.here()).to_json(),
        "playing": (playing + Ledger.here()).to_json(),
    }


def _heat(job: Training) -> Row:
    """The second grid: how many of the first games' moves were not the best."""
    learner = _learner(job)
    line = learner.iterate()
    return {
        "temperature": job.at,
        "explored": round(line["explored"] / line["moves"], 5),
        "decided": line["decided"],
        "training": (learner.ledger + Ledger.here()).to_json(),
        "playing": Ledger.here().to_json(),
    }


# All jobs


def collect(rows: list[Row], quick: bool) -> Row:
    """What the results hold."""
    training, playing = (total(row[part] for row in rows) for part in ("training", "playing"))
    return {
        "game": GAME,
        "games": QUICK_GAMES if quick else GAMES,
        "window": QUICK_WINDOW if quick else WINDOW,
        "notices": NOTICES,
        "most_plies": MOST_PLIES,
        **ledgers(training, playing),
        "grids": [row for row in rows if row["group"] in ("stand-in", "temperature")],
        "runs": [row for row in rows if "test" in row],
        "online": [row for row in rows if row["group"] == online.GROUP],
    }


def stages(seeds: int, quick: bool) -> list[Stage]:
    """Both readings."""
    return [
        Stage(trainings(seeds, quick), "self-play"),
        Stage(online.trainings(seeds, quick), "online"),
    ]


PARTS = {
    "self-play": "taught after games of the network with itself",
    "online": "taught at every own move, against opponents",
}
PLAN = Plan("siguo", stages, collect, parts=PARTS)
