"""What notebooks show of results: tables and small curves in HTML, in the colours of the page."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from html import escape
from typing import Any, Protocol

__all__ = ["Bar", "curve", "table"]


class Stands(Protocol):
    """What matches, tournaments and trainings say of how far they are."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...


class Bar:
    """How far a long call is: a bar in a notebook, a line on standard error elsewhere.

        arena.match(("mcts", "random"), "othello", games=100, progress=displays.Bar("mcts"))

    It serves whatever takes `progress`, once.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.done = self.total = 0
        self._begun, self._shown = time.monotonic(), 0.0
        self._handle: Any = None

    def __call__(self, state: Stands) -> None:
        """One more is done."""
        self.done, self.total = state.done, state.total
        now = time.monotonic()
        if now - self._shown < 0.2 and self.done < self.total:
            return
        self._shown = now
        ipython = sys.modules.get("IPython")
        if ipython is None or ipython.get_ipython() is None:
            end = "\n" if self.done >= self.total else ""
            print(f"\r{self}", end=end, file=sys.stderr, flush=True)
        elif self._handle is None:
            self._handle = ipython.display.display(self, display_id=True)
        else:
            self._handle.update(self)

    def __str__(self) -> str:
        """`mcts 40/100 3.2/s 0:00:19 left`."""
        spent = time.monotonic() - self._begun
        left = timedelta(seconds=round(spent * (self.total - self.done) / max(self.done, 1)))
        rate = self.done / max(spent, 1e-3)
        return f"{self.title} {self.done}/{self.total} {rate:.3g}/s {left} left"

    def _repr_html_(self) -> str:
        bar = f'<progress value="{self.done}" max="{self.total}"></progress>'
        return f"<label>{bar} {escape(str(self))}</label>"


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
