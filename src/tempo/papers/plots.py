"""How the figures of the papers look, and how they are stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.files import replacing
from tempo.papers.judging import student

STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "legend.frameon": False,
    "svg.hashsalt": "tempo",  # the same results give the same file
    "svg.fonttype": "none",
}

Floats = NDArray[np.float64]


def save(folder: Path, made: Mapping[str, Callable[[], Any]]) -> list[str]:
    """Draws and writes figures by name, as SVG and PNG; returns the names."""
    import matplotlib as mpl  # noqa: PLC0415 - the extra `plot`

    mpl.use("Agg")
    with mpl.rc_context(STYLE):
        for name, make in made.items():
            figure = make()
            with replacing(folder / f"{name}.svg") as file:
                figure.savefig(file, format="svg", metadata={"Date": None})
            with replacing(folder / f"{name}.png") as file:
                figure.savefig(file, format="png", dpi=130, metadata={"Software": None})
    return list(made)


def new_figure(rows: int, columns: int, size: tuple[float, float], **options: Any) -> Any:
    """A figure and its grid of axes."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def title(figure: Any, results: Mapping[str, Any], text: str, note: str) -> None:
    """What a figure shows, and below how."""
    quick = "QUICK run, shortened · " if results["quick"] else ""
    figure.suptitle(f"{text}\n{quick}{note}", fontsize=10)


def band(
    axes: Any, x: Floats, curves: Sequence[Floats], colour: str, label: str, most: float = 1.0
) -> None:
    """The mean over runs, its 95 % interval (of two runs it would say nothing), and each run.

    The interval is cut to what is possible: 0 to `most`.
    """
    stacked = np.array(curves)
    for curve in stacked:
        axes.plot(x, curve, color=colour, linewidth=0.5, alpha=0.45, zorder=2)
    mean = stacked.mean(axis=0)
    axes.plot(x, mean, color=colour, linewidth=1.6, label=label, zorder=3)
    if len(stacked) > 2:
        spread = stacked.std(axis=0, ddof=1) / np.sqrt(len(stacked))
        reach = student(len(stacked) - 1) * spread
        low, high = np.clip(mean - reach, 0, most), np.clip(mean + reach, 0, most)
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
