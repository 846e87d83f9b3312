"""Any learner on any game: the recipe that a command line stands for, and the learner it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from tempo.arena.bulk import Player, match
from tempo.arena.statistics import pair_interval
from tempo.errors import ParseError, quoted, unknown
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.games.registry import load as load_game
from tempo.learners.registry import kind
from tempo.learners.self_play import SelfPlay
from tempo.learners.settings import Settings
from tempo.ledger import Ledger
from tempo.recipes.exports import Exported, Source

EXAMS = 10  # times that a training measures itself


class Watched:
    """A learner that plays fixed opponents now and then, to see how strong it has become."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner
        self._start = None
        if start := learner.settings.start:
            self._start = learner.game.description.starts(start)

    def iterate(self) -> dict[str, Any]:
        """One iteration; every tenth part of the schedule ends with an exam."""
        row: dict[str, Any] = self.learner.iterate()
        part = -(-self.total // EXAMS)
        if self.learner.settings.exam and (self.step == 1 or self.step % part == 0 or self.done):
            row |= self._examined()
        return row

    def _examined(self) -> dict[str, float]:
        """Scores of its search, wins and draws by half, with their intervals."""
        learner = self.learner
        s, seed = learner.settings, learner.seed + self.step
        own = Player.of(learner.approximator, s.depth, getattr(s, "simulations", 0))
        drawn = np.random.default_rng([seed, 0x6578616D])
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

    def _first(self, random: np.random.Generator) -> Position:
        if self._start is not None:
            begun: Position = self._start(random)
            return begun
        game: Game = self.learner.game
        return game.start(seed=int(random.integers(2**63))) if game.is_dealt else game.start()

    # What the loop of a training asks.

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

    def arrays(self) -> dict[str, Any]:
        """What was learnt, for a checkpoint."""
        found: dict[str, Any] = self.learner.arrays()
        return found

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint."""
        found: dict[str, Any] = self.learner.state()
        return found

    def restore(self, step: int, arrays: dict[str, Any], state: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        self.learner.restore(step, arrays, state)


def recipe_of(learner: str, game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe of a learner on a game, with everything written down that a run depends on."""
    found, rules = kind(learner), load_game(game)
    settings = found.settings(dict(given))
    if why := found.refusal(rules, settings):
        raise ParseError(why)
    about = f"{learner} on {rules.spec}"
    told = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(settings).items()}
    return {"learner": learner, "game": rules.spec, "about": about, **told}


def read_settings(words: Sequence[str], learner: str = "") -> dict[str, Any]:
    """Settings as they are given on the command line: `depth=2`, `hidden=64,32`.

    They are those of a learner, or those that all have.
    """
    usual_ones = kind(learner).usual if learner else Settings()
    known = {field.name: field for field in fields(usual_ones)}
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if name not in known or not equals:
            raise unknown("setting", word, known)
        usual = known[name].default
        found[name] = _value(name, text, usual)
    return found


def _value(name: str, text: str, usual: Any) -> Any:
    try:
        if isinstance(usual, tuple):
            return tuple(int(part) for part in text.split(","))
        return type(usual)(text)
    except ValueError:
        expected = "whole numbers" if isinstance(usual, tuple) else type(usual).__name__
        raise ParseError(f"{name} cannot be {quoted(text)}; it takes {expected}") from None


def refusal(game: Game, settings: Settings, recipe: Mapping[str, Any]) -> str:
    """What the learner itself says."""
    return kind(str(recipe["learner"])).refusal(game, settings)


def make(
    game: Game, settings: Settings, recipe: Mapping[str, Any], seed: int, threads: int = 1
) -> Watched:
    """The learner of a recipe, at the start of its schedule."""
    learner = kind(str(recipe["learner"]))
    if learner.whole is None:
        return Watched(SelfPlay(learner.name, game, settings, seed, threads))
    return Watched(learner.whole(game, settings, seed, threads))


def export(source: Source) -> Exported:
    """The approximator of a run. Figures are measured apart: see `tempo export --figures`."""
    arrays = source.checkpoint.arrays
    names = [name for name in arrays if name.startswith("net.")]
    game = str(source.run.config["game"]).partition("(")[0]
    return Exported.of_arrays("net", arrays, names, game=game, figures={})
