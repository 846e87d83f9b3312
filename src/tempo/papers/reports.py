"""What the reports of all papers have in common, around the sections of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tempo.files import write_text
from tempo.ledger import Ledger
from tempo.papers.markdown import Cells, Row, number, span, table
from tempo.papers.verdicts import WORDS

if TYPE_CHECKING:
    from rich.table import Table

NO_FIGURES = "No figures: matplotlib (extra `plot`) was not installed. `--report-only` draws."


@dataclass(frozen=True)
class Report:
    """A paper's report: its sections in the frame that all reports have."""

    title: str
    source: str  # who published what, and where
    quick_note: str  # what a quick run is good for
    captions: Mapping[str, str]  # of figures, by name
    sections: Callable[[Row, Row, list[str]], list[str]]  # from results, answer and figures
    draw: Callable[[Path, Row, Row], list[str]]  # into a folder, from results and answer: names

    def write(self, folder: Path, results: Row, answer: Row) -> None:
        """answer.json, figures, and report.md; without matplotlib the figures that are there."""
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / "answer.json", json.dumps(answer, indent=1) + "\n")
        try:
            import matplotlib  # noqa: F401, PLC0415 - the extra `plot`
        except ImportError:
            drawn = [name for name in self.captions if (folder / f"{name}.svg").exists()]
        else:
            drawn = self.draw(folder, results, answer)
        write_text(folder / "report.md", self.markdown(results, answer, drawn))

    def markdown(self, results: Row, answer: Row, drawn: Sequence[str] = ()) -> str:
        """The whole report, with these figures."""
        figures = [
            f"![{self.captions[name]}]({name}.svg)\n\n{self.captions[name]}." for name in drawn
        ]
        parts = [
            f"# {self.title}",
            self.quick_note if results["quick"] else "",
            *self.sections(results, answer, figures or [NO_FIGURES]),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"


def provenance(
    results: Row, *, seeds: str = "", machine: str = "", setting: Cells = (), done: Cells = ()
) -> str:
    """Where results are from: more may be said of seeds and machine, and in rows after these."""
    ledger = Ledger.from_json(results["ledger"])
    return table(
        ("", ""),
        [
            ("command", f"`{results['command']}`"),
            ("seeds", ", ".join(map(str, results["seeds"])) + seeds),
            *setting,
            ("commit", f"`{results['commit'] or 'unknown'}`"),
            ("machine", machines_of(ledger) + machine),
            *done,
            ("cost", f"{ledger}; {results['wall_seconds']:.0f} s on the wall (last call)"),
        ],
    )


def costs(results: Row) -> list[tuple[str, str]]:
    """What training and playing took, as rows of a table."""
    return [(part, str(Ledger.from_json(results[part]))) for part in ("training", "playing")]


def verdict_counts(answer: Row) -> str:
    """How many published figures there are, and how many of each verdict."""
    counted = counts_of(answer["rows"])
    found = ", ".join(f"{n} {verdict}" for verdict, n in counted.items() if n)
    rows, again = sum(counted.values()), len(answer["rows"]) - sum(counted.values())
    more = f" {again} more rows judge figures again, under other readings." if again else ""
    return f"{rows} claims: {found}.{more}"


def counts_of(rows: Sequence[Row]) -> dict[str, int]:
    """How many of each verdict, every published figure counted once."""
    found = Counter(row["verdict"] for row in rows if row.get("counted", True))
    return {word: found[word] for word in WORDS}


def machines_of(ledger: Ledger) -> str:
    """Every machine that took part, each once."""
    named = (f"{m.cpu}, {m.cores} cores, Python {m.python}" for m in ledger.machines)
    return " and ".join(dict.fromkeys(named)) or "?"


def summary(answer: Row) -> Table:
    """Every claim and its verdict, for the screen."""
    from rich.table import Table as RichTable  # noqa: PLC0415

    quick = " (quick: decides nothing)" if answer["quick"] else ""
    shown = RichTable(box=None, pad_edge=False, title=f"Ours beside the published{quick}")
    for heading in ("claim", "published", "ours", "95 %", "verdict"):
        shown.add_column(heading)
    for row in answer["rows"]:
        figures_shown = (number(row["published"]), number(row["ours"]))
        shown.add_row(row["claim"], *figures_shown, span(row["low"], row["high"]), row["verdict"])
    return shown
