"""What notebooks show of results: tables and small curves in HTML, in the colours of the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["curve", "table"]


def table(title: str, rows: Iterable[Sequence[str]], headings: Sequence[str] = ()) -> str:
    """A table with a caption. Without headings, the first cell of a row names the second.

    >>> table("a & b", [("score", "50 %")])[:33]
    '<table><caption style="caption-si'
    """
    side = "text-align: left; vertical-align: top"
    head = "".join(f'<th style="{side}">{escape(one)}</th>' for one in headings)
    lines = [f"<tr>{head}</tr>"] if headings else []
    for row in rows:
        kinds = ["td" if headings or i else "th" for i in range(len(row))]
        cells = zip(kinds, row, strict=True)
        line = "".join(f'<{kind} style="{side}">{escape(cell)}</{kind}>' for kind, cell in cells)
        lines.append(f"<tr>{line}</tr>")
    caption = f'<caption style="caption-side: top; {side}">{escape(title)}</caption>'
    return f"<table>{caption}{''.join(lines)}</table>"


def curve(label: str, values: Sequence[float]) -> str:
    """A small curve from the first value to the last, with its label and both ends of its range."""
    low, high = min(values), max(values)
    wide, tall, span = 240, 48, high - low or 1.0
    step = wide / max(1, len(values) - 1)
    points = " ".join(
        f"{i * step:.1f},{tall - tall * (value - low) / span:.1f}" for i, value in enumerate(values)
    )
    words = f"{label}, from {low:.3g} to {high:.3g}, now {values[-1]:.3g}"
    return (
        f'<figure style="display: inline-block; margin: 4px 16px 4px 0"><svg width="{wide}" '
        f'height="{tall + 4}" viewBox="0 -2 {wide} {tall + 4}" role="img">'
        f"<title>{escape(words)}</title>"
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>'
        f"<figcaption>{escape(words)}</figcaption></figure>"
    )
