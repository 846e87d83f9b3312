"""Figures of the Gomoku papers' reproduction, as SVG and PNG, from stored results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tempo.papers.gomoku.claims import EVEN, PUPIL_NAMES
from tempo.papers.gomoku.published import (
    CASES,
    CORRECT,
    LADDER_WON,
    LEVELS,
    METHODS,
    MOVES,
    UCT_WON,
    WATCHED_MOVES,
)
from tempo.papers.gomoku.tables import curve
from tempo.papers.plots import band, new_figure, save, title

Results = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]

OURS, PUBLISHED = "#1b5fa8", "#222222"
PUPIL_COLOURS = {"taught": "#1b5fa8", "watching": "#c1571b"}
NOTE = "blue: ours, mean and 95 % interval, ticks each training · black: published, 95 % interval"


def draw(folder: Path, results: Results, answer: Results) -> list[str]:
    """Writes all figures and returns their names, without suffix."""
    levels = [row for row in answer["rows"] if row["kind"] == "level"]

    def of(table: str) -> Rows:
        return [row for row in levels if row["table"] == table]

    made = {
        "cases": lambda: _cases(results, of("cases")),
        "watching": lambda: _watching(results),
        "playouts": lambda: _playouts(results, of("uct")),
        "cross": lambda: _cross(results, of("cross")),
        "ladder": lambda: _ladder(results, of("ladder")),
    }
    return save(folder, made) if levels else []


def _score_axis(axes: Any) -> None:
    axes.axvline(EVEN, color="#999999", linewidth=1)
    axes.set(xlabel="score", xlim=(-0.03, 1.03))
    axes.grid(axis="y", visible=False)


def _bar(axes: Any, row: Mapping[str, Any], place: float) -> None:
    """One row of a table: published above, ours below."""
    high, low = place + 0.14, place - 0.14
    ends = [row["published_low"], row["published_high"]]
    axes.plot(ends, [high] * 2, color=PUBLISHED, linewidth=1.4)
    axes.plot(row["published"], high, "D", color=PUBLISHED, markersize=4)
    axes.plot(row["by_seed"], [low] * len(row["by_seed"]), "|", color="#777777", markersize=8)
    if row["ours"] is not None:
        axes.plot([row["low"], row["high"]], [low] * 2, color=OURS, linewidth=2)
        axes.plot(row["ours"], low, "o", color=OURS, markersize=5)


def _panels(results: Results, rows: Rows, names: Sequence[str], text: str) -> Any:
    """A panel for each level; `names` are what a claim says of the player."""
    figure, grid = new_figure(1, len(LEVELS), (11, 0.5 * len(names) + 1.9), sharey=True)
    for axes, level in zip(grid[0], LEVELS, strict=True):
        for place, name in enumerate(names):
            for row in rows:
                if row["claim"].startswith(f"{name} against the {level} "):
                    _bar(axes, row, -place)
        _score_axis(axes)
        axes.set_title(f"{level} (stand-in)")
    labels = [name.removeprefix("Ladder: ") for name in names]
    grid[0][0].set_yticks(range(0, -len(names), -1), labels)
    grid[0][0].set_ylim(-len(names) + 0.4, 0.6)
    title(figure, results, text, NOTE)
    return figure


def _cases(results: Results, rows: Rows) -> Any:
    names = [f"Case {of.number} ({of.name})" for of in CASES.values()]
    early = next(row["claim"] for row in rows if row["claim"].startswith("Case 1 after"))
    names.insert(1, early.partition(" against")[0])
    return _panels(results, rows, names, "Five variants of the critic against stand-ins")


def _ladder(results: Results, rows: Rows) -> Any:
    names = [f"Ladder: {METHODS[method]}" for method in LADDER_WON]
    text = "Four methods against stand-ins (HMCTS's published scores are what these were set by)"
    return _panels(results, rows, names, text)


def _cross(results: Results, rows: Rows) -> Any:
    figure, grid = new_figure(1, 1, (8.5, 4.4))
    axes = grid[0][0]
    for place, row in enumerate(rows):
        _bar(axes, row, -place)
    names = [row["claim"].removeprefix("Cross table: ") for row in rows]
    axes.set_yticks(range(0, -len(rows), -1), names)
    _score_axis(axes)
    title(figure, results, "Cross table: score of the first", NOTE)
    return figure


def _playouts(results: Results, rows: Rows) -> Any:
    figure, grid = new_figure(1, 1, (7.5, 4.2))
    axes, places = grid[0][0], np.arange(len(UCT_WON))
    for offset, colour, mark, ends, label in (
        (-0.08, PUBLISHED, "D", ("published", "published_low", "published_high"), "published"),
        (0.08, OURS, "o", ("ours", "low", "high"), "ours"),
    ):
        middle, low, high = ([row[name] for row in rows] for name in ends)
        axes.vlines(places + offset, low, high, color=colour, linewidth=1.8)
        axes.plot(places + offset, middle, mark, color=colour, markersize=5, label=label)
    axes.axhline(EVEN, color="#999999", linewidth=1)
    axes.set_xticks(places, [str(n) for n in UCT_WON])
    axes.set(xlabel="playouts for each candidate", ylabel="score of HMCTS", ylim=(0, 1))
    figure.legend(loc="outside lower center", ncols=2)
    games = rows[0]["games"]
    note = f"bars: 95 % intervals, ours over pairs of {games} games each, published of 100"
    title(figure, results, "HMCTS against UCT with as many playouts", note)
    return figure


def _watching(results: Results) -> Any:
    figure, grid = new_figure(1, 2, (11, 4.6))
    correct, length = grid[0]
    for case, colour in PUPIL_COLOURS.items():
        x = np.array(curve(results, case, "games")[0]) / 1000
        step = results["iteration"] / 1000
        name = PUPIL_NAMES[case]
        shares = [np.array(points) for points in curve(results, case, "correct")]
        band(correct, x, shares, colour, f"{name}, ours")
        published = CORRECT[case]
        correct.plot([k * step for k in published], list(published.values()), "D", color=colour,
                     markeredgecolor="black", markersize=6, zorder=4,
                     label=f"{name}, published")  # fmt: skip
        lengths = [np.array(points) for points in curve(results, case, "length")]
        band(length, x, lengths, colour, f"{name}, ours", most=225)
    length.plot([k * step for k in MOVES], list(MOVES.values()), "D", color=PUPIL_COLOURS["taught"],
                markeredgecolor="black", markersize=6, zorder=4)  # fmt: skip
    length.axhspan(*WATCHED_MOVES, color=PUPIL_COLOURS["watching"], alpha=0.25, linewidth=0,
                   label="watching, published range", zorder=1)  # fmt: skip
    for axes in (correct, length):
        axes.set(xlabel="training games (thousands)", xlim=(0, None))
    correct.set(ylabel="share of moves equal to ST-Gomoku's", ylim=(0, 1))
    length.set(ylabel="moves a game", ylim=(0, None))
    handles = {text: handle for axes in (correct, length) for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=5)
    seeds = len(results["seeds"])
    note = f"thin: {seeds} trainings · thick: their mean · band: 95 % interval of the mean"
    title(figure, results, "Self-teaching against watching", note)
    return figure
