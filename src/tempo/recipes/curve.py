"""Learning curves: as a figure in the run folder, and as bars of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo.files import replacing
from tempo.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = " ▁▂▃▄▅▆▇█"
# What is drawn of a log, with its label.
USUAL = {"won": "won by White in self-play", "loss": "loss"}
ADP = {
    "moves": "moves an iteration",
    "correct": "moves as the expert's",
    "won": "won by player 1",
    "loss": "loss",
}
TRUNCATED = {
    "moves": "moves a game",
    "explored": "of them not the best",
    "decided": "games decided",
    "loss": "loss",
}
TABULAR = {"reward": "reward of a game", "entries": "values in the table"}
LABELS = {"adp": ADP, "truncated": TRUNCATED, "tabular": TABULAR}
SHARES = ("won", "correct", "decided")


def chart(points: Sequence[tuple[float, float]], width: int = 60, height: int = 5) -> str:
    """Shares from 0 to 1 over something that grows from 0, as bars of text."""
    last = points[-1][0]
    levels = [_level(points, last * (i + 1) / width) * height * 8 for i in range(width)]
    lines = []
    for row in reversed(range(height)):
        label = {height - 1: "1.0", 0: "0.0"}.get(row, "")
        bars = (BARS[int(min(max(level - 8 * row, 0), 8))] for level in levels)
        lines.append(f"{label:>4} │{''.join(bars)}")
    return "\n".join([*lines, f"     └{'─' * (width - 6)} {last:.0f} s"])


def _level(points: Sequence[tuple[float, float]], place: float) -> float:
    """The share at a place, between two points along a straight line."""
    before = (0.0, 0.0)
    for point in points:
        if point[0] >= place - 1e-9:
            part = (place - before[0]) / max(point[0] - before[0], 1e-9)
            return before[1] + min(part, 1.0) * (point[1] - before[1])
        before = point
    return before[1]


def draw(run: Run) -> list[Path]:
    """curve.svg and curve.png in the run folder; nothing where matplotlib is not installed.

    Nothing, too, of a log that has no figure to draw.
    """
    try:
        import matplotlib as mpl  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415 - not pyplot: no screen is needed
    except ImportError:
        return []
    mpl.rcParams["svg.hashsalt"] = "tempo"  # the same run gives the same file
    rows = run.rows()
    labels = LABELS.get(run.config.get("learner", ""), USUAL)
    names = [name for name in labels if rows and name in rows[-1]]
    if not names:
        return []
    figure = Figure(figsize=(7, 2.5 * len(names)), layout="constrained")
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        _line(axes, rows, name, labels[name])
        if name == "loss":
            axes.set_yscale("log")
        elif name in SHARES:
            axes.set_ylim(0, 1)
    panels[-1].set_xlabel("games")
    figure.suptitle(run.config.get("about", run.folder.name), fontsize=10)
    paths = [run.folder / "curve.svg", run.folder / "curve.png"]
    for path in paths:
        form = path.suffix.removeprefix(".")
        with replacing(path) as file:
            figure.savefig(file, format=form, metadata={"Date": None} if form == "svg" else None)
    return paths


def _line(axes: Axes, rows: Sequence[Mapping[str, Any]], name: str, label: str) -> None:
    axes.plot([row["games"] for row in rows], [row[name] for row in rows], linewidth=1.2)
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
