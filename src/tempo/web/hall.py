"""The hall: every table with its seats and spectators. Lives in the server's event loop.

What happens is stored first, then done, then told. All else (clocks, agents, tables that leave
memory) follows from that. A table that cannot go on is set aside, and no other one notices.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from tempo.errors import TempoError
from tempo.texts import refusal, speaking
from tempo.web import asking, dealing, events, glancing, messages, showing
from tempo.web.clock import steady
from tempo.web.events import Event
from tempo.web.limits import Bucket, Limits
from tempo.web.line import Line
from tempo.web.messages import Refused
from tempo.web.opening import digest, new_secret
from tempo.web.playing import Players
from tempo.web.store import Store
from tempo.web.tables import Table
from tempo.web.thinking import Thinkers

ASIDE = "this table cannot go on and was set aside; what was played there is kept"
log = logging.getLogger("tempo.web")


class Connection(Protocol):
    """Somebody at a table. `digest` is of the token; empty for a spectator."""

    table: str
    digest: str
    address: str
    speech: tuple[str, bool]  # the language, and whether in plain letters
    told: Line | None  # the moves that it has been sent

    def send(self, kind: str, text: str) -> None:
        """Sends a message soon; a newer one of the same kind takes its place."""
        ...

    def show(self, state: str, line: Line) -> None:
        """Sends a state soon, with the moves that have not been told."""
        ...


class Hall:
    """The tables in memory, and who is connected to each."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        limits: Limits,
        clock: Callable[[], float] | None = None,
        ended: Callable[[str, Table], None] | None = None,
    ) -> None:
        self.store = store
        self.limits = limits
        self.clock = clock or steady()
        self._ended = ended  # told of every game that is over
        self._met: set[str] = set()  # tables whose clocks have run here; others stood still
        self.players = Players(self, thinkers)
        self._tables: dict[str, Table] = {}
        self._aside: set[str] = set()  # tables that cannot go on
        self._connections: dict[str, set[Connection]] = {}
        self._address: dict[str, str] = {}  # whose share of the workers a table's agents use
        self._wishes: dict[tuple[str, str], Bucket] = {}
        self._left: dict[tuple[str, str], float] = {}  # when a person's last connection ended

    # ---- tables ----------------------------------------------------------------------------------

    async def load(self) -> int:
        """Takes every unfinished table up where it was; how many there are.

        Nobody waits meanwhile: a table that is asked for is read at once.
        """
        since = self.clock() - self.limits.forgotten_seconds
        with suppress(Refused):  # no table can be read; perhaps one can later
            for name in self._read(self.store.unfinished, since)[-self.limits.tables :]:
                with suppress(Refused):  # it is set aside, or waits on disk
                    self.table(name)
                await asyncio.sleep(0)
        return len(self._tables)

    def _take_up(self, name: str, table: Table) -> None:
        """Lets a table from disk go on, in memory."""
        if table.deadline() is not None and name not in self._met:
            self.record(name, table, events.Resumed(self.clock()))
        self._meet(name)
        for seat in table.persons():  # nobody counts as away before there was time to come back
            self._left[name, table.seats[seat].digest] = self.clock()
        self._deal(name, table)
        self._tables[name] = table
        self.players.prompt(name, table)

    def _meet(self, name: str) -> None:
        if len(self._met) >= self.limits.stored_tables:
            self._met.clear()
        self._met.add(name)

    def open(self, name: str, opened: events.Opened, address: str = "") -> Table:
        """A new table."""
        self._make_room()
        opened = replace(opened, at=self.clock())
        try:
            table = Table(opened)
        except (TempoError, ValueError) as error:
            raise Refused("table", str(error)) from error
        self.store.prune(self.limits.stored_tables - 1, kept=self._tables)
        self._store(name, 0, opened)
        self._tables[name] = table
        self._meet(name)
        self._address[name] = address
        self._deal(name, table)
        self.players.prompt(name, table)
        return table

    def table(self, name: str) -> Table:
        """A table by its name, from memory or from disk."""
        if name in self._aside:
            raise Refused("table", ASIDE, 410)
        if name not in self._tables:
            with self._guarded(name):
                found = self._read(self.store.table, name)
                if found is None:
                    raise Refused("table", "there is no such table", 404)
                self._make_room()
                self._take_up(name, found)
        return self._tables[name]

    def holds(self, name: str, table: Table) -> bool:
        """Whether this is the table of that name, still."""
        return self._tables.get(name) is table

    @contextmanager
    def _guarded(self, name: str) -> Iterator[None]:
        """Whatever goes wrong at a table goes wrong there alone."""
        try:
            yield
        except Refused:
            raise
        except Exception as error:
            self.set_aside(name, error)
            raise Refused("table", ASIDE, 410) from error

    def set_aside(self, name: str, error: BaseException) -> None:
        """A table that cannot go on stays on disk as it is; those present are told."""
        if name not in self._aside:
            log.error("table %s is set aside: %r", name, error, exc_info=error)
        self._aside.add(name)
        for connection in self._connections.pop(name, set()):
            with suppress(Exception), speaking(*connection.speech):
                text = _text({"type": "error", **Refused("table", ASIDE).to_json()})
                connection.send("error aside", text)
        self._forget(name)

    def _read(self, read: Callable[..., Any], *given: Any) -> Any:
        """What the store has; a table that cannot be read just now can be read later."""
        try:
            return read(*given)
        except OSError as error:
            raise Refused("table", f"{error}; try again later", 503) from error

    def _make_room(self) -> None:
        """Lets the table leave memory at which nothing has happened longest and nobody is."""
        if len(self._tables) < self.limits.tables:
            return
        free = [name for name in self._tables if not self._connections.get(name)]
        if not free:
            raise Refused("table", "the hall is full; try again later", 503)
        self._forget(min(free, key=lambda name: self._tables[name].touched))

    def _forget(self, name: str) -> None:
        """Lets a table leave memory."""
        self._tables.pop(name, None)
        self._address.pop(name, None)
        self.players.forget(name)
        for kept in (self._left, self._wishes):
            for person in [person for person in kept if person[0] == name]:
                del kept[person]

    def sweep(self) -> None:
        """Lets tables leave memory that nobody has come back to."""
        now = self.clock()
        for name, table in list(self._tables.items()):
            with suppress(Refused), self._guarded(name):
                over = table.phase == "over"
                patience = self.limits.idle_seconds if over else self.limits.forgotten_seconds
                if not self._connections.get(name) and now - table.touched > patience:
                    self._forget(name)

    # ---- persons ---------------------------------------------------------------------------------

    def join(self, connection: Connection, have: messages.Have | None = None) -> None:
        """Somebody comes to a table, or comes back and has some of the moves."""
        name = connection.table
        table = self.table(name)
        if len(self.present(name)) >= self.limits.connections_of_table:
            raise Refused("full", "too many are at this table", 503)
        seat = table.seat_of(connection.digest)
        if connection.digest and seat is None:
            raise Refused("join", "this token opens no seat here", 403)
        self._check_address(name, connection.address)
        with self._guarded(name):
            with speaking(*connection.speech):
                layout = _text(showing.layout(table, seat))
            self._connections.setdefault(name, set()).add(connection)
            connection.told = _line(table, seat).known(have)
            if seat is not None or not table.persons():
                self._address.setdefault(name, connection.address)
            self._left.pop((name, connection.digest), None)
            self.send(connection, "joined", _text({"type": "joined", "table": name, "seat": seat}))
            self.send(connection, "layout", layout)
            self.tell(name, table)
            self.players.prompt(name, table)

    def _check_address(self, name: str, address: str) -> None:
        """Nobody fills the hall alone: a table with somebody at it never leaves memory."""
        here = {
            other
            for other, present in self._connections.items()
            if any(one.address == address for one in present)
        }
        if name not in here and len(here) >= self.limits.tables_of_address:
            raise Refused("join", "too many tables are open at your address", 503)

    def leave(self, connection: Connection) -> None:
        """A connection is gone; its seat stays."""
        present = self._connections.get(connection.table, set())
        if connection not in present:
            return
        present.discard(connection)
        if connection.digest and all(one.digest != connection.digest for one in present):
            self._left[connection.table, connection.digest] = self.clock()
        name = connection.table
        table = self._tables.get(name)
        if not present:
            del self._connections[name]
        if table is None:
            return
        with suppress(Refused), self._guarded(name):
            if not present:
                self.players.pause(name, table)
            elif connection.digest:
                self.tell(name, table)

    def present(self, name: str) -> Collection[Connection]:
        """Who is connected to a table."""
        return tuple(self._connections.get(name, ()))

    def is_watched(self, name: str) -> bool:
        """Whether anybody is at a table."""
        return bool(self._connections.get(name))

    def address_of(self, name: str) -> str:
        """From where a table was made, or else first joined."""
        return self._address.get(name, "")

    def say(self, connection: Connection, message: messages.Message) -> None:
        """Carries out what somebody at a table asks for; Refused says why not."""
        name = connection.table
        table = self.table(name)
        with self._guarded(name), speaking(*connection.speech):
            self._watch_clock(name, table)
            if isinstance(message, messages.Ping):
                self.send(connection, "pong", _text({"type": "pong"}))
                return
            if isinstance(message, messages.Join):
                raise Refused("join", "you are at a table already; open another connection")
            seat = table.seat_of(connection.digest)
            if (answer := glancing.answer(table, seat, message)) is not None:
                self.send(connection, str(answer["type"]), _text(answer))
                return
            if seat is None:
                raise Refused("seat", "a spectator only watches", 403)
            if isinstance(message, messages.Hurry):
                self.players.hurry(name)
                return
            if isinstance(message, messages.Move) and asking.is_played(table, seat, message):
                self._show(name, table, [connection])
                return
            if isinstance(message, messages.Name) and message.name == table.seats[seat].name:
                return
            event = asking.event_of(table, seat, message, self.clock())
            if isinstance(event, events.Replaced):
                self._check_away(name, table, event.seat)
            self._check_wish(name, table, event)
            self.happen(name, table, event)

    def _check_wish(self, name: str, table: Table, event: Event) -> None:
        """What a game does not need may be asked for at a limited rate.

        Moves, resignations, answers and clocks always count: a table that has seen much still
        comes to its end.
        """
        person = table.wisher(event)
        if person is None:
            return
        limits = self.limits
        if table.count >= limits.events_of_table or table.wishes[person] >= limits.wishes_of_person:
            raise Refused("table", "this table has seen enough; open another one", 409)
        fresh = Bucket(limits.wishes_per_minute / 60, limits.wish_burst)
        if not self._wishes.setdefault((name, person), fresh).take(self.clock()):
            raise Refused("table", "you ask for much; wait a little", 429)

    def _check_away(self, name: str, table: Table, seat: int) -> None:
        """A person's seat is given to an agent only after a while without a connection."""
        if seat not in table.persons():
            return
        digest = table.seats[seat].digest
        if any(one.digest == digest for one in self._connections.get(name, ())):
            raise Refused("replace", "this person is here", 409)
        away = self.clock() - self._left.get((name, digest), table.touched)
        if away < (wait := self.limits.away_seconds):
            text = f"this person may come back; ask again in {math.ceil(wait - away)} seconds"
            raise Refused("replace", text, 409)

    def earlier(self, name: str, number: int) -> Table:
        """A table as it was at the end of an earlier game."""
        self.table(name)
        with self._guarded(name):
            log_of = self._read(self.store.events, name)
            found = Table.of_round(log_of, number) if number else None
        if found is None:
            raise Refused("record", f"there is no earlier game {number} at this table", 404)
        return found

    def take_seat(self, name: str, invite: str, person: str) -> tuple[int, str]:
        """A guest sits down: the seat, and a token that nobody else has seen."""
        table = self.table(name)
        wanted = digest(invite)
        for number, seat in enumerate(table.seats):
            if seat.kind == "open" and seat.digest == wanted:
                token = new_secret()
                event = events.Seated(self.clock(), number, person, digest(token))
                with self._guarded(name):
                    self.happen(name, table, event)
                return number, token
        raise Refused("join", "this invitation is not valid, or somebody has used it", 403)

    def invite(self, name: str, token: str) -> dict[int, str]:
        """New invitations to all open seats, for the host."""
        table = self.table(name)
        if not table.is_host(table.seat_of(digest(token))):
            raise Refused("invite", "only the host may invite", 403)
        codes = {i: new_secret() for i, seat in enumerate(table.seats) if seat.kind == "open"}
        with self._guarded(name):
            for seat, code in codes.items():
                event = events.Invited(self.clock(), seat, digest(code))
                self._check_wish(name, table, event)
                self.happen(name, table, event)
        return codes

    # ---- what happens ----------------------------------------------------------------------------

    def happen(self, name: str, table: Table, event: Event) -> None:
        """Stores an event, lets it happen, tells everybody, and asks whose agent is due."""
        self.record(name, table, event)
        self._deal(name, table)
        self.tell(name, table)
        self.players.answer_offers(name, table)
        self.players.prompt(name, table)

    def record(self, name: str, table: Table, event: Event) -> None:
        """Stores an event and lets it happen."""
        before, over = table.round, table.phase == "over"
        self._store(name, table.count, event)
        table.apply(event)
        if (table.phase == "over") != over:
            self.store.mark(name, over=not over)
            if self._ended and not over:
                self._ended(name, table)
        if table.round != before:
            for connection in self.present(name):
                seat = table.seat_of(connection.digest)
                with speaking(*connection.speech):
                    self.send(connection, "layout", _text(showing.layout(table, seat)))

    def _deal(self, name: str, table: Table) -> None:
        """Deploys for the seats that have nobody to do it."""
        for event in dealing.due(table, self.clock()):
            self.record(name, table, event)

    def _store(self, name: str, number: int, event: Event) -> None:
        try:
            self.store.append(name, number, event)
        except OSError as error:
            raise Refused("table", str(error), 503) from error

    def tell(self, name: str, table: Table) -> None:
        """Sends everybody the table as that person may see it."""
        self._show(name, table, self.present(name))

    def _show(self, name: str, table: Table, whom: Iterable[Connection]) -> None:
        """Sends some the table as each may see it; each view is made once."""
        all_seats = {table.seat_of(one.digest) for one in self.present(name)}
        here = {seat for seat in all_seats if seat is not None}
        made: dict[tuple[int | None, tuple[str, bool]], tuple[str, Line]] = {}
        now = self.clock()
        for connection in whom:
            seat = table.seat_of(connection.digest)
            key = seat, connection.speech
            if key not in made:
                with speaking(*connection.speech):
                    state = showing.state(table, seat, here, now)
                    state["trouble"] = refusal(self.players.trouble(name, table))
                state["table"] = name
                state["thoughts"] = self.players.thoughts(name, table)
                line = _line(table, seat)
                state["mark"] = line.mark
                made[key] = _text(state), line
            self._reach(connection, partial(connection.show, *made[key]))

    def send(self, connection: Connection, kind: str, text: str) -> None:
        """Sends a message; a connection that cannot take one is no longer at the table."""
        self._reach(connection, partial(connection.send, kind, text))

    def _reach(self, connection: Connection, say: Callable[[], None]) -> None:
        try:
            say()
        except Exception:
            log.exception("a connection at table %s takes nothing", connection.table)
            self._connections.get(connection.table, set()).discard(connection)

    def tick(self) -> None:
        """Looks at every clock."""
        for name, table in list(self._tables.items()):
            with suppress(Refused), self._guarded(name):
                self._watch_clock(name, table)

    def _watch_clock(self, name: str, table: Table) -> None:
        while (due := table.overdue(self.clock())) is not None:
            self.happen(name, table, due)


def _line(table: Table, seat: int | None) -> Line:
    return Line(table.round, table.told(seat))


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)
