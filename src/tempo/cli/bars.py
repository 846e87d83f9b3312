"""How progress looks: a title, then bar, count, rate, time and what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

ECHO = 2  # columns of the ^C that a terminal prints where the cursor is: a full line would break


def progress(title: str, console: Console) -> Progress:
    """A bar under its title, at most as wide as the console; tasks have `rate` and `before`."""
    console.width = max(console.width - ECHO, ECHO)
    return _Titled(
        BarColumn(bar_width=12),
        _Count(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        _Left(),
        # What does not fit is what is said last.
        TextColumn(
            "{task.description}",
            markup=False,
            table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
        ),
        console=console,
        expand=True,
        title=title,
    )


class _Titled(Progress):
    """A bar whose title is drawn with it."""

    def __init__(
        self, *columns: ProgressColumn, console: Console, expand: bool, title: str
    ) -> None:
        self._title = title
        super().__init__(*columns, console=console, expand=expand)

    def get_renderables(self) -> Iterable[RenderableType]:
        """The title, then the bar."""
        yield Text(self._title)
        yield from super().get_renderables()


class _Count(MofNCompleteColumn):
    """`3/60`; nothing while it is not known how much there is to do."""

    def render(self, task: Task) -> Text:
        """Done of how many."""
        return Text("") if task.total is None else super().render(task)


class _Left(ProgressColumn):
    """The time left at the speed so far: also where one step takes minutes."""

    def render(self, task: Task) -> Text:
        """`left 0:01:30`; dashes before the first step."""
        done, total, spent = task.completed - task.fields["before"], task.total, task.elapsed
        if done <= 0 or total is None or spent is None:
            return Text("left -:--:--")
        left = spent / done * (total - task.completed)
        return Text(f"left {timedelta(seconds=max(round(left), 0))}")
