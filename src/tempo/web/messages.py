"""What a browser may say: every message becomes a checked value, or Refused says what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, get_args

from tempo.texts import refusal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

D = TypeVar("D", bound="DataclassInstance")
Check = Callable[[object], object]  # gives the value back, or ValueError with what it takes

NAME = 40  # letters of a person's name
SPEC = 600  # of a game or agent with its settings
POSITION = 4000  # of a position
SECRET = 64  # of a token or an invitation
MAX_SEATS = 4
MAX_TOUCHES = 8


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


class Refused(Exception):  # noqa: N818 - an answer, not a failure
    """A request that is not carried out: what it was about, and why, in one sentence."""

    def __init__(self, about: str, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.about = about
        self.text = text
        self.status = status  # of an answer over HTTP

    def to_json(self) -> dict[str, str]:
        """As it is sent to the client, in the language of now."""
        return {"about": self.about, "text": refusal(self.text)}


# ---- checks of single values ---------------------------------------------------------------------


def whole(low: int, high: int) -> Check:
    """A whole number within bounds."""

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return check


def number(low: float, high: float) -> Check:
    """A number within bounds."""

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"a number from {low:g} to {high:g}")
        if not low <= value <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        return float(value)

    return check


def line(longest: int) -> Check:
    """One line of text."""

    def check(value: object) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise ValueError(f"a text of at most {longest} letters")
        if not value.isprintable():
            raise ValueError("a text without control characters")
        return value

    return check


def word(pattern: str, meaning: str) -> Check:
    """A text of a given form."""
    form = re.compile(pattern)

    def check(value: object) -> str:
        if not isinstance(value, str) or not form.fullmatch(value):
            raise ValueError(meaning)
        return value

    return check


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


secret = word(rf"[A-Za-z0-9_-]{{1,{SECRET}}}", "the secret word of a seat")
table_id = word(r"[a-z0-9]{1,32}", "the name of a table: small letters and digits")


def given(check: Check) -> Any:
    """A field that must be there."""
    return field(metadata={"check": check})


def optional(check: Check, default: Any) -> Any:
    """A field that may be left out."""
    return field(default=default, metadata={"check": check})


def checked(kind: type[D], data: object, about: str) -> D:
    """A dataclass of checked fields from an object of JSON. Unknown fields are refused."""
    if not isinstance(data, Mapping):
        raise Refused(about, f"{about} is an object with fields, not {_short(data)}")
    known = {item.name: item for item in fields(kind)}
    for name in data:
        if name not in known and name != "type":
            listed = ", ".join(known) or "none"
            raise Refused(about, f"{about} has no field {_short(name)}; its fields: {listed}")
    values: dict[str, Any] = {}
    for name, item in known.items():
        if name not in data:
            if item.default is MISSING:
                raise Refused(about, f"{about} needs the field '{name}'")
            continue
        try:
            values[name] = item.metadata["check"](data[name])
        except ValueError as error:
            raise Refused(about, f"{about}: '{name}' takes {error}") from None
    return kind(**values)


def _short(value: object) -> str:
    return ascii(value)[:40]


# ---- over the WebSocket --------------------------------------------------------------------------


@dataclass(frozen=True)
class Have:
    """The moves of a game that a client has already: how many, and the mark of its last state."""

    round: int = given(whole(1, 1_000_000))
    ply: int = given(whole(0, 1_000_000))
    mark: str = given(word("[0-9a-f]{1,32}", "the mark of a state"))


def touches(value: object) -> tuple[str, ...]:
    """A check of a message's field: places in the order in which they were touched."""
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_TOUCHES:
        raise ValueError(f"a list of one to {MAX_TOUCHES} places")
    return tuple(str(_place(one)) for one in value)


_place = word(r"[A-Za-z0-9:]{1,20}", "names of places")


def _have(value: object) -> Have | None:
    return None if value is None else checked(Have, value, "have")


@dataclass(frozen=True)
class Join:
    """The first message: which table, and by which right. Without a token: as a spectator."""

    table: str = given(table_id)
    token: str = optional(secret, "")
    have: Have | None = field(default=None, metadata={"check": _have})
    language: str = optional(word("[a-z]{2}", "a language in two letters"), "en")
    plain: bool = optional(flag, False)  # letters instead of Chinese and Japanese characters


@dataclass(frozen=True)
class Move:
    """A move, and after how many it is meant: one that comes too late is refused.

    With the `moment` of the state that it answers it may be sent again and is played once.
    """

    ply: int = given(whole(0, 1_000_000))
    move: int = given(whole(0, 10_000_000))
    moment: int = optional(whole(0, 1_000_000_000), 0)  # 0: not said


@dataclass(frozen=True)
class Deploy:
    """How a seat deploys its pieces."""

    setup: str = given(line(60))


@dataclass(frozen=True)
class Undo:
    """Asks to take back the last own move."""


@dataclass(frozen=True)
class Resign:
    """Gives up."""


@dataclass(frozen=True)
class OfferDraw:
    """Offers a draw to all others."""


@dataclass(frozen=True)
class AnswerDraw:
    """Takes or refuses a draw."""

    accept: bool = given(flag)


@dataclass(frozen=True)
class AnswerUndo:
    """Lets somebody take back, or not."""

    accept: bool = given(flag)


@dataclass(frozen=True)
class Rematch:
    """Asks for another game at this table."""

    swap: bool = optional(flag, True)


@dataclass(frozen=True)
class Fill:
    """Lets an agent take every open seat."""

    agent: str = given(line(SPEC))


@dataclass(frozen=True)
class Replace:
    """Lets an agent go on in place of another, or of a person who left."""

    seat: int = given(whole(0, MAX_SEATS - 1))
    agent: str = given(line(SPEC))


@dataclass(frozen=True)
class Name:
    """What a person wants to be called."""

    name: str = given(line(NAME))


@dataclass(frozen=True)
class Look:
    """Asks how the board looked after a number of moves."""

    ply: int = given(whole(0, 1_000_000))


@dataclass(frozen=True)
class Why:
    """Asks why the places that were touched make no move."""

    touches: tuple[str, ...] = given(touches)


@dataclass(frozen=True)
class Hurry:
    """Asks the agent that thinks to move now."""


@dataclass(frozen=True)
class Ping:
    """Asks whether the server is there."""


Message = (
    Join | Move | Deploy | Undo | Resign | OfferDraw | AnswerDraw | AnswerUndo | Rematch | Fill
    | Replace | Name | Look | Why | Hurry | Ping
)  # fmt: skip

_KINDS: dict[str, type[Message]] = {  # OfferDraw is "offer_draw"
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in get_args(Message)
}


def read(raw: str | bytes, longest: int) -> Message:
    """The message in a text from outside."""
    data = parse(raw, "message", longest)
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise Refused("message", "a message is an object with a 'type'")
    kind = data["type"]
    if kind not in _KINDS:
        known = ", ".join(_KINDS)
        raise Refused("message", f"there is no message {_short(kind)}; there are {known}")
    return checked(_KINDS[kind], data, kind)


def parse(raw: str | bytes, about: str, longest: int) -> object:
    """JSON from outside, of bounded length; Refused says what is wrong with it."""
    try:
        data = raw.encode() if isinstance(raw, str) else raw
        if len(data) > longest:
            raise Refused(about, f"{len(data)} bytes are too many; {longest} are allowed", 413)
        found: object = json.loads(data.decode(), parse_constant=_no_number)
        if _HALF.search(data):  # an escape may be half a character, which nothing can store
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except (ValueError, RecursionError) as error:
        raise Refused(about, f"not JSON: {_short(str(error))}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


# ---- over HTTP -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatWish:
    """Who is to sit there: the host, somebody invited, or an agent."""

    kind: str = given(word("person|open|agent", "person, open or agent"))
    name: str = optional(line(NAME), "")
    agent: str = optional(line(SPEC), "")


@dataclass(frozen=True)
class ClockWish:
    """Seconds: for the game, added after a move, and for each move when the first are used up."""

    base: float = optional(number(0, 86400), 0.0)
    increment: float = optional(number(0, 3600), 0.0)
    per_move: float = optional(number(0, 3600), 0.0)


@dataclass(frozen=True)
class EndingWish:
    """A chess ending by its name: KRK."""

    ending: str = given(word(r"K[QRBNP]{0,3}K[QRBNP]{0,3}", "the name of an ending, as KRK"))


def _start(value: object) -> object:
    return checked(EndingWish, value, "start") if isinstance(value, dict) else _position(value)


def _seats(value: object) -> tuple[SeatWish, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_SEATS:
        raise ValueError(f"a list of one to {MAX_SEATS} seats")
    return tuple(checked(SeatWish, one, "seat") for one in value)


def _clock(value: object) -> ClockWish | None:
    return None if value is None else checked(ClockWish, value, "clock")


_position = line(POSITION)


@dataclass(frozen=True)
class NewTable:
    """A table to be made."""

    game: str = given(line(SPEC))
    seats: tuple[SeatWish, ...] = given(_seats)
    start: str | EndingWish = field(default="", metadata={"check": _start})
    clock: ClockWish | None = field(default=None, metadata={"check": _clock})
    seed: int | None = optional(whole(0, 2**53), None)


@dataclass(frozen=True)
class TakeSeat:
    """An invitation, and what the guest wants to be called."""

    invite: str = given(secret)
    name: str = optional(line(NAME), "")


@dataclass(frozen=True)
class Invite:
    """Asks for new invitations, by the right of the host."""

    token: str = given(secret)


@dataclass(frozen=True)
class WantRecord:
    """Asks for a game's record, as far as the token's seat may know it."""

    token: str = optional(secret, "")
    format: str = optional(word("[a-z]{0,10}", "the name of a format"), "")
    round: int = optional(whole(0, 100_000), 0)  # an earlier game of the table; 0: this one


@dataclass(frozen=True)
class Nothing:
    """A request that says nothing."""
