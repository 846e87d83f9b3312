"""Means over runs, their intervals, effects and adjusted p: what verdicts are made from.

The run is the unit: every figure of an arm is the mean over its seeds with Student's 95 % interval,
every difference of two arms has Welch's. The rules of the verdicts stand in `verdicts`.
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
    effect = welch(ours, others)
    return effect.mean if effect else None


def welch(ours: Sequence[float], others: Sequence[float]) -> Effect | None:
    """The same with Welch's two-sided p; None for fewer than two runs of either."""
    if min(len(ours), len(others)) < 2:
        return None
    parts = [float(np.var(values, ddof=1)) / len(values) for values in (ours, others)]
    total = sum(parts)
    pairs = zip(parts, (ours, others), strict=True)
    below = sum(part**2 / (len(values) - 1) for part, values in pairs)
    freedom = total**2 / below if below else 1.0
    reach = student(freedom) * math.sqrt(total)
    value = float(np.mean(ours) - np.mean(others))
    mean = Mean(value, value - reach, value + reach)
    return Effect(mean, _p_of(mean, freedom))


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
    """Of the straight line through runs' figures y at x; None for fewer than three or one x."""
    if len(x) < 3 or len({*x}) < 2:
        return None
    off = np.asarray(x) - np.mean(x)
    slope = float(off @ np.asarray(y) / (off @ off))
    left = np.asarray(y) - np.mean(y) - slope * off
    freedom = len(x) - 2
    reach = student(freedom) * math.sqrt(float(left @ left) / freedom / float(off @ off))
    mean = Mean(slope, slope - reach, slope + reach)
    return Effect(mean, _p_of(mean, freedom))


def _p_of(mean: Mean, freedom: float) -> float:
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
