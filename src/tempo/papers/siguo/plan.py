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
from numpy.typing import NDArray

from tempo import games, recipes
from tempo._core import siguo
from tempo.agents.siguo.learnt import core_player
from tempo.arena.seeds import derive
from tempo.arena.statistics import Pairs
from tempo.learners.fast.truncated import Settings, Truncated
from tempo.learners.loop import learn
from tempo.ledger import Ledger
from tempo.papers.jobs import Job, Row, Stage, digest, ledgers, total
from tempo.papers.reproduction import Plan
from tempo.papers.siguo.published import GROUPS, PRINTED, TABLE_2, Arm

GAME = "siguo"
GAMES, QUICK_GAMES = 500, 100  # of training
WINDOW, QUICK_WINDOW = 25, 5  # training games in a point of a curve
POINTS = 8  # tests on the way
# 5 trainings of 170 pairs are 1,700 games an arm: 1,627 tell 19 from 23 % wins (power 80 %).
PAIRS, QUICK_PAIRS = 170, 20
POINT_PAIRS, QUICK_POINT_PAIRS = 10, 4

# The stand-in and the limit of plies: nearest to 15, 78 and 7 % when the first grid was played for
# the first time, by seeds 101 to 105 as they are and 1,000 games: 15.4, 77.2 and 7.4 %.
NOTICES, MOST_PLIES = 0.2, 700
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
    epsilon = exploring and learner.settings.exploration == "epsilon"
    scores, counts, judged = _play(
        learner,
        MOST_PLIES,
        pairs,
        derive(job.seed, kind),
        ledger,
        notices=NOTICES,
        random_share=learner.settings.random_share if epsilon else 0.0,
        temperature=learner.temperature if exploring else 0.0,
    )
    ledger.evaluations += judged
    made, explored = counts[..., 1] / 2, counts[..., 2] / 2  # of one seat
    return {
        "games": learner.games,
        "pairs": list(Pairs.of(((1 + scores) / 2).sum(axis=1).tolist())),
        "won": int(np.count_nonzero(scores > 0)),
        "drawn": int(np.count_nonzero(scores == 0)),
        "lost": int(np.count_nonzero(scores < 0)),
        "plies": round(float(counts[..., 0].mean()), 2),
        "moves": round(float(made.mean()), 3),
        "explored": round(float(explored.mean()), 3),
    }


def _play(
    learner: Truncated,
    most_plies: int,
    pairs: int,
    seed: int,
    ledger: Ledger,
    *,
    notices: float,
    random_share: float = 0.0,
    temperature: float = 0.0,
) -> tuple[NDArray[np.float32], NDArray[np.int32], int]:
    """Scores [P, 2]; moves of all, moves of the networks, and explored ones [P, 2, 3]; judged."""
    player = core_player(learner.network, learner.settings.inputs)
    options = games.load(f"{GAME}(max_plies={most_plies})").options
    assert isinstance(options, siguo.Options)
    with ledger.timing():
        scores, counts, judged = player.test(
            options,
            pairs,
            seed=seed,
            random_share=random_share,
            temperature=temperature,
            notices=notices,
        )
    ledger.games += scores.size
    ledger.moves += int(counts[..., 0].sum())
    return scores, counts, judged


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
        scores, counts, _ = _play(learner, max(LIMITS), job.pairs, seed, playing, notices=notices)
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
    }


PLAN = Plan("siguo", lambda seeds, quick: [Stage(trainings(seeds, quick))], collect)
