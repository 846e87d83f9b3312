"""The hall: every table with whoever sits there or looks on. Lives in the server's event loop.

What happens is stored first, then done, then told. All else (clocks, agents, tables that leave
memory) follows from that.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from tempo.errors import TempoError
from tempo.web import asking, events, messages, showing
from tempo.web.clock import steady
from tempo.web.events import Event
from tempo.web.limits import Limits
from tempo.web.messages import Refused
from tempo.web.opening import digest, new_secret
from tempo.web.store import Store
from tempo.web.tables import Table
from tempo.web.thinking import Answer, Question, Thinkers

PACE = 0.4  # seconds between the moves of two agents: people want to follow
log = logging.getLogger("tempo.web")


class Connection(Protocol):
    """Somebody at a table. `digest` is of the token; empty for whoever looks on."""

    table: str
    digest: str

    def send(self, kind: str, text: str) -> None:
        """Sends a message soon; a newer one of the same kind takes its place."""
        ...


class Hall:
    """The tables in memory, and who is connected to each."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        limits: Limits,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.store = store
        self.limits = limits
        self.clock = clock or steady()
        self._since = self.clock()  # what happened earlier, another server has seen
        self._thinkers = thinkers
        self._tables: dict[str, Table] = {}
        self._connections: dict[str, set[Connection]] = {}
        self._busy: set[str] = set()  # tables with a choice under way
        self._trouble: dict[str, tuple[int, str]] = {}
        self._worth: dict[tuple[str, int], float] = {}  # what an agent thought of its game last
        self._left: dict[tuple[str, str], float] = {}  # when a person's last connection ended
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- tables ----------------------------------------------------------------------------------

    def load(self) -> int:
        """Takes every unfinished table up where it was; how many there are."""
        since = self.clock() - self.limits.forgotten_seconds
        names = list(self.store.unfinished(since))[-self.limits.tables :]
        for name in names:
            if (table := self.store.table(name)) is not None:
                self._take_up(name, table)
        return len(self._tables)

    def _take_up(self, name: str, table: Table) -> None:
        self._tables[name] = table
        for seat in table.persons():  # nobody is called away before there was time to come back
            self._left[name, table.seats[seat].digest] = self.clock()
        if table.deadline() is not None and not table.touched > self._since:
            self._happen(name, table, events.Resumed(self.clock()))
        self._prompt(name, table)

    def open(self, name: str, opened: events.Opened) -> Table:
        """A new table."""
        self._make_room()
        opened = replace(opened, at=self.clock())
        table = Table(opened)
        self.store.prune(self.limits.stored_tables - 1)
        self._store(name, 0, opened)
        self._tables[name] = table
        self._prompt(name, table)
        return table

    def table(self, name: str) -> Table:
        """A table by its name, from memory or from disk."""
        if name not in self._tables:
            found = self.store.table(name)
            if found is None:
                raise Refused("table", "there is no such table", 404)
            self._make_room()
            self._take_up(name, found)
        return self._tables[name]

    def _make_room(self) -> None:
        """Lets the table leave memory at which nothing has happened longest and nobody is."""
        if len(self._tables) < self.limits.tables:
            return
        free = [n for n in self._tables if not self._connections.get(n) and n not in self._busy]
        if not free:
            raise Refused("table", "the hall is full; try again later", 503)
        self._leave(min(free, key=lambda name: self._tables[name].touched))

    def _leave(self, name: str) -> None:
        del self._tables[name]
        self._trouble.pop(name, None)
        for key in [key for key in self._worth if key[0] == name]:
            del self._worth[key]
        for person in [person for person in self._left if person[0] == name]:
            del self._left[person]

    def sweep(self) -> None:
        """Lets tables leave memory that nobody has come back to."""
        now = self.clock()
        for name, table in list(self._tables.items()):
            over = table.phase == "over"
            patience = self.limits.idle_seconds if over else self.limits.forgotten_seconds
            if self._connections.get(name) or name in self._busy:
                continue
            if now - table.touched > patience:
                self._leave(name)

    # ---- persons ---------------------------------------------------------------------------------

    def join(self, connection: Connection) -> None:
        """Somebody comes to a table, or comes back."""
        name = connection.table
        table = self.table(name)
        present = self._connections.setdefault(name, set())
        if len(present) >= self.limits.connections_of_table:
            raise Refused("join", "too many are at this table", 503)
        seat = table.seat_of(connection.digest)
        if connection.digest and seat is None:
            raise Refused("join", "this token opens no seat here", 403)
        present.add(connection)
        self._left.pop((name, connection.digest), None)
        connection.send("joined", _text({"type": "joined", "table": name, "seat": seat}))
        connection.send("layout", _text(showing.layout(table, seat)))
        self.tell(name, table)
        self._prompt(name, table)

    def leave(self, connection: Connection) -> None:
        """A connection is gone; its seat stays."""
        present = self._connections.get(connection.table, set())
        if connection not in present:
            return
        present.discard(connection)
        if connection.digest and all(one.digest != connection.digest for one in present):
            self._left[connection.table, connection.digest] = self.clock()
        if not present:
            del self._connections[connection.table]
        elif connection.digest:
            self.tell(connection.table, self.table(connection.table))

    def say(self, connection: Connection, message: messages.Message) -> None:
        """Carries out what somebody at a table asks for; Refused says why not."""
        name = connection.table
        table = self.table(name)
        self._watch_clock(name, table)
        if isinstance(message, messages.Ping):
            connection.send("pong", _text({"type": "pong"}))
            return
        if isinstance(message, messages.Join):
            raise Refused("join", "you are at a table already; open another connection")
        seat = table.seat_of(connection.digest)
        if seat is None:
            raise Refused("seat", "whoever looks on only looks on", 403)
        event = asking.event_of(table, seat, message, self.clock())
        if isinstance(event, events.Replaced):
            self._check_away(name, table, event.seat)
        self.happen(name, table, event)

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
        found = Table.of_round(self.store.events(name), number) if number else None
        if found is None:
            raise Refused("record", f"there is no earlier game {number} at this table", 404)
        return found

    def take_seat(self, name: str, invite: str, person: str) -> tuple[int, str]:
        """Whoever was invited sits down: the seat, and a token that nobody else has seen."""
        table = self.table(name)
        wanted = digest(invite)
        for number, seat in enumerate(table.seats):
            if seat.kind == "open" and seat.digest == wanted:
                token = new_secret()
                event = events.Seated(self.clock(), number, person, digest(token))
                self.happen(name, table, event)
                return number, token
        raise Refused("join", "this invitation is not valid, or somebody has used it", 403)

    def invite(self, name: str, token: str) -> dict[int, str]:
        """New invitations to all open seats, for whoever made the table."""
        table = self.table(name)
        if not table.is_host(table.seat_of(digest(token))):
            raise Refused("invite", "only whoever made the table may invite", 403)
        codes = {i: new_secret() for i, seat in enumerate(table.seats) if seat.kind == "open"}
        for seat, code in codes.items():
            self.happen(name, table, events.Invited(self.clock(), seat, digest(code)))
        return codes

    # ---- what happens ----------------------------------------------------------------------------

    def happen(self, name: str, table: Table, event: Event) -> None:
        """Stores an event, lets it happen, tells everybody, and asks whose agent is due."""
        self._happen(name, table, event)
        self.tell(name, table)
        self._answer_for_agents(name, table)
        self._prompt(name, table)

    def _happen(self, name: str, table: Table, event: Event) -> None:
        if table.count >= self.limits.events_of_table:
            raise Refused("table", "this table has seen enough; open another one", 409)
        before, over = table.round, table.phase == "over"
        self._store(name, table.count, event)
        table.apply(event)
        if (table.phase == "over") != over:
            self.store.mark(name, over=not over)
        if table.round != before:
            for connection in self._connections.get(name, ()):
                seat = table.seat_of(connection.digest)
                connection.send("layout", _text(showing.layout(table, seat)))

    def _store(self, name: str, number: int, event: Event) -> None:
        try:
            self.store.append(name, number, event)
        except TempoError as error:
            raise Refused("table", str(error), 503) from error

    def tell(self, name: str, table: Table) -> None:
        """Sends everybody the table as that person may see it; each view is made once."""
        present = self._connections.get(name, ())
        seats = {connection: table.seat_of(connection.digest) for connection in present}
        here = {seat for seat in seats.values() if seat is not None}
        made: dict[int | None, str] = {}
        now = self.clock()
        moment, trouble = self._trouble.get(name, (0, ""))
        for connection, seat in seats.items():
            if seat not in made:
                state = showing.state(table, seat, here, now)
                state["table"] = name
                state["trouble"] = trouble if moment == table.moment else ""
                made[seat] = _text(state)
            connection.send("state", made[seat])

    def tick(self) -> None:
        """Looks at every clock."""
        for name, table in list(self._tables.items()):
            self._watch_clock(name, table)

    def _watch_clock(self, name: str, table: Table) -> None:
        while (due := table.overdue(self.clock())) is not None:
            self.happen(name, table, due)

    # ---- agents ----------------------------------------------------------------------------------

    def _prompt(self, name: str, table: Table) -> None:
        """Asks the agent whose turn it is, unless one is thinking for this table."""
        seat = table.agent_due()
        if seat is None or name in self._busy or len(self._busy) >= self.limits.queue:
            return
        if self._trouble.get(name, (0, ""))[0] == table.moment:
            return
        if not self._connections.get(name) and not any(map(table.in_play, table.persons())):
            return  # agents among themselves play for whoever looks on
        self._busy.add(name)
        task = asyncio.get_running_loop().create_task(self._think(name, table, seat))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, name: str, table: Table, seat: int) -> None:
        moment = table.moment
        try:
            view = table.view(seat)
            if view is None:
                return
            if table.plies and table.seats[table.plies[-1].seat].kind == "agent":
                await asyncio.sleep(PACE)
            self._announce(name, seat, table.ply)
            plan = table.seats[seat]
            question = Question(name, moment, seat, plan.agent, table.seed_of(seat), view)
            answer = await self._thinkers.ask(question)
            if table.moment == moment and self._tables.get(name) is table:
                self._take(name, table, seat, answer)
        except (Refused, TempoError) as error:
            log.warning("table %s: %s", name, error)
        finally:
            self._busy.discard(name)
        self._prompt_all(name)

    def _prompt_all(self, name: str) -> None:
        """Goes on with this table, or with one that had to wait for a place in the queue."""
        for other in (name, *self._tables):
            if (table := self._tables.get(other)) is not None:
                self._prompt(other, table)
            if len(self._busy) >= self.limits.queue:
                return

    def _take(self, name: str, table: Table, seat: int, answer: Answer) -> None:
        now = self.clock()
        try:
            if answer.trouble:
                raise Refused("agent", answer.trouble)
            if answer.choice is None:
                self.happen(name, table, asking.resign(table, seat, now))
                return
            if answer.choice.values:
                self._worth[name, seat] = answer.choice.values[seat]
            self.happen(name, table, asking.move(table, seat, table.ply, answer.choice.move, now))
        except Refused as error:  # an illegal move is trouble, too
            self._trouble[name] = (table.moment, error.text)
            self.tell(name, table)

    def _announce(self, name: str, seat: int, ply: int) -> None:
        text = _text({"type": "thinking", "seat": seat, "ply": ply})
        for connection in self._connections.get(name, ()):
            connection.send("thinking", text)

    def _answer_for_agents(self, name: str, table: Table) -> None:
        """Agents take a draw unless they think that they stand better, or do not think at all."""
        while table.offer is not None and table.offer.what == "draw":
            asked = [i for i in table.offer.waiting if table.seats[i].kind == "agent"]
            if not asked:
                return
            seat = min(asked)
            accept = self._worth.get((name, seat), 1.0) <= 0.0
            self._happen(name, table, events.Answered(self.clock(), seat, accept))
            self.tell(name, table)


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)
