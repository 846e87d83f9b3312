"""The rows of an answer: what a paper claims, what we have beside it, and the verdict.

A row is made here from its figures; a paper adds fields of its own. The rules stand in `judging`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tempo.arena.statistics import wilson
from tempo.papers.judging import (
    EQUAL,
    Effect,
    Mean,
    Row,
    difference_verdict,
    interval,
    level_verdict,
)

Results = Mapping[str, Any]


def row(
    claim: str, published: float | None, ours: Mean | None, games: int, verdict: str, kind: str, *,
    least: float = 0.0, most: float | None = None,
) -> Row:  # fmt: skip
    """What every claim has; ours is cut to what is possible."""
    return {
        "claim": claim,
        "published": published,
        **interval(ours, least, most),
        "games": games,
        "verdict": verdict,
        "kind": kind,
    }


def level(
    results: Results, claim: str, published: float, ours: Mean | None, games: int,
    floor: float | None = None, *, most: float | None = 1.0,
) -> Row:  # fmt: skip
    """A share, of games won or the like; `floor` is that of who has learnt nothing."""
    verdict = level_verdict(ours, published, floor, quick=results["quick"])
    return row(claim, round(published, 4), ours, games, verdict, "level", most=most)


def value(results: Results, claim: str, published: float, ours: Mean | None, games: int) -> Row:
    """A number that is no share, as moves a game: judged by its ratio to the published one."""
    if ours is not None and published == 0:
        verdict = "reproduced" if ours.high == 0 else "not reproduced"
    else:
        ratio = ours and Mean(ours.value / published, ours.low / published, ours.high / published)
        verdict = level_verdict(ratio, 1.0, None, quick=results["quick"])
    return row(claim, round(published, 2), ours, games, verdict, "value")


def difference(
    results: Results, claim: str, published: float | None, effect: Effect | None, games: int,
    **more: str,
) -> Row:  # fmt: skip
    """Between two arms, or the lead of one. Where no number is published it must lie above 0.

    One that is tested has a p, which `judging.adjust` corrects for their number. A published
    difference below EQUAL claims that there is none, which no p can show.
    """
    mean = effect.mean if effect else None
    size = None if published is None else round(published, 4)
    verdict = (
        "" if published is None else difference_verdict(mean, published, quick=results["quick"])
    )
    made = row(claim, size, mean, games, verdict, "difference", least=-math.inf) | more
    if published is None or abs(published) >= EQUAL:
        made |= tested(effect)
    return made


def tested(effect: Effect | None) -> Row:
    """The fields from which Holm's correction and a verdict are made."""
    return {"effect": effect, "p": effect.p if effect else 1.0}


def published_interval(count: int, games: int) -> Row:
    """What a published count can tell by itself: Wilson's interval."""
    low, high = wilson(count, games)
    return {"published_low": round(low, 3), "published_high": round(high, 3)}
