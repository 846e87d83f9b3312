"""The report of the Siguo paper's reproduction, made from its stored results alone."""

from __future__ import annotations

import numpy as np

from tempo.papers.judging import games_of, mean_of
from tempo.papers.markdown import Row, bounded, claim_table, number, ours, table, with_span
from tempo.papers.reports import Report, costs, provenance, verdict_counts
from tempo.papers.siguo.claims import ENDS, NAMES
from tempo.papers.siguo.figures import draw
from tempo.papers.siguo.online_tables import sections as online_sections
from tempo.papers.siguo.plan import BASELINES, EXPLORED, FIRST_GAMES
from tempo.papers.siguo.published import (
    BASES,
    CURVES,
    GROUPS,
    PRINTED,
    READINGS,
    SWITCHES,
    TABLE_2,
    TABLE_3,
)
from tempo.papers.siguo.tables import (
    Results,
    error_curve,
    gap,
    nearest_temperature,
    nodes,
    nodes_left,
    over_trainings,
    played,
    runs_of,
    settled,
    shares,
    stand_ins,
    temperatures,
)
from tempo.papers.siguo.testing import MOST_PLIES, NOTICES

TRACES = {  # averaged arms that explore by Metropolis, by their λ
    "metropolis": "λ = 0: Q-learning",
    "ttd": "λ = 0.3",
    "metropolis-ttd": "λ adaptive",
}
READING_NAMES = {
    "printed": "pushes of a game added up, as printed",
    "averaged": "pushes averaged over a game's moves",
}

HOW_JUDGED = (
    "The rules of the verdicts stand in `tempo.papers.verdicts`; "
    "intervals are 95 %, the training being the unit, and never narrower than the games allow. "
    "Differences are taken seed by seed; p is Student's, adjusted by Holm over all of them."
)


def _sections(results: Row, answer: Row, drawn: list[str]) -> list[str]:
    online = online_sections(results, answer)
    if not results["runs"]:
        return [_provenance(results), *online, "## Figures", *drawn]
    return [
        _provenance(results),
        "## Verdicts",
        f"{verdict_counts(answer)} {HOW_JUDGED}",
        "## Figure 6: convergence",
        _figure_6(results),
        _verdicts(answer, "figure-6"),
        "## Figure 7: forward nodes",
        _figure_7(results),
        _verdicts(answer, "figure-7"),
        "## Table II: exploration",
        _table_2(results),
        _verdicts(answer, "table-2"),
        "## Table III: games won, drawn and lost",
        _table_3(results),
        _verdicts(answer, "table-3"),
        *online,
        "## What the paper leaves open, one change at a time",
        _switches(results),
        "## What was learnt from",
        _training(results),
        "## The stand-in and the limit of plies",
        _stand_in(results),
        "## The first temperature",
        _temperature(results),
        "## Cost",
        _cost(results),
        "## Figures",
        *drawn,
    ]


REPORT = Report(
    title="Q-learning, truncated TD and Metropolis in Siguo: ours beside the published",
    source="Lin, Wang, Han, Zhang, Xu, The Improvement of Q-learning Applied to Imperfect "
    "Information Game, IEEE SMC 2009, 1562-1567.",
    quick_note=(
        "**This is a quick run.** It trains for a fifth of the games by two seeds and plays a few "
        "games of each test: it shows that everything works, and decides nothing about the paper."
    ),
    captions={
        "figure-6": "Figure 6: how far values are off their targets, and scores, by training games",
        "figure-7": "Figure 7: nodes ahead that count in a target, by training games",
        "tables": "Tables II and III: games won, drawn and lost, published and ours",
        "arms": "Every way of learning against the stand-ins",
        "online": "On-line, against stand-ins: games won by hundreds of games; Figure 6, the root "
        "mean square of the weights over games; Figure 7, nodes ahead that count in a target, over "
        "the own moves of a game",
    },
    sections=_sections,
    draw=draw,
)


def _provenance(results: Row) -> str:
    setting = [
        ("training", f"{results['games']:,} games each, all four seats by one network"),
        ("tests", f"two networks against two stand-ins that notice {results['notices']:g} of "
         f"good attacks; drawn after {results['most_plies']} plies"),
    ]  # fmt: skip
    machine = f"; processes of one thread: {results['workers']}"
    return provenance(results, seeds="; the grids 101 and up", machine=machine, setting=setting)


def _verdicts(answer: Row, which: str) -> str:
    heads = ("claim", "published", "ours", "p (Holm)", "games", "verdict")
    digits = 0 if which == "figure-6" else 3
    return claim_table(
        [row for row in answer["rows"] if row["table"] == which],
        heads,
        published=lambda row: number(row["published"], sign=row["kind"] == "difference"),
        ours=lambda row: ours(row, digits, sign=row["kind"] == "difference"),
    )


def _figure_6(results: Results) -> str:
    rows = []
    for reading, arms in CURVES.items():
        for arm in arms.values():
            runs = runs_of(results, reading, arm)
            curves = [error_curve(run) for run in runs]
            ends = [float(np.mean([curve[i] for curve in curves])) for i in (0, -1)]
            scores = [shares([run["points"][i] for run in runs], "score") for i in (0, -1)]
            when = ", ".join(f"{settled(run):,}" for run in runs)
            rows.append((READINGS[reading][arm].title, reading, when,
                         *(f"{end:.4f}" for end in ends),
                         *(bounded(mean_of(score)) for score in scores)))  # fmt: skip
    heads = ("", "pushes", "settled after (games, by seed)", "first error", "last error",
             "score untrained", "score at the end")  # fmt: skip
    text = (
        "The error is the root of the mean square of target less value, over windows of "
        f"{results['window']} games. It has settled from where on it stays within a tenth of its "
        "range around the mean of its last fifth. Without exploration no game is decided for long: "
        "there is next to no reward, the error is next to 0 throughout, and where it settles says "
        "little. TTD(0.3, 20) and Q(0.3) differ by (γλ)^20 in a target, less than 10⁻¹⁰: they are "
        "one rule, and where their games differ at all it is because such a number was rounded "
        "otherwise and one move changed."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _figure_7(results: Results) -> str:
    rows = []
    for arm in ("q", "ttd", "q-lambda", "ttd-adaptive"):
        runs = runs_of(results, "printed", arm)
        counted, left = ([which(run) for run in runs] for which in (nodes, nodes_left))
        traces = [runs[0]["curves"]["trace"][i] for i in (0, -1)]
        rows.append((PRINTED[arm].title, *(f"{trace:.2f}" for trace in traces),
                     *(f"{np.mean([c[i] for c in counted]):.1f}" for i in (0, -1)),
                     *(f"{np.mean([c[i] for c in left]):.0f}" for i in (0, -1))))  # fmt: skip
    heads = ("", "first λ", "last λ", "first nodes", "last nodes", "first left", "last left")
    text = (
        "Nodes are those whose weight (γλ)^k in a target is 0.01 or more, 20 at most. Left are the "
        "own moves that a game still has on average: what a target could see without an end."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _table_2(results: Results) -> str:
    rows = []
    for reading in READINGS:
        for arm, (moves, explored, won) in TABLE_2.items():
            found = played(results, reading, arm, exploring=True)
            rows.append((NAMES[arm], reading, f"{moves}", f"{explored}", f"{won} %",
                         f"{np.mean([test['moves'] for test in found]):.1f}",
                         f"{np.mean([test['explored'] for test in found]):.1f}",
                         bounded(over_trainings(found, "won")),
                         f"{games_of(found):,}"))  # fmt: skip
    heads = ("", "pushes", "published moves", "explored", "won", "ours moves", "explored", "won",
             "games")  # fmt: skip
    text = (
        "Own moves and explorations are of one seat in a game. The tests explore as the training "
        "did at its end, but learn nothing."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _table_3(results: Results) -> str:
    rows = []
    for reading in READINGS:
        for arm, counts in TABLE_3.items():
            found = played(results, reading, arm)
            rows.append((NAMES[arm], reading, ", ".join(map(str, counts)),
                         *(bounded(over_trainings(found, what)) for what in ENDS),
                         bounded(over_trainings(found, "score")),
                         f"{games_of(found):,}"))  # fmt: skip
    for arm in BASELINES:
        found = played(results, "baselines", arm)
        rows.append((arm, "–", "–", *(bounded(over_trainings(found, what)) for what in ENDS),
                     bounded(over_trainings(found, "score")), f"{games_of(found):,}"))  # fmt: skip
    heads = ("", "pushes", "published", *ENDS, "score", "games")
    listed = "; ".join(f"{name}: {text}" for name, text in READING_NAMES.items())
    return f"Published are won, drawn, lost of 100. {listed}.\n\n{table(heads, rows)}"


def _switches(results: Results) -> str:
    base = ("switches", "long")
    places = [(("switches", arm), BASES.get(arm, base)) for arm in SWITCHES]
    places += [(("averaged", arm), base) for arm in TRACES]
    rows = []
    for place, other in places:
        found = played(results, *place)
        effect = gap(found, played(results, *other), "score") if place != base else None
        shown = ("–", "–")
        if effect:
            mean = effect.mean
            shown = (with_span(mean.value, mean.low, mean.high, sign=True),
                     number(effect.p, 3))  # fmt: skip
        title = TRACES.get(place[1], "") if place[0] == "averaged" else SWITCHES[place[1]].title
        rows.append((title, *(bounded(over_trainings(found, what)) for what in ("won", "lost")),
                     bounded(over_trainings(found, "score")), *shown,
                     f"{games_of(found):,}"))  # fmt: skip
    heads = ("", "won", "lost", "score", "score less the base's", "p", "games")
    text = (
        "The base learns by TTD(0.9, 20) with averaged pushes, Metropolis and the successor "
        "`own_turn`; printed arms have theirs in Table III. The last three are of Table III's "
        "averaged reading and differ from the base in λ alone. p is Student's and not adjusted: no "
        "verdict rests on this table."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _training(results: Results) -> str:
    rows = []
    for group, arms in GROUPS.items():
        for arm, made in arms.items():
            curves = [run["curves"] for run in runs_of(results, group, arm)]
            first, last = (
                [float(np.mean([curve[name][i] for curve in curves])) for i in (0, -1)]
                for name in ("decided", "explored")
            )
            moves = float(np.mean([np.mean(curve["moves"]) for curve in curves]))
            seconds = [
                run["training"]["cpu_seconds"] for run in runs_of(results, group, arm)
            ]  # of the whole training
            rows.append((made.title, group, f"{moves:.0f}", *(f"{share:.0%}" for share in first),
                         *(f"{count:.0f}" for count in last),
                         f"{np.mean(seconds):.1f}"))  # fmt: skip
    heads = ("", "", "moves a game", "decided at first", "at last", "explored at first", "at last",
             "CPU s")  # fmt: skip
    text = (
        "Games of the network with itself, means over trainings; explored are moves of all four "
        "seats in a game that were worse than the best. A move among equals is no exploration: "
        "where all values have become alike the play is random and nothing counts as explored."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _stand_in(results: Results) -> str:
    cells = stand_ins(results)
    rows = [
        (f"{notices:g}", f"{limit}", *(f"{share:.1%}" for share in means[:3]), f"{means[3]:.0f}",
         f"{off:.4f}")
        for notices, limit, means, off in cells
    ]  # fmt: skip
    best = min(cells, key=lambda cell: cell[-1])
    text = (
        "Printed Q-learning on seeds of its own, against stand-ins that notice good attacks with "
        "several probabilities, drawn at several limits of plies. Last: the squared distance from "
        f"the published 15, 78 and 7 %. Nearest here: {best[0]:g} and {best[1]} plies. Used "
        f"everywhere: {NOTICES:g} and {MOST_PLIES}, chosen before any test by a first playing of "
        "this grid with other first weights, where they gave 15.4, 77.2 and 7.4 %."
    )
    heads = ("notices", "limit", *ENDS, "own moves", "distance²")
    return f"{text}\n\n{table(heads, rows)}"


def _temperature(results: Results) -> str:
    parts = []
    for arm, cells in temperatures(results).items():
        rows = [(f"{at:g}", f"{share:.1%}", f"{decided:.0%}") for at, share, decided in cells]
        heads = (f"first T, {arm}", "not the best move", "games decided")
        parts.append(f"{table(heads, rows)}\n\nNearest to {EXPLORED:.0%}: "
                     f"T = {nearest_temperature(cells):g}.")  # fmt: skip
    text = (
        f"How many moves of the first {FIRST_GAMES} games of training were not the best, T cooled "
        "by 0.99 a game down to 0.001 at least. The intent was to take the T at which 15 % are. "
        "With pushes added up the share does not follow T: within tens of games all values are "
        "alike, and what is left of it depends on the seed. T = 0.1 is used everywhere."
    )
    return "\n\n".join([text, *parts])


def _cost(results: Results) -> str:
    return table(("", ""), costs(results))
