"""Figures of the Siguo paper's reproduction, as SVG and PNG, from stored results alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tempo.papers.judging import Mean
from tempo.papers.plots import band, new_figure, save, title
from tempo.papers.siguo import online_tables
from tempo.papers.siguo.claims import ENDS, NAMES
from tempo.papers.siguo.online import ARMS
from tempo.papers.siguo.plan import BASELINES
from tempo.papers.siguo.published import CURVES, GAMES, GROUPS, NODES, READINGS, TABLE_3
from tempo.papers.siguo.tables import (
    Results,
    by_games,
    error_curve,
    nodes,
    nodes_left,
    over_trainings,
    played,
    runs_of,
    shares,
)

COLOURS = {"q": "#1b5fa8", "q-lambda": "#e0a020", "ttd": "#2a9d5c", "ttd-adaptive": "#b0306a"}
END_COLOURS = {"won": "#2a9d5c", "drawn": "#c9c9c9", "lost": "#c1571b"}
READING_TITLES = {
    "printed": "as printed: pushes added up, no exploration",
    "averaged": "pushes averaged, Metropolis",
}


def draw(folder: Path, results: Results, _answer: Results) -> list[str]:
    """Writes all figures and returns their names, without suffix."""
    made: dict[str, Callable[[], Any]] = {
        "figure-6": lambda: _figure_6(results),
        "figure-7": lambda: _figure_7(results),
        "tables": lambda: _tables(results),
        "arms": lambda: _arms(results),
    }
    if not results["runs"]:
        made = {}
    if online_tables.runs_of(results, "q"):
        made["online"] = lambda: _online(results)
    return save(folder, made)


def _figure_6(results: Results) -> Any:
    """Above the errors, below the scores against the stand-ins."""
    figure, grid = new_figure(2, 2, (11, 7.4))
    for column, (reading, arms) in enumerate(CURVES.items()):
        errors, scores = grid[0][column], grid[1][column]
        for curve, arm in arms.items():
            if curve == "q-lambda":  # the same rule as TTD(0.3, 20) but for rounding
                continue
            runs = runs_of(results, reading, arm)
            label = NAMES[curve] + (" ≈ Q(0.3)" if curve == "ttd" else "")
            games = np.array(runs[0]["curves"]["games"], np.float64)
            band(errors, games, [np.array(error_curve(run)) for run in runs], COLOURS[curve], label)
            games = np.array([point["games"] for point in runs[0]["points"]], np.float64)
            lines = [np.array(shares(run["points"], "score")) for run in runs]
            band(scores, games, lines, COLOURS[curve], label)
        scores.axhline(0.5, color="#999999", linewidth=1)
        errors.set(title=READING_TITLES[reading], ylim=(0, None))
        scores.set(xlabel="training games", ylim=(0, 1))
    grid[0][0].set_ylabel("error: target less value, root mean square")
    grid[1][0].set_ylabel("score against the stand-ins")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    note = f"thin: {len(results['seeds'])} trainings · thick: their mean · band: 95 % of the mean"
    title(figure, results, "Figure 6: convergence", note)
    return figure


def _figure_7(results: Results) -> Any:
    """Nodes that count, and own moves that are left."""
    figure, grid = new_figure(1, 2, (11, 4.2))
    counted, left = grid[0]
    for curve in ("q", "ttd", "ttd-adaptive"):
        runs = runs_of(results, "printed", curve)
        games = np.array(runs[0]["curves"]["games"], np.float64)
        lines = [np.array(nodes(run)) for run in runs]
        band(counted, games, lines, COLOURS[curve], NAMES[curve], most=1e9)
        lines = [np.array(nodes_left(run)) for run in runs]
        band(left, games, lines, COLOURS[curve], NAMES[curve], most=1e9)
    left.axhline(NODES["ttd"], color="black", linewidth=1.2, linestyle="--",
                 label="published for λ = 0.3: 37")  # fmt: skip
    counted.set(title="nodes of weight 0.01 or more, 20 at most", xlabel="training games",
                ylim=(0, 21))  # fmt: skip
    left.set(title="own moves left in a game", xlabel="training games", ylim=(0, None))
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    note = f"thin: {len(results['seeds'])} trainings · thick: their mean · band: 95 % of the mean"
    title(figure, results, "Figure 7: forward nodes", note)
    return figure


ONLINE_COLOURS = {
    **COLOURS, "q-epsilon": "#7a7a7a", "metropolis": "#7b4fb0", "metropolis-ttd": "#c1571b",
    "ttd-moves": "#5bb8c4", "ttd-long": "#8a6d00", "averaged": "#222222",
}  # fmt: skip


def _online(results: Results) -> Any:
    """Games won while learning; Figure 6 by weights; Figure 7 within a game."""
    figure, grid = new_figure(1, 3, (14, 4.8))
    won, weights, nodes_of = grid[0]
    for arm in ("q", "q-epsilon", "ttd-adaptive", "metropolis", "metropolis-ttd", "ttd-long",
                "averaged"):  # fmt: skip
        runs = online_tables.runs_of(results, arm)
        ends = np.arange(100, runs[0]["games"] + 1, 100)
        means = [np.mean([online_tables.part(run, "won", end - 100, end) for run in runs])
                 for end in ends]  # fmt: skip
        won.plot(ends, means, "o-", color=ONLINE_COLOURS[arm], markersize=3, label=ARMS[arm].title)
    for arm in ("q", "ttd", "ttd-adaptive", "ttd-moves"):
        runs = online_tables.runs_of(results, arm)
        games = np.array(runs[0]["curves"]["games"], np.float64)
        lines = [np.array(run["curves"]["weights"]) for run in runs]
        band(weights, games, lines, ONLINE_COLOURS[arm], ARMS[arm].title)
        own = float(np.mean([online_tables.part(run, "moves", 0, run["games"]) for run in runs]))
        trace = runs[0]["curves"]["trace"][-1]
        ahead = online_tables.nodes_within(trace, own, falling=arm == "ttd-moves")
        nodes_of.plot(ahead, color=ONLINE_COLOURS[arm], label=ARMS[arm].title)
    won.set(title="won of the last 100 games", xlabel="games", ylim=(0, None))
    weights.set(title="Figure 6: weights, root mean square", xlabel="games", ylim=(0, None))
    nodes_of.set(title="Figure 7: nodes of weight 0.01 or more", xlabel="own moves of a game",
                 ylim=(0, 21))  # fmt: skip
    handles = {text: handle for axes in grid[0] for handle, text in
               zip(*axes.get_legend_handles_labels(), strict=True)}  # fmt: skip
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    count = len(online_tables.runs_of(results, "q"))
    title(figure, results, "Learning on-line, against stand-ins",
          f"{count} trainings of each kind · thick: their mean · band: 95 %")  # fmt: skip
    return figure


def _bar(axes: Any, place: float, parts: tuple[float, ...]) -> None:
    start = 0.0
    for what, part in zip(ENDS, parts, strict=True):
        axes.barh(place, part, left=start, color=END_COLOURS[what], height=0.72)
        if part >= 0.03:
            axes.text(start + part / 2, place, f"{100 * part:.0f}", ha="center", va="center",
                      fontsize=8)  # fmt: skip
        start += part


def _tables(results: Results) -> Any:
    """Table III: published and both readings, a bar each."""
    figure, grid = new_figure(1, 1, (9, 6.2))
    axes = grid[0][0]
    places, labels = [], []
    place = 0.0
    for arm, counts in TABLE_3.items():
        _bar(axes, place, tuple(count / GAMES for count in counts))
        places.append(place)
        labels.append(f"{NAMES[arm]}: published")
        for reading in READINGS:
            place -= 1
            _seeded(axes, place, played(results, reading, arm))
            places.append(place)
            labels.append(f"ours, {reading}")
        place -= 1.5
    for arm in BASELINES:
        _seeded(axes, place, played(results, "baselines", arm))
        places.append(place)
        labels.append(f"no learning: {arm}")
        place -= 1
    for what, colour in END_COLOURS.items():
        axes.barh(0, 0, color=colour, label=f"{what} (%)")
    axes.set_yticks(places, labels)
    axes.set(xlim=(0, 1), xlabel="share of games")
    axes.grid(axis="y", visible=False)
    figure.legend(loc="outside lower center", ncols=3)
    title(figure, results, "Table III: won, drawn, lost",
           "ours against stand-ins · ticks: share won by each training")  # fmt: skip
    return figure


def _seeded(axes: Any, place: float, tests: Any) -> None:
    _bar(axes, place, tuple(by_games(tests, what).value for what in ENDS))
    won = shares(tests, "won")
    axes.plot(won, [place - 0.28] * len(won), "|", color="black", markersize=6)


def _arms(results: Results) -> Any:
    """Scores of all arms."""
    shown = [("no learning", arm, arm) for arm in BASELINES]
    shown += [(group, arm, made.title) for group, arms in GROUPS.items()
              for arm, made in arms.items()]  # fmt: skip
    figure, grid = new_figure(1, 1, (9, 0.3 * len(shown) + 1.8))
    axes = grid[0][0]
    colours = {"printed": "#c1571b", "averaged": "#1b5fa8", "switches": "#2a9d5c"}
    for place, (group, arm, _) in enumerate(shown):
        tests = played(results, "baselines" if group == "no learning" else group, arm)
        mean: Mean = over_trainings(tests, "score") or by_games(tests, "score")
        colour = colours.get(group, "#555555")
        axes.plot([max(0, mean.low), min(1, mean.high)], [-place] * 2, color=colour, linewidth=2)
        axes.plot(shares(tests, "score"), [-place] * len(tests), "|", color="#777777", markersize=7)
        axes.plot(mean.value, -place, "o", color=colour, markersize=5)
    axes.axvline(0.5, color="#999999", linewidth=1)
    axes.set_yticks(range(0, -len(shown), -1), [f"{title} · {group}" for group, _, title in shown])
    axes.set(xlabel="score against the stand-ins", xlim=(0, 1), ylim=(-len(shown) + 0.4, 0.6))
    axes.grid(axis="y", visible=False)
    title(figure, results, "Every way of learning",
           "dot and bar: mean and 95 % interval over trainings · ticks: each training")  # fmt: skip
    return figure
