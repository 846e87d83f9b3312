"""Time at tables: it passes evenly, whatever happens to the machine's clock or to memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from web_tables import Clock, Recorder, opened, token

from tempo.web import messages
from tempo.web.clock import ClockRule, steady
from tempo.web.hall import Hall
from tempo.web.limits import Limits
from tempo.web.store import Store
from tempo.web.thinking import Thinkers

TWO = ["person", "person"]


def test_a_jump_of_the_machine_s_clock_ends_no_game() -> None:
    wall, monotonic = Clock(), Clock()
    monotonic.now = 50.0
    room = Hall(Store(":memory:"), Thinkers(1), Limits(), steady(wall, monotonic))
    table = room.open("aa", opened("chess", TWO, clock=ClockRule(60, 0, 0)))
    room.say(Recorder("aa", token(0)), messages.Move(0, table.position.parse_move("e2e4")))
    monotonic.now += 20
    wall.now += 40_000  # summer time, a time server, a hand that sets it
    room.tick()
    assert (table.phase, table.deadline()) == ("play", (1, 1_000_060.0))
    wall.now -= 90_000
    room.say(Recorder("aa", token(1)), messages.Move(1, table.position.parse_move("e7e5")))
    assert table.left[1] == 40.0
    monotonic.now += 61
    room.tick()
    assert table.result is not None
    assert (table.result.reason, table.result.scores) == ("time", (-1.0, 1.0))


def test_a_table_that_waits_on_disk_does_not_stop_its_clock() -> None:
    clock, store = Clock(), Store(":memory:")
    room = Hall(store, Thinkers(1), Limits(tables=1), clock)
    clock.now += 1
    for name in ("aa", "bb"):  # `bb` takes the only place
        room.open(name, opened("chess", TWO, clock=ClockRule(60, 0, 0)))
    clock.now += 61
    again = room.table("aa")
    room.tick()
    assert again.phase == "over"
    # Another server gives back what passed before it came: nobody could have moved.
    other = Hall(store, Thinkers(1), replace(Limits(), tables=2), clock)
    assert other.table("bb").deadline() == (0, clock.now + 60)


@pytest.mark.parametrize("jump", [-1e9, -3600.0, 3600.0])
def test_a_restart_with_another_time_of_day_gives_nobody_more_or_less(jump: float) -> None:
    clock, store = Clock(), Store(":memory:")
    first = Hall(store, Thinkers(1), Limits(), clock)
    first.open("aa", opened("chess", TWO, clock=ClockRule(60, 0, 0)))
    clock.now += 10 + jump
    again = Hall(store, Thinkers(1), Limits(), clock)
    table = again.table("aa")
    assert table.deadline() == (0, clock.now + 60)
    clock.now += 61
    again.tick()
    assert table.phase == "over"


def test_four_agents_begin_at_once() -> None:
    room = Hall(Store(":memory:"), Thinkers(1), Limits(), Clock())
    table = room.open("aa", opened("siguo", ["agent"] * 4))
    assert (table.phase, table.turn, table.agent_due()) == ("play", 0, 0)
    again = room.store.table("aa")
    assert again is not None
    assert again.position.text == table.position.text
