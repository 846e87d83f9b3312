"""TD-Leaf and TD-Stem under crossed conditions, from stored results: areas, ends and differences.

The area is the mean of WCR over a training's games, the end its mean over the last quarter of them;
both over every position.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from tempo.papers import answers, verdicts
from tempo.papers.endgames.conditions import (
    COLUMNS,
    DEPTHS,
    DISCOUNTS,
    GAMES,
    ITERATIONS,
    RULES,
    SIX_RULES,
    STEP_SIZES,
)
from tempo.papers.judging import Effect, Mean, holm, mean_of, welch
from tempo.papers.markdown import bounded, number, table, with_span

MEASURES = {"area": "area under the curve", "end": "end value"}
LAST = 0.25  # of the games, for the end
GRID = 241  # points at which a curve is read
PUBLISHED = {"KRK": 0.37}  # Table IV: TD-Stem minus TD-Leaf
OPTIMIZERS = {"sgd": "SGD", "adam": "Adam"}
NAMES = {
    "leaf": "TD-Leaf",
    "stem": "TD-Stem",
    "stem-state": "TD-Stem as equation 12 is printed",
    "td": "TD(λ)",
    "root": "TD-Root",
    "root-strap": "RootStrap",
    "tree-strap": "TreeStrap",
}
LEAVES = ("leaves_distinct", "leaves_ended", "values_track", "leaves_track")

Results = Mapping[str, Any]
Run = Mapping[str, Any]
Place = tuple[int, str, float]  # depth, optimizer, discount
Row = dict[str, Any]


def places() -> list[Place]:
    """All conditions."""
    return list(product(sorted(DEPTHS), STEP_SIZES, DISCOUNTS))


def named(place: Place) -> str:
    """A condition in words."""
    depth, optimizer, discount = place
    return f"depth {depth}, {OPTIMIZERS[optimizer]}, γ = {discount:g}"


def trainings(results: Results, ending: str, rule: str, place: Place) -> list[Run]:
    """Of an arm, by seed."""
    wanted = (ending, rule, *place)
    fields = ("ending", "rule", "depth", "optimizer", "discount")
    rows = results["conditions"]["rows"] if results.get("conditions") else []
    found = [row for row in rows if tuple(row[name] for name in fields) == wanted]
    return sorted(found, key=lambda row: int(row["seed"]))


def limit(run: Run) -> float:
    """The games that every training of its ending has."""
    return float(min(GAMES * ITERATIONS[run["ending"]], run["points"][-1][COLUMNS.index("games")]))


def curve(run: Run, at: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """WCR at shares of its games, between tests along a straight line."""
    points = np.array([[p[COLUMNS.index(c)] for c in ("games", "wcr")] for p in run["points"]])
    return np.asarray(np.interp(at * limit(run), points[:, 0], points[:, 1]))


def measured(run: Run, measure: str) -> float:
    """The area or the end of one training."""
    first = 0.0 if measure == "area" else 1 - LAST
    grid = np.linspace(first, 1, GRID)
    return float(curve(run, grid).mean())


def arm(results: Results, ending: str, rule: str, place: Place, measure: str) -> list[float]:
    """One figure of all trainings of an arm."""
    return [measured(run, measure) for run in trainings(results, ending, rule, place)]


def differences(results: Results) -> list[Row]:
    """TD-Stem minus TD-Leaf under every condition; Holm over those of an ending and a measure."""
    rows: list[Row] = []
    for ending, measure in product(ITERATIONS, MEASURES):
        found: list[tuple[Place, Effect, int]] = []
        for place in places():
            stems, leaves = (arm(results, ending, r, place, measure) for r in ("stem", "leaf"))
            effect = welch(stems, leaves)
            if effect:
                found.append((place, effect, min(len(stems), len(leaves))))
        for (place, effect, runs), p in zip(found, holm([e.p for _, e, _ in found]), strict=True):
            made = _difference(ending, measure, place, effect, runs)
            rows.append({**made, "p": round(effect.p, 4), "p_holm": round(p, 4)})
    return rows


def _difference(ending: str, measure: str, place: Place, effect: Effect, runs: int) -> Row:
    published = PUBLISHED.get(ending) if measure == "end" else None
    claim = f"{ending}, {named(place)}: WCR of TD-Stem minus TD-Leaf, {MEASURES[measure]}"
    if published is None:
        verdict = verdicts.of_sign(effect.mean)
    else:
        verdict = verdicts.of_difference(effect.mean, published, answers.of_one(effect.mean, runs))
    made = answers.row(claim, published, effect.mean, 0, verdict, "condition", least=-1.0, most=1.0)
    return answers.uncounted(made, named(place)) | {
        "ending": ending, "measure": measure, "depth": place[0], "optimizer": place[1],
        "discount": place[2], "runs": runs,
    }  # fmt: skip


# The report


def sections(results: Results, answer: Results) -> list[str]:
    """What the conditions say; nothing where none was run."""
    if not results.get("conditions"):
        return []
    rows = [row for row in answer["rows"] if row["kind"] == "condition"]
    parts = ["## Depth, optimizer and discount crossed", _about(results)]
    for ending in ITERATIONS:
        found = [row for row in rows if row["ending"] == ending]
        if found:
            parts += [f"### {ending}", _table(results, ending, found)]
    return [*parts, *_literal(results), *_six_rules(results), *_leaves(results)]


def _about(results: Results) -> str:
    rows = results["conditions"]["rows"]
    count = ", ".join(f"{e} {GAMES * n:,} games" for e, n in ITERATIONS.items())
    return (
        "One condition holds throughout a training; everything but the rule is the same within "
        f"it: {count}, 100 gradient steps of 1,024 positions for every 1,000 games, λ = 0.8. Cost "
        f"is counted in games: {_costs(rows)} Area: mean of WCR over the games. End: mean over "
        "their last quarter. Tests are exact, over every position, by minimax of depth 3. "
        f"Trainings of each arm: {_counts(rows)}. Differences with Welch's 95 % interval; p by "
        "Welch, adjusted by Holm over the conditions of an ending and a measure."
    )


def _costs(rows: list[Row]) -> str:
    """CPU seconds of an iteration by depth and rule, beside the mean of the same machine."""
    machines: dict[str, list[tuple[str, float]]] = {}
    for row in rows:
        spent, games = (row["points"][-1][COLUMNS.index(c)] for c in ("cpu_seconds", "games"))
        named_by = f"{row['ending']} {row['rule']} {row['depth']}"
        machine = str(row["ledger"]["machines"][0]["cpu"])
        machines.setdefault(machine, []).append((named_by, GAMES * spent / games))
    texts = []
    for machine, found in machines.items():
        by_arm = [np.mean([s for n, s in found if n == arm]) for arm in {n for n, _ in found}]
        texts.append(
            f"1,000 games take {np.mean(by_arm):.2f} CPU seconds on {machine} "
            f"({min(by_arm):.2f} to {max(by_arm):.2f} by ending, rule and depth)"
        )
    return "; ".join(texts) + "."


def _counts(rows: list[Row]) -> str:
    texts = []
    for ending in ITERATIONS:
        seeds = sorted({row["seed"] for row in rows if row["ending"] == ending})
        if seeds:
            texts.append(f"{ending} up to {len(seeds)} (seeds {seeds[0]} to {seeds[-1]})")
    return ", ".join(texts)


def _table(results: Results, ending: str, rows: list[Row]) -> str:
    cells = []
    for place in places():
        found = [row for row in rows if row["reading"] == named(place)]
        line = [named(place)]
        for made in found:
            line += [_arm(results, ending, r, place, made["measure"]) for r in ("leaf", "stem")]
            shown = with_span(made["ours"], made["low"], made["high"], 2, sign=True)
            line.append(f"{shown}, p {number(made['p_holm'], 3)}")
        if found:
            cells.append(line)
    heads = [f"{measure}: {what}" for measure in MEASURES
             for what in ("TD-Leaf", "TD-Stem", "difference")]  # fmt: skip
    return table(["condition", *heads], cells)


def _arm(results: Results, ending: str, rule: str, place: Place, measure: str) -> str:
    return bounded(mean_of(arm(results, ending, rule, place, measure)), 2)


def _literal(results: Results) -> list[str]:
    cells = [
        (ending, named(place), *(_arm(results, ending, "stem-state", place, m) for m in MEASURES))
        for ending in ITERATIONS
        for place in places()
        if len(trainings(results, ending, "stem-state", place)) > 1
    ]
    if not cells:
        return []
    heads = ("", "condition", *(f"WCR, {name}" for name in MEASURES))
    return ["### Equation 12 as printed", table(heads, cells)]


def _six_rules(results: Results) -> list[str]:
    cells = []
    for rule in RULES:
        runs = trainings(results, "KRK", rule, SIX_RULES)
        if len(runs) > 1 and rule != "stem-state":
            last = [
                mean_of([r["points"][-1][COLUMNS.index(c)] for r in runs]) for c in ("we", "lhs")
            ]
            area, end = (_arm(results, "KRK", rule, SIX_RULES, measure) for measure in MEASURES)
            cells.append((NAMES[rule], area, end, *(bounded(mean, 2, 2.0) for mean in last)))
    if not cells:
        return []
    title = f"### Six rules at equal cost: KRK, {named(SIX_RULES)}"
    return [title, table(("rule", "WCR, area", "WCR, end", "WE", "LHS"), cells)]


def _leaves(results: Results) -> list[str]:
    """Which positions the rules train, by depth."""
    cells = []
    for ending, place in product(ITERATIONS, places()):
        for rule in ("leaf", "stem"):
            runs = trainings(results, ending, rule, place)
            if len(runs) > 1:
                means = [mean_of([run[name] for run in runs]) for name in LEAVES]
                shown = [_share(mean) for mean in means]
                cells.append((ending, named(place), NAMES[rule], *shown))
    if not cells:
        return []
    text = (
        "At the end of every training all positions are searched once. *Different leaves*: how "
        "many different positions stand at the ends of the principal variations, to one position "
        "searched. *Ends*: the share of those leaves at which the game is over, which train "
        "nothing. Correlation of the network's value with the distance to mate: over all "
        "positions, and over the leaves."
    )
    heads = ("", "condition", "trained by", "different leaves", "ends", "all positions", "leaves")
    return ["### What is trained", text, table(heads, cells)]


def _share(mean: Mean | None) -> str:
    return number(mean.value if mean else None, 3)
