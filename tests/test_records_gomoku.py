"""Records of Gomoku: SGF and Piskvork's PSQ, in and out.

`python tests/test_records_gomoku.py --write` rewrites the golden file; a test run only compares.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated

import tempo
from tempo.errors import IllegalMove, ParseError
from tempo.games.gomoku import psq
from tempo.games.gomoku import sgf as gomoku
from tempo.games.record import Record

DATA = Path(__file__).resolve().parent / "data" / "records"
DOCS = Path(__file__).resolve().parent.parent / "docs" / "records.md"
GOLDEN = DATA / "gomoku_game.sgf"
RULES = ("freestyle", "exactly_five")
SIZES = range(5, 21)

specs = st.builds("gomoku(size={},rule={})".format, st.sampled_from(SIZES), st.sampled_from(RULES))


def random_record(spec: str, seed: int, length: int = 400) -> Record:
    """A random game, ended by its rules or broken off."""
    stream = random.Random(seed)
    position: Any = tempo.load(spec).start()
    moves: list[int] = []
    while not position.is_over and len(moves) < length:
        legal = position.legal_moves
        moves.append(legal[stream.randrange(len(legal))])
        position = position.play(moves[-1])
    return Record(spec, tuple(moves), result=gomoku.result_of(position.outcome))


def played(spec: str, text: str) -> tuple[int, ...]:
    """The moves to points by name, `h8 i9`."""
    position: Any = tempo.load(spec).start()
    moves = []
    for name in text.split():
        moves.append(position.parse_move(name))
        position = position.play(moves[-1])
    return tuple(moves)


# ---- SGF -----------------------------------------------------------------------------------------


def golden_record() -> Record:
    """The judge's sample with what only SGF can say."""
    record = psq.read_file(DATA / "gomoku_judge.psq")
    headers = {**record.headers, "DT": "2026-05-02", "C": "a [bracket], a \\ and 五子棋"}
    return Record(record.game, record.moves, headers=headers, result=record.result)


def test_the_golden_file() -> None:
    text = GOLDEN.read_text()
    assert gomoku.read(text) == golden_record()
    assert gomoku.write(golden_record()) == text


def test_points_are_columns_and_rows_from_the_top() -> None:
    record = gomoku.read("(;FF[4]GM[4]SZ[15];B[hh];W[ao];B[oa];W[bc])")
    assert record == Record("gomoku", played("gomoku", "h8 a1 o15 b13"))
    assert ";B[hh];W[ao];B[oa];W[bc])" in gomoku.write(record)
    for size in SIZES:
        for move in range(size * size):
            point = gomoku.point_of(move, size)
            assert gomoku.move_at(point, size) == move


@settings(max_examples=120)
@given(spec=specs, seed=st.integers(0, 2**32), length=st.integers(0, 400))
def test_random_games_survive_sgf(spec: str, seed: int, length: int) -> None:
    record = random_record(spec, seed, length)
    text = gomoku.write(record)
    again = gomoku.read(text)
    assert again == record
    assert gomoku.write(again) == text


@settings(max_examples=40)
@given(spec=specs, seed=st.integers(0, 2**32), length=st.integers(0, 400))
def test_positions_survive_sgf(spec: str, seed: int, length: int) -> None:
    position = random_record(spec, seed, length).last()
    assert gomoku.read_position(gomoku.write_position(position)) == position


def test_a_game_from_a_position() -> None:
    text = "(;FF[4]GM[4]SZ[7]RU[exactly_five]AB[aa:ca][gg]AW[ac:bc][ec:fc]PL[B];B[da];W[cc];B[ea])"
    record = gomoku.read(text)
    assert record.start == "xxx4/7/oo2oo1/7/7/7/6x x"
    assert record.result == "B+"
    assert gomoku.read(gomoku.write(record)) == record
    assert gomoku.read(text.replace("PL[B]", "")) == record, "the stones say who is to move"


def test_the_rule_is_an_option() -> None:
    six = "(;FF[4]GM[4]SZ[9]{};B[aa];W[ai];B[ba];W[ci];B[ca];W[ei];B[ea];W[gi];B[fa];W[ii];B[da])"
    assert gomoku.read(six.format("RU[freestyle]")).result == "B+"
    assert gomoku.read(six.format("RU[exactly_five]")).result == "?"
    assert gomoku.read(six.format("")) == gomoku.read(six.format("RU[freestyle]"))
    assert gomoku.read(six.format("RU[0]")) == gomoku.read(six.format("RU[freestyle]"))
    assert gomoku.read(six.format("RU[1]")) == gomoku.read(six.format("RU[exactly_five]"))


def test_a_file_as_c_gomoku_cli_writes_it() -> None:
    """The rule as a number, a score for a win, comments beside the moves."""
    text = (
        "(;FF[4]GM[4]GN[3]EV[a x b]DT[2026.05.02 10:30:00]RO[1.2]RU[1]SZ[15]PB[a]PW[b]RE[W+1]"
        "TE[White win by time forfeit]\n;B[hh]C[opening move]\n;W[ig]C[120ms])\n\n"
    )
    record = gomoku.read(text)
    assert (record.game, record.result) == ("gomoku(rule=exactly_five)", "W+")
    assert record.moves == played("gomoku", "h8 i9")
    assert (record.headers["GN"], record.headers["DT"]) == ("3", "2026.05.02 10:30:00")


ROOT = "FF[4]GM[4]SZ[5]"
FIVE = ";B[aa];W[ae];B[ba];W[be];B[ca];W[ce];B[da];W[de];B[ea]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;FF[4])", "column 2: GM[]; Gomoku is GM[4]"),
        ("(;FF[4]GM[1]SZ[15])", "column 2: GM[1]; Gomoku is GM[4]"),
        ("(;FF[4]GM[4])", "no SZ; expected the size of the board"),
        ("(;FF[4]GM[4]SZ[4])", "size of gomoku cannot be '4'; it takes 5 to 20"),
        ("(;FF[4]GM[4]SZ[21])", "size of gomoku cannot be '21'"),
        ("(;FF[4]GM[4]SZ[15:15])", "size of gomoku cannot be '15:15'"),
        ("(;FF[4]GM[4]SZ[15][15])", "SZ has 2 values"),
        ("(;FF[4]GM[4]SZ[15]RU[renju])", "RU[renju]; expected RU[freestyle] or RU[exactly_five]"),
        (f"(;{ROOT}B[aa])", "column 2: a move in the first node"),
        (f"(;{ROOT};W[aa])", "column 18: W moves out of turn; expected B"),
        (f"(;{ROOT};B[aa];B[bb])", "column 24: B moves out of turn; expected W"),
        (f"(;{ROOT};B[aa];W[aa])", "column 24: a5 is occupied (gomoku, move 2)"),
        (f"(;{ROOT};B[aa]W[bb])", "2 of B and W in a node after the first"),
        (f"(;{ROOT};C[hello])", "0 of B and W in a node after the first"),
        (f"(;{ROOT};B[aa][bb])", "B has 2 values"),
        (f"(;{ROOT};B[])", "column 18: '' is not a point; expected two letters a to e"),
        (f"(;{ROOT};B[tt])", "'tt' is not a point"),
        (f"(;{ROOT};B[af])", "'af' is not a point"),
        (f"(;{ROOT};B[AA])", "'AA' is not a point"),
        (f"(;{ROOT};B[a1])", "'a1' is not a point"),
        (f"(;{ROOT};B[aa]PL[W])", "AB, AE, AW and PL stand in the first node"),
        (f"(;{ROOT};AB[aa])", "0 of B and W"),
        (f"(;{ROOT}{FIVE};W[ee])", "column 72: the game is over: five in a row"),
        (f"(;{ROOT}{FIVE};B[ee])", "the game is over: five in a row"),
        (f"(;{ROOT};B[aa](;W[bb])(;W[cc]))", "column 2: a game with variations"),
        (f"(;{ROOT}PL[W])", "PL[W]; by the stones B is to move"),
        (f"(;{ROOT}AB[aa]PL[B])", "PL[B]; by the stones W is to move"),
        (f"(;{ROOT}AB[aa]AW[aa])", "AW[aa]: two stones on one point"),
        (f"(;{ROOT}AB[aa:bb][bb])", "AB[bb]: two stones on one point"),
        (f"(;{ROOT}AB[bb:aa])", "'bb:aa' is not a rectangle"),
        (f"(;{ROOT}AB[aa][bb])", "black has 2 stones and white 0"),
        (f"(;{ROOT}AW[aa])", "black has 0 stones and white 1"),
        (f"(;{ROOT}AB[aa:ea]AW[ab:eb])", "both black and white have five"),
        (f"(;{ROOT}AB[aa:ea]AW[ab:db][ac])", "black has five but is to move"),
        (f"(;{ROOT}AB[zz])", "column 2: 'zz' is not a point"),
        (f"(;{ROOT}AE[aa])", "AE in the first node"),
        (f"(;{ROOT}RE[B+5x];B[aa])", "RE[B+5x]; expected B+, B+R"),
        (f"(;{ROOT}RE[W+]{FIVE})", "RE[W+], but the game ended B+ (five in a row)"),
        (f"(;{ROOT}RE[0]{FIVE})", "RE[0], but the game ended B+"),
        (f"(;{ROOT}PW[a][b];B[aa])", "PW has 2 values"),
        ("(;FF[4]GM[4]SZ[5]\n\n  ;B[aa]\n;B[bb])", "line 4, column 1: B moves out of turn"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        gomoku.read(text)
    assert message in str(refused.value)
    assert re.match(r"line \d+, column \d+: ", str(refused.value))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        *((result, result) for result in ("B+", "W+R", "B+T", "W+F", "0", "Void", "?")),
        ("B+Resign", "B+R"),
        ("W+Time", "W+T"),
        ("B+Forfeit", "B+F"),
        ("Draw", "0"),
        ("W+1", "W+"),
        ("B+0.5", "B+"),
        ("", "?"),
    ],
)
def test_results_have_one_spelling(given: str, kept: str) -> None:
    record = gomoku.read(f"(;{ROOT}RE[{given}];B[aa])")
    assert record.result == kept
    assert gomoku.read(gomoku.write(record)) == record


def test_the_board_overrules_what_is_unsaid_and_the_reason_of_a_win() -> None:
    for said in ("", "RE[?]", "RE[B+R]", "RE[B+1]"):
        assert gomoku.read(f"(;{ROOT}{said}{FIVE})").result == "B+"
    with pytest.raises(ParseError, match="the game ended 0"):
        gomoku.write(Record("gomoku(size=5)", full_board().moves, result="B+"))


def full_board() -> Record:
    return next(r for s in range(50) if (r := random_record("gomoku(size=5)", s)).result == "0")


def test_records_that_cannot_be_written() -> None:
    with pytest.raises(ParseError, match="SZ is no header"):
        gomoku.write(Record("gomoku", headers={"SZ": "15"}))
    with pytest.raises(ParseError, match="'who' is not an SGF identifier"):
        gomoku.write(Record("gomoku", headers={"who": "me"}))
    with pytest.raises(IllegalMove, match="move 2 of 2"):
        gomoku.write(Record("gomoku", (7, 7)))


def test_sgf_files_on_disk(tmp_path: Path) -> None:
    records = [random_record("gomoku(size=9)", seed) for seed in range(3)]
    gomoku.write_file(tmp_path / "games.sgf", records)
    assert gomoku.read_file(tmp_path / "games.sgf") == tuple(records)
    assert gomoku.read_all((tmp_path / "games.sgf").read_text()) == tuple(records)


# ---- PSQ -----------------------------------------------------------------------------------------


def test_a_tournament_file_of_piskvork() -> None:
    text = (DATA / "gomoku_tournament.psq").read_text()
    record = psq.read(text)
    assert (record.game, record.result, len(record.moves)) == ("gomoku(size=20)", "W+", 40)
    assert record.headers["PB"] == "pbrain-harbour.exe"
    assert record.headers["PW"] == "pbrain-lantern.exe"
    first = [record.first().move_text(move) for move in record.moves[:3]]
    assert first == ["j10", "k12", "k11"], "10,11 is column 10, row 11 from the top of 20"
    assert psq.write(record) == text


def test_a_file_of_gomocups_judge() -> None:
    """The judge writes -1 always, and counts its winner from who moved after the opening."""
    record = psq.read_file(DATA / "gomoku_judge.psq")
    assert (record.game, record.result) == ("gomoku", "B+")
    assert record.headers["EV"] == "Freestyle15"
    assert psq.write(record).endswith("LANTERN.zip\nHARBOUR.zip\n0\n1,Freestyle15\n")
    assert psq.read(psq.write(record)) == record


def test_a_file_saved_by_hand_in_which_the_second_player_began() -> None:
    record = psq.read_file(DATA / "gomoku_by_hand.psq", "exactly_five")
    assert (record.game, record.result) == ("gomoku(rule=exactly_five)", "?")
    assert set(record.headers) == {"LV", "MS"}
    assert record.headers["LV"] == "6:0", "the level of Black, who began, comes first"
    assert psq.write(record).startswith("Piskvorky 15x15, 6:0, 0\n8,8,0\n")
    named = psq.read("Piskvorky 15x15, 0:0, 1\n8,8,5\nhomo-1\npbrain-x.exe\n-1\n")
    assert named.headers == {"PB": "pbrain-x.exe", "PW": "homo-1", "MS": "5"}


@settings(max_examples=120)
@given(
    spec=specs,
    seed=st.integers(0, 2**32),
    length=st.integers(0, 400),
    headers=st.fixed_dictionaries(
        {}, optional={"EV": st.just("A cup, 2026"), "LV": st.just("0:11")}
    ),
    names=st.sampled_from([{}, {"PB": " Ä b", "PW": "-1"}, {"PB": "1,", "PW": "\u2028五子棋"}]),
    timed=st.booleans(),
)
def test_random_games_survive_psq(
    spec: str, seed: int, length: int, headers: dict[str, str], names: dict[str, str], timed: bool
) -> None:
    record = random_record(spec, seed, length)
    if timed and record.moves:
        headers["MS"] = ",".join(str(i * 37 + 1) for i in range(len(record.moves)))
    if record.result == "?":
        headers.pop("EV", None)  # the tournament stands beside a result
    record = Record(record.game, record.moves, "", {**headers, **names}, record.result)
    rule = "exactly_five" if "exactly_five" in spec else "freestyle"
    text = psq.write(record)
    again = psq.read(text, rule)
    assert again == record
    assert psq.write(again) == text
    assert psq.read(text.replace("\n", "\r\n"), rule) == record
    assert gomoku.read(gomoku.write(again)) == again, "through SGF nothing is lost"


def ending(moves: int, *lines: str, size: int = 5) -> str:
    """A file of that many moves without five on a small board, and its last lines."""
    order = [(column, row) for row in (1, 3, 5, 2, 4) for column in (1, 3, 2, 4, 5)]
    played = [f"{column},{row},0" for column, row in order[:moves]]
    return "\n".join([f"Piskvorky {size}x{size}, 0:0, 0", *played, *lines, ""])


@pytest.mark.parametrize(
    ("moves", "lines", "result"),
    [
        (3, ("15",), "B+T"),  # White was thinking
        (4, ("15",), "W+T"),
        (4, ("-2",), "W+F"),
        (4, ("-1", "0,Cup"), "0"),
        (4, ("-1", "1,Cup"), "W+"),  # whichever seat the judge's 1 is: the seat to move has lost
        (4, ("-1", "2,Cup"), "W+"),
        (4, ("15", "2,Cup"), "W+T"),
        (4, ("-1",), "?"),
        (4, ("7",), "?"),
        (4, ("0", "1,Cup"), "W+"),
        (4, ("-1", "1,"), "W+"),
        (4, ("-1", "0,"), "0"),
    ],
)
def test_how_a_game_ended_off_the_board(moves: int, lines: tuple[str, ...], result: str) -> None:
    record = psq.read(ending(moves, *lines))
    assert record.result == result
    assert psq.read(psq.write(record)) == record


def test_piskvork_calls_a_draw_on_a_nearly_full_board() -> None:
    assert psq.read(ending(0, "0", size=5)).result == "0", "25 points are empty"
    assert psq.read(ending(10, "0", size=6)).result == "?", "26 points are empty"
    assert psq.read(ending(11, "0", size=6)).result == "0"


def test_what_psq_has_no_place_for() -> None:
    moves = played("gomoku", "h8 i9 g7")
    for result in ("W+T", "W+R", "Void", "?"):  # nor for a loss of the seat that just moved
        text = psq.write(Record("gomoku", moves, headers={"DT": "2026"}, result=result))
        assert text.endswith("7,9,0\n-1\n")
    resigned = psq.write(Record("gomoku", moves, result="B+R"))
    assert resigned.endswith("7,9,0\n-1\n1,\n")
    assert psq.read(resigned).result == "B+"
    assert psq.read(psq.write(Record("gomoku(rule=exactly_five)", moves))).game == "gomoku"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record("chess"), "PSQ is for gomoku, not for chess"),
        (Record("gomoku(size=5)", start="5/5/2x2/5/5 o"), "PSQ begins on the empty board"),
        (Record("gomoku", headers={"PB": "A"}), "one name; PSQ has those of both"),
        (Record("gomoku", headers={"PB": "A\nB", "PW": "C"}), "cannot be a name"),
        (Record("gomoku", headers={"PB": "8,8,0", "PW": "C"}), "cannot be a name"),
        (Record("gomoku", headers={"PB": " ", "PW": "C"}), "cannot be a name"),
        (Record("gomoku", headers={"LV": "high"}), "LV[high]; expected Piskvork's levels"),
        (Record("gomoku", (7,), headers={"MS": "1,2"}), "MS[1,2]; expected milliseconds"),
        (Record("gomoku", (7,), headers={"MS": "soon"}), "MS[soon]; expected milliseconds"),
        (Record("gomoku", headers={"EV": "a\nb"}, result="0"), "EV has several lines"),
    ],
)
def test_records_that_psq_cannot_hold(record: Record, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(message)):
        psq.write(record)


HEAD = "Piskvorky 5x5, 0:0, 0\n"
ROW = "1,1,0\n1,5,0\n2,1,0\n2,5,0\n3,1,0\n3,5,0\n4,1,0\n4,5,0\n5,1,0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: ''; expected a header like Piskvorky 15x15, 0:0, 0"),
        ("1,1,0\n-1\n", "line 1: '1,1,0'; expected a header"),
        ("Piskvorky 15x15\n-1\n", "expected a header"),
        ("Piskvorky 15x15, 0:0, 2\n-1\n", "expected a header"),
        ("piskvorky 15x15, 0:0, 0\n-1\n", "expected a header"),
        ("Piskvorky 20x15, 0:0, 0\n-1\n", "expected a square board"),
        ("Piskvorky 30x30, 0:0, 0\n-1\n", "line 1: option size of gomoku cannot be '30'"),
        (HEAD, "line 2: ''; expected a move like 8,8,0, two names, or a number"),
        (f"{HEAD}1,1,0\n", "line 3: ''; expected a move"),
        (f"{HEAD}1,1,0\n6,1,0\n-1\n", "line 3: '6,1,0'; expected a column and a row from 1 to 5"),
        (f"{HEAD}0,1,0\n-1\n", "line 2: '0,1,0'; expected a column and a row from 1 to 5"),
        (f"{HEAD}1,1,-5\n-1\n", "line 2: '1,1,-5'; expected a move"),
        (f"{HEAD}1,1,0\n1,1,0\n-1\n", "line 3: a5 is occupied (gomoku, move 2)"),
        (f"{HEAD}1,1,0\n\n2,2,0\n-1\n", "line 3: ''; expected a player's name"),
        (f"{HEAD}1,1,0\nA\n2,2,0\n-1\n", "line 4: '2,2,0'; expected a player's name"),
        (f"{HEAD}1,1,0\nsomeone\n-1\n", "line 3: 'someone'; expected a move like 8,8,0, two"),
        (f"{HEAD}1,1,0\n-1\nmore\n", "line 4: 'more'; expected the end, or a result like 1,F"),
        (f"{HEAD}1,1,0\nA\nB\n-1\n3,Cup\n", "line 6: '3,Cup'; expected the end, or a result"),
        (f"{HEAD}1,1,0\nA\nB\n-1\n0,Cup\nx\n", "line 7: 'x'; expected the end of the file"),
        (f"{HEAD}{ROW}5,5,0\n-1\n", "line 11: the game is over: five in a row (gomoku, move 10)"),
        (f"{HEAD}{ROW}5,5,0\n-1\n", "if six do not win, expected rule='exactly_five'"),
        (f"{HEAD}{ROW}0\n0,Cup\n", "say 0 and '0', but the game ended B+"),
        (f"{HEAD}1,1,0\n15\n0,Cup\n", "say 15 and '0'"),
    ],
)
def test_what_is_wrong_with_a_psq_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        psq.read(text)
    assert message in str(refused.value)


def test_what_real_psq_files_vary_in() -> None:
    plain = psq.read("Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n-1\n")
    for text in (
        "\ufeffPiskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,7,0\r\n-1\r\n",  # written on Windows
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n-1",  # the last line not ended
        "Piskvorky 15x15, 0:0, 0\n8,8\n9, 7\n-1\n\n",  # no times, which Piskvork reads too
        "Piskvorky 15x15,0:0,0\n8,8,0\n9,7,0 \n-1 \n",
    ):
        assert psq.read(text) == plain
    with pytest.raises(ParseError, match="there is no rule 'renju'"):
        psq.read("Piskvorky 15x15, 0:0, 0\n-1\n", "renju")


def test_psq_files_on_disk(tmp_path: Path) -> None:
    record = random_record("gomoku(size=9)", seed=3)
    psq.write_file(tmp_path / "game.psq", record)
    assert psq.read_file(tmp_path / "game.psq") == record
    (tmp_path / "game.psq").write_bytes(b"Piskvorky 9x9, 0:0, 0\n\xe9\n\xe9\n-1\n")
    with pytest.raises(ParseError, match="is not UTF-8"):
        psq.read_file(tmp_path / "game.psq")


# ---- damage --------------------------------------------------------------------------------------

PIECES = (
    "[",
    "]",
    ";",
    ",",
    "-",
    ":",
    "0",
    "15",
    "-1",
    "9" * 5_000,
    "aa",
    "\n",
    "\r",
    "é",
    "B",
    "²",
)
SET_UP_SGF = "(;FF[4]GM[4]SZ[7]RU[1]RE[?]AB[aa:ca][gg]AW[ac:bc][ec:fc]PL[B];B[da];W[cc];B[fa])"
DAMAGED: dict[str, tuple[str, Callable[[str], object]]] = {
    "sgf": (f"(;{ROOT}CA[UTF-8]PB[A]RE[B+]{FIVE})", gomoku.read),
    "position": (SET_UP_SGF, gomoku.read_all),
    "psq": (f"{HEAD}{ROW}A\nB\n0\n1,Cup\n", psq.read),
    "short psq": ("Piskvorky 15x15, 11:11, 1\n8,8,0\n9,7,15\n-1\n", psq.read),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_or_read_but_never_crash(name: str) -> None:
    text, reader = DAMAGED[name]
    stream = random.Random(5)
    refused = 0
    for _ in range(1_500):
        try:
            reader(mutated(text, PIECES, stream))
        except ParseError:
            refused += 1
    assert 300 < refused < 1_500


@settings(max_examples=200)
@given(st.text(alphabet=st.sampled_from("0123456789,-\r\n ab²"), max_size=40))
def test_any_psq_text_is_read_or_refused_and_what_is_read_survives(text: str) -> None:
    try:
        record = psq.read(f"Piskvorky 9x9, 0:0, 0\n{text}\n-1\n")
    except ParseError:
        return
    assert psq.read(psq.write(record)).moves == record.moves


# ---- the documentation ---------------------------------------------------------------------------


def test_the_documentations_examples_can_be_read() -> None:
    section = DOCS.read_text().partition("## Gomoku")[2]
    examples = re.findall(r"^```(sgf|psq)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert {language for language, _ in examples} == {"sgf", "psq"}
    for language, text in examples:
        record = gomoku.read(text) if language == "sgf" else psq.read(text)
        assert record.moves


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    gomoku.write_file(GOLDEN, golden_record())
