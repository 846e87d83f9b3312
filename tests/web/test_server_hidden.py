"""Nothing hidden leaves the server: every byte sent to a seat is the same whatever it cannot know.

A whole game is played at a table, and every byte sent to each seat and to somebody who looks on is
kept. Then hidden ranks are dealt anew in a way that fits all that the seat has seen, the same moves
are played at another table, and the bytes must be the same to the last one. (A control shows that
other seats' bytes do change, so the ranks really were others.)
"""

from __future__ import annotations

import json
from collections.abc import Collection
from random import Random
from typing import Any

import pytest
from web_tables import Clock, Recorder, hall, opened, token

from tempo import games
from tempo._core import siguo, siguo_heuristic
from tempo.games.siguo import record as siguo_records
from tempo.web import messages, writing
from tempo.web.clock import ClockRule
from tempo.web.hall import Hall
from tempo.web.messages import Refused

GAMES = [  # rules, a seed, and how much happens at most: a whole game by the usual rules
    ("siguo", 2, 1000),
    ("siguo(info=double_open)", 1, 40),
    ("siguo(battle_reveal=fighters)", 1, 40),
]
LOOKER = 4  # a spectator, after the seats
ALL = range(5)
Script = list[tuple[int, str]]  # who does what: a move's text, resign, timeout, offer


def watch(room: Hall, name: str, spec: str, present: Collection[int]) -> list[Recorder]:
    """A table of four persons and a spectator; all present are sent all there is."""
    first = opened(spec, ["person"] * 4, clock=ClockRule(0, 0, 30), at=room.clock())
    room.open(name, first)
    listeners = [Recorder(name, token(seat)) for seat in range(4)] + [Recorder(name)]
    for number in present:
        room.join(listeners[number])
    return listeners


def act(room: Hall, clock: Clock, listeners: list[Recorder], seat: int, text: str) -> None:
    """One thing of a script."""
    listener, table = listeners[seat], room.table(listeners[seat].table)
    clock.now += 31 if text == "timeout" else 1
    if text == "timeout":
        room.tick()
    elif text == "resign":
        room.say(listener, messages.Resign())
    elif text == "offer":
        room.say(listener, messages.OfferDraw())
    elif text == "undo":  # is always refused; what the refusal says is sent, too
        with pytest.raises(Refused) as refused:
            room.say(listener, messages.Undo())
        listener.send("error", json.dumps(refused.value.to_json()))
    else:
        move = table.position.parse_move(text)
        room.say(listener, messages.Move(table.ply, move))


def played(
    spec: str, setups: list[str], script: Script, present: Collection[int] = ALL
) -> tuple[list[Recorder], Hall]:
    """Plays a script with these setups; what everybody who was present was sent."""
    clock = Clock()
    room = hall(clock)
    listeners = watch(room, "aa", spec, present)
    for seat, setup in enumerate(setups):
        room.say(listeners[seat], messages.Deploy(setup))
    for seat, text in script:
        act(room, clock, listeners, seat, text)
    return listeners, room


def a_game(spec: str, seed: int, most: int) -> tuple[list[str], Script, siguo.Position]:
    """Setups, what happens in a game before its last move (or so much), and where that leads."""
    random = Random(seed)
    game = games.load(spec)
    start: Any = game.start(seed)
    setups = [start.setup(seat) for seat in range(4)]
    clock = Clock()
    room = hall(clock)
    listeners = watch(room, "aa", spec, ())
    for seat, setup in enumerate(setups):
        room.say(listeners[seat], messages.Deploy(setup))
    table = room.table("aa")
    script: Script = []
    while table.phase == "play" and len(script) < most:
        turn = table.turn
        assert turn is not None
        view = table.position.view(turn)
        text = table.position.move_text(siguo_heuristic.choose(view, random.getrandbits(63)))
        if random.random() < 0.03:
            text = random.choice(["timeout", "undo", "offer"])
        if len(script) == 30:
            text = "resign"
        try:
            act(room, clock, listeners, turn, text)
        except Refused:
            continue
        if table.phase == "play":
            script.append((turn, text))
    last: Any = table.positions[-1] if table.phase == "play" else table.positions[-2]
    return setups, script, last


def others(position: Any, seat: int, seed: int) -> list[str]:
    """Setups that fit everything a seat has seen."""
    drawn = position.view(seat).sample(seed)
    return [drawn.setup(number) for number in range(4)]


@pytest.mark.parametrize(("spec", "seed", "most"), GAMES)
def test_every_byte_to_a_seat_is_the_same_whatever_it_cannot_know(
    spec: str, seed: int, most: int
) -> None:
    setups, script, last = a_game(spec, seed, most)
    assert len(script) >= min(most, 60)
    listeners, _ = played(spec, setups, script)
    for seat in range(4):
        dealt = others(last, seat, seed)
        assert dealt[seat] == setups[seat]
        changed = [other for other in range(4) if dealt[other] != setups[other]]
        again, _ = played(spec, dealt, script)
        assert again[seat].sent == listeners[seat].sent
        assert again[LOOKER].sent == listeners[LOOKER].sent
        assert changed
        assert all(again[other].sent != listeners[other].sent for other in changed), "the control"


def test_a_spectator_knows_no_rank_at_all() -> None:
    setups, script, last = a_game("siguo", 3, 120)
    once = others(last, 0, 5)
    position: Any = siguo.of_setups(once, siguo.Options({}))
    for _, text in script:  # the same events with other ranks, up to what tables add
        if text in {"timeout", "resign", "undo", "offer"}:
            break
        position = position.play(text)
    twice = others(position, 1, 6)
    assert all(a != b for a, b in zip(setups, twice, strict=True)), "every army is another one"
    plain = [(seat, text) for seat, text in script[: position.ply]]
    first, _ = played("siguo", setups, plain, (LOOKER,))
    second, _ = played("siguo", twice, plain, (LOOKER,))
    assert first[LOOKER].sent == second[LOOKER].sent
    assert len(plain) > 20


def test_a_seat_is_never_sent_another_setup_nor_another_token() -> None:
    setups, script, _ = a_game("siguo", 4, 40)
    listeners, _ = played("siguo", setups, script)
    for seat in range(5):
        told = "".join(text for _, text in listeners[seat].sent)
        for other in range(4):
            assert setups[other] not in told or other == seat
            assert token(other) not in told


def test_a_record_of_a_running_game_tells_no_more_than_its_seat_knows() -> None:
    setups, script, _ = a_game("siguo", 5, 40)
    listeners, room = played("siguo", setups, script)
    table = room.table("aa")
    for seat in (None, 0, 1, 2, 3):
        text = writing.record(table, seat, "")["text"]
        assert [setup in text for setup in setups] == [other == seat for other in range(4)]
    living = [seat for seat in range(4) if table.in_play(seat)]
    room.say(listeners[living[0]], messages.OfferDraw())
    for seat in living[1:]:
        room.say(listeners[seat], messages.AnswerDraw(True))
    assert table.phase == "over"
    whole = writing.record(table, None, "")["text"]
    assert siguo_records.read(whole).end == "draw agreed"
    assert all(setup in whole for setup in setups)


def test_all_is_shown_to_all_when_the_game_is_over() -> None:
    setups, script, _ = a_game("siguo", 6, 20)
    listeners, room = played("siguo", setups, script)
    table = room.table("aa")
    for seat in range(4):
        if table.phase == "play" and table.in_play(seat) and seat % 2 == 0:
            room.say(listeners[seat], messages.Resign())
    kinds = [shown(listener) for listener in listeners]
    assert table.phase == "over"
    assert kinds[0] == kinds[LOOKER]
    assert len(kinds[0]) > 5


def shown(listener: Recorder) -> set[str]:
    """The kinds of pieces on the board as it was sent last."""
    pieces = json.loads(listener.sent[-1][1])["scene"]["pieces"]
    return {piece["text"] for piece in pieces}
