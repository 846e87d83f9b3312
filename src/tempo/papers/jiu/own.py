"""The Jiu paper in a second reading: each engine places all its own stones.

In the first reading (`plan`) both sides are held to the central 6x6 points and the expert fills the
others for both. The paper says neither: its limit is on what is learnt. Here the library places
while it knows the own stones (`by="own"`), all of them central, and the network takes over where it
ends; the network places anywhere. So "no library" is the network itself, even by the pairing, and
random or expert central stones, as many as the library placed, are what its knowledge must beat.

The network is learnt anew, from `records.txt`: that of the first reading was learnt from games in
which 83 % of the unit cells are of one colour, and fills its own in the same way. It draws by
`TEMPERATURE`, so that games differ without anybody wavering.

Fixed on seeds 5, 7, 101 and 201, before the first of these trainings: the number of orders in which
the master's layout is read, and the temperature.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo._core import jiu_players
from tempo._core.jiu_preparation import Preparation
from tempo.agents.jiu.library import LibraryPlacer
from tempo.agents.jiu.placing import (
    AREA,
    BayesPlacer,
    Boards,
    ExpertPlacer,
    Layouts,
    Placer,
    Points,
    RandomPlacer,
    both_ways,
    central,
    lay_out,
    pair_seeds,
    rules,
    side,
)
from tempo.arena.seeds import derive
from tempo.arena.statistics import Pairs
from tempo.games.jiu.library import By
from tempo.ledger import Ledger
from tempo.nets.bayes import BlockNetwork
from tempo.papers.jiu.matches import Wavering, centre_spread, distinct
from tempo.papers.jiu.training import RULES, Arm, Learner
from tempo.papers.jobs import Job, Row, Stage, digest
from tempo.recipes import jiu_bayes as bayes

PART = "own"
SEEDS_FROM = 300  # training 1 has seed 301: none was used before
ORDERS, ORDERS_SEED = 10, 0  # in which the master's layout is read
TEMPERATURE = 0.1
ONE_COLOUR = (0.05, 0.15)  # of unit cells, in the network's games against itself
BATTLES = ("paper", "search:100")  # of equal rank
TELLING = BATTLES[1:]  # who fights in all but the first matches: ideal centres show nothing else
IDEAL = 0.6  # what ideal centres must score for a battle engine to show anything
IDEAL_CENTRES, IDEAL_TRIED = 50, 5_000
POINTS, LAST = (5_000, 20_000, 80_000), 160_000
GREEDY = (0.8, 0.5)  # beside the usual 0.9
PAIRS, ARM_PAIRS, FEW_PAIRS, QUICK_PAIRS = 300, 150, 80, 4
QUICK_GAMES = 5
MATCHED = ("random", "expert")  # for as many stones as the library placed
STANDING = ("random centre", "expert centre", "expert everywhere", "random everywhere")


# Records and network


def records() -> tuple[NDArray[np.int32], Boards]:
    """Games [3, P] as points in the order of placing, and the master's layout [P]."""
    text = (resources.files(__package__) / "records.txt").read_text()
    parts = [[line for line in part.splitlines() if line[0] != "#"] for part in text.split("\n\n")]
    *games, layout = [part for part in parts if part]
    points = [[_point(name) for line in game for name in line.split()] for game in games]
    return np.array(points, np.int32), np.array([".OX".index(c) for c in "".join(layout)], np.uint8)


def _point(name: str) -> int:
    return (int(name[1:]) - 1) * side(rules()) + ord(name[0]) - ord("A")


def orders(layout: Boards) -> NDArray[np.int32]:
    """[ORDERS, P] orders that lead to a layout with two empty ends: from the centre outwards.

    It has a stone too many of White's and one too few of Black's, so one changes its owner.
    """
    random = np.random.default_rng(ORDERS_SEED)
    size = side(rules())
    rows, columns = np.divmod(np.arange(size * size), size)
    ring = np.maximum(np.abs(2 * rows - size + 1), np.abs(2 * columns - size + 1))
    first, second = np.flatnonzero(layout == 0)
    found = []
    for _ in range(ORDERS):
        far = ring + 4 * random.random(size * size)
        white, black = (
            sorted(np.flatnonzero(layout == seat), key=far.__getitem__) for seat in (1, 2)
        )
        half = size * size // 2
        black += white[half - 1 :]
        found.append(np.column_stack([[first, *white[: half - 1]], [second, *black]]).reshape(-1))
    return np.array(found, np.int32)


@cache
def network() -> BlockNetwork:
    """What the records of both kinds teach."""
    games, layout = records()
    return bayes.learn(np.concatenate([games, orders(layout)]), rules())


def one_colour(boards: Boards) -> float:
    """The share of unit cells with four stones of one colour."""
    size = side(rules())
    squares = boards.reshape(-1, size, size)
    corners = np.stack(
        [squares[:, :-1, :-1], squares[:, 1:, :-1], squares[:, :-1, 1:], squares[:, 1:, 1:]]
    )
    return float(np.mean((corners == corners[0]).all(axis=0) & (corners[0] > 0)))


# Who places


@dataclass(frozen=True)
class Centrally:
    """A placer's first own stones in the centre, `count` a game on average; then another's."""

    placer: Placer
    otherwise: Placer
    count: float

    def place(self, games: Layouts, allowed: Boards) -> Points:
        """[B] points."""
        inside = allowed * central(games.size, AREA)
        own = games.placed // 2 - 1  # without the one that is nobody's choice
        part = self.count - math.floor(self.count)
        most = math.floor(self.count) + (games.seeds % np.uint64(1000) < 1000 * part)
        rows = (own < most) & inside.any(axis=1)
        points = np.empty(len(rows), np.int32)
        for placer, chosen, among in (
            (self.placer, np.flatnonzero(rows), inside),
            (self.otherwise, np.flatnonzero(~rows), allowed),
        ):
            if len(chosen):
                points[chosen] = placer.place(games.some(chosen), among[chosen])
        return points


def taking_over() -> Placer:
    """The network, which is also everybody's opponent."""
    return BayesPlacer(network(), TEMPERATURE)


def control(name: str, count: float) -> Placer:
    """Who has learnt nothing: central stones, as many as named, and the network's after them."""
    placers: dict[str, Placer] = {"random": RandomPlacer(), "expert": ExpertPlacer()}
    kind, _, where = name.partition(" ")
    if where == "everywhere":
        return placers[kind]
    return Centrally(placers[kind], taking_over(), AREA**2 if where else count)


def meet(placer: Placer, pairs: int, seed: int, battle: str) -> tuple[Row, Ledger]:
    """What a placer scores against the network; every stone is its own or the network's."""
    options, ledger = rules(), Ledger()
    with ledger.timing():
        seeds = pair_seeds(pairs, seed)
        sides = (Wavering(placer, 0.0), Wavering(taking_over(), 0.0))
        layouts = lay_out(options, sides, both_ways(pairs), seeds, area=0)
        scores, turns, _, _ = jiu_players.play_battles(
            jiu_players.battles(options, layouts.boards), seeds, (battle, battle)
        )
    ledger.games = 2 * pairs
    ledger.moves = layouts.placements.size + int(turns.sum())
    own = (1 + np.stack([scores[0::2, 0], scores[1::2, 1]], axis=1).astype(np.float64)) / 2
    row: Row = {
        "battle": battle,
        "pairs": list(Pairs.of(own.sum(axis=1).tolist())),
        "score": round(float(own.mean()), 5),
        "one_colour": round(one_colour(layouts.boards), 4),
        "distinct_layouts": distinct(layouts.boards),
    }
    return row, ledger


# Jobs


@dataclass(frozen=True)
class OwnTraining(Job):
    """One training with its matches: the library, and who has learnt nothing, on equal pairs."""

    arm: Arm
    seed: int
    points: tuple[tuple[int, int], ...]  # training games, and pairs of each match after them
    controls: tuple[str, ...]
    ways: tuple[By, ...] = ("own",)  # in which the library is asked
    battles: tuple[str, ...] = BATTLES

    @property
    def name(self) -> str:
        """Of its file."""
        config = asdict(self)
        battles = config.pop("battles")
        told = digest([config, TEMPERATURE, ORDERS, battles])
        return f"{PART}-{self.arm.player}-{self.arm.greedy:g}-{self.seed}-{told}"

    def work(self, out: Path, threads: int) -> Row:
        """Trains and plays."""
        learner = Learner(self.arm, self.seed, self.points[-1][0]) if self.arm.rule else None
        tests: list[Row] = []
        playing = Ledger()
        for games, pairs in self.points:
            if learner:
                learner.train(games)
            seed = derive(self.seed, PART, games)
            for battle in self.battles:
                for player, placer in self._players(learner, tests, games):
                    row, ledger = meet(placer, pairs, seed, battle)
                    if isinstance(placer, LibraryPlacer):
                        row["known"] = round(placer.known / (2 * pairs), 3)
                    tests.append({"games": games, "player": player, **row})
                    playing += ledger
        training = learner.learner.ledger if learner else Ledger()
        return {
            "own": self.name,
            **asdict(self.arm),
            "seed": self.seed,
            "tests": tests,
            "training": (training + Ledger.here()).to_json(),
            "playing": (playing + Ledger.here()).to_json(),
        }

    def _players(
        self, learner: Learner | None, tests: list[Row], games: int
    ) -> Iterator[tuple[str, Placer]]:
        """The library in every way it is asked, then the controls; these by what it knew."""
        if learner:
            for by in self.ways:
                yield f"library by {by}", LibraryPlacer(learner.library(), by, taking_over())
        known = [row["known"] for row in tests if row["games"] == games and "known" in row]
        for name in self.controls:
            yield name, control(name, known[0] if known else 0.0)


def trainings(seeds: int, quick: bool) -> list[Job]:
    """What matters most first, each for all seeds."""
    scale = QUICK_GAMES if quick else 1

    def points(games: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
        return tuple((n // scale, QUICK_PAIRS if quick else pairs) for n, pairs in games.items())

    numbers = range(SEEDS_FROM + 1, SEEDS_FROM + seeds + 1)
    last, arm_last = points({LAST: PAIRS}), points({LAST: ARM_PAIRS})
    curve = points(dict.fromkeys(POINTS, FEW_PAIRS))
    usual: list[Arm] = [Arm(rule) for rule in RULES]
    kinds: list[tuple[Arm, Any, tuple[By, ...], tuple[str, ...]]] = [
        *((arm, last, ("own", "sequence"), BATTLES) for arm in usual),
        (Arm("none"), arm_last, (), TELLING),
        *((replace(arm, unfilled="empty"), arm_last, ("own",), TELLING) for arm in usual),
        *((arm, curve, ("own",), TELLING) for arm in usual),
        *(
            (Arm("sarsa", greedy), (*curve, *points({LAST: FEW_PAIRS})), ("own",), TELLING)
            for greedy in GREEDY
        ),
    ]
    return [
        OwnTraining(arm, seed, games, MATCHED if arm.rule else STANDING, ways, battles)
        for arm, games, ways, battles in kinds
        for seed in numbers
    ]


@dataclass(frozen=True)
class Ideal(Job):
    """What a battle engine can show at most: the centres that earn most by the paper's reward."""

    quick: bool
    battle: str

    @property
    def name(self) -> str:
        """Of its file."""
        return f"ideal-{self.battle.replace(':', '-')}-{'quick' if self.quick else 'full'}"

    def work(self, out: Path, threads: int) -> Row:
        """Plays them."""
        count = 4 if self.quick else IDEAL_CENTRES
        centres = ideal_centres(count, IDEAL_TRIED, SEEDS_FROM)
        row, ledger = centre_spread(rules(), centres, 20, SEEDS_FROM, self.battle)
        return {"ideal": self.battle, **row, "playing": (ledger + Ledger.here()).to_json()}


def ideal_centres(count: int, tried: int, seed: int) -> Boards:
    """[count, P] of random centres those by which White earns most more than Black."""
    environment, random = Preparation(tried), np.random.default_rng(seed)
    points = environment.points
    boards = np.zeros((tried, side(rules()) ** 2), np.uint8)
    lead = np.zeros(tried)
    for placed in range(len(points)):
        legal = environment.legal_mask()
        moves = np.argmax(np.where(legal, random.random(legal.shape), -1.0), axis=1)
        earned = environment.play(moves)
        boards[np.arange(tried), points[moves]] = placed % 2 + 1
        lead += earned if placed % 2 == 0 else -earned
    return boards[np.argsort(-lead, kind="stable")[:count]]


@dataclass(frozen=True)
class Fills(Job):
    """Whether the network is accepted: how it fills a board against itself."""

    name = "network-own"
    quick: bool

    def work(self, out: Path, threads: int) -> Row:
        """Plays them, and the same of its records."""
        games, layout = records()
        pairs = QUICK_PAIRS if self.quick else ARM_PAIRS
        row, ledger = meet(taking_over(), pairs, SEEDS_FROM, BATTLES[0])
        turns = np.arange(games.shape[1]) % 2 + 1
        boards = np.zeros(games.shape, np.uint8)
        for board, order in zip(boards, games, strict=True):
            board[order] = turns
        return {
            "fills": {
                "network": row["one_colour"],
                "games": round(one_colour(boards), 4),
                "layout": round(one_colour(layout[None]), 4),
            },
            "playing": (ledger + Ledger.here()).to_json(),
        }


def stages(seeds: int, quick: bool) -> list[Stage]:
    """The checks first."""
    checks: list[Job] = [Fills(quick), *(Ideal(quick, battle) for battle in BATTLES)]
    return [Stage(checks, PART), Stage(trainings(seeds, quick), PART)]


def collect(rows: list[Row]) -> Row:
    """What the results hold of this reading."""
    return {
        "runs": [row for row in rows if "own" in row],
        "checks": [row for row in rows if "ideal" in row or "fills" in row],
    }
