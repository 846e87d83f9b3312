"""From the stored trainings of the second reading to claims and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tempo.papers import answers
from tempo.papers.jiu.own import (
    BATTLES,
    GREEDY,
    IDEAL,
    LAST,
    MATCHED,
    ONE_COLOUR,
    POINTS,
    STANDING,
    TELLING,
)
from tempo.papers.jiu.training import RULES, Arm
from tempo.papers.judging import Mean, effect_of, games_of, mean_of, slope_of
from tempo.papers.markdown import bounded, claim_table, number, table, with_span

Row = dict[str, Any]
Results = Mapping[str, Any]
Tests = Mapping[int, Mapping[str, Any]]  # by seed

READING = "each engine places all its own stones"
NAMES = {"sarsa": "Sarsa", "q_learning": "Q-learning"}
PUBLISHED = {"sarsa": 0.68, "q_learning": 0.66}
EVEN = 0.5
LIBRARY = "library by own"
ARM_FIELDS = ("player", "greedy", "unfilled")


def matches_of(results: Results, arm: Arm, games: int, battle: str, player: str) -> Tests:
    """A match of every training of an arm."""
    return {
        run["seed"]: test
        for run in results["own"]["runs"]
        if all(run[name] == getattr(arm, name) for name in ARM_FIELDS)
        for test in run["tests"]
        if (test["games"], test["battle"], test["player"])
        == (games // results["scale"], battle, player)
    }


def scores(tests: Tests) -> list[float]:
    """Of several matches."""
    return [float(test["score"]) for test in tests.values()]


def gains(ours: Tests, others: Tests) -> list[float]:
    """One less the other, training by training, where both are done."""
    both = ours.keys() & others.keys()
    return [float(ours[seed]["score"] - others[seed]["score"]) for seed in sorted(both)]


def _games(*groups: Tests) -> int:
    return games_of(*(list(tests.values()) for tests in groups))


def blind(results: Results, battle: str) -> str:
    """Why a battle engine shows nothing of placements; empty if it does."""
    rows = [row for row in results["own"]["checks"] if row.get("ideal") == battle]
    if not rows or rows[0]["score"] >= IDEAL:
        return ""
    return f"ideal centres score {rows[0]['score']:.2f} where this engine fights, not {IDEAL:g}"


# Claims


def claims(results: Results) -> list[Row]:
    """Figures 3 and 4 again, and what the learning adds; none is counted anew."""
    if not results.get("own", {}).get("runs"):
        return []
    rows = []
    for battle in BATTLES:
        found = _claims(results, battle)
        if why := blind(results, battle):
            for row in found:
                row.pop("effect", None)
                row |= {"verdict": "untestable", "reason": why}
        rows += found
    answers.adjust([row for row in rows if "effect" in row])
    return [answers.uncounted(row, READING) for row in rows]


def _claims(results: Results, battle: str) -> list[Row]:
    rows = []
    for rule in RULES:
        arm, name = Arm(rule), NAMES[rule]
        last = matches_of(results, arm, LAST, battle, LIBRARY)
        rows.append(
            answers.level(
                f"Figure 3: {name} against the repaired network", PUBLISHED[rule],
                mean_of(scores(last)), _games(last), EVEN, runs=len(last),
            )
        )  # fmt: skip
        for control in MATCHED:
            other = matches_of(results, arm, LAST, battle, control)
            text = f"What the learning adds: {name} less as many {control} stones"
            rows.append(_effect(text, last, other))
        first = matches_of(results, arm, POINTS[0], battle, LIBRARY)
        rows.append(
            _effect(f"Figure 3: {name} rises from the first to the last point", last, first)
        )
    sarsa, q_learning = (matches_of(results, Arm(rule), LAST, battle, LIBRARY) for rule in RULES)
    text = "Figure 3: Sarsa ends above Q-learning"
    rows.append(_effect(text, sarsa, q_learning))
    shares = (Arm("sarsa").greedy, *GREEDY)
    by_share = [matches_of(results, Arm("sarsa", g), LAST, battle, LIBRARY) for g in shares]
    random = [1 - g for g, tests in zip(shares, by_share, strict=True) for _ in tests]
    ends = [score for tests in by_share for score in scores(tests)]
    text = "Figure 4: smaller ε_greedy ends higher (slope)"
    rows.append(answers.difference(text, None, slope_of(random, ends), _games(*by_share)))
    for row in rows:
        row |= {"claim": f"{row['claim']} (own stones, {battle})", "kind": "own", "battle": battle}
    return rows


def _effect(text: str, ours: Tests, others: Tests) -> Row:
    """One less the other, training by training, where both are done."""
    return answers.difference(text, None, effect_of(gains(ours, others)), _games(ours, others))


# The report


def sections(results: Results, answer: Results) -> list[str]:
    """Everything of this reading; nothing where it was not run."""
    if not results.get("own", {}).get("runs"):
        return []
    rows = [row for row in answer["rows"] if row["kind"] == "own"]
    heads = ("claim", "published", "ours", "p (Holm)", "games", "verdict", "reason")
    return [
        f"## A second reading: {READING}",
        _checks(results),
        "What the learning adds is the library's score less that of as many central stones of "
        "those who have learnt nothing, training by training on the same pairs. p is adjusted by "
        "Holm over the rows that can be tested.",
        claim_table(rows, heads, sign=True),
        _players(results),
        _curves(results),
    ]


def _checks(results: Results) -> str:
    lines = []
    for row in results["own"]["checks"]:
        if "fills" in row:
            share, (low, high) = row["fills"]["network"], ONE_COLOUR
            lines.append(
                f"Unit cells of one colour: {share:.1%} in the network's games against itself "
                f"({'accepted' if low <= share <= high else 'not accepted'}: {low:.0%} to "
                f"{high:.0%}), {row['fills']['games']:.1%} in the games of its records, "
                f"{row['fills']['layout']:.1%} in the master's layout."
            )
        else:
            lines.append(
                f"Ideal centres score {row['score']:.3f} where `{row['ideal']}` fights (needed: "
                f"{IDEAL:g}; {row['centres']} centres, {row['games']} games each)."
            )
    return "\n".join(f"- {line}" for line in lines)


def _players(results: Results) -> str:
    shown: list[tuple[str, Arm, str]] = []
    for rule in RULES:
        name = NAMES[rule]
        shown += [
            (f"{name}, {player}", Arm(rule), player)
            for player in (LIBRARY, "library by sequence", *MATCHED)
        ]
        empty = Arm(rule, unfilled="empty")
        shown += [
            (f"{name}, e2 with unfilled points empty, {player}", empty, player)
            for player in (LIBRARY, *MATCHED)
        ]
    shown += [(player, Arm("none"), player) for player in STANDING]
    rows = []
    for name, arm, player in shown:
        found = [matches_of(results, arm, LAST, battle, player) for battle in BATTLES]
        known = [test["known"] for tests in found for test in tests.values() if "known" in test]
        one_colour = [test["one_colour"] for tests in found for test in tests.values()]
        rows.append((
            name, *(bounded(mean_of(scores(tests))) for tests in found),
            number(float(np.mean(known))) if known else "–",
            f"{np.mean(one_colour):.1%}" if one_colour else "–",
            f"{_games(*found):,}", f"{max(map(len, found))}",
        ))  # fmt: skip
    heads = ("against the repaired network", *(f"{battle} fights" for battle in BATTLES),
             "stones by the library", "unit cells of one colour", "games", "trainings")  # fmt: skip
    text = (
        f"After {LAST // results['scale']:,} training games. `random` and `expert` place as many "
        "central stones as the library of the same training did, then the network; `centre` while "
        "the centre has room; `everywhere` the whole board. No library is the network itself, 0.5."
    )
    return f"{text}\n\n{table(heads, rows)}"


def signed(mean: Mean | None) -> str:
    """A difference with its interval."""
    return with_span(mean.value, mean.low, mean.high, sign=True) if mean else "–"


def _curves(results: Results) -> str:
    arms = [Arm(rule) for rule in RULES] + [Arm("sarsa", greedy) for greedy in GREEDY]
    rows = []
    for arm in arms:
        for games in (*POINTS, LAST):
            cells = []
            for battle in TELLING:
                library = matches_of(results, arm, games, battle, LIBRARY)
                cells.append(bounded(mean_of(scores(library))))
                for control in MATCHED:
                    other = matches_of(results, arm, games, battle, control)
                    cells.append(signed(mean_of(gains(library, other))))
            shown = f"{games // results['scale']:,}"
            rows.append((f"{NAMES[arm.player]}, ε_greedy {arm.greedy:g}", shown, *cells))
    heads = ["", "training games"]
    for battle in TELLING:
        heads += [f"library, {battle}", *(f"less {control} stones" for control in MATCHED)]
    return "Over training length and ε_greedy, as in Figures 3 and 4.\n\n" + table(heads, rows)
