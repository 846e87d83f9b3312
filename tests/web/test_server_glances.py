"""Questions that change nothing: earlier moments, reasons, languages; none tells what is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from web_tables import SETUP, Clock, Recorder, deal, hall, opened, token

from tempo.web import messages
from tempo.web.hall import Hall
from tempo.web.messages import Refused


def table(game: str, seats: int, start: str = "") -> tuple[Hall, list[Recorder]]:
    """A table of persons, all of them there; and a spectator."""
    room = hall(Clock())
    room.open("aa", opened(game, ["person"] * seats, start=start))
    guests = [*(Recorder("aa", token(seat)) for seat in range(seats)), Recorder("aa")]
    for guest in guests:
        room.join(guest)
    return room, guests


def last(guest: Recorder, kind: str) -> Any:
    return json.loads([text for name, text in guest.sent if name == kind][-1])


def test_an_earlier_moment_is_the_board_of_then_and_nothing_is_entered_there() -> None:
    room, guests = table("chess", 2)
    now = room.table("aa")
    for ply, move in enumerate(("e2e4", "d7d5", "e4d5")):
        room.say(guests[ply % 2], messages.Move(ply, now.position.parse_move(move)))
    for guest in guests:
        room.say(guest, messages.Look(1))
        shown = last(guest, "scene")
        places = {piece["place"] for piece in shown["scene"]["pieces"]}
        assert {"e4", "d7"} <= places
        assert not {"e2", "d5"} & places
        assert shown["scene"]["last"] == ["e2", "e4"]
        assert shown["scene"]["moves"] == []
    white, black = last(guests[0], "state")["scene"]["tallies"]
    assert white["lost"] == []
    assert [piece["short"] for piece in black["lost"]] == ["P"]
    with pytest.raises(Refused, match="not 4 moves"):
        room.say(guests[0], messages.Look(4))


def test_reasons_are_for_who_is_to_move_and_in_their_language() -> None:
    room, (white, black, looker) = table("chess", 2)
    white.speech = ("zh", False)
    room.say(white, messages.Why(("e2", "e5")))
    assert last(white, "why")["text"] == "这枚棋子走不到那里。"
    for guest, said in ((black, "not your turn"), (looker, "no game")):
        room.say(guest, messages.Why(("e7", "e5")))
        assert said in last(guest, "why")["text"]
    with pytest.raises(Refused, match="no such places"):
        room.say(white, messages.Why(("z9",)))
    room.say(white, messages.Move(0, room.table("aa").position.parse_move("e2e4")))
    assert last(white, "state")["scene"]["said"] == "e4"
    assert last(black, "state")["scene"]["said"] == "plays e4"


def test_no_glance_tells_a_rank_of_somebody_else() -> None:
    """The same game, once with other ranks of East: South is told the same, byte by byte."""
    told = []
    for setup in (SETUP, SETUP.replace("9", "x").replace("4", "9", 1).replace("x", "4", 1)):
        room, guests = table("siguo(first=S)", 4)
        for seat, guest in enumerate(guests[:4]):
            room.say(guest, messages.Deploy(setup if seat == 1 else SETUP))
        now = deal(room.table("aa"))
        moves = [m for m in now.position.legal_moves if now.position.move_text(m)[0] == "S"]
        room.say(guests[0], messages.Move(0, moves[0]))
        south, looker = guests[0], guests[4]
        for guest in (south, looker):
            for ply in (0, 1):
                room.say(guest, messages.Look(ply))
            for touches in (("S11", "E11"), ("E11",), ("E64", "S11")):
                room.say(guest, messages.Why(touches))
        told.append([[text for name, text in guest.sent if name in {"scene", "why"}]
                     for guest in (south, looker)])  # fmt: skip
        moved = last(south, "state")["moves"][-1]
        assert moved["native"].endswith(moved["text"])  # the own piece by its name
        assert "native" not in last(looker, "state")["moves"][-1]
    assert told[0] == told[1]


def test_plain_letters_and_characters_are_one_notation_each() -> None:
    room, (black, white, _) = table("shogi", 2)
    white.speech = ("en", True)
    room.say(black, messages.Move(0, room.table("aa").position.parse_move("7g7f")))
    assert last(black, "state")["scene"]["said"] == "plays ☗７六歩"
    assert last(white, "state")["scene"]["said"] == "plays 7g7f"
    assert last(white, "state")["moves"] == [{"seat": 0, "text": "7g7f", "native": "☗７六歩"}]


@pytest.mark.parametrize(
    ("start", "move", "written"),
    [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", "☗５二金打"),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b - 1", "5c5b+", "☗５二歩成"),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b - 1", "5c5b", "☗５二歩不成"),
        ("4k4/9/9/9/9/9/9/3G1G3/4K4 b - 1", "6h5h", "☗５八金(68)"),
        ("4k4/9/9/9/9/9/9/9/4K4 w - 1", "5a4b", "☖４二王"),
    ],
)
def test_shogi_is_written_as_in_japan(start: str, move: str, written: str) -> None:
    room, guests = table("shogi", 2, start)
    position = room.table("aa").position
    room.say(guests[position.turn], messages.Move(0, position.parse_move(move)))
    assert last(guests[2], "state")["moves"][0]["native"] == written
