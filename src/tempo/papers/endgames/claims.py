"""What the runs say about each claim of the endgame paper: means over seeds, intervals, verdicts.

The rules of the verdicts stand in `verdicts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tempo.papers import answers, verdicts
from tempo.papers.endgames import crossed
from tempo.papers.judging import Mean, difference_of, holm, mean_of, permutation_p

FIGURES = ("wcr", "we", "lhs")
RULE_NAMES = {
    "leaf": "TD-Leaf",
    "stem": "TD-Stem",
    "stem-state": "TD-Stem anchored at the state",
}
MATE_PLIES = {("krk", 7): 0, ("kqk", 3): 3, ("kqk", 5): 5}  # of the mate search at the test
Row = dict[str, Any]
Runs = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Published:
    """One column of Table IV or V."""

    table: str
    experiment: str
    stages: int
    rule: str
    wcr: float
    we: float
    lhs: float
    episodes: int


PUBLISHED = (
    Published("IV", "krk", 7, "leaf", 0.48, 0.87, 0.80, 353_500),
    Published("IV", "krk", 7, "stem", 0.85, 0.86, 0.91, 304_500),
    Published("V", "kqk", 3, "leaf", 0.65, 0.67, 0.89, 26_000),
    Published("V", "kqk", 3, "stem", 0.77, 0.64, 0.89, 27_000),
    Published("V", "kqk", 5, "leaf", 0.90, 0.89, 0.95, 43_500),
    Published("V", "kqk", 5, "stem", 0.90, 0.89, 0.97, 44_500),
)
DIP_EPISODES = 30_000  # where the win rate of TD-Leaf begins to fall in Figure 4


# From runs to rows


def chosen(runs: Runs, experiment: str, rule: str) -> list[Mapping[str, Any]]:
    """The runs of one arm."""
    return [run for run in runs if (run["experiment"], run["rule"]) == (experiment, rule)]


def at_end(run: Mapping[str, Any], stages: int) -> Mapping[str, Any]:
    """The test after a number of stages."""
    step = run["stage_ends"][stages - 1]
    row: Mapping[str, Any] = next(test for test in run["tests"] if test["step"] == step)
    return row


def cpu_budget(runs: Runs, experiment: str, stages: int) -> float:
    """CPU seconds that every run of both rules has spent: the smallest total."""
    both = [*chosen(runs, experiment, "leaf"), *chosen(runs, experiment, "stem")]
    return min(float(at_end(run, stages)["cpu_seconds"]) for run in both)


def within(run: Mapping[str, Any], budget: float) -> Mapping[str, Any]:
    """The last test that a budget of CPU seconds reaches."""
    row: Mapping[str, Any] = [t for t in run["tests"] if t["cpu_seconds"] <= budget][-1]
    return row


def figures(tests: Sequence[Mapping[str, Any]], figure: str, kind: str) -> list[float]:
    """One figure of several tests, left out where nothing was won."""
    return [test[kind][figure] for test in tests if test[kind][figure] is not None]


def answer(results: Mapping[str, Any]) -> Row:
    """All claims with verdicts, as `tempo reproduce --json` prints them."""
    rows = [*_levels(results), *_differences(results), *_curves(results)] if results["runs"] else []
    rows += crossed.differences(results)
    return {
        "paper": results["paper"],
        "commit": results["commit"],
        "seeds": results["seeds"],
        "rows": rows,
        "ledger": results["ledger"],
        "quick": results["quick"],
        "floors": results["floors"],
        "command": results["command"],
        "wall_seconds": results["wall_seconds"],
    }


def _levels(results: Mapping[str, Any]) -> list[Row]:
    """Every figure of Tables IV and V, and of TD-Stem as printed where it was run."""
    rows = []
    for column in PUBLISHED:
        rules = (column.rule, "stem-state") if column.rule == "stem" else (column.rule,)
        for rule in rules:
            runs = chosen(results["runs"], column.experiment, rule)
            tests = [at_end(run, column.stages) for run in runs]
            rows += [_level(results, column, rule, tests, figure) for figure in FIGURES if tests]
    return rows


def _level(
    results: Mapping[str, Any], column: Published, rule: str,
    tests: Sequence[Mapping[str, Any]], figure: str,
) -> Row:  # fmt: skip
    published = float(getattr(column, figure))
    # Random moves with a mate finder win few games, and those at once: their WE is of other games.
    floor = floor_of(results, column.experiment, column.stages)[figure] if figure != "we" else None
    ours, whole = (mean_of(figures(tests, figure, kind)) for kind in ("sampled", "exact"))
    where = f"Table {column.table}: {place(column.experiment, column.stages)}"
    claim = f"{where}, {RULE_NAMES[rule]}, {figure.upper()}"
    games, most = results["test_games"] * len(tests), None if figure == "we" else 1.0
    made = answers.level(claim, published, ours, games, floor, most=most, runs=len(tests))
    if rule == "stem-state":
        made = answers.uncounted(made, "equation 12 as printed")
    return {
        **made,
        "experiment": column.experiment, "stages": column.stages, "rule": rule,
        "figure": figure, "floor": floor, "exact": whole and round(whole.value, 4),
        "by_seed": figures(tests, figure, "sampled"),
        "exact_by_seed": figures(tests, figure, "exact"),
    }  # fmt: skip


def floor_of(results: Mapping[str, Any], experiment: str, stages: int) -> Mapping[str, Any]:
    """Random moves with the mate search of the same test."""
    plies = MATE_PLIES[experiment, stages]
    # A search of three plies sees mates itself, with or without a mate search.
    found: Mapping[str, Any] = results["floors"][
        f"{experiment.upper()}, mates within {max(3, plies)} plies"
    ]
    return found


def place(experiment: str, stages: int) -> str:
    """An ending as trained."""
    return "KRK" if experiment == "krk" else f"KQK after {stages} stages"


def _differences(results: Mapping[str, Any]) -> list[Row]:
    """TD-Stem minus TD-Leaf, at equal episodes and at equal CPU seconds."""
    rows: list[Row] = []
    for budget in ("episodes", "cpu"):
        for figure in FIGURES:
            family = [
                _difference(results, leaf, stem, figure, budget)
                for leaf, stem in zip(PUBLISHED[::2], PUBLISHED[1::2], strict=True)
            ]
            tested = [row for row in family if row["p"] is not None]
            for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
                row["p_holm"] = round(adjusted, 4)
            rows += family
    return rows


def _difference(
    results: Mapping[str, Any], leaf: Published, stem: Published, figure: str, budget: str
) -> Row:
    runs, stages = results["runs"], leaf.stages
    seconds = cpu_budget(runs, leaf.experiment, stages)

    def arm(rule: str, kind: str) -> list[float]:
        found = chosen(runs, leaf.experiment, rule)
        tests = [at_end(r, stages) if budget == "episodes" else within(r, seconds) for r in found]
        return figures(tests, figure, kind)

    published = round(float(getattr(stem, figure) - getattr(leaf, figure)), 2)
    stems, leaves = arm("stem", "sampled"), arm("leaf", "sampled")
    ours = difference_of(stems, leaves)
    whole = difference_of(arm("stem", "exact"), arm("leaf", "exact"))
    equal = "equal episodes" if budget == "episodes" else f"equal CPU ({seconds:.0f} s)"
    where = f"Table {leaf.table}: {place(leaf.experiment, stages)}"
    claim = f"{where}, {figure.upper()} of TD-Stem minus TD-Leaf, {equal}"
    games = results["test_games"] * (len(stems) + len(leaves))
    error = answers.of_one(ours, min(len(stems), len(leaves)))
    verdict = verdicts.of_difference(ours, published, error)
    made = answers.row(claim, published, ours, games, verdict, "difference", least=-1.0, most=1.0)
    if budget == "cpu":
        made = answers.uncounted(made, equal)
    return {
        **made,
        "experiment": leaf.experiment, "stages": stages, "figure": figure,
        "budget": budget, "exact": whole and round(whole.value, 4),
        "stem": stems, "leaf": leaves,
        "p": None if ours is None else round(permutation_p(stems, leaves), 4), "p_holm": None,
    }  # fmt: skip


def _curves(results: Mapping[str, Any]) -> list[Row]:
    """Figure 4: the share of self-play games won."""
    rows = []
    for experiment in ("krk", "kqk"):
        for rule in ("leaf", "stem"):
            runs = chosen(results["runs"], experiment, rule)
            rises = mean_of([_share(run, 0.9, 1.0) - _share(run, 0.0, 0.1) for run in runs])
            text = f"Figure 4: {experiment.upper()}, self-play win rate of {RULE_NAMES[rule]} rises"
            rows.append(_curve(text, rises, runs))
        runs = chosen(results["runs"], experiment, "leaf")
        falls = None if results["quick"] else mean_of([-_dip(run) for run in runs])
        text = f"Figure 4: {experiment.upper()}, TD-Leaf's falls from about 30,000 episodes on (by)"
        rows.append(_curve(text, falls, runs))
    return rows


def _curve(text: str, ours: Mean | None, runs: Runs) -> Row:
    games = sum(run["log"]["games"][-1] for run in runs)
    return answers.row(
        text, None, ours, games, verdicts.of_sign(ours), "curve", least=-1.0, most=1.0
    )


def _share(run: Mapping[str, Any], first: float, last: float) -> float:
    """Won of the games between two parts of the schedule's iterations."""
    won = run["log"]["won"]
    begin, end = int(first * len(won)), max(int(last * len(won)), int(first * len(won)) + 1)
    return float(np.mean(won[begin:end]))


def _dip(run: Mapping[str, Any]) -> float:
    """Win rate in the 7,500 episodes after 30,000, less that in the 7,500 before."""
    games, won = np.array(run["log"]["games"]), np.array(run["log"]["won"])
    before = (games > DIP_EPISODES - 7500) & (games <= DIP_EPISODES)
    after = (games > DIP_EPISODES) & (games <= DIP_EPISODES + 7500)
    return float(won[after].mean() - won[before].mean())
