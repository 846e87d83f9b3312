"""Records of Siguo: text in and out, a seat's own file, line-ups and replays of another program."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import tempo
from tempo import _core
from tempo.errors import IllegalMove, ParseError
from tempo.games.siguo import record as siguo

EXAMPLE = """\
siguo 1
rules siguo-rules/1.0
opt no_capture_draw=70 max_plies=2000 info=four_dark
first S
name S Alice        ; a comment
setup S 61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B
setup E 37586/4.5.2/69.27/1.B.3/14M3B/2FM1M
setup N 61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B
setup W 37586/4.5.2/69.27/1.B.3/14M3B/2FM1M
1 S S15xE11=
2 E E13-C6
3 N N13-C2
4 W W11-C1
5 S S13-C8
6 E E12-E22
7 N N12-N22
8 W W15xS11=
end ongoing
"""


def played(seed: int, spec: str = "siguo") -> tuple[Any, list[int]]:
    random = Random(seed)
    start: Any = tempo.load(spec).start(seed)
    position, moves = start, []
    while not position.is_over:
        moves.append(position.legal_moves[int(random.random() * len(position.legal_moves))])
        position = position.play(moves[-1])
    return start, moves


def test_the_example_of_the_rules() -> None:
    record = siguo.read(EXAMPLE)
    assert (record.game, record.names, len(record.plies)) == ("siguo", {"S": "Alice"}, 8)
    again = siguo.read(siguo.write(record))
    assert again == record
    assert siguo.write(again) == siguo.write(record)


@pytest.mark.parametrize(
    "spec", ["siguo", "siguo(first=E,turn_order=cw,pass_limit=2,max_plies=300)"]
)
def test_whole_games(spec: str, tmp_path: Path) -> None:
    ends = set()
    for seed in range(6):
        start, moves = played(seed, spec)
        record = siguo.of_moves(start, moves)
        siguo.write_file(record, tmp_path / "game.siguo")
        again = siguo.read_file(tmp_path / "game.siguo")
        assert again == record
        *_, last = again.positions()
        assert last.is_over
        ends.add(record.end)
    assert len(ends) > 1 or "max_plies" in spec


def test_a_seats_own_file_hides_the_others() -> None:
    start, moves = played(3)
    own = siguo.of_moves(start, moves).seen_by("E")
    text = siguo.write(own)
    assert text.count(siguo.UNKNOWN) == 3
    assert start.setup("east") in text
    assert siguo.read(text) == own
    with pytest.raises(ParseError, match="does not know"):
        list(own.positions())
    # A determinization that the seat cannot tell from this one is written in the same way.
    last: Any = start
    for move in moves:
        last = last.play(move)
    drawn = last.view("east").sample(5)
    other: Any = _core.siguo.of_setups([drawn.setup(i) for i in range(4)], start.options)
    assert other != start
    assert siguo.write(siguo.of_moves(other, moves).seen_by("E")) == text


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("siguo 1\n", "", "begins with"),
        ("rules siguo-rules/1.0", "rules siguo-rules/9", "only"),
        ("first S", "first X", "first"),
        ("opt no", "opt nocapture=1 no", "no option"),
        ("1 S S15xE11=", "1 S S15xE11+", "expected S15xE11 or S15xE11="),
        ("1 S S15xE11=", "1 S S15xE11", "with its result"),
        ("2 E E13-C6", "2 E E13-C6 ~", "expected E13-C6"),
        ("2 E E13-C6", "2 N N13-C2", "it is the turn of E"),
        ("2 E E13-C6", "3 E E13-C6", "expected ply 2"),
        ("2 E E13-C6", "2 E sideways", "expected a move"),
        ("setup W 37586", "setup W B7586", "setup of W"),
        ("setup W 37586/4.5.2/69.27/1.B.3/14M3B/2FM1M\n", "", "setup of W is missing"),
        ("end ongoing", "end draw nocapture", "the game stands 'ongoing'"),
        ("end ongoing", "end perhaps", "expected win"),
        ("end ongoing\n", "", "no end"),
        ("end ongoing\n", "end ongoing\n9 S S12-S22\n", "nothing follows"),
    ],
)
def test_damaged_records(old: str, new: str, says: str) -> None:
    assert old in EXAMPLE
    with pytest.raises((ParseError, IllegalMove)) as refused:
        siguo.read(EXAMPLE.replace(old, new))
    assert says in str(refused.value)


def test_resigning_and_agreed_draws() -> None:
    text = EXAMPLE.replace("end ongoing", "9 W resign\n10 E resign\nend win SN resign")
    assert siguo.read(text).end == "win SN resign"
    assert siguo.read(EXAMPLE.replace("end ongoing", "end draw agreed")).end == "draw agreed"


# Another program's files

CODES = {".": 0, "F": 2, "M": 3, "B": 4} | {kind: 5 + i for i, kind in enumerate("987654321")}


def line_up(setup: str) -> bytes:
    return bytes(CODES[letter] for letter in setup.replace("/", ""))


def replay(start: Any, steps: list[bytes]) -> bytes:
    head = bytes((0x57, 4, 0, 0)) + len(steps).to_bytes(4, "little")
    return head + b"".join(line_up(start.setup(i)) for i in range(4)) + b"".join(steps)


def step(move: int) -> bytes:
    (x, y), (u, v) = (_core.siguo.place(i) for i in divmod(move, 129))
    return bytes((16 - x, y, 16 - u, v))


def test_a_line_up_of_jql() -> None:
    setup = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"
    data = b"line-up".ljust(16, b"\0") + bytes((0x57, 4, 0, 0)) + line_up(setup)
    assert siguo.read_line_up(data) == setup
    for bad in (data[:-1], data[:16] + b"\0" + data[17:], data[:-1] + b"\1", data[:-1] + b"\3"):
        with pytest.raises(ParseError):
            siguo.read_line_up(bad)


def test_a_replay() -> None:
    start, moves = played(2)
    record = siguo.read_replay(replay(start, [step(move) for move in moves]))
    assert record == siguo.of_moves(start, moves)
    short = siguo.read_replay(
        replay(start, [step(moves[0]), bytes((0xF5, 0, 1, 0)), bytes((0xF5, 1, 2, 0))])
    )
    assert [text for _, text in short.plies][1:] == ["skip", "resign"]
    assert short.end == "ongoing"


def test_damaged_replays() -> None:
    start, moves = played(2)
    data = replay(start, [step(moves[0])])
    for bad, says in (
        (data[:-1], "bytes"),
        (b"\0" + data[1:], "begins with"),
        (data[:-4] + bytes((0, 0, 0, 0)), "not from a station"),
        (data[:-4] + bytes((0xF5, 9, 0, 0)), "events"),
        (data[:-4] + step(129 * 26 + 25), "headquarters"),
    ):
        with pytest.raises((ParseError, IllegalMove), match=says):
            siguo.read_replay(bad)
