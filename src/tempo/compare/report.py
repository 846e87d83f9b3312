"""The report of a comparison, made from its stored results alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo.compare.standings import Standings, controls, score, standings
from tempo.files import write_text
from tempo.ledger import Ledger, quantity
from tempo.papers.judging import Mean
from tempo.papers.markdown import number, table, with_span
from tempo.papers.reports import NO_FIGURES, costs, provenance

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

Row = Mapping[str, Any]
ACROSS = 4  # games side by side in 80 columns
CAPTIONS = {
    "strength-over-cost": "Rating over CPU seconds of learning; dashed: the rungs",
    "overview": "Rating at the end of the budget, random moves being 0",
}
HOW = (
    "Every learner has its own settings (`tempo learners`) and the same CPU seconds of learning "
    "on one core. It plays as deep as it searches while it learns; `untrained` is the network that "
    "it starts from, searching as deep. Games of a match begin at "
    "the same openings, each played by both sides, and are drawn after 1,000 moves. `one-ply` "
    "and `alpha-beta` search one and three moves deep with the game's static evaluation. "
    "Ratings are of one scale for each game and seed, random moves being 0; a learner's is the "
    "mean over seeds, with a 95 % interval of the seeds that is never narrower than the games "
    "allow."
)


def write(folder: Path, results: Row) -> None:
    """Figures and report.md; without matplotlib the figures that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    found = standings(results)
    try:
        import matplotlib  # noqa: F401, PLC0415 - the extra `plot`
    except ImportError:
        drawn = [name for name in CAPTIONS if (folder / f"{name}.svg").exists()]
    else:
        from tempo.compare.figures import draw  # noqa: PLC0415

        drawn = draw(folder, results, found)
    write_text(folder / "report.md", markdown(results, found, drawn))


def markdown(results: Row, found: Standings, drawn: list[str]) -> str:
    """The whole report, with these figures."""
    figures = [f"![{CAPTIONS[name]}]({name}.svg)\n\n{CAPTIONS[name]}." for name in drawn]
    parts = [
        "# Learners compared",
        _provenance(results),
        HOW,
        "## Ratings",
        _rating_table(results, found),
        *(figures or [NO_FIGURES]),
        "## Scores",
        *(_score_table(results, found, rung) for rung in results["rungs"]),
        "## Costs",
        _cost_table(results, found),
        _refused(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _provenance(results: Row) -> str:
    done = f"{len(results['trainings'])} of {results['trainings_planned']} trainings, "
    done += f"{len(results['meetings'])} of {results['meetings_planned']} meetings"
    setting = [
        ("budget", f"{results['budget']:g} CPU s of learning a training"),
        (
            "matches",
            f"{results['games']} games each, fewer where they take more than "
            f"{results['match_seconds']:g} CPU s",
        ),
    ]
    return provenance(results, setting=setting, done=[("done", done), *costs(results)])


def plus_minus(mean: Mean | None) -> str:
    """A rating and the reach of its interval."""
    return "–" if mean is None else f"{number(mean.value, 0)} ± {mean.width / 2:.0f}"


def _rating_table(results: Row, found: Standings) -> str:
    rows = [
        [f"`{name}`", *(plus_minus(found.rating(place, name)) for place in results["places"]),
         number(found.mean_rank(name), 1)]
        for name in found.learners()
    ]  # fmt: skip
    rows += [
        [name, *(plus_minus(mean) for mean in means), ""]
        for name, means in controls(results, found, results["places"]).items()
    ]
    rows += [
        [name, *(plus_minus(found.rungs[place].get(name)) for place in results["places"]), ""]
        for name in results["rungs"]
    ]
    return table(["learner", *_code(results["places"]), "mean rank"], rows)


def _score_table(results: Row, found: Standings, rung: str) -> str:
    rows = [
        [f"`{name}`", *(_span(score(results, place, name, rung)) for place in results["places"])]
        for name in found.learners()
    ]
    return f"Against {rung}:\n\n" + table(["learner", *_code(results["places"])], rows)


def _cost_table(results: Row, found: Standings) -> str:
    """Training games and CPU seconds, the mean over seeds."""
    rows = []
    for name in found.learners():
        cells = []
        for place in results["places"]:
            points = found.curves[place].get(name, ())
            last = points[-1] if points else None
            cells.append(f"{quantity(last.games)} games, {last.cpu_seconds:.0f} s" if last else "–")
        rows.append([f"`{name}`", *cells])
    return table(["learner", *_code(results["places"])], rows)


def _refused(results: Row) -> str:
    if not results["refused"]:
        return ""
    return "\n".join(["Left out:", "", *(f"- {why}." for _, _, why in results["refused"])])


def _span(mean: Mean | None) -> str:
    return "–" if mean is None else with_span(mean.value, mean.low, mean.high, 2)


def _code(names: list[str]) -> list[str]:
    return [f"`{name}`" for name in names]


def summary(results: Row) -> Group:
    """Ratings and cost for the screen, a few games side by side."""
    from rich.console import Group as RichGroup  # noqa: PLC0415

    found, places = standings(results), results["places"]
    parts = [places[i : i + ACROSS] for i in range(0, len(places), ACROSS)]
    return RichGroup(*(_summary(results, found, part) for part in parts))


def _summary(results: Row, found: Standings, places: list[str]) -> Table:
    from rich.table import Table as RichTable  # noqa: PLC0415

    shown = RichTable(box=None, pad_edge=False)
    shown.add_column("learner", no_wrap=True)
    for place in places:
        shown.add_column(place.replace("(", "\n(").replace(":", "\n"), justify="right")
    shown.add_column("CPU", justify="right")
    for name in found.learners():
        spent = sum(
            (
                Ledger.from_json(row["ledger"])
                for row in results["trainings"]
                if row["learner"] == name and row["place"] in places
            ),
            Ledger(),
        )
        cells = [_short(found.rating(place, name)) for place in places]
        shown.add_row(name, *cells, f"{quantity(spent.cpu_seconds)}s")
    for name, means in controls(results, found, places).items():
        shown.add_row(name, *(_short(mean) for mean in means), "", style="dim")
    for name in results["rungs"]:
        cells = [_short(found.rungs[place].get(name)) for place in places]
        shown.add_row(name, *cells, "", style="dim")
    return shown


def _short(mean: Mean | None) -> str:
    return plus_minus(mean).replace(" ", "")
