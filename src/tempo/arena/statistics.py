"""Intervals, Elo, sequential tests and sample sizes. Pure functions; nothing here is ever nan.

A match is played in pairs: one opening, twice, sides swapped. The two games of a pair are not
independent, so the **pair** is the unit. Five things can happen to a pair, and `Pairs` counts
them. Scores are fractions of the points: 0 lost everything, 1/2 even, 1 won everything.

The spread of the pair scores is held as a ratio: their variance over m(1-m), the largest a score
with mean m can have. Two independent games without draws give 1/2, draws make it smaller, games of
a pair that go together make it larger (at most 1). The ratio is what makes one formula serve from
the first pair to the ten-thousandth: it is pulled towards 1/2 by two imaginary pairs, so no
interval collapses to a point when every pair came out alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np

from tempo.errors import ParseError, quoted

__all__ = [
    "SPRT",
    "Interval",
    "Pairs",
    "bootstrap",
    "elo",
    "elo_interval",
    "expected_games",
    "expected_score",
    "games_for_half_width",
    "pair_interval",
    "pair_spread",
    "sample_size",
    "wilson",
]

Z95 = 1.959963984540054  # two-sided 95 %
INDEPENDENT = 0.5  # spread of two independent decisive games
IMAGINARY_PAIRS = 2.0  # weight of INDEPENDENT in the spread; found by simulated coverage, see tests


class Interval(NamedTuple):
    """From low to high, both included."""

    low: float
    high: float


class Pairs(NamedTuple):
    """How many pairs gave 0, 1/2, 1, 1 1/2 and 2 points.

    >>> pairs = Pairs.of([2, 2, 1, 0.5])
    >>> pairs.number, pairs.mean
    (4, 0.6875)
    """

    zero: int = 0
    half: int = 0
    one: int = 0
    one_and_half: int = 0
    two: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> Pairs:
        """Counts the points of each pair. Raises ValueError on anything but 0, 1/2, 1, 1 1/2, 2."""
        counts = [0] * 5
        for point in points:
            twice = round(2 * point)
            if twice != 2 * point or not 0 <= twice <= 4:
                raise ValueError(f"a pair gives 0, 0.5, 1, 1.5 or 2 points, not {point}")
            counts[twice] += 1
        return cls(*counts)

    @property
    def number(self) -> int:
        """How many pairs."""
        return sum(self)

    @property
    def mean(self) -> float:
        """The score, from 0 to 1; 1/2 when nothing was played."""
        if not self.number:
            return 0.5
        return sum(i * count for i, count in enumerate(self)) / (4 * self.number)

    def plus(self, other: Pairs) -> Pairs:
        """Both together (`+` would join the two tuples)."""
        return Pairs(*(a + b for a, b in zip(self, other, strict=True)))

    def swapped(self) -> Pairs:
        """The same pairs seen from the other side."""
        return Pairs(*reversed(self))


def wilson(wins: float, n: float, z: float = Z95) -> Interval:
    """Computes Wilson's score interval for a plain rate: `wins` of `n` independent trials.

    Wilson, J. Amer. Statist. Assoc. 22 (1927) 209-212. Without trials it is all of [0, 1].

    >>> "{:.3f} to {:.3f}".format(*wilson(20, 20))
    '0.839 to 1.000'
    """
    if not 0 <= wins <= n:
        raise ValueError(f"{wins} wins of {n} trials cannot be")
    return _wilson(wins / n, n, z) if n else Interval(0.0, 1.0)


def _wilson(rate: float, n: float, z: float) -> Interval:
    # The roots p of (rate - p)^2 = z^2 p (1 - p) / n.
    slack = z * z / n
    centre = (rate + slack / 2) / (1 + slack)
    reach = math.sqrt(slack * (rate * (1 - rate) + slack / 4)) / (1 + slack)
    # Rounding must push neither the rate out of its interval nor an end out of [0, 1].
    return Interval(max(0.0, min(rate, centre - reach)), min(1.0, max(rate, centre + reach)))


def pair_spread(pairs: Pairs) -> float:
    """Variance of the pair scores over m(1-m), in (0, 1], with two imaginary pairs at 1/2."""
    n, mean = pairs.number, pairs.mean
    widest = mean * (1 - mean)
    if n == 0 or widest == 0:
        return INDEPENDENT
    squares = sum(count * (i / 4 - mean) ** 2 for i, count in enumerate(pairs))
    ratio = (squares / widest + IMAGINARY_PAIRS * INDEPENDENT) / (n - 1 + IMAGINARY_PAIRS)
    return min(1.0, ratio)


def pair_interval(pairs: Pairs, z: float = Z95) -> Interval:
    """Computes the score's interval with pairs as the unit.

    It is Wilson's for as many trials as the pairs are worth: the roots p of
    (m - p)^2 = z^2 r p (1 - p) / n with n pairs of mean m and spread r.
    It contains m, stays in [0, 1], approaches m +- z se for many pairs, and after a clean sweep
    equals Wilson's interval for 2n games.
    """
    if not pairs.number:
        return Interval(0.0, 1.0)
    return _wilson(pairs.mean, pairs.number / pair_spread(pairs), z)


def bootstrap(pairs: Pairs, samples: int = 10_000, seed: int = 1, level: float = 0.95) -> Interval:
    """The score's percentile interval by drawing pairs with replacement.

    A check on `pair_interval` for many pairs; after a clean sweep it collapses, as any bootstrap.
    """
    n = pairs.number
    if not n:
        return Interval(0.0, 1.0)
    counts = np.array(pairs, dtype=np.float64)
    drawn = np.random.default_rng(seed).multinomial(n, counts / n, size=samples)
    scores = drawn @ np.arange(5) / (4 * n)
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def expected_score(difference: float) -> float:
    """Gives the score that a lead in Elo predicts.

    >>> round(expected_score(100), 2)
    0.64
    """
    return 1 / (1 + 10 ** (-difference / 400))


def elo(score: float, games: int) -> float:
    """Computes the Elo difference of a score over a number of games, always finite.

    It is -400 log10(1/s - 1). The score is first held within [1/2, n + 1/2] points of n + 1, the
    mean that Jeffreys' prior leaves after a clean sweep: 200 wins of 200 read as 200.5 of 201,
    +1041.

    >>> round(elo(0.75, games=100)), round(elo(1.0, games=200))
    (191, 1041)
    """
    return _elo_between(score, 0.5 / (games + 1))


def elo_interval(interval: Interval, games: int) -> Interval:
    """The Elo differences of a score's interval, always finite.

    Ends at 0 or 1 are held where Jeffreys' posterior after a clean sweep has its 97.5 % point,
    about 0.00049 / (n + 1/2) from the end: far out, since nothing bounds the difference there.
    """
    end = 0.00049 / (games + 0.5)
    return Interval(_elo_between(interval.low, end), _elo_between(interval.high, end))


def _elo_between(score: float, margin: float) -> float:
    score = min(max(score, margin), 1 - margin)
    return 400 * math.log10(score / (1 - score))


Decision = Literal["accept", "reject", "continue"]


@dataclass(frozen=True)
class SPRT:
    """Wald's sequential test of "the difference is elo1" against "it is elo0", pair by pair.

    `accept` means elo1 is accepted. `alpha` bounds the chance to accept when elo0 is true, `beta`
    the chance to reject when elo1 is. Both are approximate: the pairs' distribution is taken as
    normal with the variance seen so far.

    >>> SPRT(elo0=0, elo1=50).decide(Pairs(two=3)), SPRT(elo0=0, elo1=50).decide(Pairs(two=30))
    ('continue', 'accept')
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0} and {self.elo1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta lie in (0, 0.5), not {self.alpha}, {self.beta}")

    @classmethod
    def parse(cls, text: str) -> SPRT:
        """From `elo0,elo1`; ParseError if it is not two numbers, the smaller first.

        >>> SPRT.parse("0,10").elo1
        10.0
        """
        try:
            low, high = (float(part) for part in text.split(","))
            if math.isfinite(low) and math.isfinite(high):
                return cls(low, high)
        except ValueError:
            pass
        raise ParseError(
            f"a sequential test takes two Elo differences, the smaller first, as in 0,10; not "
            f"{quoted(text)}"
        )

    @property
    def bounds(self) -> Interval:
        """Reject below the first, accept above the second: +-2.944 for alpha = beta = 0.05."""
        return Interval(
            math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        )

    def log_likelihood_ratio(self, pairs: Pairs) -> float:
        """n (s1 - s0)(2s - s0 - s1) / (2 v) over n pairs of mean s and variance v.

        The variance is the spread times p(1-p) at p between the hypotheses, not at s: a streak of
        wins would otherwise shrink it, and with it the proof that is asked for.
        """
        s0, s1 = expected_score(self.elo0), expected_score(self.elo1)
        middle = (s0 + s1) / 2
        variance = pair_spread(pairs) * middle * (1 - middle)
        return pairs.number * (s1 - s0) * (pairs.mean - middle) / variance

    def decide(self, pairs: Pairs) -> Decision:
        """What the pairs so far allow to say."""
        ratio = self.log_likelihood_ratio(pairs)
        low, high = self.bounds
        return "accept" if ratio >= high else "reject" if ratio <= low else "continue"


def expected_games(test: SPRT, draws: float = 0.0) -> float:
    """How many games the test takes on average when elo1 is true, by Wald's approximation.

    Independent games, `draws` of them drawn: a game's variance is (1 - draws)/4.
    """
    low, high = test.bounds
    gap = expected_score(test.elo1) - expected_score(test.elo0)
    per_game = gap**2 / (2 * _game_variance(draws))
    return ((1 - test.beta) * high + test.beta * low) / per_game


def sample_size(rate: float, other: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Counts the games per arm that tell two win rates apart: two-sided z-test, independent arms.

    >>> sample_size(0.5, 0.6)
    388
    """
    if rate == other:
        raise ValueError("equal rates cannot be told apart by any number of games")
    normal = NormalDist()
    middle = (rate + other) / 2
    under_null = normal.inv_cdf(1 - alpha / 2) * math.sqrt(2 * middle * (1 - middle))
    under_other = normal.inv_cdf(power) * math.sqrt(rate * (1 - rate) + other * (1 - other))
    return math.ceil(((under_null + under_other) / (rate - other)) ** 2)


def games_for_half_width(half_width: float, draws: float = 0.0) -> int:
    """Counts the games between equals until the 95 % interval is as narrow as this, in Elo.

    >>> games_for_half_width(10)
    4640
    """
    reach = expected_score(half_width) - 0.5
    return math.ceil(Z95**2 * _game_variance(draws) / reach**2)


def _game_variance(draws: float) -> float:
    if not 0 <= draws < 1:
        raise ValueError(f"the share of draws lies in [0, 1), not {draws}")
    return (1 - draws) / 4
