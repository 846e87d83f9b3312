"""Figures of the shogi paper's reproduction, as SVG and PNG, from stored results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tempo.papers.judging import pooled
from tempo.papers.plots import new_figure, save, title
from tempo.papers.shogi.ladder import SHIPPED
from tempo.papers.shogi.published import DQN_SCORE, TRAINING_GAMES, UCT_WON
from tempo.papers.shogi.tables import METHODS, Standing, goals_of, score, standings, tests
from tempo.papers.shogi.training import PAPER_KINDS

Results = Mapping[str, Any]

COLOURS = {
    "uct": "#1b5fa8",
    "path": "#59a5d8",
    "ab": "#2e7d32",
    "faithful": "#8c2d19",
    "corrected": "#d9822b",
    "improved": "#7b3fa0",
    SHIPPED: "#7b3fa0",
}
MARKS = {"uct": "o", "path": "s", "ab": "^", "faithful": "D", "corrected": "v", "improved": "P",
         SHIPPED: "*"}  # fmt: skip
SEARCHES = ("uct", "path", "ab")
NETWORKS = (*PAPER_KINDS, "improved", SHIPPED)
LINES = ("uct-1600", "ab-10000")  # what searches reach that learn nothing


def draw(folder: Path, results: Results, _answer: Results) -> list[str]:
    """Writes all figures and returns their names, without suffix."""
    return save(
        folder, {"strength": lambda: _strength(results), "random": lambda: _random(results)}
    )


def _points(axes: Any, x: Sequence[float], found: Sequence[Standing], *, joined: bool) -> None:
    """Ratings with their intervals, at some costs."""
    method = found[0].method
    y = [s.rating.rating for s in found]
    axes.vlines(x, [s.rating.low for s in found], [s.rating.high for s in found],
                color=COLOURS[method], linewidth=1)  # fmt: skip
    line = "-" if joined else ""
    axes.plot(x, y, MARKS[method] + line, color=COLOURS[method], markersize=5, linewidth=1.3,
              label=METHODS[method])  # fmt: skip


def _strength(results: Results) -> Any:
    """Elo over what was spent: left on learning, right on a move."""
    figure, grid = new_figure(1, 2, (11.5, 5.2), sharey=True)
    learning, playing = grid[0]
    found = standings(results)
    for method in (*SEARCHES, *NETWORKS):
        of = sorted((s for s in found if s.method == method), key=lambda s: (s.seed, s.budget))
        timed = [s for s in of if s.move_seconds]
        if timed:
            joined = method in SEARCHES
            x = [1000 * (s.move_seconds or 0.0) for s in timed]
            _points(playing, x, timed, joined=joined)
        learnt = [s for s in of if s.multiply_adds]
        if learnt:
            joined = len({s.seed for s in learnt}) == 1 and len(learnt) > 1
            _points(learning, [float(s.multiply_adds) for s in learnt], learnt, joined=joined)
    for standing in found:
        if standing.label in LINES:
            colour = COLOURS[standing.method]
            learning.axhline(standing.rating.rating, color=colour, linestyle="--", linewidth=1)
            learning.annotate(f"{standing.label}, learns nothing", (0.01, standing.rating.rating),
                              xycoords=("axes fraction", "data"), fontsize=8, va="bottom",
                              color=colour)  # fmt: skip
    for axes in (learning, playing):
        axes.axhline(0, color="#999999", linewidth=1)
        axes.set_xscale("log")
    learning.set(xlabel="multiply-adds spent on learning", ylabel="Elo on the ladder (random: 0)")
    playing.set(xlabel="milliseconds a move, one core")
    handles = {text: handle for axes in (learning, playing) for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    note = "bars: 95 % intervals · every mark a budget of search, or networks of one seed and goal"
    title(figure, results, "Strength over compute: learning (left) and playing (right)", note)
    return figure


def _random(results: Results) -> Any:
    """Against random moves: by simulations, and by training games."""
    figure, grid = new_figure(1, 2, (11, 4.4), sharey=True)
    search, learning = grid[0]
    for values, method in (("rollout", "uct"), ("path", "path")):
        rows = [m for m in results["matches"]
                if m["group"] == "budgets" and m["row"].startswith(f"{values} ")]  # fmt: skip
        if rows:
            x = [int(m["row"].split()[1]) for m in rows]
            _bars(search, x, [(m["score"], m["score_low"], m["score_high"]) for m in rows],
                  method)  # fmt: skip
            search.set_xscale("log")
    search.axhline(UCT_WON, color="black", linestyle=":", linewidth=1,
                   label="published, share won by a tree of 150,000 nodes")  # fmt: skip
    for kind in PAPER_KINDS:
        if goals := goals_of(results, kind):
            rows = [tests(results, kind, goal) for goal in goals]
            means = [score(found) or pooled(found) for found in rows]
            _bars(learning, goals, [(m.value, m.low, m.high) for m in means], kind)
            learning.set_xscale("log")
    learning.plot(TRAINING_GAMES, DQN_SCORE, "kD", label="published")
    for axes in (search, learning):
        axes.axhline(0.5, color="#999999", linewidth=1)
        axes.set_ylim(-0.02, 1.02)
        axes.legend(loc="lower right", fontsize=8)
    search.set(xlabel="simulations a move", ylabel="score against random moves")
    learning.set(xlabel="training games")
    note = "bars: 95 % intervals, of networks over trainings (of one training: over its games)"
    title(figure, results, "Against random moves", note)
    return figure


def _bars(
    axes: Any, x: Sequence[float], values: Sequence[tuple[float, float, float]], method: str
) -> None:
    middle, low, high = np.array(values).T
    axes.vlines(x, low, high, color=COLOURS[method], linewidth=1)
    axes.plot(x, middle, MARKS[method] + "-", color=COLOURS[method], markersize=5, linewidth=1.3,
              label=METHODS[method])  # fmt: skip
