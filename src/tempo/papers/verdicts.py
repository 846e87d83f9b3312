"""Verdicts on what a paper claims, each with its reason in a sentence.

reproduced      our interval holds the published figure, or our mean is within 0.05 of it; for a
                level the interval is no wider than 0.20, for a difference it leaves out 0
same direction  our interval lies on the published side of no effect (the floor of a level, 0 for a
                difference), and the effect is between half and twice the published one, or the two
                agree within their errors
refuted         they do not agree: they are further apart than both sampling errors allow
undecided       our interval, or the published error, leaves room for both
untestable      fewer than two runs have the figure; or it rests on what cannot be had: the paper's
                opponents, its machine, people

Of a difference between levels against a stand-in the size is the stand-in's, as the levels are: one
who beats everybody leaves no difference. Its sign is tested: same direction, or refuted if it lies
on the other side of 0, if its p, adjusted for the number of claims, is below 0.05; else undecided.

A published difference below 0.03 claims that there is none: reproduced if our interval lies within
0.05 of 0, refuted if it leaves the published figure out. A claim without a number says that
something lies above 0: reproduced if our interval does and its p, adjusted for the number of
claims, is below 0.05; same direction without that p; refuted if the interval lies below 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tempo.papers.judging import Effect, Mean

CLOSE = 0.05
WIDE = 0.20
EQUAL = 0.03  # published differences below this claim no difference
SIGNIFICANT = 0.05
WORDS = ("reproduced", "same direction", "undecided", "refuted", "untestable")


@dataclass(frozen=True)
class Verdict:
    """One of `WORDS`, and why."""

    word: str
    reason: str


NO_RUNS = Verdict("untestable", "fewer than two runs have this figure")
STAND_IN = Verdict(
    "untestable", "the paper's opponent cannot be had, and a stand-in's level is ours"
)
HOLDS_0 = Verdict("undecided", "our interval holds 0")
BY_SIGN = (
    Verdict("same direction", "on the published side of 0; its size is the stand-in's"),
    Verdict("refuted", "on the other side of 0 than published"),
)
OTHER_MACHINE = Verdict("untestable", "times of another machine")
NO_PEOPLE = Verdict("untestable", "needs the people that the paper played against")
OWN_ERROR = Verdict("undecided", "apart, but within what the published figure's own error allows")
CALIBRATED = Verdict("untestable", "the stand-in was set by this figure")


def of_level(
    ours: Mean | None, published: float, floor: float | None = None, error: float = 0.0
) -> Verdict:
    """On a figure; `floor` is that of who has learnt nothing, `error` half the published interval.

    >>> of_level(Mean(0.84, 0.80, 0.88), 0.85).word
    'reproduced'
    >>> of_level(Mean(0.05, 0.02, 0.08), 0.43, floor=0.5, error=0.17).word
    'refuted'
    """
    if ours is None:
        return NO_RUNS
    if _found(ours, published) and ours.width <= WIDE:
        return Verdict("reproduced", "our interval holds it, or our mean is within 0.05")
    return _beyond(ours, published, floor, error)


def of_difference(ours: Mean | None, published: float, error: float = 0.0) -> Verdict:
    """On how far one arm is ahead of another."""
    if ours is None:
        return NO_RUNS
    if abs(published) < EQUAL:
        return _of_equality(ours, published, error)
    if _found(ours, published) and _on_its_side(ours, published, 0.0):
        return Verdict("reproduced", "our interval leaves out 0 and agrees in size")
    return _beyond(ours, published, 0.0, error)


def of_side(ours: Mean | None, published: float) -> Verdict:
    """On how far one arm is ahead of another against a stand-in: its sign."""
    if ours is None:
        return NO_RUNS
    same, other = BY_SIGN
    if _on_its_side(ours, published, 0.0):
        return same
    return other if _on_its_side(ours, -published, 0.0) else HOLDS_0


def of_effect(effect: Effect | None, p_adjusted: float | None) -> Verdict:
    """On something that is said to lie above 0, tested together with others."""
    if effect is None:
        return NO_RUNS
    if effect.mean.low > 0:
        if p_adjusted is not None and p_adjusted < SIGNIFICANT:
            return Verdict("reproduced", "our interval lies above 0, and so it stays when adjusted")
        return Verdict("same direction", "our interval lies above 0, but not when adjusted")
    return of_sign(effect.mean)


def of_sign(ours: Mean | None) -> Verdict:
    """On something that is said to lie above 0, tested alone."""
    if ours is None:
        return NO_RUNS
    if ours.low > 0:
        return Verdict("reproduced", "our interval lies above 0")
    if ours.high < 0:
        return Verdict("refuted", "our interval lies below 0")
    return HOLDS_0


def of_count(ours: float | None, published: float) -> Verdict:
    """On a number that is the same or is not."""
    if ours is None:
        return Verdict("untestable", "nothing was counted")
    same = ours == published
    return Verdict("reproduced", "equal") if same else Verdict("refuted", "not equal")


def adjusted(verdict: Verdict, p_adjusted: float) -> Verdict:
    """What is left of a verdict on a difference when others were tested beside it."""
    if verdict.word == "reproduced" and p_adjusted >= SIGNIFICANT:
        return Verdict("same direction", "agrees in size, but its adjusted p is not below 0.05")
    if verdict in BY_SIGN and p_adjusted >= SIGNIFICANT:
        return Verdict("undecided", "its adjusted p is not below 0.05")
    return verdict


def _found(ours: Mean, published: float) -> bool:
    return ours.holds(published) or abs(ours.value - published) <= CLOSE


def _agree(ours: Mean, published: float, error: float) -> bool:
    """Whether two figures are no further apart than their errors allow together."""
    reach = ours.high - ours.value if published > ours.value else ours.value - ours.low
    return abs(ours.value - published) <= max(math.hypot(reach, error), CLOSE)


def _on_its_side(ours: Mean, published: float, zero: float) -> bool:
    return ours.low > zero if published > zero else ours.high < zero


def _of_equality(ours: Mean, published: float, error: float) -> Verdict:
    if ours.low >= -CLOSE and ours.high <= CLOSE:
        return Verdict("reproduced", "our interval lies within 0.05 of 0")
    if ours.holds(published):
        return Verdict("undecided", "our interval holds no difference, but also larger ones")
    if _agree(ours, published, error):
        return OWN_ERROR
    return Verdict("refuted", "our interval leaves out that there is no difference")


def _beyond(ours: Mean, published: float, zero: float | None, error: float) -> Verdict:
    """What is left where a figure is not reproduced."""
    agree = _agree(ours, published, error)
    if zero is not None and published != zero and _on_its_side(ours, published, zero):
        share = (ours.value - zero) / (published - zero)
        if agree or 0.5 <= share <= 2:
            return Verdict("same direction", f"{share:.1f} times the published effect")
    if not agree:
        return Verdict("refuted", "further apart than both sampling errors allow")
    if not ours.holds(published):
        return OWN_ERROR
    if zero is not None and ours.holds(zero):
        return Verdict("undecided", f"our interval holds both it and {zero:g}")
    return Verdict("undecided", "our interval holds it, but is too wide")
