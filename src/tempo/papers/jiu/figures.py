"""Figures of the Jiu paper's reproduction, as SVG and PNG, from stored results alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tempo.papers.jiu import own, own_tables
from tempo.papers.jiu.claims import (
    EVEN,
    PUBLISHED,
    RULE_NAMES,
    chosen,
    figure_runs,
    scores,
    tests_of,
)
from tempo.papers.jiu.plan import GREEDY, POINTS, SETTLED
from tempo.papers.jiu.tables import arms, searching
from tempo.papers.jiu.training import RULES, Arm
from tempo.papers.judging import mean_of, pooled
from tempo.papers.plots import band, new_figure, save

Results = Mapping[str, Any]

COLOURS = {"sarsa": "#1b5fa8", "q_learning": "#c1571b"}
GREEDY_COLOURS = dict(
    zip(GREEDY, ("#b3b3b3", "#1b5fa8", "#2a9d5c", "#e0a020", "#b0306a"), strict=True)
)


def draw(folder: Path, results: Results, _answer: Results) -> list[str]:
    """Writes the figures of both readings, as far as they were run; returns names, no suffix."""
    made: dict[str, Callable[[], Any]] = {}
    if results["runs"]:
        made |= {
            "figure-3": lambda: _figure_3(results),
            "figure-4": lambda: _figure_4(results),
            "arms": lambda: _arms(results),
        }
    if results.get("own", {}).get("runs"):
        made |= {
            "own-3": lambda: _own_figure_3(results),
            "own-4": lambda: _own_figure_4(results),
        }
    return save(folder, made)


def _note(results: Results) -> str:
    quick = "QUICK run, shortened · " if results["quick"] else ""
    seeds = len(results["seeds"])
    return f"{quick}thin: {seeds} trainings · thick: their mean · band: 95 % interval of the mean"


def _curve(axes: Any, results: Results, runs: list[Any], colour: str, label: str) -> None:
    games = np.array(results["points"]) / 1000
    by_point = [scores(tests_of(results, runs, point)) for point in POINTS]
    band(axes, games, list(np.array(by_point).T), colour, label)


def _expert(axes: Any, results: Results) -> None:
    """What every library falls back on."""
    runs = chosen(results, "baselines", player="expert")
    level = mean_of(scores([run["tests"][0] for run in runs]))
    if level:
        axes.axhline(level.value, color="#444444", linewidth=1, linestyle=":",
                     label="no library: the expert alone")  # fmt: skip


def _finish(axes: Any, results: Results) -> None:
    axes.axhline(EVEN, color="#999999", linewidth=1)
    _expert(axes, results)
    axes.set(xlabel="training games (thousands)", xlim=(0, results["points"][-1] / 1000))
    axes.set_ylim(0.3, 0.75)


def _figure_3(results: Results) -> Any:
    """Score against the Bayesian network over training games, both rules."""
    figure, grid = new_figure(1, 2, (11, 4.6), sharey=True)
    for axes, rule in zip(grid[0], RULES, strict=True):
        _curve(axes, results, figure_runs(results, rule), COLOURS[rule], RULE_NAMES[rule])
        settled = SETTLED[rule] / results["scale"] / 1000
        axes.plot([settled, results["points"][-1] / 1000], [PUBLISHED[rule]] * 2, "--",
                  color=COLOURS[rule], linewidth=1.4,
                  label=f"published, {RULE_NAMES[rule]}")  # fmt: skip
        axes.set_title(f"{RULE_NAMES[rule]}, ε_greedy 0.9")
        _finish(axes, results)
    grid[0][0].set_ylabel("score against the Bayesian network")
    handles = {text: handle for axes in grid[0] for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=5)
    figure.suptitle(f"Figure 3: libraries against the Bayesian network  ({_note(results)})",
                    fontsize=10)  # fmt: skip
    return figure


def _figure_4(results: Results) -> Any:
    """The same for Sarsa by the share of greedy moves in training."""
    figure, grid = new_figure(1, 2, (11, 4.6))
    curves, ends = grid[0]
    for greedy, colour in GREEDY_COLOURS.items():
        runs = figure_runs(results, greedy=greedy)
        by_point = [scores(tests_of(results, runs, point)) for point in POINTS]
        means = np.mean(by_point, axis=1)
        label = f"ε_greedy {greedy:g}"
        curves.plot(np.array(results["points"]) / 1000, means, "o-", color=colour, markersize=3.5,
                    linewidth=1.4, label=label)  # fmt: skip
        last = mean_of(by_point[-1])
        if last:
            ends.plot([greedy] * 2, [last.low, last.high], color=colour, linewidth=2)
            ends.plot(greedy, last.value, "o", color=colour)
        ends.plot([greedy] * len(runs), by_point[-1], "_", color=colour, markersize=9)
    _finish(curves, results)
    curves.set_title("means over trainings")
    curves.set_ylabel("score against the Bayesian network")
    ends.axhline(EVEN, color="#999999", linewidth=1)
    ends.set(title=f"after {results['points'][-1]:,} games: mean, 95 % interval, each training",
             xlabel="ε_greedy: share of greedy moves in training", ylim=(0.3, 0.75))  # fmt: skip
    ends.set_xlim(1.0, 0.45)
    handles, labels = curves.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6)
    quick = "  (QUICK run, shortened)" if results["quick"] else ""
    figure.suptitle(f"Figure 4: Sarsa with more or less exploration{quick}", fontsize=10)
    return figure


def _arms(results: Results) -> Any:
    """Every arm at the end of its training, and the baselines."""
    fought = [(f"search fights: {name}", tests) for name, tests in searching(results)]
    shown = [*arms(results), *fought]
    figure, grid = new_figure(1, 1, (9, 0.33 * len(shown) + 1.6))
    axes = grid[0][0]
    for place, (_, tests) in enumerate(shown):
        at, games = -place, pooled(tests)
        axes.plot([games.low, games.high], [at, at], color="#1b5fa8", linewidth=2)
        axes.plot(scores(tests), [at] * len(tests), "|", color="#777777", markersize=7)
        axes.plot(games.value, at, "o", color="#1b5fa8", markersize=5)
    axes.axvline(EVEN, color="#999999", linewidth=1)
    for rule in RULES:
        axes.axvline(PUBLISHED[rule], color=COLOURS[rule], linewidth=1.2, linestyle="--",
                     label=f"published, {RULE_NAMES[rule]}")  # fmt: skip
    axes.set_yticks(range(0, -len(shown), -1), [name for name, _ in shown])
    axes.set(xlabel="score", xlim=(0.35, 0.75), ylim=(-len(shown) + 0.4, 0.6))
    axes.grid(axis="y", visible=False)
    figure.legend(loc="outside lower center", ncols=2)
    quick = "QUICK run, shortened · " if results["quick"] else ""
    figure.suptitle(f"All arms  ({quick}dot and bar: all games with their 95 % interval by pairs · "
                    "ticks: each training)", fontsize=10)  # fmt: skip
    return figure


# The second reading: every library beside as many central stones of who has learnt nothing.

OWN_POINTS = (*own.POINTS, own.LAST)
PLAYERS = {own_tables.LIBRARY: "library", "random": "random central stones",
           "expert": "the expert's central stones"}  # fmt: skip
PLAYER_COLOURS = dict(zip(PLAYERS, ("#1b5fa8", "#b0306a", "#2a9d5c"), strict=True))
NO_LIBRARY = "no library: the Bayesian network itself"
BATTLE = own.TELLING[0]


def _own_curve(results: Results, arm: Arm, player: str) -> list[list[float]]:
    """Of every training that has all points: its scores."""
    found = [own_tables.matches_of(results, arm, n, BATTLE, player) for n in OWN_POINTS]
    seeds = sorted(set.intersection(*({*tests} for tests in found)))
    return [[float(tests[seed]["score"]) for tests in found] for seed in seeds]


def _own_axes(axes: Any, title: str, text: str) -> None:
    axes.axhline(EVEN, color="#444444", linewidth=1, linestyle=":", label=NO_LIBRARY)
    axes.set_title(title)
    axes.set_xlabel(text)


def _own_finish(figure: Any, grid: Any, title: str) -> Any:
    grid[0][0].set_ylabel("score, 100 positions a turn")
    handles = {text: handle for axes in grid.flat for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    figure.suptitle(title, fontsize=10)
    return figure


def _own_figure_3(results: Results) -> Any:
    """Score over training games by rule, with both controls."""
    figure, grid = new_figure(1, len(RULES), (11, 4.9), sharey=True)
    games = np.array(OWN_POINTS) / results["scale"] / 1000
    for axes, rule in zip(grid[0], RULES, strict=True):
        for player, name in PLAYERS.items():
            curves = [np.array(c) for c in _own_curve(results, Arm(rule), player)]
            if curves:
                band(axes, games, curves, PLAYER_COLOURS[player], name)
        axes.axhline(PUBLISHED[rule], linestyle="--", color="#999999", linewidth=1.2,
                     label="published, with another opponent")  # fmt: skip
        _own_axes(axes, RULE_NAMES[rule], "training games (thousands)")
    text = f"Figure 3: each engine places its own stones  ({_note(results)})"
    return _own_finish(figure, grid, text)


def _own_figure_4(results: Results) -> Any:
    """The same for Sarsa by ε_greedy: the libraries on their way, and all players at the end."""
    figure, grid = new_figure(1, 2, (11, 4.9), sharey=True)
    games = np.array(OWN_POINTS) / results["scale"] / 1000
    curves, ends = grid[0]
    for greedy in (Arm("sarsa").greedy, *own.GREEDY):
        arm = Arm("sarsa", greedy)
        if found := _own_curve(results, arm, own_tables.LIBRARY):
            curves.plot(games, np.mean(found, axis=0), "o-", color=GREEDY_COLOURS[greedy],
                        markersize=3.5, label=f"ε_greedy {greedy:g}")  # fmt: skip
        for shift, (player, name) in enumerate(PLAYERS.items(), -1):
            values = own_tables.scores(
                own_tables.matches_of(results, arm, own.LAST, BATTLE, player)
            )
            at, mean, colour = greedy - shift / 50, mean_of(values), PLAYER_COLOURS[player]
            if mean:
                ends.plot([at] * 2, [mean.low, mean.high], color=colour, linewidth=2)
                ends.plot([at] * len(values), values, "_", color=colour)
                ends.plot(at, mean.value, "o", color=colour, label=name)
    ended = f"after {own.LAST // results['scale']:,} games"
    _own_axes(curves, "means over trainings", "training games (thousands)")
    _own_axes(ends, f"{ended}: mean, 95 % interval, each training",
              "ε_greedy: share of greedy moves in training")  # fmt: skip
    ends.set_xlim(1.0, 0.4)
    return _own_finish(figure, grid, "Figure 4: each engine places its own stones")
