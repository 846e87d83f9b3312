"""Numbers, tables and summaries of the papers' reports."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo.files import write_text

if TYPE_CHECKING:
    from rich.table import Table

    from tempo.ledger import Ledger

Row = Mapping[str, Any]


def write_report(
    folder: Path,
    answer: Row,
    figures: Iterable[str],
    draw: Callable[[], list[str]],
    text: Callable[[Sequence[str]], str],
) -> None:
    """answer.json, the figures, and report.md; without matplotlib the figures that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "answer.json", json.dumps(answer, indent=1) + "\n")
    try:
        import matplotlib  # noqa: F401, PLC0415 - the extra `plot`
    except ImportError:
        drawn = [name for name in figures if (folder / f"{name}.svg").exists()]
    else:
        drawn = draw()
    write_text(folder / "report.md", text(drawn))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def verdict_counts(answer: Row) -> str:
    """How many claims there are, and how many of each verdict."""
    count = Counter(row["verdict"] for row in answer["rows"])
    found = ", ".join(f"{n} {verdict}" for verdict, n in count.most_common())
    return f"{len(answer['rows'])} claims: {found}."


def number(value: float | None, digits: int = 2, *, sign: bool = False) -> str:
    """With a proper minus; a dash for nothing."""
    if value is None:
        return "–"
    return f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")


def span(low: float | None, high: float | None, digits: int = 2) -> str:
    """An interval."""
    return (
        "–" if low is None or high is None else f"{number(low, digits)} to {number(high, digits)}"
    )


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


def machines_of(ledger: Ledger) -> str:
    """Every machine that took part, each once."""
    named = (f"{m.cpu}, {m.cores} cores, Python {m.python}" for m in ledger.machines)
    return " and ".join(dict.fromkeys(named)) or "?"
