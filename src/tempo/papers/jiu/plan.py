"""The Jiu paper: Sarsa and Q-learning for the preparation stage (Figures 3 and 4, Tables 7 and 8).

A job is one training with its tests. What its tests gave is stored line by line, so a reproduction
which was killed plays no test again; a training takes seconds and is simply done once more, with
the same result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tempo.agents.jiu.library import LibraryPlacer
from tempo.agents.jiu.placing import BayesPlacer, ExpertPlacer, Placer, RandomPlacer, rules
from tempo.arena.seeds import derive
from tempo.errors import TempoError
from tempo.files import replacing, write_text
from tempo.games.jiu import library_sgf
from tempo.games.jiu.library import VISITS
from tempo.ledger import Ledger
from tempo.nets.bayes import BlockNetwork
from tempo.papers.jiu import own
from tempo.papers.jiu.matches import WAVERS, RewardPlacer, centre_spread, match
from tempo.papers.jiu.training import RULES, Arm, Learner, recipe_of
from tempo.papers.jobs import Job, Lines, Row, Stage, digest, ledgers, total
from tempo.papers.reproduction import Plan
from tempo.recipes import jiu_bayes as bayes
from tempo.recipes import jiu_expert_games as expert_games

QUICK_GAMES, QUICK_PAIRS = 5, 20  # what training games and pairs of test games are divided by
POINTS = (5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 160_000)  # training games
GREEDY = (0.95, 0.9, 0.8, 0.7, 0.5)

# Pairs of test games for each training. 5 trainings of 870 pairs are the 8,676 games of an arm that
# tell 66 from 68 % (power 80 %, two-sided 5 %).
FEW_PAIRS, PAIRS, MORE_PAIRS, MOST_PAIRS = 100, 200, 400, 870
SETTLED = {"sarsa": 80_000, "q_learning": 40_000}  # where the curves of Figure 3 flatten

# The sweep of α and γ was played first, on seeds of its own, by its own rule (`claims.swept`);
# nothing of it is used again.
STEP_SIZES, DISCOUNTS = (0.05, 0.1, 0.3), (0.8, 0.9, 0.99)
SWEEP_SEEDS, SWEEP_GAMES = (101, 102, 103), 40_000

NETWORK_GAMES, NETWORK_SEED = 300, 300  # the records behind the Bayesian network that ships
SEARCH = "search:100"  # a battle engine that looks ahead, for comparison
CENTRES, CENTRE_GAMES, CENTRE_SEED = 200, 20, 1  # how much the central stones matter at all


@dataclass(frozen=True)
class Test:
    """A match after a number of training games."""

    __test__ = False  # no test of ours: pytest looks at names

    games: int
    pairs: int
    opponent: str = "bayes"
    visits: int = VISITS  # placements tried less often are not in the library
    wavers: float = WAVERS
    battle: str = "paper"  # the engine that fights for both

    @property
    def name(self) -> str:
        """In the file of the job."""
        usual = f"{self.games}-{self.opponent}-{self.pairs}"
        fought = "" if self.battle == "paper" else f"-{self.battle}"
        return f"{usual}-visits{self.visits}-wavers{self.wavers:g}{fought}"


@dataclass(frozen=True)
class Training(Job):
    """One training with its tests, in the order of training games."""

    purpose: str  # sweep, figures, successors, baselines or searching
    arm: Arm
    seed: int
    tests: tuple[Test, ...]
    book: bool = False  # whether the last library is stored

    @property
    def name(self) -> str:
        """Of the file of its tests."""
        arm, taught = self.arm, ""
        if arm.rule:
            taught = (
                f"-{arm.greedy:g}-{arm.successor}-{arm.keys}-{arm.step_size:g}-{arm.discount:g}"
            )
        return f"{self.purpose}-{arm.player}{taught}-{self.seed}"

    @property
    def config(self) -> Row:
        """What must be the same for what is stored to be of use."""
        return {"job": self.name, "tests": [test.name for test in self.tests]}

    @property
    def recipe(self) -> Row:
        """What it is trained by."""
        return recipe_of(self.arm, max(test.games for test in self.tests))

    def result(self, out: Path) -> Path:
        """The file of its row."""
        return out / self.folder / f"{self.name}-{digest(self.config)}.json"

    @property
    def steps(self) -> int:
        """Its tests."""
        return len(self.tests)

    def progress(self, out: Path) -> int:
        """How many tests are done."""
        lines = self._lines(out)
        return max(0, lines.read_bytes().count(b"\n") - 1) if lines.exists() else 0

    def _lines(self, out: Path) -> Path:
        return out / "tests" / f"{self.name}.jsonl"

    def work(self, out: Path, threads: int) -> Row:
        """Trains and tests, or resumes it."""
        lines, rows = self._opened(out)
        waiting = [test for test in self.tests if test.name not in rows]
        book = out / "libraries" / f"{self.arm.player}.sgf"
        bookless = self.book and not book.with_suffix(".json").exists()
        learner = None
        if self.arm.rule and (waiting or bookless):
            learner = Learner(self.arm, self.seed, max(test.games for test in self.tests))
        for test in waiting:
            if learner:
                learner.train(test.games)
            row = {"test": test.name, **asdict(test)}
            if learner:
                row |= learner.standing()
            row |= _examine(out, self, test, learner)
            lines.add(row)
            rows[test.name] = row
        if bookless and learner:
            learner.train(self.tests[-1].games)
            store_book(book, learner)
        return {
            "job": self.name,
            "purpose": self.purpose,
            **asdict(self.arm),
            "seed": self.seed,
            "tests": [{**asdict(test), **rows[test.name]} for test in self.tests],
        }

    def _opened(self, out: Path) -> tuple[Lines, dict[str, Row]]:
        """The file of its tests, and what they have given so far."""
        path = self._lines(out)
        lines = Lines(path)
        lines.keep()
        found = lines.rows()
        if not found:
            lines.add(self.config)
        elif found[0] != self.config:
            raise TempoError(f"{path} holds a job with other settings; choose another --out")
        return lines, {row["test"]: row for row in found[1:]}


def trainings(seeds: int, quick: bool) -> list[Training]:
    """All trainings of a reproduction: the sweep first, since it came first."""
    scale = QUICK_GAMES if quick else 1
    share = QUICK_PAIRS if quick else 1

    def tests(pairs: dict[int, int], **kinds: Any) -> tuple[Test, ...]:
        return tuple(
            Test(games // scale, max(4, count // share), **kinds) for games, count in pairs.items()
        )

    runs = range(1, seeds + 1)
    return [
        *_sweep(tests, quick),
        *(job for seed in runs for job in _figures(tests, seed)),
        *(job for seed in runs for job in _successors(tests, seed)),
        *(job for seed in runs for job in _baselines(tests, seed)),
        *(job for seed in runs for job in _searching(tests, seed)),
    ]


Tests = Callable[..., tuple[Test, ...]]


def _sweep(tests: Tests, quick: bool) -> Iterator[Training]:
    for seed in SWEEP_SEEDS[: 1 if quick else None]:
        for rule in RULES:
            for step_size in STEP_SIZES:
                for discount in DISCOUNTS:
                    arm = Arm(rule, step_size=step_size, discount=discount)
                    yield Training("sweep", arm, seed, tests({SWEEP_GAMES: FEW_PAIRS}))


def _figures(tests: Tests, seed: int) -> Iterator[Training]:
    few = dict.fromkeys(POINTS, FEW_PAIRS)
    for rule in RULES:
        pairs = few | {SETTLED[rule]: MORE_PAIRS, POINTS[-1]: MOST_PAIRS}
        last = {POINTS[-1]: PAIRS}
        others = (
            *tests(last, opponent="expert"),
            *tests(last, visits=2),
            *tests(last, wavers=0.0),
        )
        yield Training("figures", Arm(rule), seed, tests(pairs) + others, book=seed == 1)
    for greedy in GREEDY:
        if greedy != Arm("sarsa").greedy:
            pairs = few | {POINTS[-1]: MORE_PAIRS}
            yield Training("figures", Arm("sarsa", greedy=greedy), seed, tests(pairs))


def _successors(tests: Tests, seed: int) -> Iterator[Training]:
    last = tests({POINTS[-1]: PAIRS})
    for rule in RULES:
        yield Training("successors", Arm(rule, successor="negamax"), seed, last)
        yield Training("successors", Arm(rule, successor="literal"), seed, last)
        yield Training("successors", Arm(rule, keys="position"), seed, last)


def _baselines(tests: Tests, seed: int) -> Iterator[Training]:
    for player in ("random", "bayes", "reward"):
        yield Training("baselines", Arm(player), seed, tests({0: PAIRS}))
    # The expert is what a library falls back on: the measure of what it adds.
    yield Training("baselines", Arm("expert"), seed, tests({0: MOST_PAIRS}))


def _searching(tests: Tests, seed: int) -> Iterator[Training]:
    """Beyond the paper: the same stones in the hands of a better fighter."""
    for player in (*RULES, "expert", "random", "reward"):
        games = POINTS[-1] if player in RULES else 0
        yield Training("searching", Arm(player), seed, tests({games: FEW_PAIRS}, battle=SEARCH))


# Matches and libraries


def _examine(out: Path, job: Training, test: Test, learner: Learner | None) -> Row:
    """One match. Trainings of the same number meet the same pairs, whatever they were taught."""
    size: Row = {}
    if learner:
        book = learner.library(test.visits)
        size = {"library": len(book)}
        placer: Placer = LibraryPlacer(book, job.arm.keys)
    else:
        placer = _placer(out, job.arm.player)
    opponent = _placer(out, test.opponent)
    kind = "sweep" if job.purpose == "sweep" else "test"
    seed = derive(job.seed, kind, test.games)
    row, ledger = match(rules(), placer, opponent, test.pairs, seed, test.wavers, test.battle)
    return {**size, **row, "playing": ledger.to_json()}


def _placer(out: Path, name: str) -> Placer:
    """Anybody who learns nothing here."""
    if name == "bayes":
        return BayesPlacer(BlockNetwork(np.load(out / "network.npy")))
    others: dict[str, Placer] = {
        "random": RandomPlacer(),
        "reward": RewardPlacer(),
        "expert": ExpertPlacer(),
    }
    return others[name]


def store_book(path: Path, learner: Learner) -> None:
    """The library as people and agents read it, with what it cost beside it."""
    book = learner.library()
    path.parent.mkdir(parents=True, exist_ok=True)
    library_sgf.save(book, path)
    ledger = learner.learner.ledger + Ledger.here()
    about = {
        "paper": "jiu",
        "library": path.name,
        "placements": len(book),
        "visits": VISITS,
        "seed": learner.learner.seed,
        "settings": asdict(learner.learner.settings),
        "ledger": ledger.to_json(),
    }
    write_text(path.with_suffix(".json"), json.dumps(about, indent=1) + "\n")


# What is done besides


@dataclass(frozen=True)
class Network(Job):
    """The opponent of all: shapes counted in games of the expert against itself."""

    folder = ""
    name = "network"

    def work(self, out: Path, threads: int) -> Row:
        """Plays the games and counts."""
        ledger = Ledger.here()
        with ledger.timing():
            games = expert_games.play(NETWORK_GAMES, NETWORK_SEED)
            network = bayes.learn(games.placements, games.options)
        ledger.games = NETWORK_GAMES
        ledger.moves = games.placements.size + sum(len(moves) for moves in games.battles)
        with replacing(out / "network.npy") as file:
            np.save(file, network.counts)
        return {"games": NETWORK_GAMES, "seed": NETWORK_SEED, "ledger": ledger.to_json()}


@dataclass(frozen=True)
class Centres(Job):
    """Whether the stones that libraries place can decide a game at all."""

    folder = ""
    quick: bool
    battle: str

    @property
    def name(self) -> str:
        """Of its file."""
        return f"centres-{self.battle.replace(':', '-')}"

    def work(self, out: Path, threads: int) -> Row:
        """Plays random centres."""
        count = CENTRES // (QUICK_PAIRS if self.quick else 1)
        row, ledger = centre_spread(rules(), count, CENTRE_GAMES, CENTRE_SEED, self.battle)
        return {"battle": self.battle, **row, "seed": CENTRE_SEED, "playing": ledger.to_json()}


# All jobs


FIRST = "centre"


def stages(seeds: int, quick: bool) -> list[Stage]:
    """The network first, since the others meet it."""
    centres = [Centres(quick, battle) for battle in ("paper", SEARCH)]
    first = [Stage([Network()], FIRST), Stage([*trainings(seeds, quick), *centres], FIRST)]
    return [*first, *own.stages(seeds, quick)]


def collect(rows: list[Row], quick: bool) -> Row:
    """What the results hold: the first reading as far as it is done, and the second's rows."""
    runs = [row for row in rows if "job" in row]
    centres = [row for row in rows if "centres" in row and "ideal" not in row]
    network = next((row for row in rows if "ledger" in row), None)
    training, playing = _costs(runs)
    for row in centres:
        playing += Ledger.from_json(row["playing"])
    others = own.collect(rows)
    of_training, of_playing = (total(row[part] for row in others["runs"]) for part in LEDGERS)
    of_playing += total(row["playing"] for row in others["checks"])
    scale = QUICK_GAMES if quick else 1
    more = [Ledger.from_json(network["ledger"])] if network else []
    return {
        "points": [games // scale for games in POINTS],
        "scale": scale,
        "network": network,
        "centres": centres,
        **ledgers(training + of_training, playing + of_playing, *more),
        "runs": runs,
        "own": others,
    }


LEDGERS = ("training", "playing")


def _costs(runs: list[Row]) -> tuple[Ledger, Ledger]:
    """Of training, each counted at its last test, and of playing."""
    training = playing = Ledger.here()
    for run in runs:
        for test in run["tests"]:
            playing += Ledger.from_json(test["playing"])
        if "training" in run["tests"][-1]:
            training += Ledger.from_json(run["tests"][-1]["training"])
    return training, playing


PARTS = {
    FIRST: "Figures 3 and 4, both sides held to the centre",
    own.PART: "the same, each engine placing all its own stones",
}
PLAN = Plan("jiu", stages, collect, parts=PARTS)
