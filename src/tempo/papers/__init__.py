"""The published systems, a package each: its plan, its claims, its report and its figures."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tempo.errors import unknown

if TYPE_CHECKING:
    from tempo.papers.reports import Report
    from tempo.papers.reproduction import Plan


@dataclass(frozen=True)
class Paper:
    """What a paper's package declares."""

    plan: Plan
    answer: Callable[[Mapping[str, Any]], dict[str, Any]]  # all claims with verdicts, from results
    report: Report


def names() -> list[str]:
    """All papers: the packages in this folder."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def load(name: str) -> Paper:
    """A paper by its name."""
    if name not in names():
        raise unknown("paper", name, names())
    plan, claims, report = (
        import_module(f"{__name__}.{name}.{module}") for module in ("plan", "claims", "report")
    )
    return Paper(plan.PLAN, claims.answer, report.REPORT)
