"""Numbers and tables of the papers' reports, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tempo.papers.judging import Mean

Row = Mapping[str, Any]
Cells = Sequence[Sequence[str]]


def table(heads: Sequence[str], rows: Cells) -> str:
    """A table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


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


def with_span(
    value: float | None, low: float | None, high: float | None, digits: int = 3, *,
    sign: bool = False,
) -> str:  # fmt: skip
    """A figure and its interval."""
    return f"{number(value, digits, sign=sign)} ({span(low, high, digits)})"


def ours(row: Row, digits: int = 3, *, sign: bool = False) -> str:
    """What we have beside the published figure of a claim."""
    return with_span(row["ours"], row["low"], row["high"], digits, sign=sign)


def claim_table(
    rows: Iterable[Row], heads: Sequence[str], *,
    digits: int = 3, sign: bool = False, **own: Callable[[Row], str],
) -> str:  # fmt: skip
    """Claims with the columns that are named in `heads`, some written in a way of their own.

    Nothing where there are no claims.
    """
    columns: dict[str, Callable[[Row], str]] = {
        "claim": lambda row: str(row["claim"]),
        "difference": lambda row: str(row["claim"]),
        "published": lambda row: number(row["published"], sign=sign),
        "ours": lambda row: ours(row, digits, sign=sign),
        "95 %": lambda row: span(row["low"], row["high"]),
        "p": lambda row: number(row["p"], 3),
        "p (Holm)": lambda row: number(row.get("p_holm"), 3),
        "games": lambda row: f"{row['games']:,}",
        "verdict": lambda row: f"**{row['verdict']}**",
        "reason": lambda row: str(row["reason"]),
        **own,
    }
    cells = [[columns[head](row) for head in heads] for row in rows]
    return table(heads, cells) if cells else ""


def bounded(mean: Mean | None, digits: int = 3, most: float = 1.0) -> str:
    """A mean and its interval, cut to what is possible: 0 to `most`; a dash for nothing."""
    if mean is None:
        return "–"
    return with_span(mean.value, max(0.0, mean.low), min(most, mean.high), digits)
