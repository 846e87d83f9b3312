"""Ratings of a pool: Bradley-Terry strengths on the Elo scale, with one agent as the anchor.

A draw counts half a win each way. Every pairing that met is given one imaginary drawn game, so a
clean sweep of n games rates like (n + 1/2)/(n + 1), the same as `statistics.elo`, and no rating is
infinite. Intervals are those of the fit with the pairs' own spread (a sandwich of the games'
information around the pairs' variance), relative to the anchor, whose rating is exact by decree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tempo.arena.statistics import Z95, Pairs, expected_score, pair_spread

__all__ = ["Misfit", "Rating", "connected", "misfits", "rate"]

ELO_PER_UNIT = 400 / math.log(10)  # one unit of log-odds
IMAGINARY_DRAWS = 1.0

Results = Mapping[tuple[str, str], Pairs]


@dataclass(frozen=True)
class Rating:
    """An agent's rating and its 95 % interval. The anchor's interval has no width."""

    name: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class Misfit:
    """A pairing whose score the ratings do not explain, in standard errors."""

    a: str
    b: str
    score: float
    expected: float
    errors: float


def connected(results: Results, anchor: str) -> list[str]:
    """The agents connected to the anchor by games; in order of appearance."""
    met = [pairing for pairing, pairs in results.items() if pairs.number]
    reached = {anchor}
    grown = True
    while grown:
        fresh = {name for pairing in met if reached & set(pairing) for name in pairing} - reached
        reached |= fresh
        grown = bool(fresh)
    order = dict.fromkeys(name for pairing in results for name in pairing)
    return [name for name in order if name in reached] or [anchor]


def rate(results: Results, anchor: str, anchor_rating: float = 0.0) -> dict[str, Rating]:
    """Rates every agent in `results`, which maps (a, b) to the pairs from a's side.

    Raises ValueError when some agent is not connected to the anchor by games: its rating would be
    a guess. Take the part that is (`connected`) when results are still coming in.

    >>> results = {("a", "b"): Pairs(one=5, two=5), ("b", "c"): Pairs(one=5, two=5)}
    >>> {name: round(rating.rating) for name, rating in rate(results, anchor="c").items()}
    {'c': 0, 'a': 360, 'b': 180}
    """
    names = list(dict.fromkeys([anchor, *(name for pairing in results for name in pairing)]))
    lost = [name for name in names if name not in connected(results, anchor)]
    if lost:
        raise ValueError(f"no chain of games joins {', '.join(lost)} to the anchor {anchor}")
    index = {name: i for i, name in enumerate(names)}
    table = [(index[a], index[b], pairs) for (a, b), pairs in results.items() if pairs.number]
    strengths = _fit(len(names), table)
    errors = _standard_errors(strengths, table)
    ratings = {}
    for name, strength, error in zip(names, strengths, errors, strict=True):
        rating = anchor_rating + ELO_PER_UNIT * float(strength)
        reach = Z95 * ELO_PER_UNIT * float(error)
        ratings[name] = Rating(name, rating, rating - reach, rating + reach)
    return ratings


def misfits(
    results: Results, ratings: Mapping[str, Rating], threshold: float = 3.0
) -> list[Misfit]:
    """Pairings whose score lies `threshold` standard errors or more from what the ratings predict.

    One scale of strength cannot hold a pool in which a beats b beats c beats a; this finds it.
    """
    found = []
    for (a, b), pairs in results.items():
        if not pairs.number or a not in ratings or b not in ratings:
            continue
        expected = expected_score(ratings[a].rating - ratings[b].rating)
        error = math.sqrt(pair_spread(pairs) * expected * (1 - expected) / pairs.number)
        errors = (pairs.mean - expected) / error
        if abs(errors) >= threshold:
            found.append(Misfit(a, b, pairs.mean, expected, errors))
    return sorted(found, key=lambda misfit: -abs(misfit.errors))


Table = list[tuple[int, int, Pairs]]
Vector = NDArray[np.float64]


def _gradient_and_information(strengths: Vector, table: Table) -> tuple[Vector, Vector]:
    size = len(strengths)
    gradient, information = np.zeros(size), np.zeros((size, size))
    for a, b, pairs in table:
        p = 1 / (1 + math.exp(strengths[b] - strengths[a]))
        games = 2 * pairs.number + IMAGINARY_DRAWS
        surplus = 2 * pairs.number * pairs.mean + IMAGINARY_DRAWS / 2 - games * p
        gradient[a] += surplus
        gradient[b] -= surplus
        _add_difference(information, a, b, games * p * (1 - p))
    return gradient, information


def _add_difference(matrix: Vector, a: int, b: int, weight: float) -> None:
    matrix[a, a] += weight
    matrix[b, b] += weight
    matrix[a, b] -= weight
    matrix[b, a] -= weight


def _fit(size: int, table: Table) -> Vector:
    # Newton's method on a concave likelihood; entry 0 is the anchor and stays 0. Steps are held to
    # two units of log-odds, for far from the top the likelihood is too flat for a full step.
    strengths = np.zeros(size)
    for _ in range(200):
        gradient, information = _gradient_and_information(strengths, table)
        step = np.linalg.solve(information[1:, 1:], gradient[1:]) if size > 1 else np.zeros(0)
        largest = float(np.abs(step).max(initial=0.0))
        strengths[1:] += step * min(1.0, 2.0 / largest) if largest else 0.0
        if largest < 1e-10:
            break
    return strengths


def _standard_errors(strengths: Vector, table: Table) -> Vector:
    errors = np.zeros(len(strengths))
    if len(strengths) == 1:
        return errors
    _, information = _gradient_and_information(strengths, table)
    variance = np.zeros_like(information)
    for a, b, pairs in table:
        p = 1 / (1 + math.exp(strengths[b] - strengths[a]))
        _add_difference(variance, a, b, 4 * pairs.number * pair_spread(pairs) * p * (1 - p))
    inverse = np.linalg.inv(information[1:, 1:])
    covariance = inverse @ variance[1:, 1:] @ inverse
    errors[1:] = np.sqrt(np.diag(covariance))
    return errors
