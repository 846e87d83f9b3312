"""Means over runs, their intervals, and verdicts on what a paper claims.

The run is the unit: every figure of an arm is the mean over its seeds with Student's 95 % interval,
every difference of two arms has Welch's. The rules were fixed before the full runs:

level        reproduced      the interval is no wider than 0.20 and holds the published figure, or
                             the mean is within 0.05 of it
             same direction  the interval lies on the same side of the floor as the published figure
difference   reproduced      the interval leaves out 0 on the published side, and the mean is within
                             0.05 of the published difference or the interval holds that
             same direction  the interval leaves out 0 on the published side
equality     (published difference below 0.03)
             reproduced      the interval lies within 0.05 of 0
             same direction  it holds 0 but is wider
untestable   fewer than two runs have the figure; or quick runs do not reach the episodes meant,
             or leave both the published figure and the floor (0 for differences) in the interval

Everything else is not reproduced.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np

from tempo.arena.statistics import Z95, Pairs, pair_interval

CLOSE = 0.05
WIDE = 0.20
EQUAL = 0.03  # published differences below this claim no difference
# Student's t, 97.5 %, by degrees of freedom from 1.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
)  # fmt: skip

Row = dict[str, Any]


@dataclass(frozen=True)
class Mean:
    """Of run figures, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Of the interval."""
        return self.high - self.low

    def holds(self, value: float) -> bool:
        """Whether the interval does."""
        return self.low <= value <= self.high


def games_of(*groups: Sequence[Mapping[str, Any]]) -> int:
    """How many games matches had that were played in pairs."""
    return sum(2 * sum(match["pairs"]) for group in groups for match in group)


def pooled(matches: Sequence[Mapping[str, Any]]) -> Mean:
    """The score of all games together, with the pair of games as the unit."""
    pairs = Pairs(*np.sum([match["pairs"] for match in matches], axis=0).tolist())
    return Mean(pairs.mean, *pair_interval(pairs))


def student(freedom: float) -> float:
    """The 97.5 % point of Student's t, on the safe side between whole degrees of freedom."""
    whole = max(1, math.floor(freedom + 1e-9))  # 4 may arrive as 3.9999999
    return _T[whole - 1] if whole <= len(_T) else 1.96 + 2.6 / whole


def mean_of(values: Sequence[float]) -> Mean | None:
    """The mean over runs with Student's interval; None for fewer than two."""
    if len(values) < 2:
        return None
    mean = float(np.mean(values))
    reach = student(len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Mean(mean, mean - reach, mean + reach)


def difference_of(ours: Sequence[float], others: Sequence[float]) -> Mean | None:
    """Difference of two means with Welch's interval."""
    if min(len(ours), len(others)) < 2:
        return None
    parts = [float(np.var(values, ddof=1)) / len(values) for values in (ours, others)]
    total = sum(parts)
    pairs = zip(parts, (ours, others), strict=True)
    below = sum(part**2 / (len(values) - 1) for part, values in pairs)
    freedom = total**2 / below if below else 1.0
    reach = student(freedom) * math.sqrt(total)
    mean = float(np.mean(ours) - np.mean(others))
    return Mean(mean, mean - reach, mean + reach)


def permutation_p(ours: Sequence[float], others: Sequence[float]) -> float:
    """Two-sided, exact: how often shuffled runs differ by as much."""
    pool = np.array([*ours, *others])
    seen = abs(np.mean(ours) - np.mean(others))
    splits = list(combinations(range(len(pool)), len(ours)))
    hits = 0
    for split in splits:
        chosen = np.zeros(len(pool), bool)
        chosen[list(split)] = True
        hits += abs(pool[chosen].mean() - pool[~chosen].mean()) >= seen - 1e-12
    return hits / len(splits)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted for the number of comparisons (Holm 1979)."""
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(np.argsort(p_values, kind="stable")):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def level_verdict(
    ours: Mean | None, published: float, floor: float | None, *, quick: bool = False
) -> str:
    """By the rules above."""
    if ours is None:
        return "untestable"
    near = abs(ours.value - published) <= CLOSE
    if ours.width <= WIDE and (near or ours.holds(published)):
        return "reproduced"
    if floor is not None and (ours.low > floor if published > floor else ours.high < floor):
        return "same direction"
    undecided = ours.holds(published) and (floor is None or ours.holds(floor))
    return "untestable" if quick and undecided else "not reproduced"


def difference_verdict(ours: Mean | None, published: float, *, quick: bool = False) -> str:
    """By the rules above."""
    if ours is None or (quick and ours.holds(0.0) and ours.holds(published)):
        return "untestable"
    if abs(published) < EQUAL:
        if ours.low >= -CLOSE and ours.high <= CLOSE:
            return "reproduced"
        return "same direction" if ours.holds(0.0) else "not reproduced"
    same_side = ours.low > 0 if published > 0 else ours.high < 0
    if not same_side:
        return "not reproduced"
    size = abs(ours.value - published) <= CLOSE or ours.holds(published)
    return "reproduced" if size else "same direction"


def interval(mean: Mean | None, least: float, most: float | None) -> Row:
    """A mean as the rows of an answer hold it, cut to what is possible."""
    if mean is None:
        return {"ours": None, "low": None, "high": None}
    high = mean.high if most is None else min(most, mean.high)
    return {
        "ours": round(mean.value, 4),
        "low": round(max(least, mean.low), 4),
        "high": round(high, 4),
    }


@dataclass(frozen=True)
class Effect:
    """Something that a claim says lies above 0: its mean, and the two-sided p of 0 (Student)."""

    mean: Mean
    p: float


def effect_of(values: Sequence[float], against: float = 0.0) -> Effect | None:
    """Of run figures less `against`; None for fewer than two."""
    mean = mean_of([value - against for value in values])
    return Effect(mean, _p_of(mean, len(values) - 1)) if mean else None


def minus(ours: Sequence[float], others: Sequence[float]) -> list[float]:
    """One arm less another, seed by seed."""
    return [a - b for a, b in zip(ours, others, strict=True)]


def no_narrower(mean: Mean | None, games: Mean) -> Mean | None:
    """A mean over trainings, its interval never narrower than that of their games.

    Trainings that happen to score alike, as two that lose every game do, prove nothing exact.
    """
    return mean and Mean(mean.value, min(mean.low, games.low), max(mean.high, games.high))


def widened(effect: Effect | None, *games: Mean | None) -> Effect | None:
    """An effect between trainings, no surer than these means of games allow together."""
    reach = math.hypot(*(mean.width / 2 for mean in games if mean))
    if effect is None or effect.mean.width / 2 >= reach:
        return effect
    value = effect.mean.value
    by_chance = 2 * NormalDist().cdf(-Z95 * abs(value) / reach)
    return Effect(Mean(value, value - reach, value + reach), max(effect.p, by_chance))


def slope_of(x: Sequence[float], y: Sequence[float]) -> Effect | None:
    """Of the straight line through runs' figures y at x; None for fewer than three."""
    if len(x) < 3:
        return None
    off = np.asarray(x) - np.mean(x)
    slope = float(off @ np.asarray(y) / (off @ off))
    left = np.asarray(y) - np.mean(y) - slope * off
    freedom = len(x) - 2
    reach = student(freedom) * math.sqrt(float(left @ left) / freedom / float(off @ off))
    mean = Mean(slope, slope - reach, slope + reach)
    return Effect(mean, _p_of(mean, freedom))


def _p_of(mean: Mean, freedom: int) -> float:
    """From the interval back to Student's t."""
    reach = mean.width / 2
    if reach == 0:
        return 1.0 if mean.value == 0 else 0.0
    return student_p(student(freedom) * mean.value / reach, freedom)


def student_p(t: float, freedom: float) -> float:
    """How likely |T| is to reach |t|: the density integrated by Simpson's rule."""
    # T = sqrt(freedom) tan(angle) turns the whole line into an interval.
    angles = np.linspace(0.0, math.atan(abs(t) / math.sqrt(freedom)), 2001)
    heights = np.cos(angles) ** (freedom - 1)
    weights = np.full(len(angles), 2.0)
    weights[1::2], weights[[0, -1]] = 4.0, 1.0
    area = float(heights @ weights * angles[1]) / 3
    half = (
        math.sqrt(math.pi) / 2 * math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))
    )
    return min(1.0, max(0.0, 1.0 - area / half))


def effect_verdict(effect: Effect | None, p_adjusted: float | None, *, quick: bool = False) -> str:
    """On a claim that something lies above 0, tested together with others.

    reproduced      the interval lies above 0, and the adjusted p is below 0.05
    same direction  the interval lies above 0
    """
    if effect is None or (quick and effect.mean.holds(0.0)):
        return "untestable"
    if effect.mean.low <= 0:
        return "not reproduced"
    return "reproduced" if p_adjusted is not None and p_adjusted < 0.05 else "same direction"


def answer_of(results: Mapping[str, Any], rows: list[dict[str, Any]], *more: str) -> dict[str, Any]:
    """Makes what `tempo reproduce --json` prints: claims with verdicts, their origin and cost.

    `more` names further parts of the stored results.
    """
    kept = ("ledger", "training", "playing", "quick", "command", "wall_seconds", *more)
    return {
        **{name: results[name] for name in ("paper", "commit", "seeds")},
        "rows": rows,
        **{name: results[name] for name in kept},
    }


def answer_of_tables(
    results: Mapping[str, Any], tables: Mapping[str, list[dict[str, Any]]], *more: str
) -> dict[str, Any]:
    """The same of claims by table, differences adjusted over all of them."""
    rows = [{**row, "table": name} for name, found in tables.items() for row in found]
    adjust([row for row in rows if "p" in row], quick=results["quick"])
    return answer_of(results, rows, *more)


def adjust(tested: list[dict[str, Any]], *, quick: bool) -> None:
    """Holm's correction over all differences, and what is left of their verdicts."""
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = round(adjusted, 4)
        effect: Effect | None = row.pop("effect")
        if row["published"] is None:
            row["verdict"] = effect_verdict(effect, adjusted, quick=quick)
        elif row["verdict"] == "reproduced" and adjusted >= 0.05:
            row["verdict"] = "same direction"
