"""Figures of a comparison, as SVG and PNG, from stored results alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tempo.compare.standings import Point, Standings
from tempo.papers.plots import new_figure, save

Row = Mapping[str, Any]
COLOURS = (
    "#1b5fa8", "#c1571b", "#2a9d5c", "#b0306a", "#e0a020", "#6a51a3", "#17a2a2", "#7a5230",
    "#e377c2", "#5a5a5a", "#9acd32", "#d62728", "#87a9d9",
)  # fmt: skip
ACROSS = 4  # panels


def draw(folder: Path, results: Row, found: Standings) -> list[str]:
    """Writes all figures and returns their names, without suffix."""
    return save(
        folder,
        {
            "strength-over-cost": lambda: _strength(results, found),
            "overview": lambda: _overview(results, found),
        },
    )


def _strength(results: Row, found: Standings) -> Any:
    """One panel a game; the last place of the grid, or one more, is for the legend."""
    places, across = results["places"], min(ACROSS, len(results["places"]) + 1)
    down = -(-(len(places) + 1) // across)
    figure, grid = new_figure(down, across, (3.3 * across, 2.9 * down))
    panels = [axes for line in grid for axes in line]
    lines: dict[str, Any] = {}
    for axes, place in zip(panels, places, strict=False):
        axes.set_title(place, fontsize=10)
        axes.set_xscale("log")
        axes.set_autoscalex_on(False)  # limits are set below
        for name, rating in found.rungs[place].items():
            axes.axhline(rating.value, color="#999999", linestyle="--", linewidth=0.8)
            axes.annotate(
                name, (0.01, rating.value), xycoords=("axes fraction", "data"), fontsize=7,
                color="#777777", va="bottom",
            )  # fmt: skip
        for number, name in enumerate(results["learners"]):
            points = found.curves[place].get(name, ())
            if points:
                x, y = [_spent(results, p) for p in points], [p.rating.value for p in points]
                reach = [p.rating.width / 2 for p in points]
                colour = COLOURS[number % len(COLOURS)]
                style = "-" if number < len(COLOURS) else ":"
                (lines[name],) = axes.plot(x, y, style, color=colour, marker="o", markersize=3)
                axes.errorbar(x, y, reach, fmt="none", ecolor=colour, elinewidth=0.6, alpha=0.5)
        _frame(axes, results, found, place)
    for axes in panels[len(places) :]:
        axes.set_axis_off()
    if lines:
        panels[len(places)].legend(lines.values(), lines.keys(), loc="center", fontsize=8, ncols=2)
    figure.supxlabel("CPU seconds of learning", fontsize=10)
    figure.supylabel("rating, random moves being 0", fontsize=10)
    return figure


def _frame(axes: Any, results: Row, found: Standings, place: str) -> None:
    """Ticks where learners were measured, and room for ratings: long intervals may leave it."""
    shares = sorted({p.share for points in found.curves[place].values() for p in points})
    ticks = {results["budget"] * share or _untrained_at(results): share for share in shares}
    spent = [_spent(results, p) for points in found.curves[place].values() for p in points]
    if spent:
        axes.set_xlim(min(*ticks, *spent) / 1.3, max(*ticks, *spent) * 1.3)
    axes.set_xticks(list(ticks), [f"{results['budget'] * share:.2g}" for share in ticks.values()])
    axes.set_xticks([], minor=True)
    values = [rating.value for rating in found.rungs[place].values()]
    values += [p.rating.value for points in found.curves[place].values() for p in points]
    if values:
        axes.set_ylim(min(values) - 100, max(values) + 150)


def _spent(results: Row, point: Point) -> float:
    return max(point.cpu_seconds, _untrained_at(results))


def _untrained_at(results: Row) -> float:
    """Where no learning at all is drawn: logarithms have no place for it."""
    return max(float(results["budget"]) / 16, 0.01)


def _overview(results: Row, found: Standings) -> Any:
    """Ratings of all learners on all games, the darker the nearer to the best of a game."""
    learners, places = found.learners(), results["places"]
    values = np.array(
        [[_value(found, place, name) for place in places] for name in learners], np.float64
    ).reshape(len(learners), len(places))
    figure, grid = new_figure(1, 1, (2.2 + 1.15 * len(places), 1.4 + 0.33 * max(len(learners), 1)))
    axes = grid[0][0]
    best = np.nanmax(np.where(np.isnan(values), -np.inf, values), axis=0, initial=1.0)
    if learners:  # none while nothing has been trained
        shares = np.clip(values / np.maximum(best, 1), 0, 1)
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1.6, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        axes.text(j, i, "–" if math.isnan(value) else f"{value:.0f}", ha="center", va="center")
    axes.set_xticks(range(len(places)), [p.replace("(", "\n(").replace(":", "\n") for p in places])
    axes.set_yticks(range(len(learners)), learners)
    axes.grid(visible=False)
    return figure


def _value(found: Standings, place: str, name: str) -> float:
    rating = found.rating(place, name)
    return math.nan if rating is None else rating.value
