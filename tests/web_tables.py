"""What the tests of the page share: a hall without a network, connections that keep all bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tempo.games.chess.tablebase import Tablebase
from tempo.web import dealing, events, messages, opening
from tempo.web.clock import ClockRule
from tempo.web.events import SeatPlan
from tempo.web.hall import Hall
from tempo.web.limits import Limits
from tempo.web.line import Line
from tempo.web.opening import digest
from tempo.web.store import Store
from tempo.web.tables import Table
from tempo.web.thinking import Thinkers

SETUP = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"


class Clock:
    """A time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Recorder:
    """A connection that keeps every byte it is sent."""

    def __init__(self, table: str, token: str = "") -> None:
        self.address = ""
        self.table = table
        self.digest = digest(token)
        self.speech = ("en", False)
        self.told: Line | None = None
        self.sent: list[tuple[str, str]] = []

    def send(self, kind: str, text: str) -> None:
        self.sent.append((kind, text))

    def show(self, state: str, line: Line) -> None:
        self.send("state", line.added(state, self.told))
        self.told = line


def hall(clock: Callable[[], float], store: Store | None = None) -> Hall:
    """A hall in memory whose agents never think."""
    return Hall(store or Store(":memory:"), Thinkers(1), Limits(), clock)


def token(seat: int) -> str:
    """The token of a person at `opened`'s tables."""
    return f"token-{seat}"


def opened(
    game: str,
    kinds: Sequence[str],
    *,
    start: str = "",
    clock: ClockRule | None = None,
    seed: int = 1,
    at: float = 0.0,
) -> events.Opened:
    """A table of persons, open seats and random movers: `opened("gomoku", ["person", "agent"])`."""
    seats = tuple(
        SeatPlan(kind, agent="random" if kind == "agent" else "", digest=digest(token(i)))
        for i, kind in enumerate(kinds)
    )
    host = next((seat.digest for seat in seats if seat.kind == "person"), "")
    return events.Opened(at, game, "", start, seats, clock, seed, host)


def deal(table: Table) -> Table:
    """Deploys for the seats that have nobody to do it, as the hall does after every event."""
    for event in dealing.due(table, table.touched):
        table.apply(event)
    return table


def wish(data: dict[str, object]) -> opening.Made:
    """What a request for a table makes."""
    asked = messages.checked(messages.NewTable, data, "table")
    return opening.make(asked, Tablebase(store=False), None)
