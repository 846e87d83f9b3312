"""What commands share: their usual options, where they print, and the progress bar."""

from __future__ import annotations

import json
import math
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from tempo import recipes
    from tempo.arena import MatchProgress, TournamentProgress
    from tempo.cluster.workers import Workers

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
MOST_GAMES = 10**7
MOST_THREADS = 256
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Where all randomness comes from.")]

WorkersText = Annotated[
    str | None,
    typer.Option("--workers", help="A number of processes, ray, or ray=HOST:PORT: a cluster."),
]


@contextmanager
def given_workers(text: str | None) -> Iterator[Workers | None]:
    """The workers that were given; None if none were."""
    from tempo.cluster.workers import workers_of  # noqa: PLC0415

    if text is None:
        yield None
        return
    with workers_of(text) as workers:
        yield workers


def cores_or(given: int | None) -> int:
    """A number that was given, else that of the cores that this process may use."""
    from tempo.cluster.cores import cores  # noqa: PLC0415

    return given or cores()


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


MOMENT = 0.5  # seconds without a bar
NOTES = 30  # seconds between lines where there is no terminal
FIGURES = {"won": ".0%", "loss": ".1g"}  # of a training's rows, and how they are shown


class Bar:
    """A title and a progress bar on standard error: done, rate, time left, and who leads.

    On a terminal they stand there from the first moment. Elsewhere there is a line every half
    minute. Bad input shows before anything is done: the sentence that says so stands alone.
    """

    def __init__(self, title: str, total: int | None = None) -> None:
        from tempo.cli.bars import progress  # noqa: PLC0415 - `tempo --help` is quick without

        self._title = title
        self._progress = progress(title, say("err"))
        ready = "" if total else "getting ready"
        self._task = self._progress.add_task(ready, total=total, rate="", before=0)
        self._begun = self._noted = self._told = 0.0
        self._describe: Callable[[], str] | None = None
        self._before = 0  # done by an earlier call, which is no speed of this one
        self._first: tuple[float, int] | None = None  # a moment and the games played by then
        self._strength = ""

    def __enter__(self) -> Bar:
        self._begun = self._noted = time.monotonic()
        self._progress.start()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if self._told == 0 and (error is None or issubclass(error, Exception)):
            self._progress.live.transient = True
            self._progress.live.stop()
            return
        if self._describe:
            self._progress.update(self._task, description=self._describe())
        self._progress.stop()

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
        first = self._first = self._first or (self._begun, 0 if state.done == 1 else row["games"])
        speed = (row["games"] - first[1]) / (now - first[0])
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

    def begins(self, done: int, total: int) -> None:
        """Shows how much there is to do, before the first of it is done."""
        self._before = done
        under_way = f"iteration {done + 1} is under way" if done < total else ""
        self._progress.update(
            self._task, completed=done, total=total, before=done, description=under_way
        )

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
        now, self._describe = time.monotonic(), describe
        if now - self._told > 0.2 or done == total:
            self._told = now
            rate = self._rate(done - self._before, now - self._begun)
            self._progress.update(self._task, description=describe(), rate=rate)
        self._progress.update(self._task, completed=done, total=total)
        if now - self._noted > NOTES and not self._progress.console.is_terminal:
            self._noted = now
            left = f"{done}/{total} in {now - self._begun:.0f} s"
            self._progress.console.print(f"{self._title}: {left}, {describe()}", soft_wrap=True)

    def _rate(self, done: int, seconds: float) -> str:
        from tempo.ledger import quantity  # noqa: PLC0415

        if done <= 0 or seconds <= 0:
            return ""
        speed = done / seconds
        return f"{quantity(speed)}/s" if speed >= 1 else f"{60 * speed:.1f}/min"


@contextmanager
def counted(title: str, total: int) -> Iterator[Callable[[], None]]:
    """Tells one more of many; a bar shows it where it takes longer than a moment."""
    begun, done = time.monotonic(), 0
    with ExitStack() as ends:
        bar: Bar | None = None

        def tell() -> None:
            nonlocal done, bar
            done += 1
            if bar is None and total > 1 and time.monotonic() - begun > MOMENT:
                bar = ends.enter_context(Bar(title, total))
            if bar:
                bar.counting(done, total)

        yield tell


@contextmanager
def interruptible(tell: Callable[[], str]) -> Iterator[None]:
    """Has Ctrl-C followed by what came of the work so far, or by how to continue it."""
    try:
        yield
    except KeyboardInterrupt:
        if text := tell():
            say("err").print(text, markup=False, soft_wrap=True)
        raise


def this_command(*more: str) -> str:
    """What was typed, for a line that continues it."""
    return shlex.join(["tempo", *sys.argv[1:], *(word for word in more if word not in sys.argv)])


def continued() -> str:
    """How to continue what is kept in a folder as it goes."""
    return f"What is done is kept. Continue: {this_command()}"


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
