"""Any learner on any game: the recipe that a command line stands for, and the learner it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from tempo.arena.bulk import Player, match
from tempo.errors import ParseError, quoted, unknown
from tempo.games.game import Game
from tempo.games.protocol import Position
from tempo.games.registry import load as load_game
from tempo.learners.registry import kind
from tempo.learners.self_play import SelfPlay
from tempo.learners.settings import Settings
from tempo.recipes.exports import Exported, Source

EXAMS = 10  # times that a training measures itself


class Watched(SelfPlay):
    """Learns, and plays random moves now and then to see how strong it has become."""

    def iterate(self) -> dict[str, Any]:
        """One iteration; every tenth part of the schedule ends with an exam."""
        row = super().iterate()
        part = -(-self.total // EXAMS)
        if self.settings.exam and (self.step == 1 or self.step % part == 0 or self.done):
            row["random"] = self._against_random()
        return row

    def _against_random(self) -> float:
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
    return Watched(str(recipe["learner"]), game, settings, seed, threads)


def export(source: Source) -> Exported:
    """The approximator of a run. Figures are measured apart: see `tempo export --figures`."""
    arrays = source.checkpoint.arrays
    names = [name for name in arrays if name.startswith("net.")]
    game = str(source.run.config["game"]).partition("(")[0]
    return Exported.of_arrays("net", arrays, names, game=game, figures={})
