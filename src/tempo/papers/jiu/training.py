"""What a library of Jiu is taught by, and its training on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tempo import recipes
from tempo.arena.seeds import derive
from tempo.games.jiu.library import VISITS, By, Library
from tempo.learners.fast.tabular import Rule, Tabular
from tempo.learners.loop import learn
from tempo.recipes.jiu_tabular import library_of
from tempo.td import Successor

RULES: tuple[Rule, ...] = ("sarsa", "q_learning")
STEP_SIZE, DISCOUNT = 0.1, 0.9  # not published
REPORT = 1000  # training games in an iteration; every point is a multiple of it, quick or not

Row = dict[str, Any]


@dataclass(frozen=True)
class Arm:
    """Who places: by a library learnt in this way, or a baseline that learns nothing."""

    player: str  # sarsa, q_learning; or random, expert, reward, bayes
    greedy: float = 0.9  # ε_greedy: the share of greedy moves in training
    successor: Successor = "own_turn"
    keys: By = "sequence"  # what the table tells apart, and how the library is asked
    step_size: float = STEP_SIZE
    discount: float = DISCOUNT
    unfilled: str = "wall"  # what e2 takes unfilled points for

    @property
    def rule(self) -> Rule | None:
        """By which it learns, if it does."""
        return next((rule for rule in RULES if rule == self.player), None)


def recipe_of(arm: Arm, games: int) -> Row:
    """What an arm is trained by."""
    return {
        "learner": "tabular",
        "keys": arm.keys,
        "unfilled": arm.unfilled,
        "rule": arm.player,
        "successor": arm.successor,
        "step_size": arm.step_size,
        "discount": arm.discount,
        "exploration": f"{1 - arm.greedy:.2f}",
        "games": games,
        "report": REPORT,
    }


class Learner:
    """A training on its way, and the libraries that come of it."""

    def __init__(self, arm: Arm, seed: int, games: int) -> None:
        learner = recipes.make_learner(recipe_of(arm, games), derive(seed, "train"))
        assert isinstance(learner, Tabular), "the recipe names no other learner"
        self.learner, self._lines = learner, learn(learner)
        self._keys = arm.keys
        self._last: Row = {}

    def train(self, games: int) -> None:
        """Goes on until this many games have been played."""
        while self.learner.games < games:
            self._last = next(self._lines)

    def library(self, visits: int = VISITS) -> Library:
        """What has been learnt so far."""
        return library_of(self.learner, self._keys, visits)

    def standing(self) -> Row:
        """How far it is: what the log says, and what it cost."""
        return {
            "trained": self.learner.games,
            "reward": round(self._last["reward"], 1),
            "entries": self._last["entries"],
            "training": self.learner.ledger.to_json(),
        }
