"""The published systems: their settings, their tables, and ours beside them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

# For each paper: what is run, what it says of the claims, and how that is written down.
PAPERS = {
    "endgames": ("endgames", "verdicts", "report"),
    "jiu": ("jiu", "jiu_verdicts", "jiu_report"),
    "gomoku": ("gomoku", "gomoku_verdicts", "gomoku_report"),
    "shogi": ("shogi", "shogi_verdicts", "shogi_report"),
    "siguo": ("siguo", "siguo_verdicts", "siguo_report"),
}


def load(paper: str) -> tuple[ModuleType, ModuleType, ModuleType]:
    """The modules of a paper: `reproduce`, `answer` and `write` are theirs in this order."""
    runs, verdicts, report = (import_module(f"tempo.papers.{name}") for name in PAPERS[paper])
    return runs, verdicts, report
