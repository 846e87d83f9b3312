"""What a comparison trains and plays: jobs that are done once and taken up again after a kill.

Every learner is trained with the same CPU seconds on every game. Before, and at some shares of
them, it plays the rungs, fixed players that all are measured by; at the end learners of the same
seed play each other.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tempo import recipes
from tempo.arena import bulk
from tempo.arena.bulk import Player
from tempo.arena.openings import generate, standard
from tempo.arena.seeds import derive
from tempo.arena.statistics import Pairs
from tempo.errors import ParseError, quoted
from tempo.games import Game, load
from tempo.games.description import Small
from tempo.games.protocol import Position
from tempo.learners.registry import kind
from tempo.ledger import Ledger
from tempo.nets.registry import Shape, make
from tempo.nets.stored import approximator_of, weights_of
from tempo.papers.jobs import Job, Lines, Row, Stage, digest
from tempo.recipes import general
from tempo.runs import Checkpoint, Run

SHARES = (0.0, 0.125, 0.25, 0.5, 1.0)  # of the budget, at which a training is measured
RUNGS = {"random": 0, "one-ply": 1, "alpha-beta": 3}  # by depth
LONGER = 8  # moves of openings where there are few of the usual ones
FIRST_PORTION = 2  # pairs of a match that are played in any case
ENDLESS = 10**9  # iterations: the budget ends a training


def place(text: str) -> Small:
    """A game and where its games start, as the command line has it: `othello`, `chess:KRK`."""
    spec, _, start = text.partition(":")
    game = load(spec)
    if start:
        game.description.starts(start)  # refuses what is no start
    elif ":" in text:
        raise ParseError(f"{quoted(text)} names no place to start from; leave the colon out")
    return Small(game.spec, start)


def place_text(small: Small) -> str:
    """Undoes `place`."""
    return f"{small.spec}:{small.start}" if small.start else small.spec


def rung(name: str, game: Game) -> Player:
    """One of the fixed players: with the static evaluation, where a game has one."""
    if not RUNGS[name]:
        return Player()
    return Player.static(game, RUNGS[name])


@lru_cache(4)
def openings(small: Small, count: int) -> list[Position]:
    """Where the games of a match begin: the same for all players of a game.

    A game with few balanced openings gets longer ones, which need not be balanced: both sides play
    them.
    """
    game = load(small.spec)
    if not small.start:
        try:
            found = standard(game, count).openings
        except ValueError:
            found = tuple(generate(game, count, plies=LONGER))
        return [opening.position(game) for opening in found]
    start, random = game.description.starts(small.start), np.random.default_rng(1)
    return [start(random) for _ in range(count)]


def played(
    small: Small,
    players: tuple[Player, Player],
    games: int,
    seconds: float,
    seed: int,
    threads: int = 1,
    begun: Pairs | None = None,
) -> Pairs:
    """A match, or the rest of one that has `begun`, in portions that grow.

    After the first of them each has as many pairs as these CPU seconds allow.
    """
    game, starts, found = load(small.spec), openings(small, games // 2), begun or Pairs()
    since, first, size = time.process_time(), found.number, FIRST_PORTION
    while found.number < len(starts) and size > 0:
        at = found.number
        part, own = starts[at : at + size], derive(seed, "portion", at)
        found = found.plus(bulk.match(game, *players, part, seed=own, threads=threads))
        done, spent = found.number - first, time.process_time() - since
        size = min(done + FIRST_PORTION, int(done * (seconds - spent) / max(spent, 1e-9)))
    return found


@dataclass(frozen=True)
class Training(Job):
    """One learner on one game by one seed, with its games against the rungs."""

    folder = "trainings"
    learner: str
    place: Small
    seed: int
    budget: float  # CPU seconds of learning
    games: int  # of every match
    match_seconds: float  # of CPU, after which a match is as long as it is
    shares: tuple[float, ...] = SHARES
    rungs: tuple[str, ...] = tuple(RUNGS)
    settings: tuple[tuple[str, Any], ...] = ()  # changed for all learners

    @property
    def name(self) -> str:
        """Of its files: other settings, other files."""
        config = [self.recipe, self.games, self.shares, self.rungs]
        return f"{_words(self.place)}-{self.learner}-{self.seed}-{digest(config)}"

    @cached_property
    def recipe(self) -> Row:
        """What it is trained by."""
        given: Row = {
            "iterations": ENDLESS, "seconds": self.budget, "start": self.place.start, "exam": 0
        }  # fmt: skip
        return general.recipe_of(self.learner, self.place.spec, given | dict(self.settings))

    @property
    def steps(self) -> int:
        """One for each share of the budget."""
        return len(self.shares)

    def progress(self, out: Path) -> int:
        """How many shares are trained and measured."""
        return len(self._points(out).rows())

    def player(self, out: Path) -> Path:
        """The folder of what was learnt, an agent."""
        return out / "players" / self.name

    def work(self, out: Path, threads: int) -> Row:
        """Trains to each share in turn, and measures there."""
        folder, points = out / "runs" / self.name, self._points(out)
        folder.mkdir(parents=True, exist_ok=True)
        points.keep()
        for share in self.shares[len(points.rows()) :]:
            if not share:
                points.add(self._measured(self.untrained(), share, threads))
                continue
            begun = (folder / "config.toml").exists()
            run = recipes.train(
                self.recipe, seed=self.seed, out=folder, resume=begun, threads=threads,
                seconds=self.budget * share,
            )  # fmt: skip
            own = player_of(run, load(self.place.spec))
            last, cost = run.rows()[-1], run.ledger()
            points.add(self._measured(own, share, threads, last["games"], cost))
        run = Run.open(folder)
        self._keep_player(out, run)
        return {
            "learner": self.learner, "place": place_text(self.place), "seed": self.seed,
            "depth": self.recipe["depth"], "simulations": self.recipe.get("simulations", 0),
            "points": points.rows(),
            "ledger": run.ledger().to_json(),
        }  # fmt: skip

    def carry_out(self, out: Path, threads: int = 1) -> Row:
        """As every job; what it needed on the way is removed."""
        row = super().carry_out(out, threads)
        shutil.rmtree(out / "runs" / self.name, ignore_errors=True)
        return row

    def _points(self, out: Path) -> Lines:
        return Lines(out / "runs" / self.name / "points.jsonl")

    @property
    def control(self) -> tuple[Any, ...]:
        """What tells its untrained player from others: one measurement is enough for each."""
        recipe = self.recipe
        parts = (recipe.get(name) for name in ("net", "hidden", "channels", "depth", "simulations"))
        return (self.place, self.seed, *(digest(part) for part in parts))

    def untrained(self) -> Player:
        """The control: what it starts from, as deep as it will search."""
        game, recipe = load(self.place.spec), self.recipe
        shape = Shape(tuple(recipe["hidden"]), tuple(recipe["channels"]), self.seed)
        return Player.of(make(recipe["net"], game, shape), *_effort(recipe))

    def _measured(
        self, own: Player, share: float, threads: int, games: int = 0, cost: Ledger | None = None
    ) -> Row:
        spent, learning, results = Ledger(), cost or Ledger(), {}
        with spent.timing():
            for name in self.rungs:
                results[name] = self.match(own, share, name, self.match_seconds, threads)
        return {
            "share": share, "cpu_seconds": learning.cpu_seconds, "games": games,
            "positions": learning.positions, "results": results,
            "playing": _played(spent, results).to_json(),
        }  # fmt: skip

    def match(
        self, own: Player, share: float, name: str, seconds: float, threads: int,
        begun: Sequence[int] = (),
    ) -> list[int]:  # fmt: skip
        """The pairs of a match against a rung, or of what has begun of it and the rest."""
        both = (own, rung(name, load(self.place.spec)))
        seed = derive(self.seed, self.name, name, str(share))
        return list(played(self.place, both, self.games, seconds, seed, threads, Pairs(*begun)))

    def _keep_player(self, out: Path, run: Run) -> None:
        """A run with the weights alone; one that a kill left half done is made anew."""
        folder, last = self.player(out), run.trained()
        shutil.rmtree(folder, ignore_errors=True)
        made = Run.create(folder, run.config)
        made.save(Checkpoint(last.step, weights_of(last.arrays), last.state), run.ledger())
        made.release()


@dataclass(frozen=True)
class Rest(Job):
    """The rest of those matches of a training that its time was too short for."""

    folder = "rests"
    training: Training
    match_seconds: float  # of CPU for each

    @property
    def name(self) -> str:
        """Of its file."""
        return self.training.name

    def work(self, out: Path, threads: int) -> Row:
        """Plays it; the row is that of the training, with the games of both."""
        one: Training = self.training
        row: Row = json.loads(one.result(out).read_text())
        for point in row["points"]:
            begun, spent = unfinished(point, one.games), Ledger()
            if not begun:
                continue
            with spent.timing():
                own = _player(one, load(one.place.spec), out) if point["share"] else one.untrained()
                for name, pairs in begun.items():
                    point["results"][name] = one.match(
                        own, point["share"], name, self.match_seconds, threads, pairs
                    )
            both = Ledger.from_json(point["playing"]) + spent
            point["playing"] = _played(both, point["results"]).to_json()
        return row


def unfinished(point: Row, games: int) -> dict[str, list[int]]:
    """The matches of a measurement that have fewer games than they should."""
    return {name: pairs for name, pairs in point["results"].items() if 2 * sum(pairs) < games}


@dataclass(frozen=True)
class Meeting(Job):
    """A match between two trained players of the same seed, or between two rungs."""

    folder = "meetings"
    place: Small
    games: int
    match_seconds: float
    a: str | Training
    b: str | Training

    @property
    def name(self) -> str:
        """Of its file."""
        sides = [side if isinstance(side, str) else side.name for side in (self.a, self.b)]
        return f"{_words(self.place)}-{digest([*sides, self.games])}"

    @property
    def burden(self) -> float:
        """The deeper the players search, the longer it takes."""
        return float(sum(_depth(side) for side in (self.a, self.b)))

    def is_ready(self, out: Path) -> bool:
        """Whether both have been trained."""
        sides = (self.a, self.b)
        return all(isinstance(side, str) or side.result(out).exists() for side in sides)

    def work(self, out: Path, threads: int) -> Row:
        """Plays it."""
        game, spent = load(self.place.spec), Ledger()
        a, b = (_player(side, game, out) for side in (self.a, self.b))
        seed = derive(1, self.name)
        with spent.timing():
            pairs = played(self.place, (a, b), self.games, self.match_seconds, seed, threads)
        names = [side if isinstance(side, str) else side.learner for side in (self.a, self.b)]
        return {
            "place": place_text(self.place), "a": names[0], "b": names[1], "pairs": list(pairs),
            "seed": 0 if isinstance(self.a, str) else self.a.seed,
            "playing": _played(spent, {"": list(pairs)}).to_json(),
        }  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """Who learns what, for how long, and how it is measured."""

    learners: tuple[str, ...]
    places: tuple[Small, ...]
    budget: float
    seeds: int = 3
    games: int = 100
    match_seconds: float = 30.0
    shares: tuple[float, ...] = SHARES
    rungs: tuple[str, ...] = tuple(RUNGS)
    settings: tuple[tuple[str, Any], ...] = ()
    meet: bool = True  # learners play each other, too
    rungs_meet: bool = True  # and so do rungs
    seconds: float = 0.0  # of CPU for all; what is left goes to matches that were cut short

    def __post_init__(self) -> None:
        if not self.trainings():
            raise ParseError(next(iter(self.refused().values())))

    def refused(self) -> dict[tuple[str, str], str]:
        """Pairs of learner and game that cannot be, with the reason."""
        found = {}
        for learner in self.learners:
            for small in self.places:
                own = kind(learner)
                if why := own.refusal(load(small.spec), own.settings(dict(self.settings))):
                    found[learner, place_text(small)] = why
        return found

    def trainings(self) -> list[Training]:
        """All of them, seed by seed: what is done first is a whole comparison."""
        refused, measured, found = self.refused(), set(), []
        for seed in range(1, self.seeds + 1):
            for small in self.places:
                for learner in self.learners:
                    if (learner, place_text(small)) in refused:
                        continue
                    one = Training(
                        learner, small, seed, self.budget, self.games, self.match_seconds,
                        self.shares, self.rungs, self.settings,
                    )  # fmt: skip
                    if one.control in measured:
                        one = replace(one, shares=tuple(share for share in self.shares if share))
                    measured.add(one.control)
                    found.append(one)
        return found

    def meetings(self) -> list[Meeting]:
        """Rungs with rungs, learners with learners of their seed."""
        if not self.meet:
            return []
        found = [
            Meeting(small, self.games, self.match_seconds, a, b)
            for small in self.places
            for a, b in combinations(self.rungs if self.rungs_meet else (), 2)
        ]
        for a, b in combinations(self.trainings(), 2):
            if (a.place, a.seed) == (b.place, b.seed):
                found.append(Meeting(a.place, self.games, self.match_seconds, a, b))
        return found

    def stages(self) -> list[Stage]:
        """Trainings, then meetings."""
        return [Stage(self.trainings(), "training"), Stage(self.meetings(), "playing")]

    def rests(self, out: Path) -> list[Rest]:
        """Of matches that were cut short, once all is trained: they share the time that is left."""
        spent, begun = 0.0, dict[Training, int]()
        for one in self.trainings() if self.seconds else ():
            if not one.result(out).exists():
                return []
            row = json.loads(one.result(out).read_text())
            playing = [point["playing"]["cpu_seconds"] for point in row["points"]]
            spent += row["ledger"]["cpu_seconds"] + sum(playing)
            begun[one] = sum(len(unfinished(point, self.games)) for point in row["points"])
        each = (self.seconds - spent) / max(sum(begun.values()), 1)
        return [Rest(one, round(each, 1)) for one, count in begun.items() if count and each > 0]


def player_of(run: Run, game: Game) -> Player:
    """What a run has learnt, as deep as it searched while it learnt."""
    return Player.of(approximator_of(run, game), *_effort(run.config))


def _effort(config: Mapping[str, Any]) -> tuple[int, int]:
    """The depth and the simulations of a learner's searches."""
    return int(config["depth"]), int(config.get("simulations", 0))


def _player(side: str | Training, game: Game, out: Path) -> Player:
    return (
        rung(side, game) if isinstance(side, str) else player_of(Run.open(side.player(out)), game)
    )


def _depth(side: str | Training) -> int:
    return RUNGS[side] if isinstance(side, str) else int(side.recipe["depth"])


def _words(small: Small) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in place_text(small).lower())
    return "-".join(part for part in kept.split("-") if part)


def _played(spent: Ledger, results: dict[str, list[int]]) -> Ledger:
    spent.games = sum(2 * sum(pairs) for pairs in results.values())
    return spent
