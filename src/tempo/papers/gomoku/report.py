"""The report of the Gomoku papers' reproduction, made from its stored results alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tempo.papers.gomoku.claims import PUPIL_NAMES
from tempo.papers.gomoku.figures import draw
from tempo.papers.gomoku.plan import STEADY
from tempo.papers.gomoku.published import (
    CASES,
    CORRECT,
    CROSS_WON,
    LADDER_WON,
    LEVELS,
    METHODS,
    MOVES,
)
from tempo.papers.gomoku.tables import at, curve, ladder_matches, matches_of, scores
from tempo.papers.judging import games_of, mean_of, pooled
from tempo.papers.markdown import Row, bounded, claim_table, number, ours, span, table, with_span
from tempo.papers.reports import Report, costs, provenance, verdict_counts

POINTS = (1, 4, 10, 20, 21, 25, 40, 60, 80)  # thousands of games shown of the curves

HOW_JUDGED = (
    "Scores are points won, draws half; intervals are 95 %, over trainings, for HMCTS against UCT "
    "over pairs of games; in brackets after a published score Wilson's interval of its games. The "
    "rules of the verdicts stand in `tempo.papers.verdicts`. Differences are taken seed by seed; p "
    "is Student's, adjusted by Holm over all differences, and one that is not below 0.05 makes no "
    "reproduction.\n\n"
    "The papers' opponent, a commercial program of three levels, cannot be had. **Stand-ins** take "
    "its place, made as strong as HMCTS's published scores say. Scores against them compare with "
    "the published ones through this calibration at best."
)


def _sections(results: Row, answer: Row, drawn: list[str]) -> list[str]:
    origin = provenance(
        results,
        seeds="; self-teaching and watching begin from 100 and these",
        machine=f"; {results['workers']} processes of one thread",
    )
    if not matches_of(results, "cross", "adp hmcts"):
        return [origin, *_steady(results, answer)]
    return [
        origin,
        "## Verdicts",
        f"{verdict_counts(answer)} {HOW_JUDGED}",
        "## Five variants of the critic, against stand-ins",
        _cases(results),
        _verdicts(answer, "cases"),
        "## Self-teaching against watching",
        _curves(results),
        _verdicts(answer, "curves"),
        *_steady(results, answer),
        "## HMCTS against UCT",
        _verdicts(answer, "uct"),
        "## Cross table",
        _verdicts(answer, "cross"),
        "## Ladder, against stand-ins",
        _verdicts(answer, "ladder"),
        "## The critic's share in ADP-HMCTS",
        _verdicts(answer, "shares"),
        "## Time a move",
        _times(answer),
        _verdicts(answer, "times", "difference"),
        "## The stand-ins",
        _stand_ins(results),
        "## How different the games were",
        _variety(results),
        "## Cost",
        _cost(results),
        "## Figures",
        *drawn,
    ]


REPORT = Report(
    title="The self-teaching critic of Gomoku and its playouts: ours beside the published",
    source="D. Zhao, Z. Zhang, Y. Dai, Self-teaching adaptive dynamic programming for Gomoku, "
    "Neurocomputing 78 (2012) 23-29; Z. Tang, D. Zhao, K. Shao, L. Lv, ADP with MCTS algorithm for "
    "Gomoku, IEEE SSCI 2016.",
    quick_note=(
        "**This is a quick run.** It trains for a tenth of the games and plays a few games of each "
        "match: it shows that everything works, and decides nothing about the papers."
    ),
    captions={
        "cases": "Five variants of the critic against the stand-ins",
        "watching": "Self-teaching against watching: moves equal to ST-Gomoku's, and moves a game",
        "playouts": "HMCTS against UCT with as many playouts",
        "cross": "ADP-UCT, ADP-HMCTS, ADP and HMCTS against each other",
        "ladder": "Four methods against the stand-ins",
    },
    sections=_sections,
    draw=draw,
)


def _verdicts(answer: Row, name: str, kind: str | None = None) -> str:
    """The claims of one table: levels first, then differences with their p."""
    rows = [r for r in answer["rows"] if r["table"] == name and kind in (None, r["kind"])]
    heads = ("published", "ours", "p (Holm)", "games", "verdict")
    levels = [r for r in rows if r["kind"] in ("level", "curve")]
    differences = [r for r in rows if r["kind"] == "difference"]
    parts = (
        claim_table(levels, ("claim", *heads[:2], *heads[3:]), published=_published),
        claim_table(differences, ("difference", *heads), sign=True),
    )
    return "\n\n".join(filter(None, parts))


def _steady(results: Row, answer: Row) -> list[str]:
    """Self-teaching with few random moves to the end."""
    shown = _verdicts(answer, STEADY)
    if not shown:
        return []
    curves = {name: curve(results, STEADY, name) for name in ("length", "correct")}
    cells = [
        (f"{k * results['iteration']:,}", _mean(at(curves["length"], k), 2),
         _mean(at(curves["correct"], k)))
        for k in POINTS
    ]  # fmt: skip
    heads = ("games", "moves a game", "moves equal to ST-Gomoku's")
    return ["## Self-teaching with ε = 0.05 to the end", table(heads, cells), shown]


def _published(row: Row) -> str:
    text = number(row["published"])
    low, high = row.get("published_low"), row.get("published_high")
    return text if low is None else f"{text} ({span(low, high)}; {row['published_games']})"


def _mean(values: Sequence[float], digits: int = 3) -> str:
    return bounded(mean_of(values), digits, most=math.inf)


def _cases(results: Row) -> str:
    rows = []
    for case, of in CASES.items():
        cells = []
        for level in LEVELS:
            won, ours = of.won.get(level), scores(matches_of(results, "cases", f"{case} {level}"))
            printed = "–" if won is None else f"{won}:{30 - won}"
            spread = f"{min(ours):.2f} to {max(ours):.2f}"
            cells.append(f"{printed} / {np.mean(ours):.3f} ({spread})")
        trained = f"{of.games // 1000 * results['iteration']:,}"
        rows.append((f"{of.number} {of.name}", trained, *cells))
    heads = ("case", "training games", *(f"{level} (stand-in)" for level in LEVELS))
    text = (
        "Published result of 30 games / our mean over trainings (lowest and highest training). "
        "Trainings of one number meet the same openings, each with either colour."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _curves(results: Row) -> str:
    correct = {case: curve(results, case, "correct") for case in PUPIL_NAMES}
    length = {case: curve(results, case, "length") for case in PUPIL_NAMES}
    sides = {
        side: [curve(results, case, f"correct_{side}") for case in PUPIL_NAMES]
        for side in ("one", "two")
    }
    rows = []
    for k in POINTS:
        cells = []
        for case in PUPIL_NAMES:
            cells += [number(CORRECT[case].get(k)), _mean(at(correct[case], k))]
        cells += [number(MOVES.get(k), 1), _mean(at(length["taught"], k), 1)]
        rows.append((f"{k * results['iteration']:,}", *cells, _mean(at(length["watching"], k), 1)))
    heads = ("games", "self-teaching, published", "ours", "watching, published", "ours",
             "moves a game, published", "self-teaching, ours", "watching, ours")  # fmt: skip
    last = [
        f"{name}: {', '.join(f'{np.mean(at(sides[side][i], 80)):.3f}' for side in ('one', 'two'))}"
        for i, name in enumerate(PUPIL_NAMES.values())
    ]
    watcher = scores(matches_of(results, "watching", "taught"))
    text = (
        "Share of moves equal to ST-Gomoku's, and moves a game, of the last thousand games (fewer "
        "in a quick run); the first two moves of each side and random moves are left out. Both "
        "begin from the same weights, which are not ST-Gomoku's. The published figures are read "
        "from curves."
    )
    after = (
        f"By player 1 and player 2 at the end: {'; '.join(last)}. The self-taught program itself "
        f"scores {_mean(watcher)} against the watching one."
    )
    return f"{text}\n\n{table(heads, rows)}\n\n{after}"


def _times(answer: Row) -> str:
    rows = [
        (r["claim"].removeprefix("Time: "), r["printed"],
         ours(r, 2), f"**{r['verdict']}**")
        for r in answer["rows"]
        if r["kind"] == "time"
    ]  # fmt: skip
    text = "One thread; published figures are of another machine, so only their order is tested."
    return f"{text}\n\n{table(('', 'published', 'ours', 'verdict'), rows)}"


def _stand_ins(results: Row) -> str:
    rows = []
    for level in LEVELS:
        record = results["stand_ins"][level]
        check = record["check"]
        measured = with_span(check["score"], check["low"], check["high"])
        here = pooled(ladder_matches(results, "hmcts", level))
        rows.append((level, number(record["published"]), measured, f"{check['games']}",
                     with_span(here.value, here.low, here.high)))  # fmt: skip
    heads = ("stand-in", "HMCTS-400, published", "as calibrated", "games", "in this run, by pairs")
    text = "The score of HMCTS-400, by which the stand-ins were set (docs/learners/adp-mcts.md)."
    return f"{text}\n\n{table(heads, rows)}"


def _variety(results: Row) -> str:
    rows = []
    for name, found in _groups(results):
        games = games_of(found)
        distinct = sum(match["distinct"] for match in found)
        length = float(
            np.average([m["length"] for m in found], weights=[games_of([m]) for m in found])
        )
        rows.append((name, f"{games:,}", f"{distinct / games:.0%}", f"{length:.1f}",
                     f"{sum(match['draws'] for match in found):,}"))  # fmt: skip
    heads = ("", "games", "distinct", "moves a game", "draws")
    text = "Distinct games of each match by itself, as a share of them all."
    return f"{text}\n\n{table(heads, rows)}"


def _groups(results: Row) -> list[tuple[str, list[dict[str, Any]]]]:
    """Matches as they stand in tables."""
    found = [
        (f"case {of.number} against the {level} (stand-in)",
         matches_of(results, "cases", f"{case} {level}"))
        for case, of in CASES.items()
        for level in LEVELS
    ]  # fmt: skip
    found += [
        (f"{METHODS[a]} against {METHODS[b]}", matches_of(results, "cross", f"{a} {b}"))
        for a, b in CROSS_WON
    ]
    found += [
        (f"{METHODS[method]} against the {level} (stand-in)",
         ladder_matches(results, method, level))
        for method in LADDER_WON
        for level in LEVELS
        if method != "adp"
    ]  # fmt: skip
    return [*found, ("HMCTS-400 against UCT-400", matches_of(results, "uct", "400"))]


def _cost(results: Row) -> str:
    rows = costs(results)
    for case in (*CASES, *PUPIL_NAMES):
        times = [
            training["ledger"]["cpu_seconds"]
            for training in results["trainings"]
            if training["case"] == case
        ]
        rows.append((f"one training, {case}", f"{np.mean(times):.1f} s CPU (mean)"))
    return table(("", ""), rows)
