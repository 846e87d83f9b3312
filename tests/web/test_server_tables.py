"""A table is the sum of its events, whatever is asked of it and whenever."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from web_tables import SETUP, deal, opened, token

from tempo import games
from tempo.errors import ParseError
from tempo.games.chess import pgn
from tempo.games.gomoku import psq
from tempo.games.gomoku import sgf as gomoku_records
from tempo.games.jiu import sgf as jiu_records
from tempo.games.shogi import csa, kif
from tempo.games.siguo import record as siguo_records
from tempo.web import asking, dealing, events, messages, writing
from tempo.web.clock import SKIPS, ClockRule
from tempo.web.events import Event
from tempo.web.messages import Refused
from tempo.web.opening import digest
from tempo.web.skipping import skipped
from tempo.web.tables import Table

CLOCKED = {  # the others are played without a clock
    "gomoku": ("gomoku(size=5)", ["person", "person"], ClockRule(30, 1, 5)),
    "jiu": ("jiu(size=6)", ["person", "open"], ClockRule(60, 0, 0)),
    "siguo": ("siguo", ["person", "open", "agent", "person"], ClockRule(0, 0, 30)),
}


def at_table(name: str) -> tuple[str, list[str], ClockRule | None]:
    """A game, its seats and its clock."""
    kinds = ["agent", "person"] if games.names().index(name) % 2 else ["person", "agent"]
    return CLOCKED.get(name) or (name, kinds * (games.load(name).seats // 2), None)


NAMES: dict[type, str] = {
    messages.Undo: "undo", messages.Resign: "resign", messages.Rematch: "rematch",
    messages.OfferDraw: "offer_draw", messages.Fill: "fill", messages.Move: "move",
}  # fmt: skip


def fingerprint(table: Table) -> tuple[object, ...]:
    """Everything that a table is."""
    return (
        table.phase, table.round, table.moment, table.count, tuple(table.seats), table.turn,
        tuple(position.text for position in table.positions),
        tuple((ply.seat, ply.move, ply.text) for ply in table.plies),
        tuple(table.setups), tuple(table.left), tuple(table.timeouts), table.began,
        table.offer, table.result, dict(table.last_offer), table.deadline(),
    )  # fmt: skip


def any_message(random: Random, table: Table) -> messages.Message:
    """Something that somebody might say, sensible or not."""
    legal = list(table.position.legal_moves) if table.positions else []
    move = random.choice(legal) if legal and random.random() < 0.95 else random.randrange(20_000)
    ply = table.ply if random.random() < 0.95 else random.randrange(300)
    if table.phase == "over" and random.random() < 0.5:
        return messages.Rematch(random.random() < 0.5)
    often: list[messages.Message] = [messages.Move(ply, move)] * 50
    seldom: list[messages.Message] = [
        messages.Deploy(SETUP), messages.Deploy("nonsense"), messages.Undo(), messages.Undo(),
        messages.Resign(), messages.OfferDraw(), messages.AnswerDraw(random.random() < 0.3),
        messages.AnswerUndo(random.random() < 0.7), messages.Rematch(random.random() < 0.5),
        messages.Fill("random"), messages.Replace(random.randrange(4), "random"),
        messages.Name("Ada"),
    ]  # fmt: skip
    return random.choice([*often, *seldom])


def next_event(random: Random, table: Table, now: float) -> Event | None:
    """What happens next at a table, if anything does."""
    if (due := table.overdue(now)) is not None:
        return due
    if (dealt := next(dealing.due(table, now), None)) is not None:
        return dealt
    if (agent := table.agent_due()) is not None and random.random() < 0.5:
        return asking.move(
            table, agent, table.ply, random.choice(list(table.position.legal_moves)), now
        )
    if table.phase == "waiting" and random.random() < 0.3:
        free = next(i for i, seat in enumerate(table.seats) if seat.kind == "open")
        return events.Seated(now, free, "Bo", digest(token(free)))
    persons = table.persons()
    seat = table.turn if table.turn in persons else random.choice(persons)
    if random.random() < 0.2:
        seat = random.choice(persons)
    assert seat is not None
    message = any_message(random, table)
    offered = asking.can(table, seat)
    try:
        event = asking.event_of(table, seat, message, now)
    except Refused:
        return None
    name = NAMES.get(type(message))
    assert name is None or name in offered, f"{message} was allowed and not offered"
    return event


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("seed", range(4))
def test_events_make_the_same_table_again(name: str, seed: int) -> None:
    spec, kinds, clock = at_table(name)
    random = Random(f"{name} {seed}")
    first = opened(spec, kinds, clock=clock, seed=seed)
    table = Table(first)
    log: list[Event] = [first]
    now = 0.0
    for _ in range(300):
        now += random.expovariate(0.5) if random.random() < 0.95 else 100.0
        event = next_event(random, table, now)
        if event is None:
            continue
        table.apply(event)
        log.append(event)
        assert (table.turn is not None) == (table.phase == "play")
        assert table.count == len(log)
        if table.phase == "play":
            assert not table.position.is_over
            assert table.turn is not None
            assert table.in_play(table.turn)
    stored = [json.loads(json.dumps(events.to_json(event))) for event in log]
    again = Table.replay(events.from_json(data) for data in stored)
    assert fingerprint(again) == fingerprint(table)
    assert len(log) > 100, "too little has happened to prove anything"


def play(table: Table, *texts: str) -> None:
    """Moves in turn, a second each."""
    for text in texts:
        turn = table.turn
        assert turn is not None
        move = table.position.parse_move(text)
        table.apply(asking.move(table, turn, table.ply, move, table.touched + 1))


def test_a_move_is_for_the_seat_to_move_and_for_this_moment() -> None:
    table = Table(opened("gomoku", ["person", "person"]))
    with pytest.raises(Refused, match="not your turn"):
        asking.move(table, 1, 0, 0, 1.0)
    with pytest.raises(Refused, match="meant after 1 moves"):
        asking.move(table, 0, 1, 0, 1.0)
    play(table, "h8")
    with pytest.raises(Refused, match="no legal move"):
        asking.move(table, 1, 1, table.positions[0].parse_move("h8"), 1.0)


def test_an_agent_lets_moves_be_taken_back_and_a_person_is_asked() -> None:
    table = Table(opened("gomoku", ["person", "agent"]))
    play(table, "h8", "h9", "i8", "i9")
    table.apply(asking.undo(table, 0, 9.0))
    assert [ply.text for ply in table.plies] == ["h8", "h9"]
    table = Table(opened("gomoku", ["person", "person"]))
    play(table, "h8", "h9")
    table.apply(asking.undo(table, 0, 9.0))
    assert (table.ply, table.offer is not None) == (2, True)
    with pytest.raises(Refused):
        asking.answer(table, 0, "undo", True, 9.0)
    table.apply(asking.answer(table, 1, "undo", False, 9.0))
    with pytest.raises(Refused, match="asked already"):
        asking.undo(table, 0, 9.0)
    table.apply(asking.undo(table, 1, 9.0))
    table.apply(asking.answer(table, 0, "undo", True, 9.0))
    assert [ply.text for ply in table.plies] == ["h8"]


def test_a_turn_of_several_moves_is_taken_back_step_by_step() -> None:
    table = Table(opened("jiu(size=8)", ["person", "agent"]))
    random = Random(3)
    while not (table.plies and table.turn == 0 == table.plies[-1].seat):
        turn = table.turn
        assert turn is not None
        move = random.choice(list(table.position.legal_moves))
        table.apply(asking.move(table, turn, table.ply, move, 1.0))
    before = table.ply
    table.apply(asking.undo(table, 0, 2.0))
    assert (table.ply, table.turn) == (before - 1, 0)


def test_nothing_seen_is_unseen() -> None:
    table = deal(Table(opened("siguo", ["person", "agent", "agent", "agent"])))
    table.apply(asking.deploy(table, 0, SETUP, 1.0))
    play(table, "S15xE11")
    with pytest.raises(Refused, match="unseen"):
        asking.undo(table, 0, 2.0)


def test_a_draw_needs_all_who_are_in_the_game() -> None:
    table = Table(opened("siguo", ["person"] * 4))
    for seat in range(4):
        table.apply(asking.deploy(table, seat, SETUP, 1.0))
    table.apply(asking.resign(table, 3, 2.0))
    assert table.phase == "play"
    table.apply(asking.offer_draw(table, 0, 3.0))
    assert table.offer is not None
    assert table.offer.waiting == {1, 2}
    table.apply(asking.answer(table, 1, "draw", True, 3.0))
    with pytest.raises(Refused):
        asking.answer(table, 3, "draw", True, 3.0)
    table.apply(asking.answer(table, 2, "draw", True, 3.0))
    assert table.result is not None
    assert (table.result.reason, table.result.scores) == ("agreed", (0.0,) * 4)


def test_a_move_refuses_an_offer() -> None:
    table = Table(opened("gomoku", ["person", "person"]))
    table.apply(asking.offer_draw(table, 1, 1.0))
    play(table, "h8")
    assert table.offer is None


def test_a_rematch_swaps_seats_and_their_tokens() -> None:
    table = Table(opened("gomoku", ["person", "person"]))
    table.apply(asking.resign(table, 1, 1.0))
    assert table.result is not None
    assert table.result.scores == (1.0, -1.0)
    table.apply(asking.rematch(table, 0, True, 2.0))
    assert table.phase == "over"
    table.apply(asking.rematch(table, 1, True, 3.0))
    assert (table.phase, table.round, table.ply) == ("play", 2, 0)
    assert table.seat_of(digest(token(0))) == 1
    assert table.seat_of(digest(token(1))) == 0


def test_time_runs_for_persons_only_and_its_end_loses() -> None:
    table = Table(opened("chess", ["person", "agent"], clock=ClockRule(10, 2, 0)))
    play(table, "e2e4")
    assert table.left[0] == 10 - 1 + 2
    assert table.deadline() is None
    table.apply(asking.move(table, 1, 1, table.position.parse_move("e7e5"), 500.0))
    assert table.deadline() == (0, 511.0)
    assert table.overdue(510.9) is None
    late = table.overdue(511.0)
    assert late is not None
    table.apply(late)
    assert table.result is not None
    assert (table.result.scores, table.result.reason) == ((-1.0, 1.0), "time")


def test_a_clock_that_restarts_gives_back_what_was_lost_while_the_server_was_away() -> None:
    table = Table(opened("chess", ["person", "person"], clock=ClockRule(10, 0, 0)))
    play(table, "e2e4", "e7e5")
    table.apply(events.Resumed(10_000.0))
    assert table.deadline() == (0, 10_009.0)


def test_in_siguo_a_timeout_skips_a_turn_and_the_fifth_takes_the_seat_out() -> None:
    first = opened("siguo", ["person", "agent", "agent", "agent"], clock=ClockRule(0, 0, 30))
    table = deal(Table(first))
    table.apply(asking.deploy(table, 0, SETUP, 0.0))
    random = Random(1)
    now = 0.0
    for count in range(1, SKIPS + 1):
        now += 31
        due = table.overdue(now)
        assert due is not None
        table.apply(due)
        assert table.timeouts[0] == count
        assert table.in_play(0) == (count < SKIPS)
        while table.phase == "play" and table.turn != 0 and count < SKIPS:
            turn = table.turn
            assert turn is not None
            move = random.choice(list(table.position.legal_moves))
            table.apply(asking.move(table, turn, table.ply, move, now))
    assert table.phase == "play"
    assert [ply.text for ply in table.plies if ply.seat == 0] == ["timeout"] * SKIPS


def test_a_skipped_turn_is_a_quiet_ply_and_leaves_no_trace() -> None:
    game = games.load("siguo(no_capture_draw=2)")
    position = game.start(1)
    once = skipped(game, position)
    assert (position.turn, once.turn, once.outcome) == (0, 1, None)
    assert "passes" not in once.text
    twice = skipped(game, once)
    assert twice.outcome is not None
    assert twice.outcome.reason == "no capture"


def test_a_seat_that_cannot_move_after_a_skip_is_out() -> None:
    game = games.load("siguo")
    pieces = "S.F@S62 S.2@S61 E.F@E62 E.M@E52 N.F@N62 N.2@N61 W.F@W62 W.2@W61"
    after = skipped(game, game.parse(f"{pieces} turn=S"))
    assert after.turn == 2
    assert " out=E" in after.text


def test_a_seat_that_does_not_deploy_in_time_is_dealt_a_legal_setup() -> None:
    table = Table(
        opened("siguo", ["person", "person", "agent", "agent"], clock=ClockRule(0, 0, 30))
    )
    table.apply(asking.deploy(table, 0, SETUP, 1.0))
    due = table.overdue(301.0)
    assert due is not None
    table.apply(due)
    assert table.phase == "deploy"
    assert table.overdue(999.0) is None
    deal(table)
    assert table.phase == "play"
    assert table.setups[0] == SETUP


READERS: dict[str, dict[str, Callable[[str], object]]] = {
    "gomoku": {"sgf": gomoku_records.read, "psq": psq.read},
    "jiu": {"sgf": jiu_records.read},
    "chess": {"pgn": pgn.read},
    "shogi": {"kif": kif.read, "csa": csa.read},
    "siguo": {"siguo": siguo_records.read},
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("end", ["", "resign", "draw", "time"])
def test_a_record_is_read_back_as_it_was_played(name: str, end: str) -> None:
    seats = games.load(name).seats
    table = Table(opened(name, ["person"] * seats))
    for seat in range(seats if table.deploys else 0):
        table.apply(asking.deploy(table, seat, SETUP, 0.0))
    random = Random(name)
    for _ in range(12):
        move = random.choice(list(table.position.legal_moves))
        table.apply(asking.move(table, table.position.turn, table.ply, move, 1.0))
    if end == "resign":
        table.apply(asking.resign(table, table.position.turn, 1.0))
    elif end == "draw":
        table.apply(asking.offer_draw(table, 0, 1.0))
        for seat in range(1, seats):
            table.apply(asking.answer(table, seat, "draw", True, 1.0))
    elif end == "time":
        table.apply(events.TimedOut(1.0, table.position.turn))
    for form, read in READERS[name].items():
        text = writing.record(table, None, form)["text"]
        record: Any = read(text)
        record = record[0] if isinstance(record, tuple) else record
        if name != "siguo":
            assert record.moves == tuple(ply.move for ply in table.plies)
            assert (record.result == "?") == (end == "")
        elif end == "draw":
            assert [text for _, text in record.plies] == [ply.text for ply in table.plies]


def test_events_of_another_version_are_named() -> None:
    with pytest.raises(ParseError, match="no event of a table"):
        events.from_json({"event": "flown", "at": 1.0})
    with pytest.raises(ParseError, match="first event"):
        Table.replay([events.Resumed(1.0)])
