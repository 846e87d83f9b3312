"""Intervals, Elo, sequential tests and sample sizes against hand-worked and published numbers."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tempo.arena import statistics
from tempo.arena.statistics import SPRT, Interval, Pairs

STEADY = settings(deadline=None, derandomize=True)  # same examples, no clock

PAIRS = st.builds(Pairs, *[st.integers(0, 400)] * 5)
SOME_PAIRS = PAIRS.filter(lambda pairs: pairs.number > 0)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        (23, 100, 0.158, 0.322),
        (128, 200, 0.571, 0.703),
        (68, 200, 0.278, 0.408),
        (13, 30, 0.274, 0.608),
        (22, 30, 0.556, 0.858),
        (5, 20, 0.112, 0.469),
    ],
)
def test_wilson_gives_the_intervals_of_the_published_rates(
    wins: int, n: int, low: float, high: float
) -> None:
    found = statistics.wilson(wins, n)
    assert (round(found.low, 3), round(found.high, 3)) == (low, high)


def test_wilson_by_hand() -> None:
    # 1 of 1 with z = 2: (1 + 2 +- 2 sqrt(1)) / (1 + 4) gives 1/5 and 1.
    assert statistics.wilson(1, 1, z=2) == pytest.approx((0.2, 1.0))
    assert statistics.wilson(0, 0) == (0, 1)
    with pytest.raises(ValueError, match="3 wins of 2 trials"):
        statistics.wilson(3, 2)


@STEADY
@given(st.integers(1, 5000), st.data())
def test_wilson_contains_the_rate_and_rises_with_it(n: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, n - 1))
    here, more = statistics.wilson(wins, n), statistics.wilson(wins + 1, n)
    assert 0 <= here.low <= wins / n <= here.high <= 1
    assert here.low < here.high
    assert here.low < more.low
    assert here.high < more.high


def test_pairs_count_points() -> None:
    pairs = Pairs.of([2, 2, 1, 0.5, 1.5, 0])
    assert pairs == (1, 1, 1, 1, 2)
    assert pairs.number == 6
    assert pairs.mean == 7 / 12
    assert pairs.plus(Pairs(two=1)) == (1, 1, 1, 1, 3)
    assert pairs.swapped() == (2, 1, 1, 1, 1)
    for wrong in (2.5, 0.25, -1):
        with pytest.raises(ValueError, match="a pair gives"):
            Pairs.of([wrong])


def test_pair_spread_by_hand() -> None:
    # Two pairs, 2 and 0: m = 1/2, squared deviations 2 * 1/4, over m(1-m) = 1/4 that is 2; with two
    # imaginary pairs at 1/2: (2 + 1) / (2 - 1 + 2) = 1.
    assert statistics.pair_spread(Pairs(zero=1, two=1)) == pytest.approx(1.0)
    # Ten pairs that all split: (0 + 1) / (10 - 1 + 2).
    assert statistics.pair_spread(Pairs(one=10)) == pytest.approx(1 / 11)
    assert statistics.pair_spread(Pairs(two=7)) == 0.5
    assert statistics.pair_spread(Pairs()) == 0.5


@STEADY
@given(SOME_PAIRS)
def test_pair_interval_contains_the_score_and_has_width(pairs: Pairs) -> None:
    low, high = statistics.pair_interval(pairs)
    assert 0 <= low <= pairs.mean <= high <= 1
    assert high - low > 0


@STEADY
@given(SOME_PAIRS)
def test_pair_interval_is_the_same_from_both_sides(pairs: Pairs) -> None:
    low, high = statistics.pair_interval(pairs)
    assert statistics.pair_interval(pairs.swapped()) == pytest.approx((1 - high, 1 - low))


@STEADY
@given(SOME_PAIRS)
def test_pair_interval_narrows_with_more_of_the_same(pairs: Pairs) -> None:
    low, high = statistics.pair_interval(pairs)
    low4, high4 = statistics.pair_interval(Pairs(*(4 * count for count in pairs)))
    assert high4 - low4 < high - low


@pytest.mark.parametrize("n", [1, 5, 100])
def test_a_clean_sweep_reads_like_that_many_independent_games(n: int) -> None:
    assert statistics.pair_interval(Pairs(two=n)) == pytest.approx(statistics.wilson(2 * n, 2 * n))


def test_pair_interval_approaches_the_plain_one_and_the_bootstrap() -> None:
    pairs = Pairs(1000, 2000, 3000, 2500, 1500)
    scores = np.repeat(np.arange(5) / 4, pairs)
    plain = 1.96 * scores.std(ddof=1) / math.sqrt(len(scores))
    expected = (scores.mean() - plain, scores.mean() + plain)
    assert statistics.pair_interval(pairs) == pytest.approx(expected, abs=1e-4)
    assert statistics.bootstrap(pairs) == pytest.approx(expected, abs=4e-4)
    assert statistics.bootstrap(pairs, seed=5) == statistics.bootstrap(pairs, seed=5)
    assert statistics.bootstrap(Pairs()) == (0, 1)


def simulated_pairs(rng: np.random.Generator, size: int, win: float, draw: float) -> list[int]:
    games = rng.choice(3, p=[1 - win - draw, draw, win], size=(size, 2))
    return [int(points) for points in games.sum(axis=1)]


def counts(doubled_points: list[int]) -> Pairs:
    return Pairs(*np.bincount(doubled_points, minlength=5).tolist())


@pytest.mark.parametrize("pairs", [8, 16, 50])
@pytest.mark.parametrize(("win", "draw"), [(0.5, 0.0), (0.8, 0.0), (0.95, 0.0), (0.35, 0.5)])
def test_pair_interval_covers_what_it_says(pairs: int, win: float, draw: float) -> None:
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(600):
        low, high = statistics.pair_interval(counts(simulated_pairs(rng, pairs, win, draw)))
        covered += low <= win + draw / 2 <= high
    assert 0.91 <= covered / 600 <= 0.995


def test_elo_by_hand() -> None:
    assert statistics.elo(0.5, 100) == 0
    assert statistics.elo(10 / 11, 1000) == pytest.approx(400)
    assert statistics.expected_score(400) == pytest.approx(10 / 11)
    # 200 of 200 reads as 200.5 of 201: 400 log10(401).
    assert statistics.elo(1.0, 200) == pytest.approx(400 * math.log10(401))
    assert statistics.elo(0.0, 200) == pytest.approx(-400 * math.log10(401))


@STEADY
@given(SOME_PAIRS)
def test_elo_is_finite_and_inside_its_interval(pairs: Pairs) -> None:
    games = 2 * pairs.number
    low, high = statistics.elo_interval(statistics.pair_interval(pairs), games)
    point = statistics.elo(pairs.mean, games)
    assert all(math.isfinite(value) for value in (low, point, high))
    assert low <= point <= high
    assert low < high


@STEADY
@given(st.integers(2, 2000), st.data())
def test_elo_rises_with_the_score(games: int, data: st.DataObject) -> None:
    half_points = sorted(data.draw(st.lists(st.integers(0, 2 * games), min_size=2, max_size=6)))
    values = [statistics.elo(points / (2 * games), games) for points in half_points]
    assert all(low <= high for low, high in pairwise(values))


def test_elo_ends_after_a_sweep_lie_beyond_the_estimate() -> None:
    low, high = statistics.elo_interval(Interval(200 / 203.84, 1.0), 200)
    assert low == pytest.approx(400 * math.log10(200 / 3.84))
    assert high > statistics.elo(1.0, 200) + 500


@pytest.mark.parametrize(
    ("elo1", "expected"),
    [
        (100, (67, 47, 27)),  # by draw rate 0, 30, 60 %
        (50, (259, 181, 103)),
        (35, (525, 368, 210)),
        (20, (1602, 1121, 641)),
        (10, (6400, 4480, 2560)),
    ],
)
def test_expected_games_of_the_sequential_test(elo1: float, expected: tuple[int, ...]) -> None:
    found = [statistics.expected_games(SPRT(0, elo1), draws) for draws in (0.0, 0.3, 0.6)]
    assert found == pytest.approx(expected, rel=0.01)


def test_sprt_by_hand() -> None:
    test = SPRT(0, 100)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    # 40 pairs, half won 2-0 and half 1-1: s = 3/4, s1 = 0.640065, middle p = 0.570033; squared
    # deviations 40/16 over 3/16 is 13.33; spread (13.33 + 1) / 41 = 0.349593.
    variance = 0.349593 * 0.570033 * 0.429967
    expected = 40 * 0.140065 * (0.75 - 0.570033) / variance
    assert test.log_likelihood_ratio(Pairs(one=20, two=20)) == pytest.approx(expected, rel=1e-4)
    assert test.decide(Pairs(one=20, two=20)) == "accept"
    assert test.decide(Pairs(one=20, zero=20)) == "reject"
    assert test.decide(Pairs()) == "continue"
    assert test.decide(Pairs(two=2)) == "continue"
    with pytest.raises(ValueError, match="elo0 must be below elo1"):
        SPRT(10, 10)
    with pytest.raises(ValueError, match="alpha and beta"):
        SPRT(alpha=0.0)


@pytest.mark.parametrize(("true_elo", "draw"), [(0, 0.0), (100, 0.0), (0, 0.4), (100, 0.4)])
def test_sprt_keeps_its_error_rates(true_elo: float, draw: float) -> None:
    test, rng, runs = SPRT(0, 100), np.random.default_rng(7), 300
    win = statistics.expected_score(true_elo) - draw / 2
    accepted = games = 0
    for _ in range(runs):
        pairs, decision = [0] * 5, "continue"
        for points in simulated_pairs(rng, 1000, win, draw):
            pairs[points] += 1
            if (decision := test.decide(Pairs(*pairs))) != "continue":
                break
        assert decision != "continue"
        accepted += decision == "accept"
        games += 2 * sum(pairs)
    # 5 % allowed; four standard errors of 300 runs are another 5 %.
    wrong = accepted if true_elo == 0 else runs - accepted
    assert wrong / runs <= 0.10
    assert games / runs == pytest.approx(statistics.expected_games(test, draw), rel=0.35)


@pytest.mark.parametrize(
    ("rate", "other", "eighty", "ninety"),
    [
        (0.19, 0.23, 1627, 2177),
        (0.15, 0.23, 377, 504),
        (0.15, 0.19, 1384, 1852),
        (0.17, 0.19, 5792, 7753),
        (0.66, 0.68, 8676, 11614),
        (0.65, 0.77, 224, 299),
        (0.48, 0.85, 25, 33),
        (0.50, 0.55, 1565, 2095),
        (0.50, 0.53, 4356, 5831),
    ],
)
def test_sample_sizes(rate: float, other: float, eighty: int, ninety: int) -> None:
    assert statistics.sample_size(rate, other) == pytest.approx(eighty, abs=1)
    assert statistics.sample_size(rate, other, power=0.9) == pytest.approx(ninety, abs=1)


def test_equal_rates_have_no_sample_size() -> None:
    with pytest.raises(ValueError, match="equal rates"):
        statistics.sample_size(0.5, 0.5)


@pytest.mark.parametrize(
    ("elo", "expected"), [(50, (189, 132, 76)), (20, (1162, 814, 465)), (10, (4640, 3248, 1856))]
)
def test_games_for_half_width(elo: float, expected: tuple[int, ...]) -> None:
    found = [statistics.games_for_half_width(elo, draws) for draws in (0.0, 0.3, 0.6)]
    assert found == pytest.approx(expected, abs=1)
    with pytest.raises(ValueError, match="share of draws"):
        statistics.games_for_half_width(elo, draws=1.0)
