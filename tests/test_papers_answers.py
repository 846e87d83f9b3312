"""The rows that all papers' answers are made of, by hand."""

from __future__ import annotations

import pytest

from tempo.papers import answers
from tempo.papers.judging import EQUAL, Effect, Mean

FULL = {"quick": False}


def test_a_level_is_a_share_and_is_cut_to_one() -> None:
    row = answers.level(FULL, "wins", 2 / 3, Mean(0.95, 0.88, 1.02), 40, 0.5)
    assert row == {
        "claim": "wins", "published": 0.6667, "ours": 0.95, "low": 0.88, "high": 1.0, "games": 40,
        "verdict": "same direction", "kind": "level",
    }  # fmt: skip
    # Without a floor there is no direction; a number above 1 need not be a share.
    free = answers.level(FULL, "efficiency", 2 / 3, Mean(0.95, 0.88, 1.02), 40, most=None)
    assert (free["high"], free["verdict"]) == (1.02, "not reproduced")


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        (200.0, Mean(205.0, 195.0, 215.0), "reproduced"),
        (200.0, Mean(215.0, 205.0, 225.0), "not reproduced"),
        (200.0, None, "untestable"),
        (0.0, Mean(0.0, 0.0, 0.0), "reproduced"),
        (0.0, Mean(0.1, 0.0, 0.2), "not reproduced"),
        (0.0, None, "untestable"),
    ],
)
def test_a_number_is_judged_by_its_ratio(published: float, ours: Mean | None, verdict: str) -> None:
    row = answers.value(FULL, "moves a game", published, ours, 40)
    assert (row["published"], row["verdict"], row["kind"]) == (published, verdict, "value")
    assert row["ours"] == (ours and ours.value)


def test_a_published_difference_that_is_none_has_no_p() -> None:
    effect = Effect(Mean(-0.01, -0.03, 0.01), 0.3)
    none = answers.difference(FULL, "alike", EQUAL - 0.001, effect, 40)
    assert none["verdict"] == "reproduced"
    assert "p" not in none
    some = answers.difference(FULL, "apart", EQUAL, effect, 40, reading="printed")
    assert (some["verdict"], some["p"], some["reading"]) == ("not reproduced", 0.3, "printed")
    assert some["low"] == -0.03  # a difference may lie below 0


def test_a_difference_without_a_number_waits_for_the_correction() -> None:
    row = answers.difference(FULL, "more", None, Effect(Mean(0.2, 0.1, 0.3), 0.01), 40)
    assert (row["published"], row["verdict"], row["p"]) == (None, "", 0.01)
    missing = answers.difference(FULL, "more", None, None, 0)
    assert (missing["ours"], missing["p"], missing["effect"]) == (None, 1.0, None)


def test_a_published_count_has_wilson_s_interval() -> None:
    assert answers.published_interval(22, 30) == {"published_low": 0.556, "published_high": 0.858}
