"""Learners by name: each is declared in its own module, which is found here.

    @declare("td", "moves every position towards what followed it")
    def samples(played: Experience, settings: Settings) -> Samples: ...

A learner is the rule that turns self-play into samples, with the settings that suit it. Everything
else (games, approximators, acting, checkpoints) is the same for all (`tempo.learners.self_play`).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tempo.errors import unknown
from tempo.learners.settings import Settings
from tempo.nets.approximator import Floats, Inputs

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.learners.experience import Experience


@dataclass(frozen=True)
class Samples:
    """Where values should lie, for the seat to move at inputs [M]: from low [M] to high [M]."""

    inputs: Inputs
    low: Floats
    high: Floats

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, which: Any) -> Samples:
        """A subset, by indices or a mask."""
        return Samples(self.inputs[which], self.low[which], self.high[which])

    @staticmethod
    def joined(parts: list[Samples]) -> Samples:
        """Several, concatenated."""
        low, high = ([getattr(part, name) for part in parts] for name in ("low", "high"))
        inputs = Inputs.joined([part.inputs for part in parts])
        return Samples(inputs, np.concatenate(low), np.concatenate(high))


def samples_of(inputs: Inputs, targets: Any) -> Samples:
    """Samples whose values should be the targets [M]."""
    exact = np.clip(targets, -1, 1).astype(np.float32)
    return Samples(inputs, exact, exact)


Rule = Callable[["Experience", Settings], Any]  # Samples, or Transitions to be remembered
R = TypeVar("R", bound=Rule)
W = TypeVar("W", bound=Callable[..., Any])


@dataclass(frozen=True)
class Kind:
    """A learner: its rule, and the settings that differ from the usual ones."""

    name: str
    summary: str
    rule: Rule
    usual: Settings
    learns: str  # what its values are of
    recalls: bool = False  # remembers moves, whose targets are made when they are drawn
    any_sides: bool = False  # whether more than two sides may play against each other
    leaves: bool = False  # learns from where the principal variation of alpha-beta ends
    whole: Callable[..., Any] | None = None  # the learner itself, where it is more than a rule
    objects: Callable[[Settings], str] = lambda settings: ""  # to settings, in a sentence

    def settings(self, given: dict[str, Any]) -> Settings:
        """Its own settings with some of them changed."""
        return replace(self.usual, **given)

    def refusal(self, game: Game, settings: Settings) -> str:
        """Why it cannot learn a game, in a sentence; empty if it can."""
        sides = len(set(game.teams))
        if sides != 2 and not self.any_sides:
            others = ", ".join(kind.name for kind in kinds().values() if kind.any_sides)
            return (
                f"{self.name} turns one seat's value into another's, which takes two sides; "
                f"{game.name} has {sides}: take {others}"
            )
        if settings.net != "table" and not hasattr(game.core.Batch, "features"):
            return f"{game.name} has no features: learn it with --net table"
        asked = {"incremental": "sparse_features", "lines": "line_board"}.get(settings.net)
        if asked and not hasattr(game.core, asked):
            return f"{game.name} has no features for a net that is {settings.net}: take another"
        if settings.nodes and (self.recalls or settings.record or settings.start):
            return (
                f"{self.name} with these settings needs more of games than those with a budget of "
                "nodes say: take depth"
            )
        if self.usual.record and not settings.record:
            return f"{self.name} learns from positions inside searches: record must be at least 1"
        return self._objection_to_acting(settings) or self.objects(settings)

    def _objection_to_acting(self, s: Settings) -> str:
        """Why moves cannot be chosen so, in a sentence; empty if they can."""
        warm = "boltzmann" if s.boltzmann else "temperature" if s.temperature else ""
        if self.whole is not None:
            return (
                f"{self.name} explores by the noise of its search: leave out {warm}" if warm else ""
            )
        if s.boltzmann and s.temperature:
            return (
                "temperature is that of Metropolis, and boltzmann draws moves without it: set one "
                "of them to 0"
            )
        if s.nodes and (s.simulations or warm):
            return (
                f"games with a budget of nodes are searched by alpha-beta and explored by ε: leave "
                f"out {'simulations' if s.simulations else warm}"
            )
        if s.simulations and (self.leaves or s.record):
            return (
                f"{self.name} learns from positions whose value alpha-beta has proved or passed up "
                "unchanged, and a Monte-Carlo search has means: take depth, not simulations"
            )
        if warm and s.depth > 1 and not s.simulations:
            return (
                f"{warm} needs the values of all moves, and alpha-beta of depth {s.depth} knows "
                "that of the best alone: take depth=1, or simulations"
            )
        return ""


_declared: dict[str, Kind] = {}


def declare(
    name: str,
    summary: str,
    *,
    learns: str = "V",
    recalls: bool = False,
    any_sides: bool = False,
    leaves: bool = False,
    **usual: Any,
) -> Callable[[R], R]:
    """Registers the rule that follows as a learner; `usual` are its own default settings.

    The rule of one that `recalls` makes moves to remember (`tempo.learners.memory`); one that
    learns from `leaves` needs the searches that have some.
    """

    def take(rule: R) -> R:
        settings = replace(Settings(), **usual)
        _declared[name] = Kind(name, summary, rule, settings, learns, recalls, any_sides, leaves)
        return rule

    return take


def declare_whole(
    name: str, summary: str, usual: Settings, objects: Callable[[Settings], str]
) -> Callable[[W], W]:
    """Makes a learner known that is more than a rule: the class that follows, with its settings.

    It is made of a game, settings, a seed and a number of threads (`tempo.learners.loop.Learner`).
    """

    def take(whole: W) -> W:
        _declared[name] = Kind(name, summary, _no_rule, usual, "V", whole=whole, objects=objects)
        return whole

    return take


def _no_rule(played: Experience, settings: Settings) -> Samples:
    raise AssertionError("a learner that is more than a rule makes its own samples")


@cache
def _find() -> None:
    """Imports the learners of the package, which declares them."""
    for found in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if not found.ispkg:
            import_module(f"tempo.learners.{found.name}")


def kinds() -> dict[str, Kind]:
    """Lists all learners by name, those declared elsewhere included.

    >>> kinds()["td_leaf"].usual.depth
    2
    """
    _find()
    return {name: _declared[name] for name in sorted(_declared)}


def kind(name: str) -> Kind:
    """The learner of a name."""
    if name not in kinds():
        raise unknown("learner", name, kinds())
    return kinds()[name]
