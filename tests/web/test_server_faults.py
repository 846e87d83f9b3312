"""One broken table, row, event or connection touches no other one, at the start or later."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from web_tables import Clock, Recorder, opened, token

from tempo.web import messages
from tempo.web.clock import ClockRule
from tempo.web.hall import Hall
from tempo.web.limits import Limits
from tempo.web.messages import Refused
from tempo.web.store import Store, UnreadableError
from tempo.web.thinking import Thinkers

TWO = ["person", "person"]
MINUTE = ClockRule(60, 0, 0)
FEW = replace(Limits(), events_of_table=30, wishes_of_person=1000, wishes_per_minute=6e6)


def room_of(store: Store, clock: Clock, limits: Limits | None = None) -> Hall:
    return Hall(store, Thinkers(1), limits or Limits(), clock)


def errors(caplog: pytest.LogCaptureFixture, name: str) -> int:
    return sum(
        record.levelno >= logging.ERROR and f"table {name} is set aside" in record.getMessage()
        for record in caplog.records
    )


def renamed(room: Hall, guest: Recorder, clock: Clock, pause: float) -> tuple[int, Refused]:
    """How often somebody may change a name, and why not more often."""
    for number in range(200):
        clock.now += pause
        try:
            room.say(guest, messages.Name(f"N{number}"))
        except Refused as refused:
            return number, refused
    raise AssertionError("for ever")


BREAKS = {
    "no JSON": "UPDATE events SET body = '{' WHERE id = 'bb' AND number = 1",
    "a number": "UPDATE events SET body = 12.5 WHERE id = 'bb' AND number = 1",
    "bytes": "UPDATE events SET body = x'ff00fe' WHERE id = 'bb' AND number = 1",
    "deep": f"UPDATE events SET body = '{'[' * 100_000}' WHERE id = 'bb' AND number = 1",
    "a list": "UPDATE events SET body = '[]' WHERE id = 'bb' AND number = 1",
    "newer": """UPDATE events SET body = '{"event":"flown","at":1}' WHERE id='bb' AND number=1""",
    "strange": """UPDATE events SET body = '{"event":"moved","at":"x","seat":[],"move":{}}'
                  WHERE id = 'bb' AND number = 1""",
    "no seat": """UPDATE events SET body = '{"event":"moved","at":1,"seat":77,"move":5}'
                  WHERE id = 'bb' AND number = 1""",
    "a gap": "DELETE FROM events WHERE id = 'bb' AND number = 1",
    "no start": "DELETE FROM events WHERE id = 'bb' AND number = 0",
    "no game": "UPDATE events SET body = replace(body, 'chess', 'chequers') WHERE id = 'bb'",
}


@pytest.mark.parametrize("fault", BREAKS)
def test_a_table_that_cannot_be_read_is_set_aside_and_all_others_go_on(
    fault: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "tables.sqlite"
    clock = Clock()
    store = Store(file)
    room = room_of(store, clock)
    for name in ("aa", "bb", "cc"):
        table = room.open(name, opened("chess", TWO, clock=MINUTE))
        for seat, move in enumerate(("e2e4", "e7e5")):
            said = messages.Move(seat, table.position.parse_move(move))
            room.say(Recorder(name, token(seat)), said)
    store.close()
    with sqlite3.connect(file) as base:
        base.execute(BREAKS[fault])
        before = base.execute("SELECT * FROM events WHERE id = 'bb'").fetchall()
    base.close()

    store = Store(file)
    again = room_of(store, clock)
    assert asyncio.run(again.load()) == 2
    clock.now += 61
    again.tick()
    assert {again.table(name).phase for name in ("aa", "cc")} == {"over"}
    for _ in range(3):
        with pytest.raises(Refused, match="set aside") as refused:
            again.join(Recorder("bb", token(0)))
        assert refused.value.status == 410
    assert errors(caplog, "bb") == 1
    store.close()
    with sqlite3.connect(file) as base:
        assert base.execute("SELECT * FROM events WHERE id = 'bb'").fetchall() == before
    base.close()


def test_clocks_run_on_beside_a_table_that_fails(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    room = room_of(Store(":memory:"), clock)
    tables = {name: room.open(name, opened("chess", TWO, clock=MINUTE)) for name in "abc"}
    guest = Recorder("b", token(0))
    room.join(guest)
    tables["b"].positions.clear()  # whatever a fault of ours may do
    tables["b"].setups = []
    clock.now += 61
    room.tick()
    room.tick()
    room.sweep()
    assert tables["a"].phase == tables["c"].phase == "over"
    assert "set aside" in json.loads(guest.sent[-1][1])["text"]
    assert errors(caplog, "b") == 1
    with pytest.raises(Refused, match="set aside"):
        room.say(guest, messages.Ping())
    room.leave(guest)
    assert not room.is_watched("b")


def test_a_full_table_is_played_to_its_end() -> None:
    """Nobody can stop a table, or the server, by asking for what no game needs."""
    clock, store = Clock(), Store(":memory:")
    room = room_of(store, clock, FEW)
    table = room.open("aa", opened("chess", TWO, clock=MINUTE))
    other = room.open("bb", opened("chess", TWO, clock=MINUTE))
    white, black = (Recorder("aa", token(seat)) for seat in (0, 1))
    names, refused = renamed(room, black, clock, 0.001)
    assert (names, refused.status) == (29, 409)
    room.say(black, messages.Name(f"N{names - 1}"))  # nothing new: nothing happens
    for asked in (messages.OfferDraw(), messages.Undo(), messages.Name("X")):
        with pytest.raises(Refused, match=r"seen enough|no move of yours"):
            room.say(black, asked)
    room.say(white, messages.Move(0, table.position.parse_move("e2e4")))
    again = room_of(store, clock, FEW)  # a restart with a full table
    assert asyncio.run(again.load()) == 2
    table, other = again.table("aa"), again.table("bb")
    again.say(black, messages.Move(1, table.position.parse_move("e7e5")))
    clock.now += 61
    again.tick()
    assert table.result is not None
    assert table.result.reason == "time"
    assert other.phase == "over"
    with pytest.raises(Refused, match="seen enough"):
        again.say(white, messages.Rematch())


def test_a_guest_uses_up_nobody_else_s_wishes() -> None:
    clock = Clock()
    limits = replace(Limits(), wishes_of_person=40)
    room = room_of(Store(":memory:"), clock, limits)
    room.open("aa", opened("gomoku", TWO))
    host, guest = (Recorder("aa", token(seat)) for seat in (0, 1))
    assert renamed(room, guest, clock, 0.0)[1].status == 429  # too fast
    assert renamed(room, guest, clock, 2.0)[1].status == 409  # too often
    room.say(host, messages.Name("Ada"))
    room.say(host, messages.Move(0, 112))
    assert room.table("aa").count < 50


def test_a_disk_that_takes_nothing_stops_no_server_and_clocks_run_out_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock, store = Clock(), Store(tmp_path / "tables.sqlite")
    room = room_of(store, clock)
    tables = [room.open(name, opened("chess", TWO, clock=MINUTE)) for name in ("aa", "bb")]
    guest = Recorder("aa", token(0))
    room.join(guest)
    store._base.execute("PRAGMA query_only = ON")  # every write fails
    clock.now += 61
    for _ in range(20):
        room.tick()
    with pytest.raises(Refused, match="nothing was done") as refused:
        room.say(guest, messages.Move(0, tables[0].position.parse_move("e2e4")))
    assert refused.value.status == 503
    with pytest.raises(Refused, match="nothing was done"):
        room.open("cc", opened("chess", TWO))
    assert [table.phase for table in tables] == ["play", "play"]
    assert sum("cannot be written" in record.getMessage() for record in caplog.records) == 1
    store._base.execute("PRAGMA query_only = OFF")
    room.tick()
    assert [table.phase for table in tables] == ["over", "over"]
    again = store.table("aa")
    assert again is not None
    assert again.phase == "over"
    store.close()


def test_a_store_that_cannot_be_read_refuses_and_says_so() -> None:
    store = Store(":memory:")
    room = room_of(store, Clock())
    store._base.execute("ALTER TABLE events RENAME TO lost")
    assert asyncio.run(room.load()) == 0
    with pytest.raises(Refused, match="cannot read") as refused:
        room.table("aa")
    assert refused.value.status == 503
    store._base.execute("ALTER TABLE lost RENAME TO events")
    with pytest.raises(Refused, match="no such table"):
        room.table("aa")


def test_tables_in_memory_are_not_deleted_on_disk() -> None:
    clock, store = Clock(), Store(":memory:")
    room = room_of(store, clock, replace(Limits(), stored_tables=3))
    room.open("aa", opened("chess", TWO))
    guest = Recorder("aa", token(0))
    room.join(guest)
    room.say(guest, messages.Resign())
    for number in range(6):
        clock.now += 1
        store.append(f"t{number}", 0, opened("chess", TWO, at=clock.now))
        store.mark(f"t{number}", over=True)
    room.open("bb", opened("chess", TWO))
    assert store.count() == 3
    room.say(guest, messages.Rematch())
    again = store.table("aa")
    assert again is not None


def test_a_connection_that_takes_nothing_harms_nobody() -> None:
    class Broken(Recorder):
        def send(self, kind: str, text: str) -> None:
            raise OSError("gone")

    room = room_of(Store(":memory:"), Clock())
    table = room.open("aa", opened("gomoku", TWO))
    good, bad = Recorder("aa", token(0)), Broken("aa", token(1))
    room.join(good)
    room.join(bad)
    room.say(good, messages.Move(0, 112))
    assert json.loads(good.sent[-1][1])["ply"] == 1
    assert table.ply == 1
    room.leave(bad)
    assert room.present("aa") == (good,)


def test_an_event_that_was_written_by_another_sets_its_table_aside() -> None:
    store = Store(":memory:")
    room = room_of(store, Clock())
    room.open("aa", opened("gomoku", TWO))
    store.append("aa", 1, opened("gomoku", TWO))  # what memory does not know
    with pytest.raises(UnreadableError):
        store.append("aa", 1, opened("gomoku", TWO))
    with pytest.raises(Refused, match="set aside"):
        room.say(Recorder("aa", token(0)), messages.Move(0, 112))
    assert len(store.events("aa")) == 2


def test_nobody_fills_the_hall_alone() -> None:
    limits = replace(Limits(), tables=4, tables_of_address=2)
    room = room_of(Store(":memory:"), Clock(), limits)

    def guest(table: str, address: str) -> Recorder:
        one = Recorder(table, token(0))
        one.address = address
        return one

    for name in "abc":
        room.open(name, opened("gomoku", TWO))
    for name in "ab":
        room.join(guest(name, "greedy"))
    with pytest.raises(Refused, match="too many tables"):
        room.join(guest("c", "greedy"))
    room.join(guest("a", "greedy"))  # where it is already
    room.join(guest("c", "modest"))
    room.open("d", opened("gomoku", TWO))
    room.open("e", opened("gomoku", TWO))
    assert room.table("d").count == 1


def test_what_an_agent_answers_to_a_table_that_is_gone_is_dropped() -> None:
    async def main() -> None:
        room = room_of(Store(":memory:"), Clock(), replace(Limits(), tables=1))
        first = room.open("aa", opened("gomoku(size=5)", ["agent", "person"]))
        assert "aa" in room.players._choices
        room.open("bb", opened("gomoku(size=5)", TWO))  # takes the only place
        assert not room.players._choices
        await asyncio.sleep(0.1)
        assert (first.ply, room.table("bb").ply) == (0, 0)
        room.players.close()

    asyncio.run(main())
