"""What commands share: their usual options, where they print, and the progress bar."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from tempo import recipes
    from tempo.arena import MatchProgress, TournamentProgress

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
MOST_GAMES = 10**7
MOST_THREADS = 256
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Where all randomness comes from.")]


def finite(value: float | None) -> float | None:
    """A check of an option: ranges let NaN pass."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is no number of seconds")
    return value


def game_given(given: str) -> str:
    """The game that was given: a Python file that registers one stands for it."""
    if not given.endswith(".py"):
        return given
    from tempo.games.registry import from_file  # noqa: PLC0415 - `tempo --help` needs no games

    return from_file(given)


def say(console_kind: str = "out") -> Console:
    """A console: `out`, or `err` for what is not the answer."""
    from rich.console import Console  # noqa: PLC0415 - `tempo --help` is quick without

    return Console(stderr=console_kind == "err", highlight=False)


def print_json(data: Any) -> None:
    """The one object of --json."""
    print(json.dumps(data))


FIGURES = {"won": ".0%", "loss": ".1g"}  # of a training's rows, and how they are shown


class Bar:
    """A progress bar on standard error: games done, rate, time left, and who leads."""

    def __init__(self, title: str) -> None:
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._title = title
        self._progress = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=say("err"),
        )
        self._task = self._progress.add_task("", total=None)
        self._told = 0.0
        self._first: tuple[float, int] | None = None
        self._strength = ""

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None or self._told > 0:
            self._progress.stop()
            return
        # Bad input shows before the first game ends: the sentence that says so stands alone.
        self._progress.live.transient = True
        self._progress.live.stop()

    def match(self, state: MatchProgress) -> None:
        """One more game of a match."""
        self._show(state.done, state.total, lambda: f"{state.result().score:.0%} for {state.a}")

    def tournament(self, state: TournamentProgress) -> None:
        """One more game of a tournament."""
        self._show(state.done, state.total, lambda: f"{state.match.a} - {state.match.b}")

    def solving(self, ending: str, phase: str, done: int, total: int) -> None:
        """One more part of a tablebase."""
        self._show(done, total, lambda: f"{ending}: {phase}")

    def training(self, state: recipes.Progress) -> None:
        """One more iteration of a training."""
        from tempo.ledger import quantity  # noqa: PLC0415

        row, now = state.row, time.monotonic()
        first = self._first = self._first or (now, row["games"])
        speed = (row["games"] - first[1]) / (now - first[0]) if now > first[0] else 0.0
        # Not every learner has wins and a loss. Those of any game play random moves now and then.
        known = [f"{name} {row[name]:{form}}" for name, form in FIGURES.items() if name in row]
        if "random" in row:
            self._strength = f"{row['random']:.0%} against random"
        if self._strength:
            known[:1] = [self._strength]
        text = " ".join([*known, f"{quantity(speed)} games/s"])
        self._show(state.done, state.total, lambda: text)
        if "exam_won" in row:
            self._progress.console.print(_exam_line(row))

    def learning(self, state: recipes.Progress, wcr: float) -> None:
        """One more iteration of the demonstration."""
        text = f"{state.row['games']:,} games, WCR {wcr:.3f}"
        self._show(state.done, state.total, lambda: text)

    def running(self, done: int, total: int, what: str) -> None:
        """One more iteration of several trainings."""
        self._show(done, total, lambda: what)

    def counting(self, done: int, total: int) -> None:
        """One more of many."""
        self._show(done, total, lambda: "")

    def _show(self, done: int, total: int, describe: Callable[[], str]) -> None:
        now = time.monotonic()
        if self._told == 0:
            self._progress.console.print(self._title)
        if now - self._told > 0.2 or done == total:
            self._progress.update(self._task, description=describe())
            self._told = now
        self._progress.update(self._task, completed=done, total=total)


def _exam_line(row: Mapping[str, Any]) -> str:
    """How a Q-learner stands: an examination against random moves, and its speed."""
    from tempo.ledger import quantity  # noqa: PLC0415

    return (
        f"{row['wall_seconds']:7.0f} s  {quantity(row['moves'])} moves, "
        f"{quantity(row['updates'])} updates: against random {row['exam_won']:.1%} won, "
        f"{row['exam_drawn']:.1%} drawn, {row['exam_lost']:.1%} lost in {row['exam_length']:.0f} "
        f"moves; loss {row['loss']:.2g}, {quantity(row['moves_per_second'])} moves/s, "
        f"{row['updates_per_second']:.0f} updates/s"
    )
