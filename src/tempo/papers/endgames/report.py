"""The report of the endgame paper's reproduction, made from its stored results alone."""

from __future__ import annotations

from tempo.ledger import Ledger
from tempo.papers.endgames.claims import (
    FIGURES,
    PUBLISHED,
    RULE_NAMES,
    Published,
    at_end,
    chosen,
    cpu_budget,
    figures,
    place,
    within,
)
from tempo.papers.endgames.crossed import sections as crossed_sections
from tempo.papers.endgames.figures import draw
from tempo.papers.judging import mean_of
from tempo.papers.markdown import Row, claim_table, number, ours, span, table
from tempo.papers.reports import Report, machines_of, provenance, verdict_counts

HOW_JUDGED = (
    "The rules of the verdicts stand in `tempo.papers.verdicts`; intervals are 95 %, over seeds, "
    "the run being the unit. p is the exact permutation test on run means, adjusted by Holm over "
    "the three comparisons of a figure."
)


def _sections(results: Row, answer: Row, drawn: list[str]) -> list[str]:
    crossed = crossed_sections(results, answer)
    origin = provenance(
        results, machine=f"; {results['workers']} runs side by side, one thread each",
        done=_crossed_cost(results),
    )  # fmt: skip
    if not results["runs"]:
        return [origin, *crossed, "## Figures", *drawn]
    return [
        origin,
        "## Verdicts",
        f"{verdict_counts(answer)} {HOW_JUDGED}",
        _verdicts(answer, "difference", "episodes"),
        _verdicts(answer, "difference", "cpu"),
        _verdicts(answer, "curve"),
        "## Table IV: KRK",
        _columns(results, answer, "IV"),
        "## Table V: KQK",
        _columns(results, answer, "V"),
        "## Equal CPU seconds",
        _equal_cpu(results),
        "## Floors",
        _floors(results),
        *crossed,
        "## Figures",
        *drawn,
    ]


def _crossed_cost(results: Row) -> list[tuple[str, str]]:
    found = results.get("conditions")
    if not found:
        return []
    ledger = Ledger.from_json(found["ledger"])
    text = f"{len(found['rows'])} trainings: {ledger}; on {machines_of(ledger)}"
    return [("crossed conditions", text)]


REPORT = Report(
    title="TD-Leaf against TD-Stem on KRK and KQK: ours beside the published",
    source="On TD-Leaf(λ) and TD-Stem(λ) in the chess endings KRK and KQK; its title and authors "
    "are not recorded here.",
    quick_note=(
        "**This is a quick run.** Its schedules have about a tenth of the iterations and a fifth "
        "of the games of each: it shows that everything works, and decides nothing about the paper."
    ),
    captions={
        "tables": "Figures of Tables IV and V: black bars published, ours with intervals over "
        "seeds",
        "win-rate": "Figure 4: self-play win rate over episodes",
        "learning": "WCR over all positions while learning, over episodes and over CPU seconds",
        "conditions": "WCR over games, TD-Leaf and TD-Stem under every condition: mean over "
        "the trainings, band its 95 % interval, dashed TD-Stem as equation 12 is printed",
    },
    sections=_sections,
    draw=draw,
)


def _verdicts(answer: Row, kind: str, budget: str | None = None) -> str:
    rows = [r for r in answer["rows"] if r["kind"] == kind and r.get("budget") == budget]
    heads = ("claim", "published", "ours", "95 %", "p (Holm)", "verdict")
    return claim_table(rows, heads, sign=True, ours=lambda row: number(row["ours"], sign=True))


def _columns(results: Row, answer: Row, numeral: str) -> str:
    """Figures down, published and ours side by side."""
    rows = []
    for r in answer["rows"]:
        if r["kind"] == "level" and r["claim"].startswith(f"Table {numeral}:"):
            who = f"{place(r['experiment'], r['stages'])}, {RULE_NAMES[r['rule']]}"
            rows.append((who, r["figure"].upper(), number(r["published"]), ours(r, 2),
                         number(r["exact"], 4), number(r["floor"], 3), r["verdict"]))  # fmt: skip
    heads = ("", "", "published", "ours, 2,000 games", "ours, every position", "floor", "verdict")
    episodes = [
        f"{place(c.experiment, c.stages)}, {RULE_NAMES[c.rule]}: published {c.episodes:,}, "
        f"ours {_episodes(results, c):,}"
        for c in PUBLISHED
        if c.table == numeral
    ]
    return table(heads, rows) + "\n\nEpisodes: " + "; ".join(episodes) + "."


def _episodes(results: Row, column: Published) -> int:
    run = chosen(results["runs"], column.experiment, column.rule)[0]
    return int(at_end(run, column.stages)["games"])


def _equal_cpu(results: Row) -> str:
    """Both rules cut at the smallest total of CPU seconds."""
    rows = []
    for column in PUBLISHED:
        budget = cpu_budget(results["runs"], column.experiment, column.stages)
        runs = chosen(results["runs"], column.experiment, column.rule)
        tests = [within(run, budget) for run in runs]
        spent = mean_of([t["cpu_seconds"] for t in tests])
        episodes = mean_of([t["games"] for t in tests])
        found = [mean_of(figures(tests, figure, "exact")) for figure in FIGURES]
        shown = [
            "–" if m is None else f"{m.value:.3f} ({span(max(m.low, 0), min(m.high, 1))})"
            for m in found
        ]
        rows.append((place(column.experiment, column.stages), RULE_NAMES[column.rule],
                     f"{budget:.0f} s", f"{spent.value:.0f} s" if spent else "–",
                     f"{episodes.value:,.0f}" if episodes else "–", *shown))  # fmt: skip
    heads = ("", "", "budget", "spent", "episodes", "WCR", "WE", "LHS")
    return (
        "The budget is the smallest total of all runs of both rules; of each run the last test "
        f"within it counts (one every five iterations). Figures over every position.\n\n"
        f"{table(heads, rows)}"
    )


def _floors(results: Row) -> str:
    rows = [
        (name, *(number(floor[figure], 4) for figure in FIGURES))
        for name, floor in results["floors"].items()
    ]
    untrained = [
        (f"{experiment.upper()}, untrained network, search and mate search as in the first stage",
         *(number(_mean_untrained(results, experiment, figure), 4) for figure in FIGURES))
        for experiment in ("krk", "kqk")
    ]  # fmt: skip
    text = "Random moves that find mates, 20,000 games each, against the same perfect play:"
    return f"{text}\n\n{table(('', 'WCR', 'WE', 'LHS'), [*rows, *untrained])}"


def _mean_untrained(results: Row, experiment: str, figure: str) -> float | None:
    runs = [run for run in results["runs"] if run["experiment"] == experiment]
    found = mean_of(figures([run["tests"][0] for run in runs], figure, "exact"))
    return found.value if found else None
