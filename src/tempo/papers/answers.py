"""The answer to a paper: rows of what it claims, what we have beside it, verdict and reason.

A row is made here from its figures; a paper adds fields of its own. The rules stand in `verdicts`.
A published figure is counted once: rows that judge it again under another reading, or at another
budget, are made `uncounted`. Where it comes from one training, and ours from `runs` of them, it is
as uncertain as one of ours, whatever its games say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tempo.arena.statistics import wilson
from tempo.papers import verdicts
from tempo.papers.judging import Effect, Mean, Row, holm
from tempo.papers.verdicts import EQUAL, Verdict

Results = Mapping[str, Any]


# Rows


def row(
    claim: str, published: float | None, ours: Mean | None, games: int, verdict: Verdict,
    kind: str, *, least: float = 0.0, most: float | None = None,
) -> Row:  # fmt: skip
    """What every claim has; ours is cut to what is possible."""
    return {
        "claim": claim,
        "published": published,
        **interval(ours, least, most),
        "games": games,
        "verdict": verdict.word,
        "reason": verdict.reason,
        "counted": True,
        "kind": kind,
    }


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


def level(
    claim: str, published: float, ours: Mean | None, games: int, floor: float | None = None, *,
    most: float | None = 1.0, error: float = 0.0, runs: int = 0, stand_in: bool = False,
) -> Row:  # fmt: skip
    """A share, of games won or the like; `floor` is that of who has learnt nothing.

    `error` is half the interval of the published figure by its games. Against a stand-in for the
    paper's opponent no level can be tested.
    """
    verdict = verdicts.of_level(ours, published, floor, math.hypot(error, of_one(ours, runs)))
    if stand_in and ours is not None:
        verdict = verdicts.STAND_IN
    return row(claim, round(published, 4), ours, games, verdict, "level", most=most)


def value(
    claim: str, published: float, ours: Mean | None, games: int, *, error: float = 0.0,
    runs: int = 0,
) -> Row:  # fmt: skip
    """A number that is no share, as moves a game: judged by its ratio to the published one."""
    if ours is not None and published == 0:
        verdict = verdicts.of_count(ours.high, 0)
        if ours.low <= 0 < ours.high:
            verdict = Verdict("undecided", "our interval holds 0, but also more")
    else:
        ratio = ours and Mean(ours.value / published, ours.low / published, ours.high / published)
        unsure = math.hypot(error / published, of_one(ratio, runs)) if ratio else 0.0
        verdict = verdicts.of_level(ratio, 1.0, error=unsure)
    return row(claim, round(published, 2), ours, games, verdict, "value")


def difference(
    claim: str, published: float | None, effect: Effect | None, games: int, *,
    error: float = 0.0, runs: int = 0, stand_in: bool = False, **more: str,
) -> Row:  # fmt: skip
    """Between two arms, or the lead of one. Where no number is published it must lie above 0.

    Between levels against a stand-in for the paper's opponent only the sign is tested. One that is
    tested has a p, which `adjust` corrects for their number. A published difference below EQUAL
    claims that there is none, which no p can show.
    """
    mean = effect.mean if effect else None
    if published is None:
        made = row(claim, None, mean, games, verdicts.of_sign(mean), "difference", least=-math.inf)
    else:
        unsure = math.hypot(error, of_one(mean, runs))
        verdict = verdicts.of_difference(mean, published, unsure)
        if stand_in:
            verdict = verdicts.of_side(mean, published)
        made = row(claim, round(published, 4), mean, games, verdict, "difference", least=-math.inf)
    if published is None or abs(published) >= EQUAL:
        made |= tested(effect)
    return made | more


def count(claim: str, published: float, ours: float | None) -> Row:
    """A number that is the same or is not."""
    exact = None if ours is None else Mean(ours, ours, ours)
    made = row(claim, published, exact, 0, verdicts.of_count(ours, published), "count")
    return made | {"ours": ours, "low": ours, "high": ours}  # as many digits as it has


def uncounted(made: Row, reading: str) -> Row:
    """The same published figure again, under another reading or at another budget."""
    return made | {"counted": False, "reading": reading}


def tested(effect: Effect | None) -> Row:
    """The fields from which Holm's correction and a verdict are made."""
    return {"effect": effect, "p": effect.p if effect else 1.0}


# What published counts can tell


def published_interval(count: int, games: int) -> Row:
    """What a published count can tell by itself: Wilson's interval."""
    low, high = wilson(count, games)
    return {"published_low": round(low, 3), "published_high": round(high, 3)}


def published_error(*counts: tuple[int, int]) -> float:
    """Half the interval of a published share, or of a difference of several: (count, games)."""
    return math.hypot(*((high - low) / 2 for low, high in (wilson(*pair) for pair in counts)))


def of_one(ours: Mean | None, runs: int) -> float:
    """Half the interval of one training, from that of the mean of several."""
    return ours.width / 2 * math.sqrt(runs) if ours else 0.0


# Answers


def answer_of(results: Results, rows: list[Row], *more: str) -> Row:
    """Makes what `tempo reproduce --json` prints: claims with verdicts, their origin and cost.

    `more` names further parts of the stored results.
    """
    kept = ("ledger", "training", "playing", "quick", "command", "wall_seconds", *more)
    return {
        **{name: results[name] for name in ("paper", "commit", "seeds")},
        "rows": rows,
        **{name: results[name] for name in kept},
    }


def answer_of_tables(results: Results, tables: Mapping[str, list[Row]], *more: str) -> Row:
    """The same of claims by table, differences adjusted over all of them."""
    rows = [{**row, "table": name} for name, found in tables.items() for row in found]
    adjust([row for row in rows if "p" in row])
    return answer_of(results, rows, *more)


def adjust(tested: Sequence[Row]) -> None:
    """Holm's correction over all differences, and what is left of their verdicts."""
    for made, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
        made["p_holm"] = round(p, 4)
        effect: Effect | None = made.pop("effect")
        if made["published"] is None:
            verdict = verdicts.of_effect(effect, p)
        else:
            verdict = verdicts.adjusted(Verdict(made["verdict"], made["reason"]), p)
        made |= {"verdict": verdict.word, "reason": verdict.reason}
