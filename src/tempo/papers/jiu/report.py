"""The report of the Jiu paper's reproduction, made from its stored results alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from tempo.ledger import Ledger
from tempo.papers.jiu import own_tables
from tempo.papers.jiu.claims import RULE_NAMES, figure_runs, scores, swept, tests_of
from tempo.papers.jiu.figures import draw
from tempo.papers.jiu.plan import GREEDY, POINTS
from tempo.papers.jiu.tables import arms, searching
from tempo.papers.jiu.training import RULES
from tempo.papers.judging import Mean, games_of, mean_of, pooled
from tempo.papers.markdown import Row, bounded, claim_table, number, span, table
from tempo.papers.reports import Report, costs, provenance, verdict_counts

HOW_JUDGED = (
    "Scores are points won, draws half. The rules of the verdicts stand in "
    "`tempo.papers.verdicts`; intervals are 95 %, the training being the unit. p is Student's, "
    "adjusted by Holm over all of the second table; arms are compared seed by seed."
)


def _sections(results: Row, answer: Row, drawn: list[str]) -> list[str]:
    second = own_tables.sections(results, answer)
    if not results["runs"]:
        cost = ["## Cost", table(("", ""), costs(results))]
        return [_provenance(results), *second, *cost, "## Figures", *drawn]
    return [
        _provenance(results),
        "## Verdicts",
        f"{verdict_counts(answer)} {HOW_JUDGED}",
        _levels(answer),
        _effects(answer),
        _humans(answer),
        "## Figure 3",
        _curves(results, {RULE_NAMES[rule]: figure_runs(results, rule) for rule in RULES}),
        _books(results),
        "## Figure 4",
        _curves(results, {f"ε_greedy {g:g}": figure_runs(results, greedy=g) for g in GREEDY}),
        "## Arms and baselines",
        _arms(results),
        "## How much the central stones matter",
        _centres(results),
        "## The sweep of step size and discount",
        _sweep(results),
        "## How different the games were",
        _variety(results),
        *second,
        "## Cost",
        _cost(results),
        "## Figures",
        *drawn,
    ]


REPORT = Report(
    title="Sarsa and Q-learning in the preparation of Jiu: ours beside the published",
    source="X. Li, Z. Lv, S. Wang, Z. Wei, L. Wu, A reinforcement learning model based on temporal "
    "difference algorithm, IEEE Access 2019.",
    quick_note=(
        "**This is a quick run.** It trains for a fifth of the games and plays a twentieth of the "
        "matches: it shows that everything works, and decides nothing about the paper."
    ),
    captions={
        "figure-3": "Figure 3: score of the libraries against the Bayesian network by training "
        "games",
        "figure-4": "Figure 4: Sarsa by the share of greedy moves in training",
        "arms": "Every arm at the end of its training, and what learns nothing",
        "own-3": "Figure 3 in the second reading: libraries, and as many central stones of those "
        "who have learnt nothing, by training games",
        "own-4": "Figure 4 in the second reading: Sarsa by the share of greedy moves in training, "
        "with the same controls",
    },
    sections=_sections,
    draw=draw,
)


def _provenance(results: Row) -> str:
    seeds = "; the second reading 301 and up" if "own" in results else ""
    if results["network"]:
        network = f"{results['network']['seed']} ({results['network']['games']} games)"
        seeds = f"; the sweep 101 and up; the network's games {network}{seeds}"
    return provenance(
        results,
        seeds=seeds,
        machine=f"; {results['workers']} processes of one thread",
    )


def _levels(answer: Row) -> str:
    rows = [r for r in answer["rows"] if r["kind"] == "level"]
    return claim_table(rows, ("claim", "published", "ours", "games", "verdict"))


def _effects(answer: Row) -> str:
    rows = [r for r in answer["rows"] if r["kind"] == "effect"]
    heads = ("claim", "published", "ours", "p", "p (Holm)", "games", "verdict")
    return claim_table(rows, heads, sign=True)


def _humans(answer: Row) -> str:
    rows = [
        (r["claim"], number(r["published"]), span(r.get("published_low"), r.get("published_high")),
         f"**{r['verdict']}**")
        for r in answer["rows"]
        if r["kind"] == "humans"
    ]  # fmt: skip
    text = "People are not at hand; Wilson's intervals say what the published counts can tell."
    return f"{text}\n\n{table(('claim', 'published', '95 % of that', 'verdict'), rows)}"


def _curves(results: Row, runs: Mapping[str, Sequence[Row]]) -> str:
    """Points down, curves side by side."""
    rows = []
    for games, shown in zip(POINTS, results["points"], strict=True):
        found = [tests_of(results, of, games) for of in runs.values()]
        rows.append((f"{shown:,}", *(bounded(mean_of(scores(tests))) for tests in found)))
    played = [
        f"{name} {games_of(*(tests_of(results, of, games) for games in POINTS)):,}"
        for name, of in runs.items()
    ]
    heads = ("training games", *runs)
    return f"{table(heads, rows)}\n\nGames played: {', '.join(played)}."


def _books(results: Row) -> str:
    """What the libraries know of the games they are asked about."""
    rows = []
    for rule in RULES:
        for games, shown in zip(POINTS, results["points"], strict=True):
            tests = tests_of(results, figure_runs(results, rule), games)
            size, entries, reward, known = (
                float(np.mean([test[name] for test in tests]))
                for name in ("library", "entries", "reward", "known")
            )
            rows.append((RULE_NAMES[rule], f"{shown:,}", f"{entries:,.0f}", f"{size:,.0f}",
                         f"{reward - PLACE_REWARDS:,.0f}", f"{known:.2f}"))  # fmt: skip
    heads = ("", "training games", "placements tried", "in the library", "reward a game",
             "known in a match")  # fmt: skip
    text = (
        "Means over trainings. A library holds placements tried ten times or more; the reward is "
        "of both sides, in the last thousand games, without e1, which is the same in all games. "
        "The last column is what the libraries are good for: the number of the 17 stones a side is "
        "free to place in the centre that the library placed, and not the expert."
    )
    return f"{text}\n\n{table(heads, rows)}"


PLACE_REWARDS = 2_200_620  # the sum of e1 over the 36 central points


def _arms(results: Row) -> str:
    rows = []
    for name, tests in arms(results):
        white, black = (
            np.mean([test[side] for test in tests]) for side in ("as_white", "as_black")
        )
        found = [test["known"] for test in tests if "known" in test]
        known = f"{np.mean(found):.2f}" if found else "–"
        rows.append((name, bounded(mean_of(scores(tests))), span(*_ends(pooled(tests)), 3),
                     f"{white:.2f}, {black:.2f}", f"{sum(t['draws'] for t in tests):,}",
                     f"{games_of(tests):,}", known))  # fmt: skip
    heads = ("", "score (over trainings)", "by pairs", "White, Black", "draws", "games",
             "known")  # fmt: skip
    text = (
        f"After {results['points'][-1]:,} training games, against the Bayesian network unless "
        "said otherwise. A baseline has a block of games in place of each training. The network "
        "against itself is even by the pairing: both games of a pair are one game."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _ends(mean: Mean) -> tuple[float, float]:
    return mean.low, mean.high


def _centres(results: Row) -> str:
    rows = [
        (row["battle"], f"{row['centres']}", f"{row['games']}", f"{row['spread']:.3f}",
         f"{row['chance']:.3f}", f"{row['limit']:.3f}")
        for row in results["centres"]
    ]  # fmt: skip
    heads = ("battle engine", "centres", "games of each", "standard deviation", "by chance alone",
             "95 % limit of what is left")  # fmt: skip
    text = (
        "Centres coloured at random, 18 stones a side, each played several times with the same "
        "fill and the same engine for both. If central stones decided games, the scores of centres "
        "would differ by more than chance. `search:100` visits 100 positions a turn."
    )
    return f"{text}\n\n{table(heads, rows)}\n\n{_searching(results)}"


def _searching(results: Row) -> str:
    rows = [
        (
            name,
            bounded(mean_of(scores(tests))),
            span(*_ends(pooled(tests)), 3),
            f"{games_of(tests):,}",
        )
        for name, tests in searching(results)
    ]
    heads = ("against the network, search:100 for both", "score (over trainings)", "by pairs",
             "games")  # fmt: skip
    return table(heads, rows)


def _sweep(results: Row) -> str:
    found, (step_size, discount) = swept(results)
    rows = [
        (f"{row['step_size']:g}", f"{row['discount']:g}", f"{row['score']:.3f}",
         f"{row['error']:.3f}", str(row["runs"]))
        for row in found
    ]  # fmt: skip
    text = (
        "Neither α nor γ is published. Score against the Bayesian network, both rules together, "
        "on seeds and games of its own. The rule, fixed beforehand: 0.1 and 0.9 stay unless "
        "another pair is better by more than twice the standard error of the difference. So "
        f"α = {step_size:g} and γ = {discount:g}."
    )
    heads = ("α", "γ", "score", "standard error", "trainings")
    return f"{text}\n\n{table(heads, rows)}"


def _variety(results: Row) -> str:
    """Placers that never hesitate would play one game over and over."""
    rows = []
    for name, tests in arms(results):
        games = games_of(tests)
        layouts, centres = (
            sum(test[which] for test in tests) for which in ("distinct_layouts", "distinct_centres")
        )
        turns = float(np.mean([test["turns"] for test in tests]))
        ends: Counter[str] = Counter()
        for test in tests:
            ends.update(test["ends"])
        shown = ", ".join(f"{why} {n / games:.0%}" for why, n in ends.most_common(3))
        rows.append((name, f"{games:,}", f"{layouts / games:.0%}", f"{centres / games:.0%}",
                     f"{turns:.0f}", shown))  # fmt: skip
    heads = ("", "games", "distinct layouts", "distinct centres", "turns", "ends")
    text = (
        "Distinct full boards, and distinct central 6×6 points, of each match by themselves, as "
        "a share of its games. Equal layouts can still be different games: the battle engine "
        "chooses among equals at random."
    )
    return f"{text}\n\n{table(heads, rows)}"


def _cost(results: Row) -> str:
    network = Ledger.from_json(results["network"]["ledger"])
    return table(("", ""), [*costs(results), ("the network's games", str(network))])
