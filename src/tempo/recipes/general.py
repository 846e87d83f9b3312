"""Any learner on any game: the recipe that a command line stands for, and the learner it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from tempo.errors import ParseError, quoted, unknown
from tempo.games.game import Game
from tempo.games.registry import load as load_game
from tempo.learners.registry import kind
from tempo.learners.self_play import SelfPlay
from tempo.learners.settings import Settings
from tempo.nets.stored import is_rounded, rounded_of
from tempo.recipes.exports import Exported, Source
from tempo.recipes.settings import in_plain
from tempo.recipes.watched import Watched

TAKES = {tuple: "whole numbers", bool: "true or false", int: "a whole number", float: "a number"}


def recipe_of(learner: str, game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe of a learner on a game, with everything written down that a run depends on."""
    found, rules = kind(learner), load_game(game)
    settings = found.settings(dict(given))
    if why := found.refusal(rules, settings):
        raise ParseError(why)
    about = f"{learner} on {rules.spec}"
    return {"learner": learner, "game": rules.spec, "about": about, **in_plain(settings)}


def read_settings(words: Sequence[str], learner: str = "") -> dict[str, Any]:
    """Settings as they are given on the command line: `depth=2`, `hidden=64,32`.

    They are those of a learner, or those that all have.
    """
    usual_ones = kind(learner).usual if learner else Settings()
    known = {field.name: field for field in fields(usual_ones)}
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if name not in known:
            raise unknown("setting", name, known)
        if not equals:
            raise ParseError(f"{name} is set to nothing: give it a value, as in {name}=...")
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
        takes = TAKES[type(usual)]
        raise ParseError(f"{name} cannot be {quoted(text)}; it takes {takes}") from None


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
