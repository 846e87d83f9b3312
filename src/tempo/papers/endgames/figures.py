"""Figures of the endgame paper's reproduction, as SVG and PNG, from stored results alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.papers.endgames import crossed
from tempo.papers.endgames.claims import (
    DIP_EPISODES,
    FIGURES,
    PUBLISHED,
    RULE_NAMES,
    chosen,
    floor_of,
    place,
)
from tempo.papers.endgames.conditions import ITERATIONS
from tempo.papers.plots import band, new_figure, save

COLOURS = {"leaf": "#c1571b", "stem": "#1b5fa8", "stem-state": "#7a7a7a"}
MARKS = {"leaf": "o", "stem": "s", "stem-state": "^"}
ENDINGS = {"krk": ("KRK", 7), "kqk": ("KQK", 5)}
Floats = NDArray[np.float64]


def draw(folder: Path, results: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Writes all figures and returns their names, without suffix."""
    made: dict[str, Callable[[], Any]] = {
        "win-rate": lambda: _win_rate(results),
        "learning": lambda: _learning(results),
        "tables": lambda: _tables(results, answer),
    }
    if not results["runs"]:
        made = {}
    if results.get("conditions"):
        made["conditions"] = lambda: _conditions(results)
    return save(folder, made)


def _note(results: Mapping[str, Any]) -> str:
    seeds = len(results["seeds"])
    quick = "QUICK run, shortened schedules · " if results["quick"] else ""
    return f"{quick}{seeds} seeds and their mean, band: 95 % interval of the mean"


def _win_rate(results: Mapping[str, Any]) -> Any:
    """Figure 4: self-play games won, over episodes."""
    figure, grid = new_figure(1, 3, (13, 4.4), sharey=True)
    krk, late, kqk = grid[0]
    for axes, experiment in ((krk, "krk"), (late, "krk"), (kqk, "kqk")):
        _win_rate_panel(axes, results, experiment)
    # Nine tenths of KRK's episodes are in its first three stages: the others get their own panel.
    run = chosen(results["runs"], "krk", "leaf")[0]
    late.set_xlim(run["log"]["games"][run["stage_ends"][2] - 1] / 1000)
    krk.set_title("KRK")
    late.set_title("KRK, stages 4 to 7")
    kqk.set_title("KQK")
    krk.set_ylabel("self-play games that White wins")
    handles = {text: handle for axes in grid[0] for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    figure.suptitle(f"Figure 4: self-play win rate  ({_note(results)}; grey lines: stages)",
                    fontsize=10)  # fmt: skip
    return figure


def _win_rate_panel(axes: Any, results: Mapping[str, Any], experiment: str) -> None:
    for rule in ("leaf", "stem"):
        runs = chosen(results["runs"], experiment, rule)
        games = np.array(runs[0]["log"]["games"]) / 1000
        band(
            axes,
            games,
            [np.array(run["log"]["won"]) for run in runs],
            COLOURS[rule],
            RULE_NAMES[rule],
        )
    run = chosen(results["runs"], experiment, "leaf")[0]
    games = np.array(run["log"]["games"]) / 1000
    axes.plot(games, run["log"]["epsilon"], color="#999999", linewidth=0.9, linestyle=":",
              label="share of random moves, ε")  # fmt: skip
    for end in run["stage_ends"][:-1]:
        axes.axvline(games[end - 1], color="#bbbbbb", linewidth=0.8, zorder=1)
    if games[-1] * 1000 > DIP_EPISODES:
        axes.axvline(DIP_EPISODES / 1000, color="#444444", linewidth=1, linestyle="--",
                     label="30,000: published fall of TD-Leaf")  # fmt: skip
    axes.set(xlabel="episodes (thousands)", ylim=(0, 1.02), xlim=(0, games[-1]))


def _on(grid: Floats, x: Sequence[float], y: Sequence[float]) -> Floats:
    return np.interp(grid, x, y).astype(np.float64)


def _learning(results: Mapping[str, Any]) -> Any:
    """WCR over the whole space, over episodes and over CPU seconds."""
    figure, grid = new_figure(2, 2, (11, 7.6), sharey=True)
    axes_of = (("games", 1 / 1000, "episodes (thousands)"), ("cpu_seconds", 1, "CPU seconds"))
    for row, (experiment, (ending, stages)) in zip(grid, ENDINGS.items(), strict=True):
        for axes, (column, scale, label) in zip(row, axes_of, strict=True):
            for rule, colour in COLOURS.items():
                runs = chosen(results["runs"], experiment, rule)
                if not runs:
                    continue
                x = [[test[column] * scale for test in run["tests"]] for run in runs]
                y = [[test["exact"]["wcr"] for test in run["tests"]] for run in runs]
                shared = np.linspace(0, min(points[-1] for points in x), 200)
                curves = [_on(shared, a, b) for a, b in zip(x, y, strict=True)]
                band(axes, shared, curves, colour, RULE_NAMES[rule])
            _published_lines(axes, experiment, stages)
            floor = floor_of(results, experiment, stages)["wcr"]
            axes.axhline(floor, color="#444444", linewidth=1, linestyle=":",
                         label="random moves with the mate finder")  # fmt: skip
            axes.set(title=ending, xlabel=label, ylim=(0, 1.02))
            axes.set_xlim(left=0)
        row[0].set_ylabel("WCR, every position")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    figure.suptitle(f"Won of what should be won  ({_note(results)})", fontsize=10)
    return figure


def _published_lines(axes: Any, experiment: str, stages: int) -> None:
    for column in PUBLISHED:
        if (column.experiment, column.stages) == (experiment, stages):
            # Where both rules have the same figure, both dashes must show.
            dashes = (0, (5, 5)) if column.rule == "leaf" else (5, (5, 5))
            axes.axhline(column.wcr, color=COLOURS[column.rule], linewidth=1.1, linestyle=dashes,
                         label=f"published, {RULE_NAMES[column.rule]}")  # fmt: skip


def _tables(results: Mapping[str, Any], answer: Mapping[str, Any]) -> Any:
    """Tables IV and V: published figures and ours with intervals."""
    figure, grid = new_figure(1, 3, (11, 4.2), sharey=True)
    places = [(c.experiment, c.stages) for c in PUBLISHED[::2]]
    rules = [rule for rule in COLOURS if chosen(results["runs"], "krk", rule)]
    for axes, name in zip(grid[0], FIGURES, strict=True):
        for row in answer["rows"]:
            if row["kind"] != "level" or row["figure"] != name or row["ours"] is None:
                continue
            at = places.index((row["experiment"], row["stages"])) * (len(rules) + 1.5)
            at += rules.index(row["rule"])
            colour = COLOURS[row["rule"]]
            axes.plot([at, at], [row["low"], row["high"]], color=colour, linewidth=2)
            axes.plot(at, row["ours"], MARKS[row["rule"]], color=colour, markersize=7)
            if row["rule"] != "stem-state":
                axes.plot(at, row["published"], "_", color="black", markersize=18,
                          markeredgewidth=2, zorder=4)  # fmt: skip
            if row["floor"] is not None:
                axes.plot(at, row["floor"], "x", color="#777777", markersize=5)
        middle = [i * (len(rules) + 1.5) + (len(rules) - 1) / 2 for i in range(len(places))]
        labels = [place(*p).replace(" after ", "\nafter ") for p in places]
        axes.set_xticks(middle, labels)
        axes.grid(axis="x", visible=False)
        axes.set(title=name.upper(), ylim=(0, 1.1))
    for rule in rules:
        grid[0][0].plot([], [], MARKS[rule], color=COLOURS[rule], label=f"ours, {RULE_NAMES[rule]}")
    grid[0][0].plot([], [], "_", color="black", markersize=14, markeredgewidth=2, label="published")
    grid[0][0].plot([], [], "x", color="#777777", label="random moves with the mate finder")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5)
    note = _note(results).replace("and their mean, band", "a point, bar")
    figure.suptitle(f"Tables IV and V: 2,000 test games a model  ({note})", fontsize=10)
    return figure


def _conditions(results: Mapping[str, Any]) -> Any:
    """WCR over games: depths across, optimizers and discounts down, for each ending."""
    kinds = sorted({place[1:] for place in crossed.places()}, reverse=True)
    depths = sorted({place[0] for place in crossed.places()})
    endings = [e for e in ITERATIONS
               if any(row["ending"] == e for row in results["conditions"]["rows"])]  # fmt: skip
    columns = [(ending, depth) for ending in endings for depth in depths]
    figure, grid = new_figure(
        len(kinds), len(columns), (2.6 * len(columns) + 1, 8.4), sharey=True, sharex="col"
    )
    shares = np.linspace(0, 1, 25)
    for row, kind in zip(grid, kinds, strict=True):
        for axes, (ending, depth) in zip(row, columns, strict=True):
            place = (depth, *kind)
            for rule in ("leaf", "stem"):
                runs = crossed.trainings(results, ending, rule, place)
                if runs:
                    curves = [crossed.curve(run, shares) for run in runs]
                    band(
                        axes,
                        shares * crossed.limit(runs[0]) / 1000,
                        curves,
                        COLOURS[rule],
                        RULE_NAMES[rule],
                    )
            printed = crossed.trainings(results, ending, "stem-state", place)
            if printed:
                mean = np.mean([crossed.curve(run, shares) for run in printed], axis=0)
                games = shares * crossed.limit(printed[0]) / 1000
                axes.plot(games, mean, color="#444444", linestyle="--", linewidth=1.2,
                          label="TD-Stem as printed")  # fmt: skip
            axes.set(ylim=(0, 1.02))
        optimizer, discount = kind
        row[0].set_ylabel(f"{crossed.OPTIMIZERS[optimizer]}, γ = {discount:g}\nWCR")
    for axes, (ending, depth) in zip(grid[0], columns, strict=True):
        axes.set_title(f"{ending}, depth {depth}")
    for axes in grid[-1]:
        axes.set_xlabel("games (thousands)")
    handles = {text: handle for axes in grid.flat for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3)
    return figure
