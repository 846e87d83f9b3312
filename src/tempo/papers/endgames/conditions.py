"""TD-Leaf and TD-Stem under crossed conditions: depth, optimizer and discount, at equal cost.

The paper's schedule plays most of its episodes at depth 1, where its two rules nearly coincide, and
reports one training of each. Here one condition holds throughout a training, every training has the
same games and the same gradient steps, and nothing but the rule differs within a condition. More
arms: TD-Stem as equation 12 is printed, at the largest depth; and on KRK the other four rules under
the condition `SIX_RULES`. Cost is counted in games: an iteration takes the same CPU time under
every rule and at every depth, within a few per cent, while CPU seconds of a busy machine are worth
less than others.

Step sizes were set on seed 101; the trainings have the seeds from `FIRST_SEED` on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tempo.games.chess.endings import Ending
from tempo.ledger import Ledger
from tempo.papers.endgames.measure import ending_of, exact, policies
from tempo.papers.jobs import Job, Row, digest

if TYPE_CHECKING:
    from tempo.learners.fast.search_td import SearchTD

FIRST_SEED = 11
ITERATIONS = {"KRK": 17, "KQK": 12}  # of 1,000 games and 100 gradient steps
QUICK_ITERATIONS = 3
GAMES = 1000
TEST_EVERY = 2  # iterations
DEPTHS, DISCOUNTS = (5, 3, 1), (1.0, 0.99)
STEP_SIZES = {"sgd": 0.4, "adam": 1e-3}  # of the mean over a batch
SIX_RULES = (5, "adam", 0.99)
RULES = {
    "leaf": {"rule": "td_leaf"},
    "stem": {"rule": "td_stem"},
    "stem-state": {"rule": "td_stem", "anchor": "state"},
    "td": {"rule": "td"},
    "root": {"rule": "td_root"},
    "root-strap": {"rule": "root_strap"},
    "tree-strap": {"rule": "tree_strap"},
}
COLUMNS = ("cpu_seconds", "games", "wcr", "we", "lhs")  # of a point
SHOWS = 0.99  # what a ply of distance to mate takes from a value that is to show it


@dataclass(frozen=True)
class Condition(Job):
    """One training, with its curve."""

    folder = "conditions"
    ending: str
    rule: str
    depth: int
    optimizer: str
    discount: float
    seed: int
    quick: bool

    @property
    def recipe(self) -> dict[str, Any]:
        """Everything but the condition and the rule is the same."""
        iterations = QUICK_ITERATIONS if self.quick else ITERATIONS[self.ending]
        stage = {"games": GAMES, "iterations": iterations, "depth": self.depth, "trace": 0.8}
        return {
            "ending": self.ending,
            **RULES[self.rule],
            "network": "dense",
            "hidden": [128, 32],
            "optimizer": self.optimizer,
            "step_size": STEP_SIZES[self.optimizer],
            "discount": self.discount,
            "batch": 1024,
            "updates": 100,
            "exploration": "0.2",
            "stages": [stage],
        }

    @property
    def name(self) -> str:
        """Of its file: other settings, other files."""
        config = [self.recipe, self.seed]
        condition = f"{self.rule}-{self.depth}-{self.optimizer}-{self.discount}"
        return f"{self.ending}-{condition}-{self.seed}-{digest(config)}"

    def work(self, out: Path, threads: int) -> Row:
        """Trains, and tests on the way."""
        from tempo.recipes.endings import ending_learner  # noqa: PLC0415 - needs JAX

        learner, testing = ending_learner(self.recipe, self.seed), Ledger()
        _compile(learner)
        points = [self._point(learner, testing)]
        while not learner.done:
            learner.iterate()
            if learner.done or learner.step % TEST_EVERY == 0:
                points.append(self._point(learner, testing))
        setting = asdict(self)
        del setting["quick"]
        return {
            **setting,
            "points": points,
            **_leaves(learner, ending_of(self.ending), self.depth),
            "ledger": (learner.ledger + Ledger.here()).to_json(),
            "test_cpu_seconds": round(testing.cpu_seconds, 3),
        }

    def _point(self, learner: SearchTD, testing: Ledger) -> list[float | None]:
        """A line of the curve, exact over every position, by minimax of the test's depth."""
        with testing.timing():
            found = exact(ending_of(self.ending), policies(learner, 0)[1])
        at = {"cpu_seconds": round(learner.ledger.cpu_seconds, 3), "games": learner.games, **found}
        return [at[column] for column in COLUMNS]


def _compile(learner: SearchTD) -> None:
    """One iteration that is forgotten: what compiling costs is no part of the comparison."""
    start, state = learner.arrays(), learner.state()
    learner.iterate()
    learner.restore(0, start, state)
    learner.ledger = Ledger()


def _leaves(learner: SearchTD, ending: Ending, depth: int) -> Mapping[str, float]:
    """Which positions the two rules would train now, were every position searched once.

    leaves_distinct: different leaves to a position; leaves_ended: leaves that are ends and train
    nothing; values_track and leaves_track: how the network's values correlate with the distance to
    mate, over all positions and over the leaves.
    """
    inside = np.flatnonzero(ending.own & (learner.game.end == 0))
    found = learner.search(depth)
    leaves = found.leaves[inside]
    true = ending.values * np.power(SHOWS, np.maximum(ending.plies, 0))
    trained = leaves[learner.game.end[leaves] == 0]
    return {
        "leaves_distinct": round(len(np.unique(trained)) / len(inside), 4),
        "leaves_ended": round(1 - len(trained) / len(inside), 4),
        "values_track": _correlation(found.values[0][inside], true[inside]),
        "leaves_track": _correlation(found.values[0][trained], true[trained]),
    }


def _correlation(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    return round(float(np.corrcoef(one, other)[0, 1]), 4) if len(one) and one.std() else 0.0


def conditions(seeds: int, quick: bool) -> list[Condition]:
    """All trainings, KRK first, seed by seed: a run that is cut off has the same seeds of all."""
    crossed = list(product(DEPTHS, STEP_SIZES, DISCOUNTS))
    others = [rule for rule in RULES if rule not in ("leaf", "stem", "stem-state")]
    literal = [("stem-state", *place) for place in crossed if place[0] == max(DEPTHS)]
    more = {"KRK": [*literal, *((rule, *SIX_RULES) for rule in others)], "KQK": literal}
    return [
        Condition(ending, *arm, seed, quick)
        for ending in ITERATIONS
        for arms in (
            [(rule, *place) for place in crossed for rule in ("leaf", "stem")],
            more[ending],
        )
        for seed in range(FIRST_SEED, FIRST_SEED + seeds)
        for arm in arms
    ]
