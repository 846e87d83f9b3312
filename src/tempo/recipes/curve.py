"""Learning curves: as a figure in the run folder, and as a line of text on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int, low: float, high: float) -> str:
    """Values as a line of `width` bars at most, each the mean of its part, from low to high."""
    count = min(width, len(values))
    parts = [
        values[len(values) * i // count : len(values) * (i + 1) // count] for i in range(count)
    ]
    span = max(high - low, 1e-12)
    shares = (min(max((sum(part) / len(part) - low) / span, 0.0), 1.0) for part in parts)
    return "".join(BARS[min(int(share * len(BARS)), len(BARS) - 1)] for share in shares)


def draw(run: Run) -> list[Path]:
    """curve.svg and curve.png in the run folder; nothing where matplotlib is not installed."""
    try:
        import matplotlib as mpl  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415 - not pyplot: no screen is needed
    except ImportError:
        return []
    mpl.rcParams["svg.hashsalt"] = "tempo"  # the same run gives the same file
    rows = run.rows()
    figure = Figure(figsize=(7, 5), layout="constrained")
    won, loss = figure.subplots(2, 1, sharex=True)
    _line(won, rows, "won", "won by White in self-play")
    won.set_ylim(0, 1)
    _line(loss, rows, "loss", "loss")
    loss.set_yscale("log")
    loss.set_xlabel("games")
    figure.suptitle(run.config.get("about", run.folder.name), fontsize=10)
    paths = [run.folder / "curve.svg", run.folder / "curve.png"]
    for path in paths:
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


def _line(axes: Axes, rows: Sequence[Mapping[str, Any]], name: str, label: str) -> None:
    axes.plot([row["games"] for row in rows], [row[name] for row in rows], linewidth=1.2)
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
