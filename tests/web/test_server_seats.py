"""Who sits at a table: lots, persons who left, and the games that were played there before."""

from __future__ import annotations

import pytest
from web_tables import SETUP, Clock, Recorder, deal, hall, opened, token, wish

from tempo.games.gomoku import sgf as gomoku
from tempo.web import asking, messages, writing
from tempo.web.messages import Refused
from tempo.web.opening import digest
from tempo.web.store import Store
from tempo.web.tables import Table

FOUR = [{"kind": "person"}, *[{"kind": "agent", "agent": "random"}] * 3]


def test_lots_are_drawn_for_the_first_move_unless_it_was_chosen() -> None:
    made = [wish({"game": "siguo", "seats": FOUR}).opened for _ in range(80)]
    names = [first.game.partition("first=")[2][:1] or "S" for first in made]
    assert set(names) == set("SENW")
    assert max(names.count(seat) for seat in "SENW") < 45
    for _ in range(8):
        assert wish({"game": "siguo(first=S)", "seats": FOUR}).opened.game == "siguo"
    table = deal(Table(made[names.index("W")]))
    table.apply(asking.deploy(table, 0, SETUP, 1.0))
    assert table.turn == 3


def test_an_agent_takes_the_seat_of_an_absent_player() -> None:
    clock = Clock()
    room = hall(clock)
    room.open("aa", opened("gomoku", ["person", "person"]))
    host, guest = (Recorder("aa", token(seat)) for seat in (0, 1))
    for one in (host, guest):
        room.join(one)
    asked = messages.Replace(1, "random")
    with pytest.raises(Refused, match="is here"):
        room.say(host, asked)
    with pytest.raises(Refused, match="only the host"):
        room.say(guest, messages.Replace(0, "random"))
    room.leave(guest)
    clock.now += 45
    with pytest.raises(Refused, match="15 seconds"):
        room.say(host, asked)
    room.join(guest)  # and is back in time
    room.leave(guest)
    clock.now += 45
    with pytest.raises(Refused, match="15 seconds"):
        room.say(host, asked)
    clock.now += 16
    room.say(host, asked)
    assert room.table("aa").seats[1].agent == "random"
    with pytest.raises(Refused, match="opens no seat"):
        room.join(guest)
    room.join(Recorder("aa"))  # to look on is everybody's right


def test_after_a_restart_persons_have_time_to_come_back() -> None:
    clock = Clock()
    store = Store(":memory:")
    hall(clock, store).open("aa", opened("gomoku", ["person", "person"]))
    clock.now += 5000
    room = hall(clock, store)
    host = Recorder("aa", token(0))
    room.join(host)
    clock.now += 50
    with pytest.raises(Refused, match="10 seconds"):
        room.say(host, messages.Replace(1, "random"))


def test_nobody_waits_for_a_person_who_was_replaced() -> None:
    table = Table(opened("siguo", ["person", "person", "agent", "agent"]))
    table.apply(asking.deploy(table, 0, SETUP, 1.0))
    assert table.phase == "deploy"
    table.apply(asking.replace(table, 0, 1, "random", 2.0))
    assert deal(table).phase == "play"
    other = Table(opened("gomoku", ["person", "person"]))
    other.apply(asking.resign(other, 1, 1.0))
    other.apply(asking.rematch(other, 0, True, 2.0))
    assert other.round == 1
    other.apply(asking.replace(other, 0, 1, "random", 3.0))
    assert (other.round, other.phase) == (2, "play")


def test_earlier_games_of_a_table_are_kept() -> None:
    clock = Clock()
    room = hall(clock)
    room.open("aa", opened("gomoku", ["person", "person"]))
    host, guest = (Recorder("aa", token(seat)) for seat in (0, 1))
    for one in (host, guest):
        room.join(one)
    room.say(host, messages.Move(0, 112))
    room.say(guest, messages.Resign())
    for one in (host, guest):
        room.say(one, messages.Rematch())
    room.say(guest, messages.Move(0, 7))  # seats have changed
    first = room.earlier("aa", 1)
    assert first.seat_of(digest(token(0))) == 0
    record = gomoku.read(writing.record(first, 0, "sgf")["text"])
    assert (record.moves, record.result) == ((112,), "B+R")
    assert room.table("aa").plies[0].move == 7
    for number in (0, 2, 3):
        with pytest.raises(Refused, match="no earlier game"):
            room.earlier("aa", number)
