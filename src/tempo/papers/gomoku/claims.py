"""What the runs say about each claim of the Gomoku papers.

Scores are points won, draws half. Where a critic was learnt, the training is the unit: means over
trainings with Student's 95 % interval, never surer than their games allow. Where nothing was learnt
(HMCTS against UCT), the pair of games is. Levels have an even match, 0.5, for the floor; moves per
game are judged as a share of the published number. Differences are taken seed by seed, and their p
are adjusted by Holm's method. The rules of the verdicts stand in `verdicts`.

The papers' opponent cannot be had: levels against stand-ins are shown, and untestable; of
differences between methods against the same stand-in the sign is tested. Times were taken on
another machine: they are shown, and untestable, but for their ratios.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tempo.papers import answers, verdicts
from tempo.papers.gomoku.plan import STEADY
from tempo.papers.gomoku.published import (
    CASE_GAMES,
    CASES,
    CORRECT,
    CROSS_GAMES,
    CROSS_WON,
    EARLY_GAMES,
    EARLY_WON,
    LADDER_GAMES,
    LADDER_WON,
    LEVELS,
    METHODS,
    MOVES,
    SHARE,
    SHARES,
    ST,
    STILL,
    TIMES,
    UCT_GAMES,
    UCT_WON,
    WATCHED,
    WATCHED_MOVES,
)
from tempo.papers.gomoku.tables import (
    Results,
    Row,
    Rows,
    at,
    curve,
    ladder_matches,
    matches_of,
    milliseconds,
    over_trainings,
    scores,
)
from tempo.papers.judging import (
    effect_of,
    games_of,
    mean_of,
    minus,
    pooled,
    widened,
)

EVEN = 0.5
PUPIL_NAMES = {"taught": "self-teaching", "watching": "watching"}


# Claims


def answer(results: Results) -> Row:
    """All claims with verdicts, as `tempo reproduce --json` prints them."""
    made = {
        "cases": _cases, "curves": _curves, "uct": _uct, "cross": _cross, "ladder": _ladder,
        "shares": _shares, "times": _times,
    }  # fmt: skip
    done = bool(matches_of(results, "cross", "adp hmcts"))  # the part that has the tables
    tables = {name: make(results) for name, make in made.items() if done}
    found = answers.answer_of_tables(results, tables)
    found["rows"] += _steady(results)
    return found


def _cases(results: Results) -> list[Row]:
    """The five variants against three levels."""
    rows = []
    for case, of in CASES.items():
        for level, won in of.won.items():
            found = matches_of(results, "cases", f"{case} {level}")
            claim = f"Case {of.number} ({of.name}) against the {level} (stand-in)"
            rows.append(_level(claim, won, CASE_GAMES, found, stand_in=True))
    early = matches_of(results, "early", f"{ST} beginner")
    trained = f"{EARLY_GAMES // 1000 * results['iteration']:,}"
    claim = f"Case 1 after {trained} games against the beginner (stand-in)"
    rows.append(_level(claim, EARLY_WON, CASE_GAMES, early, stand_in=True))

    def less(one: Rows, other: Rows, claim: str, won: int, other_won: int) -> Row:
        return _less(one, other, f"{claim} (stand-in)", won, other_won, CASE_GAMES)

    first = {level: matches_of(results, "cases", f"{ST} {level}") for level in LEVELS}
    for case in ("no_turn", "board"):
        other = matches_of(results, "cases", f"{case} beginner")
        number = CASES[case].number
        rows.append(less(first["beginner"], other,
                         f"Case 1 less case {number} against the beginner",
                         CASE_GAMES, 0))  # fmt: skip
    counts = matches_of(results, "cases", "counts dilettante")
    both = (CASES[ST].won["dilettante"], CASES["counts"].won["dilettante"])
    claim = "Case 1 less case 2 against the dilettante"
    rows.append(less(first["dilettante"], counts, claim, *both))
    claim = f"Case 1 less itself after {trained} games against the beginner"
    rows.append(less(first["beginner"], early, claim, CASE_GAMES, EARLY_WON))
    return rows


def _curves(results: Results) -> list[Row]:
    """Self-teaching against watching."""
    rows = []
    thousand = results["iteration"]
    correct = {case: curve(results, case, "correct") for case in PUPIL_NAMES}
    for case, name in PUPIL_NAMES.items():
        for k, published in CORRECT[case].items():
            claim = f"Moves equal to ST-Gomoku's, {name}, {k * thousand:,} games"
            rows.append(_point(results, claim, published, at(correct[case], k)))
    last = {case: at(correct[case], 80) for case in PUPIL_NAMES}
    trainings = len(results["seeds"])
    compared = 2 * thousand * trainings  # games behind a difference of two points
    gap = CORRECT["taught"][80] - CORRECT["watching"][80]
    claim = "Moves equal to ST-Gomoku's: self-teaching less watching at the end"
    rows.append(
        answers.difference(claim, gap, effect_of(minus(last["taught"], last["watching"])), compared)
    )
    after = f"after {STILL * thousand:,} games"
    gains = {case: minus(last[case], at(correct[case], STILL)) for case in PUPIL_NAMES}
    # Between its printed points at 20,000 and 80,000 games self-teaching gains 0.16.
    gap = CORRECT["taught"][80] - CORRECT["taught"][20]
    claim = f"Moves equal to ST-Gomoku's: self-teaching gains {after}"
    rows.append(
        answers.difference(claim, gap, effect_of(gains["taught"]), compared, runs=trainings)
    )
    claim = f"Moves equal to ST-Gomoku's: watching stays where it is {after}"
    rows.append(
        answers.difference(claim, 0.0, effect_of(gains["watching"]), compared, runs=trainings)
    )

    length = curve(results, "taught", "length")
    for k, published in MOVES.items():
        claim = f"Moves a game, self-teaching, {k * thousand:,} games"
        rows.append(_point(results, claim, published, at(length, k), share=False))
    watched = [float(np.mean(points)) for points in curve(results, "watching", "length")]
    middle = sum(WATCHED_MOVES) / 2
    rows.append(_point(results, "Moves a game, watching, all games", middle, watched, share=False))
    for begin, end, what in ((1, 4, "first fall"), (4, 20, "then climb"),
                             (20, 21, "jump as random openings stop")):  # fmt: skip
        claim = f"Moves a game {what} ({begin * thousand:,} to {end * thousand:,} games)"
        steps = effect_of(minus(at(length, end), at(length, begin)))
        rows.append(
            answers.difference(claim, MOVES[end] - MOVES[begin], steps, compared, runs=trainings)
        )
    found = matches_of(results, "watching", ST)
    rows.append(_level("ST-Gomoku against the watching program", *WATCHED, found))
    return rows


def _steady(results: Results) -> list[Row]:
    """Self-teaching without going back to more random moves: the same figures, not counted anew."""
    length, correct = (curve(results, STEADY, name) for name in ("length", "correct"))
    if not length:
        return []
    shown, reading = f"{80 * results['iteration']:,} games", "ε = 0.05 to the end"
    rows = [
        _point(results, f"Moves a game, self-teaching, {shown}, {reading}", MOVES[80],
               at(length, 80), share=False),
        _point(results, f"Moves equal to ST-Gomoku's, self-teaching, {shown}, {reading}",
               CORRECT["taught"][80], at(correct, 80)),
    ]  # fmt: skip
    found = matches_of(results, STEADY, ST)
    lead = widened(effect_of(scores(found), EVEN), pooled(found)) if found else None
    claim = f"ST-Gomoku is beaten by self-teaching, {shown}, {reading} (score less 0.5)"
    rows.append(answers.difference(claim, None, lead, games_of(found)))
    rows = [answers.uncounted(row, reading) for row in rows]
    answers.adjust([row for row in rows if "p" in row])
    return [{**row, "table": STEADY} for row in rows]


def _uct(results: Results) -> list[Row]:
    """HMCTS against UCT with as many playouts."""
    rows, blocks = [], {}
    for n, won in UCT_WON.items():
        found = matches_of(results, "uct", str(n))
        claim = f"HMCTS-{n} against UCT-{n}"
        rows.append(_level(claim, won, UCT_GAMES, found, by_pairs=True))
        blocks[n] = [pooled([match]).value for match in found]
    few, many = 10, 400
    gap = (UCT_WON[many] - UCT_WON[few]) / UCT_GAMES
    claim = f"HMCTS-n against UCT-n: {many} playouts less {few}"
    ends = [matches_of(results, "uct", str(n)) for n in (few, many)]
    effect = widened(effect_of(minus(blocks[many], blocks[few])), *map(pooled, ends))
    error = answers.published_error((UCT_WON[many], UCT_GAMES), (UCT_WON[few], UCT_GAMES))
    rows.append(answers.difference(claim, gap, effect, games_of(*ends), error=error))
    return rows


def _cross(results: Results) -> list[Row]:
    """Four methods against each other."""
    rows = []
    for (a, b), won in CROSS_WON.items():
        found = matches_of(results, "cross", f"{a} {b}")
        claim = f"Cross table: {METHODS[a]} against {METHODS[b]}"
        rows.append(_level(claim, won, CROSS_GAMES, found))
    return rows


LADDER_GAPS = (
    *(("adp", "hmcts", level) for level in LEVELS),
    ("adp-hmcts", "adp", "dilettante"),
    ("adp-hmcts", "adp", "candidate"),
    ("adp-uct", "adp", "candidate"),
    ("adp-hmcts", "adp-uct", "candidate"),
)


def _ladder(results: Results) -> list[Row]:
    """Four methods against three levels. HMCTS's scores are what the stand-ins were set by."""
    rows = []
    for method, by_level in LADDER_WON.items():
        for level, won in by_level.items():
            found = ladder_matches(results, method, level)
            claim = f"Ladder: {METHODS[method]} against the {level} (stand-in)"
            row = _level(claim, won, LADDER_GAMES, found, stand_in=True)
            if method == "adp":
                row = answers.uncounted(row, "the figures of case 1 again")
            if method == "hmcts":
                row["claim"] += ", by which it was calibrated"
                row["reason"] = verdicts.CALIBRATED.reason
            rows.append(row)
    for one, other, level in LADDER_GAPS:
        claim = f"Ladder: {METHODS[one]} less {METHODS[other]} against the {level} (stand-in)"
        both = (LADDER_WON[one][level], LADDER_WON[other][level])
        ours, others = (ladder_matches(results, method, level) for method in (one, other))
        rows.append(_less(ours, others, claim, *both, LADDER_GAMES))
    return rows


def _shares(results: Results) -> list[Row]:
    """Whether λ = 0.5 is best, as the follow-up says without a number."""
    rows = []
    for share in SHARES:
        found = matches_of(results, "shares", f"{share:g}")
        claim = f"ADP-HMCTS: λ = {SHARE:g} beats λ = {share:g} (score less 0.5)"
        lead = widened(effect_of(scores(found), EVEN), pooled(found))
        rows.append(answers.difference(claim, None, lead, games_of(found)))
    return rows


def _times(results: Results) -> list[Row]:
    """Time a move: another machine's, so that only their order can be tested."""
    found = {method: milliseconds(results, method) for method in TIMES}
    played = games_of([match for match in results["matches"] if match["group"] == "cross"])
    rows = []
    for method, (published, printed) in TIMES.items():
        name = METHODS.get(method, "UCT")
        games = games_of(matches_of(results, "uct", "400")) if method == "uct" else played
        made = answers.row(
            f"Time: CPU milliseconds a move, {name}", published, mean_of(found[method]), games,
            verdicts.OTHER_MACHINE, "time",
        )  # fmt: skip
        rows.append({**made, "printed": printed, "method": method})
    for slow, fast in (("adp-hmcts", "adp"), ("adp-uct", "adp-hmcts"), ("hmcts", "adp-hmcts")):
        claim = f"Time: {METHODS[slow]} over {METHODS[fast]} (log10 of the ratio)"
        gap = math.log10(TIMES[slow][0] / TIMES[fast][0])
        pairs = zip(found[slow], found[fast], strict=True)
        ratios = effect_of([math.log10(a / b) for a, b in pairs])
        rows.append(answers.difference(claim, round(gap, 2), ratios, played))
    return rows


# Rows


def _level(
    claim: str, won: int, of: int, found: Rows, *, by_pairs: bool = False, stand_in: bool = False
) -> Row:
    """A match, its published score being a count."""
    ours = pooled(found) if by_pairs else over_trainings(found)
    floor = None if won / of == EVEN else EVEN
    error = answers.published_error((won, of))
    made = answers.level(
        claim, won / of, ours, games_of(found), floor, error=error,
        runs=0 if by_pairs else len(found), stand_in=stand_in,
    )  # fmt: skip
    return {
        **made,
        **answers.published_interval(won, of),
        "published_games": of,
        "by_seed": [round(score, 4) for score in scores(found)],
    }


def _point(
    results: Results, claim: str, published: float, values: Sequence[float], *, share: bool = True
) -> Row:
    """Of a curve, which shows shares or numbers."""
    make = answers.level if share else answers.value
    games = len(values) * int(results["iteration"])
    return {**make(claim, published, mean_of(values), games, runs=len(values)), "kind": "curve"}


def _less(one: Rows, other: Rows, claim: str, won: int, other_won: int, of: int) -> Row:
    """Two rows of matches against the same stand-in, seed by seed; published are games won."""
    values = minus(scores(one), scores(other))
    effect = widened(effect_of(values), pooled(one), pooled(other))
    error = answers.published_error((won, of), (other_won, of))
    gap = (won - other_won) / of
    games = games_of(one, other)
    return answers.difference(
        claim, gap, effect, games, error=error, runs=len(values), stand_in=True
    )
