"""The log of a run as TensorBoard reads it, beside `log.jsonl`: `tempo train ... --tensorboard`."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any, Self

from tempo.errors import missing_extra
from tempo.runs import Run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FOLDER = "tensorboard"
FLUSHING = 1  # seconds between writes to the disk


def needed() -> Any:
    """tensorboardX; TempoError where the extra is not installed."""
    try:
        import tensorboardX  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise missing_extra(error) or error from None
    return tensorboardX


class Board:
    """The log of a run over the games played, while it grows; its folder is made when that begins.

    What an earlier training has logged stands there, too: a log that a resume cuts is written anew.
    """

    def __init__(self, folder: Path) -> None:
        self._made, self._folder = needed(), folder
        self._writer: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def begin(self) -> None:
        """Writes what the log has before the first iteration."""
        folder = self._folder / FOLDER
        shutil.rmtree(folder, ignore_errors=True)
        self._writer = self._made.SummaryWriter(str(folder), flush_secs=FLUSHING)
        for row in Run.open(self._folder).rows():
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        """One more line of the log, on the disk within a second."""
        at = int(row.get("games") or row.get("step", 0))
        for name, value in row.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self._writer.add_scalar(name, value, at)
