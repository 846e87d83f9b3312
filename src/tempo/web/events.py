"""What happens at a table, one value each: kept on disk in order, and all that a table is made of.

Times are seconds since 1970. Secrets never appear: a seat keeps a digest of its token.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from tempo.agents.settings import with_new_names
from tempo.errors import ParseError
from tempo.web.clock import ClockRule


@dataclass(frozen=True)
class SeatPlan:
    """Who sits there: a person (digest of the token), nobody yet (of the invitation), an agent."""

    kind: str  # person, open or agent
    name: str = ""
    agent: str = ""
    digest: str = ""


@dataclass(frozen=True)
class Opened:
    """A table was made; always the first event."""

    at: float
    game: str
    rules: str
    start: str  # a position's text; empty: the start of the game
    seats: tuple[SeatPlan, ...]
    clock: ClockRule | None
    seed: int
    host: str  # the digest of the token of the host
    derived: bool = False  # setups of agents follow from the seed, as in files of older versions


@dataclass(frozen=True)
class Invited:
    """An open seat got a new invitation; the old one is void."""

    at: float
    seat: int
    digest: str


@dataclass(frozen=True)
class Seated:
    """A person who was invited took an open seat."""

    at: float
    seat: int
    name: str
    digest: str


@dataclass(frozen=True)
class Filled:
    """Agents took all open seats."""

    at: float
    agent: str


@dataclass(frozen=True)
class Replaced:
    """An agent goes on in place of another, or of a person who left."""

    at: float
    seat: int
    agent: str


@dataclass(frozen=True)
class Renamed:
    """A person has a new name."""

    at: float
    seat: int
    name: str


@dataclass(frozen=True)
class Deployed:
    """A seat has put up its pieces."""

    at: float
    seat: int
    setup: str


@dataclass(frozen=True)
class Moved:
    """A seat has moved."""

    at: float
    seat: int
    move: int


@dataclass(frozen=True)
class TimedOut:
    """A seat's time ran out."""

    at: float
    seat: int


@dataclass(frozen=True)
class Resigned:
    """A seat gave up."""

    at: float
    seat: int


@dataclass(frozen=True)
class Offered:
    """A seat asks the others for a draw, for its move back or for another game."""

    at: float
    seat: int
    what: str  # draw, undo or rematch
    swap: bool = False


@dataclass(frozen=True)
class Answered:
    """A seat answers what was offered."""

    at: float
    seat: int
    accept: bool


@dataclass(frozen=True)
class Resumed:
    """The server came back: nobody's clock ran while it was away."""

    at: float


Event = (
    Opened | Invited | Seated | Filled | Replaced | Renamed | Deployed | Moved | TimedOut | Resigned
    | Offered | Answered | Resumed
)  # fmt: skip

_KINDS: dict[str, type[Event]] = {kind.__name__.lower(): kind for kind in get_args(Event)}


def to_json(event: Event) -> dict[str, Any]:
    """An event as it is stored."""
    return {"event": type(event).__name__.lower(), **asdict(event)}


def from_json(data: dict[str, Any]) -> Event:
    """An event as it was stored; ParseError names what this version does not know."""
    try:
        kind = _KINDS[data["event"]]
        if kind is Opened:
            data = {"derived": True, **data}
        values = {item.name: data[item.name] for item in fields(kind)}
        if kind is Opened:
            values["seats"] = tuple(SeatPlan(**_renamed(seat)) for seat in values["seats"])
            values["clock"] = ClockRule(**values["clock"]) if values["clock"] else None
        return kind(**_renamed(values))
    except (KeyError, TypeError, AttributeError) as error:
        raise ParseError(f"this is no event of a table: {data!r:.80} ({error})") from error


def _renamed(values: dict[str, Any]) -> dict[str, Any]:
    """The same with the names that an agent's settings have today."""
    return {**values, "agent": with_new_names(values["agent"])} if "agent" in values else values
