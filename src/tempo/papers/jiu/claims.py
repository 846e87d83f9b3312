"""What the runs say about each claim of the Jiu paper.

Scores are points won, draws half. The training is the unit: means over trainings with Student's
95 % interval. Levels have an even match, 0.5, for the floor. All other claims say that something
lies above 0; their p are adjusted by Holm's method. Two arms are compared seed by seed: trainings
with one seed begin alike and meet the same pairs of games. The rules of the verdicts stand in
`verdicts`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tempo.papers import answers, verdicts
from tempo.papers.jiu import own_tables
from tempo.papers.jiu.plan import GREEDY, POINTS, SETTLED
from tempo.papers.jiu.training import DISCOUNT, RULES, STEP_SIZE
from tempo.papers.judging import (
    Effect,
    effect_of,
    games_of,
    holm,
    mean_of,
    minus,
    slope_of,
)

RULE_NAMES = {"sarsa": "Sarsa", "q_learning": "Q-learning"}
PUBLISHED = {"sarsa": 0.68, "q_learning": 0.66}
EVEN = 0.5
EARLY = 20_000  # where a slow learner must lag behind
PEAK = 0.8  # the ε_greedy whose curve ends highest
HUMANS = (
    ("Table 7: against a junior player, as White", 61, 100),
    ("Table 7: against a junior player, as Black", 67, 100),
    ("Table 7: against a junior player, together", 128, 200),
    ("Table 8: against a medium player, as White", 32, 100),
    ("Table 8: against a medium player, as Black", 36, 100),
    ("Table 8: against a medium player, together", 68, 200),
)

Row = dict[str, Any]
Run = Mapping[str, Any]
Runs = Sequence[Run]


# From results to figures


def chosen(results: Run, purpose: str, **fields: Any) -> list[Run]:
    """The runs with these fields: of one arm."""
    return [
        run
        for run in results["runs"]
        if run["purpose"] == purpose and all(run[name] == is_ for name, is_ in fields.items())
    ]


def figure_runs(results: Run, rule: str = "sarsa", greedy: float = 0.9) -> list[Run]:
    """The trainings of a curve of Figure 3 or 4."""
    return chosen(results, "figures", player=rule, greedy=greedy)


def test_of(results: Run, run: Run, games: int, **fields: Any) -> Run:
    """The match after a number of training games of the full schedule; by default the plain one."""
    wanted = {"games": games // results["scale"], "opponent": "bayes", "visits": 10, "wavers": 0.1}
    wanted |= fields
    found: Run = next(
        test for test in run["tests"] if all(test[name] == is_ for name, is_ in wanted.items())
    )
    return found


def tests_of(results: Run, runs: Runs, games: int, **fields: Any) -> list[Run]:
    """The same match of several trainings."""
    return [test_of(results, run, games, **fields) for run in runs]


def scores(tests: Runs) -> list[float]:
    """Of several matches."""
    return [float(test["score"]) for test in tests]


def swept(results: Run) -> tuple[list[Row], tuple[float, float]]:
    """The sweep: every step size and discount with its score over both rules; and the choice.

    The rule was fixed before it was played: 0.1 and 0.9 stay unless the best pair's score is
    higher by more than twice the standard error of the difference.
    """
    cells: dict[tuple[float, float], list[float]] = {}
    for run in chosen(results, "sweep"):
        cells.setdefault((run["step_size"], run["discount"]), []).extend(scores(run["tests"]))
    rows = [
        {"step_size": step_size, "discount": discount, "score": float(np.mean(found)),
         "error": float(np.std(found, ddof=1) / np.sqrt(len(found))), "runs": len(found)}
        for (step_size, discount), found in sorted(cells.items())
    ]  # fmt: skip
    best = max(rows, key=lambda row: row["score"])
    usual = next(r for r in rows if (r["step_size"], r["discount"]) == (STEP_SIZE, DISCOUNT))
    error = float(np.hypot(best["error"], usual["error"]))
    taken = best if best["score"] - usual["score"] > 2 * error else usual
    return rows, (taken["step_size"], taken["discount"])


# Claims


def answer(results: Run) -> Row:
    """All claims with verdicts, as `tempo reproduce --json` prints them."""
    if not results["runs"]:  # the second reading alone
        return answers.answer_of(results, own_tables.claims(results))
    tested = [*_figure_3(results), *_figure_4(results)]
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = round(adjusted, 4)
        verdict = verdicts.of_effect(row.pop("effect"), adjusted)
        row |= {"verdict": verdict.word, "reason": verdict.reason}
    rows = [*_levels(results), *tested, *_humans(), *own_tables.claims(results)]
    return answers.answer_of(results, rows)


def _levels(results: Run) -> list[Row]:
    rows = []
    for rule in RULES:
        for games in (SETTLED[rule], POINTS[-1]):
            tests = tests_of(results, figure_runs(results, rule), games)
            ours = mean_of(scores(tests))
            where = f"after {games // results['scale']:,} games"
            claim = f"Figure 3: {RULE_NAMES[rule]} against the Bayesian network, {where}"
            row = answers.level(
                claim, PUBLISHED[rule], ours, games_of(tests), EVEN, runs=len(tests)
            )
            if games != POINTS[-1]:
                row = answers.uncounted(row, "where its curve is flat")
            rows.append({**row, "rule": rule, "by_seed": scores(tests)})
    return rows


def _figure_3(results: Run) -> list[Row]:
    runs = {rule: figure_runs(results, rule) for rule in RULES}
    last = {rule: tests_of(results, runs[rule], POINTS[-1]) for rule in RULES}
    rows = []
    for rule in RULES:
        name = RULE_NAMES[rule]
        first = tests_of(results, runs[rule], POINTS[0])
        beats = effect_of(scores(last[rule]), EVEN)
        text = f"Figure 3: {name} beats the Bayesian network (score less 0.5)"
        lead = _row(text, PUBLISHED[rule] - EVEN, beats, games_of(last[rule]))
        rows.append(answers.uncounted(lead, "the level above, as a lead"))
        rises = effect_of(_gains(last[rule], first))
        text = f"Figure 3: {name} rises from the first to the last point"
        rows.append(_row(text, None, rises, games_of(last[rule], first)))
    middle = {rule: tests_of(results, runs[rule], SETTLED["q_learning"]) for rule in RULES}
    sarsa, q_learning = (_gains(last[rule], middle[rule]) for rule in RULES)
    later = effect_of(minus(sarsa, q_learning))
    when = f"{SETTLED['q_learning'] // results['scale']:,}"
    text = (
        f"Figure 3: Q-learning flattens earlier (Sarsa less Q-learning, gains after {when} games)"
    )
    rows.append(_row(text, None, later, games_of(*last.values(), *middle.values())))
    text = "Figure 3: Sarsa ends above Q-learning"
    gap = effect_of(_gains(last["sarsa"], last["q_learning"]))
    return [*rows, _row(text, 0.02, gap, games_of(*last.values()))]


def _figure_4(results: Run) -> list[Row]:
    runs = [run for greedy in GREEDY for run in figure_runs(results, greedy=greedy)]
    random = [1 - float(run["greedy"]) for run in runs]
    early, late = (tests_of(results, runs, games) for games in (EARLY, POINTS[-1]))
    slower = slope_of([-share for share in random], scores(early))
    higher = slope_of(random, scores(late))
    peak, usual = (figure_runs(results, greedy=greedy) for greedy in (PEAK, 0.9))
    ends = tests_of(results, peak, POINTS[-1])
    before = [tests_of(results, peak, games) for games in POINTS[:-1]]
    means = np.mean([scores(tests) for tests in before], axis=0).tolist()
    tops = effect_of(minus(scores(ends), means))
    others = tests_of(results, usual, POINTS[-1])
    above = effect_of(_gains(ends, others))
    rows = (
        (f"smaller ε_greedy learns slower (slope at {EARLY // results['scale']:,} games)",
         slower, games_of(early)),
        (f"smaller ε_greedy ends higher (slope at {POINTS[-1] // results['scale']:,} games)",
         higher, games_of(late)),
        ("ε_greedy 0.8 is highest at its last point (less its mean before)", tops,
         games_of(ends, *before)),
        ("ε_greedy 0.8 ends above 0.9", above, games_of(ends, others)),
    )  # fmt: skip
    return [_row(f"Figure 4: {text}", None, effect, games) for text, effect, games in rows]


def _gains(better: Runs, worse: Runs) -> list[float]:
    """By how much each training scores more than the one with its seed, or than itself before."""
    return minus(scores(better), scores(worse))


def _row(claim: str, published: float | None, effect: Effect | None, games: int) -> Row:
    size, mean = published and round(published, 2), effect.mean if effect else None
    row = answers.row(claim, size, mean, games, verdicts.of_sign(mean), "effect", least=-math.inf)
    return row | answers.tested(effect)


def _humans() -> list[Row]:
    """There are no people to test: what the published counts alone can tell."""
    rows = []
    for text, won, of in HUMANS:
        made = answers.row(text, won / of, None, 0, verdicts.NO_PEOPLE, "humans")
        rows.append(made | answers.published_interval(won, of))
    text = "Text: the older engine by shapes wins less than 0.30 against a medium player"
    return [*rows, answers.row(text, 0.3, None, 0, verdicts.NO_PEOPLE, "humans")]
