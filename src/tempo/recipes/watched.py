"""A learner that plays now and then while it learns, to see how strong it has become.

`Watched` is a learner of any game, `Examined` one of the papers': its runs play by one-ply search
of what was learnt, or as their agent where that is quick (`recipes.learners.Kind`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tempo import arena
from tempo.arena.bulk import Player, match
from tempo.arena.conditions import Conditions
from tempo.arena.openings import Opening
from tempo.arena.statistics import Pairs, pair_interval
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.learners.bulk import search_settings, shipped
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays
from tempo.nets.incremental import Incremental
from tempo.nets.lines import Lines
from tempo.nets.stored import part
from tempo.recipes.learners import kind_of
from tempo.runs import Checkpoint, Run

if TYPE_CHECKING:
    from tempo.cluster.workers import Workers
    from tempo.nets.teaching import Taught

EXAMS = 10  # times that a training measures itself
QUARTERS = 4  # the same of a training by a recipe, whose exams may take seconds
MOVES = 100  # of a game of an ending in an exam, after which it is drawn
EXAM_SEED = 0x6578616D  # openings of rungs are always the same
PREVIOUS = "previous."  # the network of the last exam, among the arrays of a checkpoint


def is_round(step: int) -> bool:
    """Whether a step is 1, 2 or 5 times a power of ten."""
    return str(step).rstrip("0") in {"1", "2", "5"}


class _Around:
    """What the loop of a training asks, answered by the learner within."""

    def __init__(self, learner: Any, game: Game, ending: str = "") -> None:
        self.learner, self.game = learner, game
        self._start = game.description.starts(ending) if ending else None

    @property
    def step(self) -> int:
        """How many iterations were made."""
        return int(self.learner.step)

    @property
    def total(self) -> int:
        """How many there are."""
        return int(self.learner.total)

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return bool(self.learner.done)

    @property
    def ledger(self) -> Ledger:
        """What learning has cost."""
        found: Ledger = self.learner.ledger
        return found

    @ledger.setter
    def ledger(self, ledger: Ledger) -> None:
        self.learner.ledger = ledger

    def arrays(self) -> Arrays:
        """What was learnt, for a checkpoint."""
        found: Arrays = self.learner.arrays()
        return found

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint."""
        found: dict[str, Any] = self.learner.state()
        return found

    def restore(self, step: int, arrays: Arrays, state: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        self.learner.restore(step, arrays, state)

    def _first(self, random: np.random.Generator) -> Position:
        if self._start is not None:
            begun: Position = self._start(random)
            return begun
        game = self.game
        return game.start(seed=int(random.integers(2**63))) if game.is_dealt else game.start()

    def _is_due(self, exams: int) -> bool:
        """Whether one of the `exams` of a training follows the iteration just made."""
        return self.step % -(-self.total // exams) == 0 or self.done


class Watched(_Around):
    """A learner with its exams.

    It plays random moves, and a fixed search where its settings name one (`rung`). Where games have
    a budget of nodes it plays the generation of the last exam and evaluations that stay the same,
    with equal budgets.
    """

    def __init__(self, learner: Any) -> None:
        super().__init__(learner, learner.game, learner.settings.start)
        self._previous: Incremental | Lines | None = None

    def iterate(self) -> dict[str, Any]:
        """One iteration; every tenth part of the schedule ends with an exam.

        Where the time may end it sooner, there are exams after 1, 2, 5, 10, 20, … steps, too.
        """
        row: dict[str, Any] = self.learner.iterate()
        settings = self.learner.settings
        due = self.step == 1 or self._is_due(EXAMS)
        if settings.exam and (due or (settings.seconds and is_round(self.step))):
            row |= self._against_networks() if settings.nodes else self._examined()
        return row

    def _examined(self) -> dict[str, float]:
        """Scores of its search, wins and draws by half, with their intervals."""
        learner = self.learner
        s, seed = learner.settings, learner.seed + self.step
        own = Player.of(learner.approximator, s.depth, getattr(s, "simulations", 0))
        drawn = np.random.default_rng([seed, EXAM_SEED])
        starts = [self._first(drawn) for _ in range(s.exam // 2)]
        rungs = {"random": Player()}
        if depth := getattr(s, "rung", 0):
            rungs[f"depth_{depth}"] = Player.static(learner.game, depth)
        found: dict[str, float] = {}
        for name, rung in rungs.items():
            pairs = match(learner.game, own, rung, starts, seed=seed, longest=s.longest)
            low, high = pair_interval(pairs)
            found |= {name: pairs.mean, f"{name}_low": low, f"{name}_high": high}
        return found

    def _against_networks(self) -> dict[str, Any]:
        """[score, low, high] by opponent."""
        game, taught = self.learner.game, cast("Taught", self.learner.approximator)
        search, own = game.search, taught.rounded()
        rungs = {"static": search.Evaluator.static()} if hasattr(search.Evaluator, "static") else {}
        if (known := shipped(game)) is not None:
            rungs["shipped"] = known
        if self._previous:
            rungs["previous"] = search.Evaluator.quantized(self._previous.network)
        self._previous = own
        return {name: self._score(taught.player(), rung) for name, rung in rungs.items()}

    def _score(self, own: Any, rung: Any) -> list[float]:
        s, game = self.learner.settings, self.learner.game
        got = game.search.network_match(
            own, rung, game.start(), search_settings(s.nodes), s.opening, s.longest,
            EXAM_SEED, s.exam // 2, self.learner.threads,
        )  # fmt: skip
        pairs = Pairs.of(((got + 1) / 2).sum(axis=1))
        return [round(x, 4) for x in (pairs.mean, *pair_interval(pairs))]

    def spread(self, workers: Workers) -> None:
        """Has workers play the games that are learnt from."""
        self.learner.spread(workers)

    def arrays(self) -> Arrays:
        """What was learnt, for a checkpoint, with the network of the last exam."""
        kept = self._previous.arrays if self._previous else {}
        return {**super().arrays(), **{PREVIOUS + name: array for name, array in kept.items()}}

    def restore(self, step: int, arrays: Arrays, state: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        super().restore(step, arrays, state)
        if kept := part(arrays, PREVIOUS):
            incremental = self.learner.settings.net == "incremental"
            self._previous = Incremental(kept) if incremental else Lines(kept)


class Examined(_Around):
    """A learner of one game with its exams: `games` games of its run against random moves."""

    def __init__(self, learner: Any, game: Game, config: Mapping[str, Any], games: int) -> None:
        super().__init__(learner, game, str(config.get("ending", "")))
        self._config, self._games = config, games

    def iterate(self) -> dict[str, Any]:
        """One iteration; every quarter of the schedule ends with an exam."""
        row: dict[str, Any] = self.learner.iterate()
        return row | self._examined() if self._is_due(QUARTERS) else row

    def _examined(self) -> dict[str, float]:
        """Its score, wins and draws by half, with its interval."""
        starts, longest = None, 0
        if self._start:
            drawn, longest = np.random.default_rng([self.step, EXAM_SEED]), MOVES
            positions = [self._start(drawn) for _ in range(self._games // 2)]
            starts = [Opening(start=position.text) for position in positions]
        with TemporaryDirectory() as folder:
            run = Run.create(Path(folder) / "run", self._config)
            run.save(Checkpoint(self.step, self.arrays(), self.state()), Ledger())
            run.release()
            own = str(run.folder)
            if kind_of(self._config).one_ply:
                own = f"alphabeta:depth=1,eval={own}"
            found = arena.match(
                {"own": own, "random": "random"}, self.game, games=self._games,
                seed=EXAM_SEED + self.step, openings=starts, conditions=Conditions(longest=longest),
            )  # fmt: skip
        low, high = found.interval.low, found.interval.high
        return {"random": found.score, "random_low": low, "random_high": high}
