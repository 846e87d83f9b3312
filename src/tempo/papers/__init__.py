"""The published systems: their settings, their tables, and ours beside them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from tempo.papers.reports import Report

PAPERS = ("endgames", "jiu", "gomoku", "shogi", "siguo")


def load(paper: str) -> tuple[ModuleType, ModuleType, Report]:
    """Of a paper: the module with `reproduce`, the one with `answer`, and its report."""
    names = ("plan", "claims", "report")
    runs, verdicts, written = (import_module(f"tempo.papers.{paper}.{name}") for name in names)
    report: Report = written.REPORT
    return runs, verdicts, report
