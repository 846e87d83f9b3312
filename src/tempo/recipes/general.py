"""Any learner on any game: the recipe that a command line stands for, and the learner it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tempo.arena.bulk import Player, match
from tempo.arena.statistics import Pairs, pair_interval
from tempo.errors import ParseError, quoted, unknown
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.games.registry import load as load_game
from tempo.learners.bulk import search_settings, shipped
from tempo.learners.registry import kind
from tempo.learners.self_play import SelfPlay
from tempo.learners.settings import Settings
from tempo.nets.approximator import Arrays
from tempo.nets.incremental import Incremental
from tempo.nets.lines import Lines
from tempo.nets.stored import is_rounded, part, rounded_of
from tempo.recipes.exports import Exported, Source

if TYPE_CHECKING:
    from tempo.nets.teaching import Taught

EXAMS = 10  # times that a training measures itself
EXAM_SEED = 0x6578616D  # openings of rungs are always the same
PREVIOUS = "previous."  # the network of the last exam, among the arrays of a checkpoint


class Watched(SelfPlay):
    """Learns, and plays now and then to see how strong it has become.

    Against random moves; or, where games have a budget of nodes, against the generation of the last
    exam and against evaluations that stay the same, with equal budgets: scores with intervals.
    """

    _previous: Incremental | Lines | None = None

    def iterate(self) -> dict[str, Any]:
        """One iteration; every tenth part of the schedule ends with an exam."""
        row = super().iterate()
        part = -(-self.total // EXAMS)
        if self.settings.exam and (self.step == 1 or self.step % part == 0 or self.done):
            row |= self._against_rungs() if self.settings.nodes else {"random": self._random()}
        return row

    def arrays(self) -> Arrays:
        """With the network of the last exam."""
        kept = self._previous.arrays if self._previous else {}
        return {**super().arrays(), **{PREVIOUS + name: array for name, array in kept.items()}}

    def restore(self, step: int, arrays: Arrays, state: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        super().restore(step, arrays, state)
        if kept := part(arrays, PREVIOUS):
            self._previous = (
                Incremental(kept) if self.settings.net == "incremental" else Lines(kept)
            )

    def _against_rungs(self) -> dict[str, Any]:
        """[score, low, high] by opponent."""
        search, taught = self.game.search, cast("Taught", self.approximator)
        own = taught.rounded()
        rungs = {"static": search.Evaluator.static()} if hasattr(search.Evaluator, "static") else {}
        if (known := shipped(self.game)) is not None:
            rungs["shipped"] = known
        if self._previous:
            rungs["previous"] = search.Evaluator.quantized(self._previous.network)
        self._previous = own
        return {name: self._score(taught.player(), rung) for name, rung in rungs.items()}

    def _score(self, own: Any, rung: Any) -> list[float]:
        s = self.settings
        got = self.game.search.network_match(
            own, rung, self.game.start(), search_settings(s.nodes), s.opening, s.longest,
            EXAM_SEED, s.exam // 2, self._threads,
        )  # fmt: skip
        pairs = Pairs.of(((got + 1) / 2).sum(axis=1))
        return [round(x, 4) for x in (pairs.mean, *pair_interval(pairs))]

    def _random(self) -> float:
        """The score of its search: wins, and draws by half."""
        s, seed = self.settings, self.seed + self.step
        own = Player.of(self.approximator, s.depth)
        drawn = np.random.default_rng([seed, 0x6578616D])
        starts = [self._first(drawn) for _ in range(s.exam // 2)]
        pairs = match(self.game, own, Player(), starts, seed=seed, longest=s.longest)
        return pairs.mean

    def _first(self, random: np.random.Generator) -> Position:
        if self._start is not None:
            return self._start(random)
        dealt = self.game.is_dealt
        return self.game.start(seed=int(random.integers(2**63))) if dealt else self.game.start()


def recipe_of(learner: str, game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe of a learner on a game, with everything written down that a run depends on."""
    found, rules = kind(learner), load_game(game)
    settings = found.settings(dict(given))
    if why := found.refusal(rules, settings):
        raise ParseError(why)
    about = f"{learner} on {rules.spec}"
    told = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(settings).items()}
    return {"learner": learner, "game": rules.spec, "about": about, **told}


def read_settings(words: Sequence[str]) -> dict[str, Any]:
    """Settings as they are given on the command line: `depth=2`, `hidden=64,32`."""
    known = {field.name: field for field in fields(Settings)}
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
        if isinstance(usual, bool):
            return {"true": True, "false": False}[text.lower()]
        return type(usual)(text)
    except (KeyError, ValueError):
        expected = "whole numbers" if isinstance(usual, tuple) else type(usual).__name__
        expected = "true or false" if isinstance(usual, bool) else expected
        raise ParseError(f"{name} cannot be {quoted(text)}; it takes {expected}") from None


def refusal(game: Game, settings: Settings, recipe: Mapping[str, Any]) -> str:
    """What the learner itself says."""
    return kind(str(recipe["learner"])).refusal(game, settings)


def make(
    game: Game, settings: Settings, recipe: Mapping[str, Any], seed: int, threads: int = 1
) -> Watched:
    """The learner of a recipe, at the start of its schedule."""
    return Watched(str(recipe["learner"]), game, settings, seed, threads)


def export(source: Source) -> Exported:
    """The approximator of a run. Figures are measured apart: see `tempo export --figures`."""
    arrays = source.checkpoint.arrays
    if is_rounded(source.run.config):
        return _in_integers(source)
    names = [name for name in arrays if name.startswith("net.")]
    game = str(source.run.config["game"]).partition("(")[0]
    return Exported.of_arrays("net", arrays, names, game=game, figures={})


def _in_integers(source: Source) -> Exported:
    """A network as searches of the core take it, rounded."""
    spec = str(source.run.config["game"])
    made = rounded_of(source.run, load_game(spec))
    return Exported.of_arrays(
        made.name, made.arrays, version=made.version, game=spec.partition("(")[0], figures={}
    )
