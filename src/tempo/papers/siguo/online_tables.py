"""From the stored on-line trainings of the Siguo paper to shares, claims and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tempo import td
from tempo.arena.statistics import wilson
from tempo.papers import answers
from tempo.papers.judging import (
    Effect,
    Mean,
    Row,
    effect_of,
    holm,
    mean_of,
    minus,
    no_narrower,
    widened,
)
from tempo.papers.markdown import bounded, claim_table, number, ours, table, with_span
from tempo.papers.siguo.online import ARMS, GAMES, LONGER, TABLE_ARMS
from tempo.papers.siguo.published import GAMES as TABLE_GAMES
from tempo.papers.siguo.published import GAPS, ORDER, TABLE_2, TABLE_3
from tempo.papers.siguo.tables import COUNTS, DISCOUNT, Results, Run, settled_at

READING = "on-line"
STEPS = 20  # m
TEST_ENDS = ("won", "drawn", "lost")
BY_EPSILON = ("q-epsilon", "q")  # compared by Table II


def runs_of(results: Results, arm: str, *, longer: bool = False) -> list[Run]:
    """The trainings of an arm by seed, of seeds that all arms have; or those with more games."""
    rows = [row for row in results.get("online", ()) if (row["games"] >= LONGER) == longer]
    seeds = {name: {row["seed"] for row in rows if row["arm"] == name} for name in ARMS}
    shared = set.intersection(*(seeds[name] for name in (TABLE_ARMS if longer else ARMS)))
    found = [row for row in rows if row["arm"] == arm and row["seed"] in shared]
    return sorted(found, key=lambda row: int(row["seed"]))


def part(run: Run, what: str, first: float, last: float) -> float:
    """Of the games from `first` to `last`: won, drawn, lost; own moves, explored, of one seat."""
    curves = run["curves"]
    games = np.array(curves["games"])
    chosen = (games > first) & (games <= last)
    won, decided = (np.array(curves[name])[chosen].mean() for name in ("won", "decided"))
    if what in ("moves", "explored"):
        return float(np.array(curves[what])[chosen].mean()) / 2
    return float({"won": won, "drawn": 1 - decided, "lost": decided - won}[what])


def at_first(run: Run, what: str) -> float:
    """Of the first 100 games, the tables'."""
    return part(run, what, 0, TABLE_GAMES)


def at_last(run: Run, what: str) -> float:
    """Of the last 100 games."""
    return part(run, what, run["games"] - TABLE_GAMES, run["games"])


def _share(runs: Sequence[Run], values: Sequence[float]) -> Mean | None:
    """A share of 100 games of each training, no surer than the games allow."""
    return no_narrower(mean_of(values), _by_games(values)) if runs else None


def _by_games(values: Sequence[float]) -> Mean:
    games = TABLE_GAMES * len(values)
    count = round(sum(values) * TABLE_GAMES)
    return Mean(count / games, *wilson(count, games))


def _gap(one: Sequence[float], other: Sequence[float]) -> Effect | None:
    """Seed by seed, no surer than the games allow."""
    return widened(effect_of(minus(one, other)), _by_games(one), _by_games(other))


def nodes_within(trace: float, own_moves: float, *, falling: bool = False) -> list[float]:
    """Forward nodes of weight 0.01 or more at every own move of a game of that length."""
    found = []
    for t in range(math.ceil(own_moves)):
        now = td.adaptive_trace("closed", t) if falling else trace
        counted = 1 if now == 0 else 1 + math.floor(math.log(COUNTS) / math.log(DISCOUNT * now))
        found.append(float(min(counted, STEPS, max(1.0, own_moves - t))))
    return found


# Claims


def claims(results: Results) -> list[Row]:
    """The figures of the tables and Figure 6 again, learnt on-line; none is counted anew."""
    if not runs_of(results, "q"):
        return []
    rows = [*_levels(results), *_gaps(results), *_orders(results)]
    rows = [answers.uncounted(row, READING) for row in rows]
    answers.adjust([row for row in rows if "p" in row])
    return [{**row, "table": "online"} for row in rows]


def _levels(results: Results) -> list[Row]:
    rows = []
    for arm, counts in TABLE_3.items():
        runs = runs_of(results, arm)
        for what, count in zip(TEST_ENDS, counts, strict=True):
            claim = f"Table III: {ARMS[arm].title}, games {what} (stand-in), {READING}"
            mean = _share(runs, [at_first(run, what) for run in runs])
            games = TABLE_GAMES * len(runs)
            rows.append(answers.level(claim, count / TABLE_GAMES, mean, games, stand_in=True))
    for arm, (moves, explored, _) in TABLE_2.items():
        runs = runs_of(results, arm)
        for what, shown, published in (
            ("moves", "own moves", moves), ("explored", "explorations", explored),
        ):  # fmt: skip
            claim = f"Table II: {ARMS[arm].title}, {shown} a game (stand-in), {READING}"
            mean = mean_of([at_first(run, what) for run in runs])
            rows.append(
                answers.value(claim, published, mean, TABLE_GAMES * len(runs), runs=len(runs))
            )
    return rows


def _gaps(results: Results) -> list[Row]:
    wins = {arm: counts[0] for arm, counts in TABLE_3.items()}
    pairs = [("Table III", one, other, wins[one], wins[other]) for one, other in GAPS]
    pairs.append(("Table II", *BY_EPSILON, TABLE_2["q-epsilon"][2], TABLE_2["q"][2]))
    rows = []
    for source, one, other, more, less in pairs:
        found = [runs_of(results, arm) for arm in (one, other)]
        effect = _gap(*([at_first(run, "won") for run in runs] for runs in found))
        names = f"{ARMS[one].title} wins more than {ARMS[other].title}"
        error = answers.published_error((more, TABLE_GAMES), (less, TABLE_GAMES))
        rows.append(
            answers.difference(
                f"{source}: {names} (stand-in), {READING}", (more - less) / TABLE_GAMES, effect,
                TABLE_GAMES * sum(map(len, found)), error=error, runs=len(found[0]), stand_in=True,
            )
        )  # fmt: skip
    return rows


def _orders(results: Results) -> list[Row]:
    """Figure 6 by its caption: whose weights settle first."""
    rows = []
    for first, second in ORDER:
        found = [runs_of(results, arm) for arm in (first, second)]
        when = [[settled_at(run, run["curves"]["weights"]) for run in runs] for runs in found]
        claim = f"Figure 6: weights of {ARMS[first].title} settle before {ARMS[second].title}'s"
        ahead = effect_of(minus(when[1], when[0]))
        games = sum(run["games"] for runs in found for run in runs)
        rows.append(answers.difference(f"{claim} (games), {READING}", None, ahead, games))
    return rows


# The report


def sections(results: Results, answer: Results) -> list[str]:
    """What came of learning on-line; nothing where nothing was."""
    rows = [row for row in answer["rows"] if row["table"] == "online"]
    if not rows:
        return []
    heads = ("claim", "published", "ours", "p (Holm)", "games", "verdict")
    judged = claim_table(
        rows, heads,
        published=lambda row: number(row["published"], sign=row["kind"] == "difference"),
        ours=lambda row: ours(row, 0 if "settle" in row["claim"] else 3,
                              sign=row["kind"] == "difference"),
    )  # fmt: skip
    return ["## On-line, against opponents", _about(results), _first_games(results),
            _longer(results), judged]  # fmt: skip


def _about(results: Results) -> str:
    seeds = len(runs_of(results, "q"))
    return (
        f"{seeds} trainings of each kind. Two seats by one network play two stand-ins; the network "
        "is taught at every own move, as soon as the m rewards and values of its target have been "
        "seen, with the paper's α, λ and m. The first 100 games, in which it learns, are those of "
        "the paper's tables. Differences are taken seed by seed; p is adjusted by Holm over the "
        "rows of this reading. *Undone*: own moves that take back the one before. *Tested*: the "
        "trained network without learning or exploring, 100 games a training."
    )


def _first_games(results: Results) -> str:
    cells = []
    for arm, made in ARMS.items():
        runs = runs_of(results, arm)
        published = ", ".join(map(str, TABLE_3.get(arm, ()))) or "–"
        first = [bounded(_share(runs, [at_first(r, what) for r in runs])) for what in TEST_ENDS]
        spent = [
            f"{np.mean([at_first(r, what) for r in runs]):.1f}" for what in ("moves", "explored")
        ]
        last = [f"{np.mean([at_last(r, what) for r in runs]):.2f}" for what in TEST_ENDS]
        gained = _gap(*([of(r, "won") for r in runs] for of in (at_last, at_first)))
        last.append(_signed(gained))
        tests = [r["end"] for r in runs]
        games = sum(sum(test[what] for what in TEST_ENDS) for test in tests)
        end = [f"{sum(test[what] for test in tests) / games:.2f}" for what in TEST_ENDS]
        undone = f"{np.mean([test['undone'] for test in tests]):.0%}"
        cells.append(
            (
                made.title,
                published,
                *first,
                *spent,
                "/".join(last[:3]),
                last[3],
                "/".join(end),
                undone,
            )
        )
    heads = ("first 100 games", "published", *TEST_ENDS, "own moves", "explored",
             f"last 100 of {GAMES}", "wins, last less first", "tested", "undone")  # fmt: skip
    return table(heads, cells)


def _signed(effect: Effect | None) -> str:
    if effect is None:
        return "–"
    mean = effect.mean
    return with_span(mean.value, mean.low, mean.high, 2, sign=True)


def _longer(results: Results) -> str:
    cells = []
    for arm in TABLE_ARMS:
        runs = runs_of(results, arm, longer=True)
        if len(runs) > 1:
            shown = [
                "/".join(f"{np.mean([of(r, what) for r in runs]):.2f}" for what in TEST_ENDS)
                for of in (at_first, at_last)
            ]
            undone = f"{np.mean([r['end']['undone'] for r in runs]):.0%}"
            gained = _gap(*([of(r, "won") for r in runs] for of in (at_last, at_first)))
            cells.append((ARMS[arm].title, str(len(runs)), *shown, _signed(gained), undone))
    if not cells:
        return ""
    text = f"At {LONGER // TABLE_GAMES} times the games (won/drawn/lost of 100):"
    heads = ("", "trainings", "first 100", f"last 100 of {LONGER:,}", "wins, last less first",
             "undone")  # fmt: skip
    return f"{text}\n\n{table(heads, cells)}\n\n{_longer_gaps(results)}"


def _longer_gaps(results: Results) -> str:
    """The differences of the tables in the last 100 games, p adjusted over them."""
    found = []
    for one, other in (*GAPS, BY_EPSILON):
        both = [runs_of(results, arm, longer=True) for arm in (one, other)]
        effect = _gap(*([at_last(run, "won") for run in runs] for runs in both))
        if effect:
            names = f"{ARMS[one].title} less {ARMS[other].title}"
            found.append((names, effect))
    adjusted = holm([effect.p for _, effect in found])
    cells = [
        (names, _signed(effect), number(p, 3))
        for (names, effect), p in zip(found, adjusted, strict=True)
    ]
    return table((f"wins in the last 100 of {LONGER:,}", "difference", "p (Holm)"), cells)
