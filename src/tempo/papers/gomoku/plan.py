"""The Gomoku papers: the self-teaching critic, watching, and playouts that a critic guides.

Jobs are trainings and matches, and a match is kept game by game. A reproduction that was killed
trains again what was under way and plays no game twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from safetensors.numpy import save

from tempo import recipes
from tempo.agents.gomoku.standins import frozen
from tempo.files import replacing
from tempo.learners.loop import Learner, learn
from tempo.ledger import Ledger
from tempo.papers.gomoku.matches import GAME, Match, Player
from tempo.papers.gomoku.published import CASES, CROSS_WON, EARLY_GAMES, LEVELS, SHARES, ST, UCT_WON
from tempo.papers.jobs import Job, Row, Stage, digest, ledgers, total
from tempo.papers.reproduction import Plan

ITERATION, QUICK_ITERATION = 1000, 100  # games in an iteration: a point of a curve
PUPILS = 100  # what is added to the seeds of self-teaching and watching: not ST-Gomoku's weights
PUPIL_RECIPES = {"taught": "gomoku-critic-compared", "watching": "gomoku-critic-watching"}
STEADY = "steady"  # self-teaching again, without going back to more random moves in the end
STEADY_RECIPE = "gomoku-critic-steady"
CURVES = ("games", "moves", "won", "loss", "correct", "correct_one", "correct_two", "cpu_seconds")


@dataclass(frozen=True)
class Sizes:
    """Pairs of games in each match."""

    case: int = 100  # a training against a level: every opening with either colour
    unpublished: int = 20  # cells of the table that the paper leaves empty
    uct: int = 10  # of each block: every opening with either colour in all
    uct_blocks: int = 10
    cross: int = 50
    ladder: int = 50
    calibration: int = 20  # HMCTS against a level, of each block
    shares: int = 20


FULL = Sizes()
QUICK = Sizes(
    case=10, unpublished=3, uct=1, uct_blocks=3, cross=3, ladder=5, calibration=2, shares=2
)


@dataclass(frozen=True)
class Training(Job):
    """A critic's way through its schedule."""

    folder = "critics"

    case: str  # one of CASES, or taught, or watching
    seed: int
    quick: bool

    @property
    def expert(self) -> Training | None:
        """The ST-Gomoku whose moves are compared, or watched."""
        taught = self.case in (*PUPIL_RECIPES, STEADY)
        return Training(ST, self.seed, self.quick) if taught else None

    @property
    def config(self) -> Row:
        """The recipe, with the iterations of a quick run."""
        of_pupils = {**PUPIL_RECIPES, STEADY: STEADY_RECIPE}
        recipe = recipes.read(of_pupils.get(self.case) or CASES[self.case].recipe)
        games = QUICK_ITERATION if self.quick else ITERATION
        recipe["stages"] = [{**stage, "games": games} for stage in recipe["stages"]]
        if self.expert:
            recipe["expert"] = self.expert.name
        return {**recipe, "seed": self.seed + (PUPILS if self.expert else 0)}

    @property
    def name(self) -> str:
        """Of its files: other settings, other files."""
        return f"{self.case}-{self.seed}-{digest(self.config)}"

    @property
    def early(self) -> str:
        """The name of the critic after its first games."""
        return f"{self.name}-early"

    def work(self, out: Path, threads: int) -> Row:
        """Trains, and keeps the critic as agents read it."""
        config, folder = self.config, out / self.folder
        seed = config.pop("seed")
        if self.expert:
            config["expert"] = str(folder / f"{self.expert.name}.safetensors")
        learner = recipes.make_learner(config, seed)
        log = []
        for line in learn(learner):
            log.append(line)
            if self.case == ST and learner.step == EARLY_GAMES // ITERATION:
                store(folder / f"{self.early}.safetensors", learner)
        store(folder / f"{self.name}.safetensors", learner)
        return {
            "case": self.case,
            "seed": self.seed,
            "curves": {
                name: [round(line[name], 5) for line in log] for name in CURVES if name in log[0]
            },
            "ledger": (learner.ledger + Ledger.here()).to_json(),
        }


def store(path: Path, learner: Learner) -> None:
    """The weights as agents read them."""
    with replacing(path) as file:
        file.write(save(learner.arrays()))


# All jobs, in the order in which they can be done


def stages(seeds: int, quick: bool) -> list[Stage]:
    """Jobs that need nothing; those that need ST-Gomoku and its variants; those that need pupils.

    Within a stage the long ones come first.
    """
    sizes, runs = QUICK if quick else FULL, range(1, seeds + 1)
    trained = {
        (case, seed): Training(case, seed, quick)
        for case in (*CASES, *PUPIL_RECIPES)
        for seed in runs
    }
    first: list[Job] = [
        *_uct_matches(sizes, lambda n: n >= 200),
        *(trained[case, seed] for case in CASES for seed in runs),
        *(match for seed in runs for match in _calibration(sizes, seed)),
        *_uct_matches(sizes, lambda n: n < 200),
    ]
    second: list[Job] = [
        *(match for seed in runs for match in _cross(sizes, trained[ST, seed], hmcts=True)),
        *(trained[case, seed] for case in PUPIL_RECIPES for seed in runs),
        *(match for seed in runs for match in _cross(sizes, trained[ST, seed], hmcts=False)),
        *(match for seed in runs for match in _ladder(sizes, trained[ST, seed])),
        *(match for seed in runs for match in _shares(sizes, trained[ST, seed])),
        *(match for seed in runs for case in CASES for match in _cases(sizes, trained[case, seed])),
    ]
    third: list[Job] = [
        _against_watching(sizes, who, trained[who, seed], trained["watching", seed])
        for seed in runs
        for who in (ST, "taught")
    ]
    papers = [Stage(jobs, "papers") for jobs in (first, second, third)]
    pupils = [Training(STEADY, seed, quick) for seed in runs]
    matches = [_against_expert(sizes, pupil, trained[ST, pupil.seed]) for pupil in pupils]
    experts = [trained[ST, seed] for seed in runs]
    return [*papers, *(Stage(jobs, STEADY) for jobs in (experts, pupils, matches))]


def _uct_matches(sizes: Sizes, wanted: Callable[[int], bool]) -> Iterator[Match]:
    for n in sorted(filter(wanted, UCT_WON), reverse=True):
        players = (Player("hmcts", playouts=n), Player("uct", playouts=n))
        for block in range(sizes.uct_blocks):
            yield Match("uct", str(n), 1, *players, sizes.uct, block)


def _calibration(sizes: Sizes, seed: int) -> Iterator[Match]:
    for level in LEVELS:
        yield _against("ladder", "hmcts", seed, Player("hmcts"), level, sizes.calibration)


def _against(group: str, row: str, seed: int, player: Player, level: str, pairs: int) -> Match:
    return Match(group, f"{row} {level}", seed, player, Player("stand-in", level=level), pairs)


def _cases(sizes: Sizes, training: Training) -> Iterator[Match]:
    case, seed = training.case, training.seed
    for level in LEVELS:
        pairs = sizes.case if level in CASES[case].won else sizes.unpublished
        yield _against("cases", case, seed, Player("adp", training.name), level, pairs)
    if case == ST:
        player = Player("adp", training.early)
        yield _against("early", case, seed, player, "beginner", sizes.case)


def _cross(sizes: Sizes, training: Training, *, hmcts: bool) -> Iterator[Match]:
    """The cross table of the follow-up; `hmcts` chooses the matches in which HMCTS takes part."""
    for pair in CROSS_WON:
        if ("hmcts" in pair) == hmcts:
            a, b = (Player(kind, "" if kind == "hmcts" else training.name) for kind in pair)
            yield Match("cross", " ".join(pair), training.seed, a, b, sizes.cross)


def _ladder(sizes: Sizes, training: Training) -> Iterator[Match]:
    """ADP alone has played its matches as case 1."""
    for kind in ("adp-uct", "adp-hmcts"):
        for level in LEVELS:
            player = Player(kind, training.name)
            yield _against("ladder", kind, training.seed, player, level, sizes.ladder)


def _shares(sizes: Sizes, training: Training) -> Iterator[Match]:
    usual = Player("adp-hmcts", training.name)
    for share in SHARES:
        other = Player("adp-hmcts", training.name, share=share)
        yield Match("shares", f"{share:g}", training.seed, usual, other, sizes.shares)


def _against_watching(sizes: Sizes, row: str, one: Training, watcher: Training) -> Match:
    players = (Player("adp", one.name), Player("adp", watcher.name))
    return Match("watching", row, one.seed, *players, sizes.case)


def _against_expert(sizes: Sizes, pupil: Training, expert: Training) -> Match:
    """Which of two recipes ships: see docs/papers/gomoku.md."""
    players = (Player("adp", pupil.name), Player("adp", expert.name))
    return Match(STEADY, ST, pupil.seed, *players, sizes.case)


def collect(rows: list[Row], quick: bool) -> Row:
    """What the results hold."""
    trainings = [row for row in rows if "case" in row]
    matches = [row for row in rows if "group" in row]
    training = total(row["ledger"] for row in trainings)
    playing = total(side for row in matches for side in row["ledger"].values())
    # Each side counts a game of its own.
    playing.games = sum(2 * sum(row["pairs"]) for row in matches)
    return {
        "game": GAME,
        "iteration": QUICK_ITERATION if quick else ITERATION,
        "stand_ins": frozen()["levels"],
        **ledgers(training, playing),
        "trainings": trainings,
        "matches": matches,
    }


PARTS = {
    "papers": "all tables and curves",
    STEADY: "self-teaching with few random moves to the end, and its critics against ST-Gomoku",
}
PLAN = Plan(
    "gomoku", stages, collect, parts=PARTS, optional=frozenset({STEADY}), alone=frozenset({STEADY})
)
