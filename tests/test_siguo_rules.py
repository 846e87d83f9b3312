"""Siguo by its specification: the board's numbers, worked examples, notes of records, options."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from reference import siguo as slow_siguo

import tempo
from tempo import _core
from tempo.errors import IllegalMove, ParseError

GAME = tempo.load("siguo")
CORE = _core.siguo
OPTIONS = CORE.Options({})
BACK = " ".join(f"{s}.F@{s}62 {s}.2@{s}61" for s in "SENW")
ARMY = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"
OTHER = "37586/4.5.2/69.27/1.B.3/14M3B/2FM1M"
PLIES = ("S15xE11=", "E13-C6", "N13-C2", "W11-C1", "S13-C8", "E12-E22", "N12-N22", "W15xS11=")


def at(pieces: str, turn: str = "S", game: Any = GAME) -> Any:
    """The background of the examples and the pieces named."""
    return game.parse(f"{BACK} {pieces} turn={turn}".replace("  ", " "))


def bare(pieces: str, turn: str = "S") -> Any:
    return GAME.parse(f"{pieces} turn={turn}")


def arm(seat: str, column: int, rows: range = range(1, 6)) -> set[str]:
    return {f"{seat}{row}{column}" for row in rows}


# The board (T01)


def test_edges_have_their_check_value() -> None:
    edges = CORE.edges(OPTIONS)
    text = "".join(f"{a} {b} {kind}\n" for a, b, kind in edges)
    assert len(text) == 2379
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == "895da04612a4824d066430a706445012e5e7813526a6df6bb538f1dc84063d9e"


def test_counts_of_the_board() -> None:
    edges = CORE.edges(OPTIONS)
    rails = [(a, b) for a, b, kind in edges if kind == "R"]
    assert (len(edges), len(rails)) == (288, 92)
    degrees = Counter(end for a, b, _ in edges for end in (a, b))
    assert Counter(degrees.values()) == {2: 8, 3: 36, 4: 41, 5: 16, 6: 8, 8: 20}
    by_rail = Counter(end for edge in rails for end in edge)
    assert len(by_rail) == 73
    assert Counter(by_rail.values()) == {2: 52, 3: 4, 4: 17}
    lines = CORE.lines(OPTIONS)
    assert Counter(map(len, lines)) == {5: 10, 10: 4, 13: 4}
    joined = {frozenset(edge) for edge in rails}
    assert all(frozenset(pair) in joined for line in lines for pair in pairwise(line))


def test_the_network_of_the_picture_is_the_same() -> None:
    """The slow rules draw the graph from coordinates, and know no list of edges."""
    slow = slow_siguo.Network("separate", "any")
    names = [CORE.station_text(i) for i in range(CORE.stations)]
    drawn = {frozenset((a, b)) for a in names for b in slow.rails[a]}
    assert drawn == {frozenset((names[a], names[b])) for a, b, k in CORE.edges(OPTIONS) if k == "R"}
    assert [CORE.station(name) for name in names] == list(range(129))
    assert [CORE.place(i) for i in range(129)] == [slow_siguo.place(name) for name in names]


def test_pairs_that_are_possible() -> None:
    """How many (from, to) exist for some piece; and for one that is no sapper, on a bare board."""
    neighbours: dict[int, set[int]] = {i: set() for i in range(129)}
    rail: set[int] = set()
    for a, b, kind in CORE.edges(OPTIONS):
        neighbours[a].add(b)
        neighbours[b].add(a)
        rail |= {a, b} if kind == "R" else set()
    ordinary = {i: set(ends) for i, ends in neighbours.items()}
    for line in CORE.lines(OPTIONS):
        for station in line:
            ordinary[station] |= set(line) - {station}
    locked = {30 * seat + offset for seat in range(4) for offset in (26, 28)}
    starts = set(range(129)) - locked
    anyone = {i: neighbours[i] | (rail - {i} if i in rail else set()) for i in starts}
    assert sum(len(anyone[i]) for i in starts) == 5624
    assert sum(len(ordinary[i]) for i in starts) == 1392
    assert max(map(len, anyone.values())) == 76
    assert max(len(ordinary[i]) for i in starts) == 24


def test_the_quarter_turn_keeps_the_board() -> None:
    edges = {(frozenset((a, b)), kind) for a, b, kind in CORE.edges(OPTIONS)}
    turned = {(frozenset(CORE.turned(i, 1) for i in edge), kind) for edge, kind in edges}
    assert turned == edges
    corners = [CORE.station_text(CORE.turned(CORE.station(f"C{k}"), 1)) for k in range(1, 10)]
    assert corners == ["C7", "C4", "C1", "C8", "C5", "C2", "C9", "C6", "C3"]


# Moving (T02 to T12)

STRAIGHT = {"S41", "S31", "S21", "S11", "C7", "C4", "C1"} | arm("N", 5)
CURVE = arm("W", 5)
ROW = {"S52", "S53", "S54", "S55", "S42"}


@pytest.mark.parametrize(
    ("pieces", "start", "expected"),
    [
        ("S.5@S51", "S51", STRAIGHT | CURVE | ROW),
        (
            "S.5@S13",
            "S13",
            {"S11", "S12", "S14", "S15", "C8", "C5", "C2", "N13", "S22", "S23", "S24"},
        ),
        ("S.5@S51 W.3@C4", "S51", (STRAIGHT - {"C1"} - arm("N", 5)) | CURVE | ROW),
        ("S.1@S33", "S33", {"S22", "S23", "S24", "S32", "S34", "S42", "S43", "S44"}),
        ("S.6@W64 S.8@S64 S.M@S52", "W64", set()),
        ("S.6@W64 S.8@S64 S.M@S52", "S64", set()),
        ("S.6@W64 S.8@S64 S.M@S52", "S52", set()),
        ("S.6@W64 S.8@S64 S.M@S52", "S62", set()),
        ("S.9@C8 N.2@C5", "C8", {"C7", "C9", "S13"} | arm("W", 5) | arm("E", 1)),
        ("S.1@S13 S.2@S12 S.2@S14 E.3@C8", "S13", {"C8", "S22", "S23", "S24"}),
    ],
)
def test_targets(pieces: str, start: str, expected: set[str]) -> None:
    assert set(at(pieces).targets(start)) == expected


def test_targets_by_number() -> None:
    assert len(at("S.5@S51").targets("S51")) == 22
    sapper = set(at("S.1@S51").targets("S51"))
    rail = {CORE.station_text(i) for a, b, k in CORE.edges(OPTIONS) if k == "R" for i in (a, b)}
    assert sapper == (rail | {"S42"}) - {"S51"}
    assert len(sapper) == 73
    front = set(at("S.4@S11").targets("S11"))
    assert len(front) == 22
    assert {"C7", "C4", "C1"} | arm("N", 5) | arm("W", 5) <= front
    assert "C8" not in front
    assert len(at("S.4@C7").targets("C7")) == 24
    assert len(at("S.9@C8 N.2@C5").targets("C8")) == 13


def test_a_camp_is_safe() -> None:
    assert "S22" not in at("S.5@S21 E.2@S22").targets("S21")
    assert "S22" in at("S.5@S21").targets("S21")


# Battles and what follows (T13 to T24)


@pytest.mark.parametrize(
    ("pieces", "turn", "move", "noted"),
    [
        ("S.9@S51 W.M@W55", "S", "S51xW55", "S51xW55- !S62"),
        ("E.B@E11 S.9@C9", "E", "E11xC9", "E11xC9= !S62"),
        ("S.9@C7 W.9@W15", "S", "C7xW15", "C7xW15= !S62 !W62"),
        ("S.1@S11 W.M@W55", "S", "S11xW55", "S11xW55+"),
        ("S.1@S13 W.M@W53", "S", "S13xW53", "S13xW53+ ~"),
        ("S.1@S51 S.2@S31", "S", "S51-S11", "S51-S11 ~"),
        ("S.2@W52", "S", "W52xW62", "W52xW62+ # /W"),
        ("S.B@W52", "S", "W52xW62", "W52xW62= # /W"),
    ],
)
def test_notes(pieces: str, turn: str, move: str, noted: str) -> None:
    position = at(pieces, turn)
    number = position.parse_move(move)
    assert position.noted_text(number) == noted
    assert position.parse_move(noted) == number
    with pytest.raises(ParseError, match="expected"):
        position.parse_move(noted + " /S")


def test_a_mine_stays() -> None:
    after = at("S.9@S51 W.M@W55").play("S51xW55")
    assert "WM" in after.board
    assert (after.turn, after.quiet) == (1, 0)


def test_only_a_sapper_runs_round() -> None:
    with pytest.raises(IllegalMove, match="cannot get there"):
        bare(f"{BACK.replace('S.2@S61', 'S.2@S51')} S.2@S31").play("S51-S11")


def test_a_taken_flag_takes_its_army_along() -> None:
    after = at("S.2@W52").play("W52xW62")
    assert after.in_play == [True, True, True, False]
    assert "W" not in after.board.replace("W out", "")
    assert after.turn == 1
    for move in ("E61-E51", "N61-N51"):
        after = after.play(move)
    assert after.turn == 0  # west is skipped
    assert after.targets("W62") == []
    bombed = at("S.B@W52").play("W52xW62")
    assert "{SB}" not in bombed.board
    assert bombed.in_play == [True, True, True, False]


def test_two_flags_win() -> None:
    position = at("S.2@W52 N.3@E52").play("W52xW62").play("E61-E51")
    last = position.parse_move("E52xE62")
    assert position.noted_text(last) == "E52xE62+ # /E"
    end = position.play(last).outcome
    assert (end.reason, end.scores) == ("flag taken", (1.0, -1.0, 1.0, -1.0))


def test_a_seat_without_a_move_is_out() -> None:
    position = bare(
        "S.F@S62 S.2@S61 N.F@N62 N.2@N61 W.F@W62 W.2@W61 E.F@E62 E.M@E52 E.7@E64", turn="S"
    )
    move = position.parse_move("S61-S51")
    assert position.noted_text(move) == "S61-S51 /E"
    after = position.play(move)
    assert (after.turn, after.quiet, after.in_play[1]) == (2, 0, False)
    assert "E52@stuck" in after.text


def shuttle(position: Any, plies: int, seats: str = "SENW") -> Any:
    for i in range(plies):
        seat = seats[i % len(seats)]
        away = (i // len(seats)) % 2 == 0
        position = position.play(f"{seat}61-{seat}51" if away else f"{seat}51-{seat}61")
    return position


def test_seventy_quiet_plies_draw() -> None:
    position = shuttle(at(""), 69)
    assert not position.is_over
    position = shuttle(at(""), 70)
    assert (position.outcome.reason, position.outcome.scores) == ("no capture", (0.0,) * 4)


def test_an_attack_in_the_last_quiet_ply_draws_nothing() -> None:
    after = shuttle(at("E.3@E11 S.2@S15"), 69).play("E11xS15")
    assert (after.is_over, after.quiet) == (False, 0)
    last = shuttle(at("S.3@E52").resign("west"), 69, "SEN")
    assert (last.turn, last.quiet) == (0, 69)
    assert last.play("E52xE62").outcome.reason == "flag taken"
    assert last.play("E52-E53").outcome.reason == "no capture"


def test_the_first_attacks() -> None:
    """T26: with the same army everywhere, two attacks are possible at once."""
    start: Any = CORE.of_setups([ARMY] * 4, OPTIONS)
    attacks = [start.move_text(m) for m in start.legal_moves if "x" in start.move_text(m)]
    assert attacks == ["S11xW15", "S15xE11"]


def test_the_plies_of_the_specification_are_legal() -> None:
    position: Any = CORE.of_setups([ARMY, OTHER, ARMY, OTHER], OPTIONS)
    for move in PLIES:
        position = position.play(move)
    assert not position.is_over


# Setups (T25)


@pytest.mark.parametrize(
    ("setup", "fault"),
    [
        (ARMY, ""),
        (OTHER, ""),
        ("61573/7.4.5/82.B3/3.9.4/M26M2/1FM1", "six rows"),
        ("B1573/7.4.5/82.63/3.9.4/M26M2/1FM1B", "bomb"),
        ("61573/7.4.5/82.B3/M.9.4/326M2/1FM1B", "mines"),
        ("61573/7.4.5/82.B3/3.9.4/M26M2/F1M1B", "flag"),
        ("61573/724.5/8..B3/3.9.4/M26M2/1FM1B", "camp"),
        ("61573/7.4.5/82.B3/9.9.4/M26M2/1FM1B", "of 9, not 2"),
        ("61573/7.4.5/82.B./3.9.4/M26M2/1FM1B", "expected one of"),
        ("61573/7.4.5/82.B3/3.9.4/M26M2/1F1MB", ""),
        ("61573/7.4.5/82.B3/3.9.4/M26M2/1FMB1", ""),
    ],
)
def test_setups(setup: str, fault: str) -> None:
    found = CORE.setup_fault(setup, OPTIONS)
    assert (found == "") == (fault == ""), found
    assert fault in found


def test_sound_setups_are_dealt_when_asked_for() -> None:
    game: Any = tempo.load("siguo(deal=sound)")
    sound = set(CORE.sound_setups())
    assert len(sound) >= 6
    assert not [setup for setup in sound if CORE.setup_fault(setup, OPTIONS)]
    dealt = {game.start(seed).setup(seat) for seed in range(20) for seat in range(4)}
    assert dealt == sound


def test_learned_setups_are_better_than_uniform_ones_and_fit_the_rules() -> None:
    for rules in ("", ",hq=one"):
        means = []
        for deal in ("uniform", "learned"):
            game: Any = tempo.load(f"siguo(deal={deal}{rules})")
            setups = [game.start(seed).setup(seat) for seed in range(100) for seat in range(4)]
            assert not [setup for setup in setups if CORE.setup_fault(setup, game.options)]
            assert len(set(setups)) == len(setups)
            means.append(sum(map(CORE.setup_worth, setups)) / len(setups))
            assert game.start(7) == game.start(7)
        assert means[1] > means[0] + 100  # thousandths of a game's score


# Turning (T29)


def turned_text(text: str, turns: int) -> str:
    """A position by hand, seen from another chair."""
    words = []
    for word in text.split(" "):
        if word.startswith("turn="):
            words.append("turn=" + "SENW"[("SENW".index(word[-1]) + turns) % 4])
            continue
        seat, kind, station = word[0], word[2], word[4:]
        there = CORE.station_text(CORE.turned(CORE.station(station), turns))
        words.append(f"{'SENW'[('SENW'.index(seat) + turns) % 4]}.{kind}@{there}")
    return " ".join(words)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_board_plays_the_same(turns: int) -> None:
    text = f"{BACK} S.1@S51 S.9@C5 E.B@E11 N.1@N13 W.7@W15 W.M@W55 turn=S"
    random = Random(turns)
    one: Any = GAME.parse(text)
    other: Any = GAME.parse(turned_text(text, turns))
    assert GAME.perft(2, one) == GAME.perft(2, other) == 1305
    while not one.is_over:
        image = {turned_move(move, turns): move for move in one.legal_moves}
        assert set(image) == set(other.legal_moves)
        move = random.choice(sorted(image))
        one, other = one.play(image[move]), other.play(move)
    assert one.outcome.reason == other.outcome.reason
    assert one.outcome.scores == pytest.approx([s * (-1) ** turns for s in other.outcome.scores])


def turned_move(move: int, turns: int) -> int:
    start, end = divmod(move, 129)
    return 129 * int(CORE.turned(start, turns)) + int(CORE.turned(end, turns))


# At the table


def test_resigning_is_out_of_turn() -> None:
    start: Any = GAME.start()
    after = start.resign("east")
    assert (after.turn, after.in_play) == (0, [True, False, True, True])
    assert after.check() == ""
    assert start.resign("south").turn == 1
    end = after.resign("west").outcome
    assert (end.reason, end.scores) == ("resigned", (1.0, -1.0, 1.0, -1.0))


# What a seat is given


def test_nothing_hidden_shows() -> None:
    """Whole games again with other determinizations: what the seat is given stays the same."""
    different = 0
    for seed in range(500):
        random = Random(seed)
        position: Any = GAME.start(seed)
        moves: list[int] = []
        past = [position]
        for _ in range(random.choice((20, 120, 300, 700))):
            if position.is_over:
                break
            moves.append(position.legal_moves[int(random.random() * len(position.legal_moves))])
            position = position.play(moves[-1])
            past.append(position)
        seat = random.randrange(4)
        for draw in range(2):
            drawn = position.view(seat).sample(1000 * seed + draw)
            again: Any = CORE.of_setups([drawn.setup(s) for s in range(4)], OPTIONS)
            different += again.text != past[0].text
            shown = set(random.sample(range(len(past)), min(8, len(past))))
            for i, there in enumerate(past):
                one, other = there.view(seat), again.view(seat)
                assert one == other, f"seed {seed} ply {i}"
                if i in shown:
                    assert given(one) == given(other), f"seed {seed} ply {i}"
                if i < len(moves):
                    again = again.play(moves[i])
    assert different == 1000


def given(view: Any) -> list[Any]:
    moves = list(view.legal_moves)
    texts = [view.move_text(move) for move in moves]
    return [view.turn, view.key, view.text, view.board, view.is_over, view.outcome, moves, texts]


@pytest.mark.parametrize(
    ("info", "known"), [("four_dark", {0}), ("double_open", {0, 2}), ("all_open", {0, 1, 2, 3})]
)
def test_what_is_open(info: str, known: set[int]) -> None:
    game: Any = tempo.load(f"siguo(info={info})")
    setups = [word for word in game.start(3).view(0).text.split(" ") if word[1] == "="]
    assert {seat for seat in range(4) if "?" not in setups[seat]} == known


def test_fighters_may_learn_ranks() -> None:
    for reveal, told in (("none", "000"), ("fighters", "110"), ("everyone", "111")):
        game: Any = tempo.load(f"siguo(battle_reveal={reveal})")
        start = CORE.of_setups([ARMY, OTHER, ARMY, OTHER], game.options).play("S15xE11")
        knows = [
            "?" not in start.view(seat).text.split(" ")[other][2:7].replace("?", "", 4)
            for seat, other in ((0, 1), (1, 0), (2, 1))
        ]
        assert knows == [flag == "1" for flag in told], reveal
