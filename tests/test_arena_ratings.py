"""Ratings of a pool: hand-worked, finite, centred on the anchor, honest about their spread."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tempo.arena import statistics
from tempo.arena.ratings import connected, misfits, rate
from tempo.arena.statistics import Pairs, expected_score

STEADY = settings(deadline=None, derandomize=True)  # same examples, no clock

COUNTS = st.builds(Pairs, *[st.integers(0, 30)] * 5)


def played(rng: np.random.Generator, difference: float, pairs: int) -> Pairs:
    points = rng.binomial(2, expected_score(difference), size=pairs)
    return Pairs.of(points.tolist())


def test_two_agents_by_hand() -> None:
    # 30 points of 40, and the imaginary draw: 30.5 of 41, so 400 log10(30.5 / 10.5).
    ratings = rate({("a", "b"): Pairs(zero=5, two=15)}, anchor="b", anchor_rating=1500)
    assert ratings["b"].rating == ratings["b"].low == ratings["b"].high == 1500
    assert ratings["a"].rating == pytest.approx(1500 + 400 * math.log10(30.5 / 10.5))
    assert ratings["a"].low < ratings["a"].rating < ratings["a"].high


def test_a_clean_sweep_rates_like_its_elo() -> None:
    ratings = rate({("a", "b"): Pairs(two=100)}, anchor="b")
    assert ratings["a"].rating == pytest.approx(statistics.elo(1.0, 200))
    assert math.isfinite(ratings["a"].low)


def test_the_anchor_shifts_everything_alike() -> None:
    results = {("a", "b"): Pairs(1, 2, 3, 4, 5), ("b", "c"): Pairs(5, 0, 5, 0, 9)}
    low, high = rate(results, "a"), rate(results, "a", 1000)
    assert [r.rating + 1000 for r in low.values()] == pytest.approx(
        [r.rating for r in high.values()]
    )
    other = rate(results, "c")
    assert low["a"].rating - low["b"].rating == pytest.approx(other["a"].rating - other["b"].rating)


def test_the_order_of_a_pairing_does_not_matter() -> None:
    pairs = Pairs(1, 2, 3, 4, 5)
    one = rate({("a", "b"): pairs, ("b", "c"): pairs}, "a")
    other = rate({("b", "a"): pairs.swapped(), ("c", "b"): pairs.swapped()}, "a")
    for name, rating in one.items():
        assert other[name].rating == pytest.approx(rating.rating)
        assert other[name].low == pytest.approx(rating.low)


@STEADY
@given(st.lists(COUNTS.filter(lambda pairs: pairs.number > 0), min_size=6, max_size=6))
def test_ratings_are_finite_and_inside_their_intervals(table: list[Pairs]) -> None:
    results = dict(zip(combinations("abcd", 2), table, strict=True))
    for rating in rate(results, "a").values():
        assert all(math.isfinite(x) for x in (rating.low, rating.rating, rating.high))
        assert rating.low <= rating.rating <= rating.high
        assert (rating.low == rating.high) == (rating.name == "a")


def test_known_strengths_are_found_and_covered() -> None:
    truth = {"a": 0.0, "b": 120.0, "c": -80.0, "d": 300.0}
    rng = np.random.default_rng(3)
    covered = total = 0
    for _ in range(150):
        results = {(x, y): played(rng, truth[x] - truth[y], 30) for x, y in combinations("abcd", 2)}
        ratings = rate(results, "a")
        covered += sum(ratings[n].low <= truth[n] <= ratings[n].high for n in "bcd")
        total += 3
    assert 0.91 <= covered / total <= 0.985


def test_agents_without_a_chain_of_games_have_no_rating() -> None:
    pairs = Pairs(one=3)
    results = {("a", "b"): pairs, ("c", "d"): pairs, ("b", "c"): Pairs()}
    assert connected(results, "a") == ["a", "b"]
    assert connected(results, "d") == ["c", "d"]
    assert connected({}, "a") == ["a"]
    with pytest.raises(ValueError, match="no chain of games joins c, d to the anchor a"):
        rate(results, "a")
    assert list(rate({}, "a")) == ["a"]


def test_a_circle_does_not_fit_one_scale() -> None:
    circle = {
        ("stone", "scissors"): Pairs(two=40, one=10),
        ("scissors", "paper"): Pairs(two=40, one=10),
        ("paper", "stone"): Pairs(two=40, one=10),
    }
    found = misfits(circle, rate(circle, "stone"))
    assert len(found) == 3
    assert found[0].score == pytest.approx(0.9)
    assert found[0].expected == pytest.approx(0.5)
    ladder = {("a", "b"): Pairs(3, 0, 14, 0, 13), ("b", "c"): Pairs(3, 0, 14, 0, 13)}
    assert misfits(ladder, rate(ladder, "a")) == []


@settings(STEADY, max_examples=10)
@given(st.lists(COUNTS, min_size=6, max_size=6))
def test_ratings_are_those_of_choix(counts: list[Pairs]) -> None:
    import choix  # noqa: PLC0415 - loads scipy

    names = "abcd"
    results = dict(zip(combinations(names, 2), counts, strict=True))
    if connected(results, "a") != list(names):
        return
    # Each half point is a comparison won; the imaginary draw is one each way.
    data: list[tuple[int, int]] = []
    for (one, other), pairs in results.items():
        a, b = names.index(one), names.index(other)
        if pairs.number:
            points = round(4 * pairs.number * pairs.mean)
            data += [(a, b)] * (points + 1) + [(b, a)] * (4 * pairs.number - points + 1)
    strengths = choix.opt_pairwise(4, data, tol=1e-10)
    expected = (strengths - strengths[0]) * 400 / math.log(10)
    found = [rate(results, "a")[name].rating for name in names]
    assert found == pytest.approx(expected, abs=0.05)
