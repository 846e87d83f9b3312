"""The log of a run as TensorBoard reads it, beside `log.jsonl`: `tempo train ... --tensorboard`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tempo.errors import missing_extra

if TYPE_CHECKING:
    from pathlib import Path

    from tempo.runs import Run

FOLDER = "tensorboard"


def needed() -> Any:
    """tensorboardX; TempoError where the extra is not installed."""
    try:
        import tensorboardX  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise missing_extra(error) or error from None
    return tensorboardX


def write(run: Run) -> Path:
    """Every number of the log over the games played, in a folder that is made anew."""
    import shutil  # noqa: PLC0415

    folder = run.folder / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    with needed().SummaryWriter(str(folder)) as writer:
        for row in run.rows():
            at = int(row.get("games") or row.get("step", 0))
            for name, value in row.items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    writer.add_scalar(name, value, at)
    return folder
