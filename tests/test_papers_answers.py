"""The rows that all papers' answers are made of, by hand."""

from __future__ import annotations

import math

import pytest

from tempo.papers import answers
from tempo.papers.judging import Effect, Mean
from tempo.papers.reports import counts_of, verdict_counts
from tempo.papers.verdicts import EQUAL, WORDS


def test_a_level_is_a_share_and_is_cut_to_one() -> None:
    row = answers.level("wins", 0.75, Mean(0.95, 0.88, 1.02), 40, 0.5)
    assert row == {
        "claim": "wins", "published": 0.75, "ours": 0.95, "low": 0.88, "high": 1.0, "games": 40,
        "verdict": "same direction", "reason": "1.8 times the published effect", "counted": True,
        "kind": "level",
    }  # fmt: skip
    # Without a floor there is no direction; a number above 1 need not be a share.
    free = answers.level("efficiency", 2 / 3, Mean(0.95, 0.88, 1.02), 40, most=None)
    assert (free["high"], free["verdict"]) == (1.02, "refuted")


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        (200.0, Mean(205.0, 195.0, 215.0), "reproduced"),
        (200.0, Mean(215.0, 205.0, 225.0), "refuted"),
        (200.0, Mean(215.0, 180.0, 250.0), "undecided"),
        (200.0, None, "untestable"),
        (0.0, Mean(0.0, 0.0, 0.0), "reproduced"),
        (0.0, Mean(0.1, 0.0, 0.2), "undecided"),
        (0.0, Mean(0.1, 0.05, 0.15), "refuted"),
        (0.0, None, "untestable"),
    ],
)
def test_a_number_is_judged_by_its_ratio(published: float, ours: Mean | None, verdict: str) -> None:
    row = answers.value("moves a game", published, ours, 40)
    assert (row["published"], row["verdict"], row["kind"]) == (published, verdict, "value")
    assert row["ours"] == (ours and ours.value)


def test_a_published_difference_that_is_none_has_no_p() -> None:
    effect = Effect(Mean(-0.01, -0.03, 0.01), 0.3)
    none = answers.difference("alike", EQUAL - 0.001, effect, 40)
    assert none["verdict"] == "reproduced"
    assert "p" not in none
    some = answers.difference("apart", EQUAL, effect, 40, reading="printed")
    assert (some["verdict"], some["p"], some["reading"]) == ("undecided", 0.3, "printed")
    assert some["low"] == -0.03  # a difference may lie below 0


def test_a_difference_without_a_number_waits_for_the_correction() -> None:
    row = answers.difference("more", None, Effect(Mean(0.2, 0.1, 0.3), 0.01), 40)
    assert (row["published"], row["verdict"], row["p"]) == (None, "reproduced", 0.01)
    missing = answers.difference("more", None, None, 0)
    assert (missing["ours"], missing["p"], missing["effect"]) == (None, 1.0, None)


def test_a_published_count_has_wilson_s_interval() -> None:
    assert answers.published_interval(22, 30) == {"published_low": 0.556, "published_high": 0.858}


def test_a_published_difference_is_as_uncertain_as_its_counts_together() -> None:
    one, both = answers.published_error((22, 30)), answers.published_error((22, 30), (15, 30))
    assert one == pytest.approx((0.858 - 0.556) / 2, abs=1e-3)
    assert both == pytest.approx(math.hypot(one, answers.published_error((15, 30))))


def test_a_published_figure_of_one_training_is_as_uncertain_as_one_of_ours() -> None:
    ours = Mean(0.50, 0.46, 0.54)  # of four trainings: one of them would have ± 0.08
    assert answers.level("level", 0.57, ours, 0)["verdict"] == "refuted"
    assert answers.level("level", 0.57, ours, 0, runs=4)["verdict"] == "undecided"
    assert answers.level("level", 0.60, ours, 0, runs=4)["verdict"] == "refuted"


def test_levels_against_a_stand_in_are_shown_and_not_tested() -> None:
    row = answers.level("wins", 0.9, Mean(0.9, 0.88, 0.92), 40, stand_in=True)
    assert (row["ours"], row["verdict"]) == (0.9, "untestable")
    assert "stand-in" in row["reason"]


@pytest.mark.parametrize(
    ("ours", "p", "verdict"),
    [
        (Mean(0.02, 0.01, 0.03), 0.01, "same direction"),  # a fifteenth of the size
        (Mean(0.30, 0.25, 0.35), 0.01, "same direction"),  # the very size
        (Mean(0.02, 0.01, 0.03), 0.06, "undecided"),
        (Mean(0.00, -0.03, 0.03), 0.9, "undecided"),
        (Mean(-0.02, -0.03, -0.01), 0.01, "refuted"),
        (Mean(-0.02, -0.03, -0.01), 0.06, "undecided"),
    ],
)
def test_of_differences_against_a_stand_in_the_sign_is_tested(
    ours: Mean, p: float, verdict: str
) -> None:
    for sign in (1, -1):
        low, high = sorted((sign * ours.low, sign * ours.high))
        effect = Effect(Mean(sign * ours.value, low, high), p)
        row = answers.difference("wins more", sign * 0.3, effect, 40, stand_in=True)
        answers.adjust([row])
        assert row["verdict"] == verdict
    assert answers.difference("more", 0.3, None, 0, stand_in=True)["verdict"] == "untestable"


def test_a_published_figure_is_counted_once() -> None:
    row = answers.level("wins", 0.9, Mean(0.9, 0.88, 0.92), 40)
    rows = [row, answers.uncounted(row, "another reading")]
    assert counts_of(rows) == {word: int(word == "reproduced") for word in WORDS}
    assert verdict_counts({"rows": rows}) == (
        "1 claims: 1 reproduced. 1 more rows judge figures again, under other readings."
    )
    assert rows[1]["reading"] == "another reading"
