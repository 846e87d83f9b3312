"""The published systems: their settings, their tables, and ours beside them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

PAPERS = ("endgames", "jiu", "gomoku", "shogi", "siguo")


def load(paper: str) -> tuple[ModuleType, ModuleType, ModuleType]:
    """The modules of a paper: `reproduce`, `answer` and `write` are theirs in this order."""
    names = (paper, f"{paper}_verdicts", f"{paper}_report")
    runs, verdicts, report = (import_module(f"tempo.papers.{name}") for name in names)
    return runs, verdicts, report
