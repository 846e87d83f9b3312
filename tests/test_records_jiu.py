"""Records of Jiu: turns as text, and games, positions and libraries as SGF.

`python tests/test_records_jiu.py --write` rewrites the golden file; a test run only compares.
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
from jiu_records import (
    BARE,
    DATA,
    E6,
    E11,
    E21,
    SPECS,
    board,
    master_game,
    master_records,
    random_record,
)
from mutations import mutated

import tempo
from tempo.errors import IllegalMove, ParseError
from tempo.games.jiu import sgf as jiu
from tempo.games.jiu.turns import read_turn, turns
from tempo.games.record import Record
from tempo.records import sgf

MASTER = DATA / "records" / "master_game.sgf"


# ---- turns ---------------------------------------------------------------------------------------


def test_a_turn_and_back_by_both_notations() -> None:
    """E28 of the rules."""
    first, _, _ = master_game()
    moves = jiu.parse_turn(first, "G9-G7xG8*E7")
    assert [first.move_text(moves[0]), len(moves)] == ["G9-G7", 2]
    assert jiu.turn_text(first, moves) == "G9-G7xG8*E7"
    assert jiu.parse_turn(first, "G9-G7*E7") == moves
    turn = read_turn("G9-G7xG8*E7")
    assert (turn.path, turn.jumped, turn.takes) == (((6, 8), (6, 6)), ((6, 7),), ((4, 6),))
    node = jiu.turn_node(first, turn)
    assert sgf.node_text(node) == ";B[ig-gg*ge]"
    start = jiu.Step(0, first)
    assert jiu.play_node(node, start).moves == tuple(moves)


def test_stops_are_put_in_where_a_chain_may_go_on() -> None:
    position = board(E6)
    short, whole = jiu.parse_turn(position, "C1-C3xC2"), jiu.parse_turn(position, "C1-C3-C5")
    assert [len(short), len(whole)] == [2, 2]
    assert position.play(short[0]).move_text(short[1]) == "stop"
    assert position.play(whole[0]).move_text(whole[1]) == "-C5"
    assert jiu.turn_text(position, short) == "C1-C3xC2"
    assert jiu.turn_text(position, whole) == "C1-C3-C5xC2,C4"
    compulsory = board(E6, options=f"{BARE},chain_compulsory=yes")
    with pytest.raises(IllegalMove, match="the chain C1-C3xC2 must go on"):
        jiu.parse_turn(compulsory, "C1-C3")


def test_stones_are_taken_in_any_order_and_written_in_one() -> None:
    position = board(E11)
    moves = jiu.parse_turn(position, "D3-C3*F5,E5")
    assert moves == jiu.parse_turn(position, "D3-C3*E5,F5")
    assert jiu.turn_text(position, moves) == "D3-C3*E5,F5"
    with pytest.raises(IllegalMove, match="takes too few stones"):
        jiu.parse_turn(position, "D3-C3*E5")
    with pytest.raises(IllegalMove, match="takes too many stones"):
        jiu.parse_turn(position, "D3-C3*E5,E6,F5")
    with pytest.raises(ParseError, match="E5 is taken twice"):
        jiu.parse_turn(position, "D3-C3*E5,E5")
    optional = board(E11, options=f"{BARE},square_capture=optional")
    assert jiu.turn_text(optional, jiu.parse_turn(optional, "D3-C3*E6")) == "D3-C3*E6"
    assert jiu.turn_text(optional, jiu.parse_turn(optional, "D3-C3")) == "D3-C3"


def test_a_flight_is_no_jump() -> None:
    position = board(E21, options="fly_threshold=6,min_stones=0,shape_check=off")
    flight, jump = jiu.parse_turn(position, "C1~C3"), jiu.parse_turn(position, "C1-C3xC2")
    assert flight != jump
    assert jiu.turn_text(position, flight) == "C1~C3"
    assert jiu.turn_text(position, jump) == "C1-C3xC2"
    with pytest.raises(IllegalMove, match="flights with ~"):
        jiu.parse_turn(position, "C1~B1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a turn; expected one like G7"),
        ("G9-G7xG8*", "is not a turn"),
        ("g9-g7", "is not a turn"),
        ("G9-G7 *E7", "is not a turn"),
        ("G9-G0", "is not a turn"),
        ("G9-G15", "is not a turn"),
        ("O1-G7", "is not a turn"),
        ("G9~G7~G5", "is not a turn"),
        ("G9-G7*E7xG8", "is not a turn"),
        ("G9*E7", "takes stones without moving one"),
        ("G9-G7xG9*E7", "says it jumps G9; its path jumps G8"),
        ("G6-G7xG8", "says it jumps G8; its path jumps nothing"),
    ],
)
def test_what_is_no_turn(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        jiu.parse_turn(master_game()[0], text)
    assert message in str(refused.value)


def test_moves_that_are_not_one_whole_turn_have_no_text() -> None:
    position = board(E11)
    moves = jiu.parse_turn(position, "D3-C3*E5,F5")
    for part, message in ((moves[:0], "no turn"), (moves[:2], "unfinished")):
        with pytest.raises(ParseError, match=f"{len(part)} moves that are {message}"):
            jiu.turn_text(position, part)
    reply = tempo.load("jiu(size=4)").start()
    with pytest.raises(ParseError, match="2 moves that are several turns"):
        jiu.turn_text(reply, [reply.parse_move("B2"), reply.play("B2").parse_move("C3")])


# ---- SGF -----------------------------------------------------------------------------------------


def test_the_master_game_as_sgf() -> None:
    text = MASTER.read_text()
    game, demonstration = jiu.read_all(text)
    assert (game, demonstration) == master_records()
    assert jiu.write([game, demonstration]) == text
    _, _, texts = master_game()
    found = [str(t.turn) for r in (game, demonstration) for t in turns(r.first(), r.moves)]
    assert found == [str(read_turn(text)) for text in texts]
    assert (game.result, game.headers["DT"]) == ("B+D", "2020")
    last = demonstration.last().text
    assert (last.count("x") - 1, last.count("o"), last.split()[1]) == (80, 50, "x")
    assert " take " in last, "the last turn completes a square and takes nothing"


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 200))
def test_random_games_survive_sgf(spec: str, seed: int, moves: int) -> None:
    record = random_record(spec, seed, moves)
    text = jiu.write(record)
    again = jiu.read(text)
    assert again == record
    assert jiu.write(again) == text


@pytest.mark.parametrize("seed", range(8))
def test_positions_survive_sgf(seed: int) -> None:
    spec = SPECS[seed % 4]
    record = random_record(spec, seed, moves=12 * seed)
    for position in record.positions():
        if " take " in position.text or " jump " in position.text or " crossed" in position.text:
            with pytest.raises(ParseError, match="SGF cannot say that"):
                jiu.write_position(position)
        else:
            again = jiu.read_position(jiu.write_position(position))
            assert again == position


def test_a_position_file() -> None:
    text = (
        "(;FF[4]GM[140]SZ[4]RU[jiu:seed]AB[aa][bb][ca][db]AW[dd][cd][bd][ad]PL[B]JT[battle]JC[3])"
    )
    position = jiu.read_position(text)
    assert position.text == "x1x1/1x1x/4/oooo x battle 3 3"
    with_turns = text[:-1] + ";B[bb-bc];W[dd-dc])"
    assert jiu.read(with_turns).start == position.text
    assert [str(t.turn) for t in turns(position, jiu.read(with_turns).moves)] == ["B2-C2", "D4-C4"]


def test_files_on_disk(tmp_path: Path) -> None:
    records = [random_record("jiu(size=6)", seed) for seed in range(3)]
    jiu.write_file(tmp_path / "games.sgf", records)
    assert jiu.read_file(tmp_path / "games.sgf") == tuple(records)


def test_an_opening_library_is_a_tree_that_can_be_replayed() -> None:
    """VN counts visits, QV is a value for the player of the node's move; both are just kept."""
    text = (
        "(;FF[4]CA[UTF-8]GM[140]SZ[14]RU[jiu:seed]PL[W]\n"
        ";W[gg]VN[90]QV[0.5];B[hh]VN[90]QV[-0.25]\n"
        "(;W[hg]VN[60]QV[0.75];B[gh]VN[60]QV[0])\n"
        "(;W[aa]VN[30]QV[-1]\n(;B[bb]VN[20]QV[0])\n(;B[cc]VN[10]QV[1])))\n"
    )
    tree = sgf.read_one(text)
    steps = list(jiu.replay(tree))
    assert [step.index for step in steps] == list(range(1, 8))
    assert [step.position.turn for step in steps] == [1, 0, 1, 0, 1, 0, 0]
    assert tree.nodes[7].text("QV") == "1"
    assert sgf.write(tree) == text
    with pytest.raises(ParseError, match="line 1, column 2: a game with variations"):
        jiu.read(text)
    with pytest.raises(ParseError, match=r"line 5, column 2: .* is occupied"):
        list(jiu.replay(sgf.read_one(text.replace("B[bb]", "B[hh]"))))
    first = steps[1].position
    node = jiu.turn_node(first, read_turn("G8"), ("VN", "60"), ("QV", "0.75"))
    assert node == tree.nodes[3]


ROOT_NODE = "FF[4]GM[140]SZ[4]RU[jiu:seed]"
LAYOUT = ";W[bb];B[cc];W[aa];B[ba];W[ca];B[da];W[ab];B[cb];W[db];B[ac];W[bc];B[dc]"
LAYOUT += ";W[ad];B[bd];W[cd];B[dd]"
TRANSITION = ";JT[battle]AE[bb][cc]PL[B]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;FF[4])", "GM[]; Jiu is GM[140]"),
        ("(;FF[4]GM[1]SZ[14]RU[jiu:seed])", "GM[1]; Jiu is GM[140]"),
        ("(;FF[4]GM[140]SZ[14])", "RU must be one of RU[jiu:seed], RU[jiu:competition]"),
        ("(;FF[4]GM[140]SZ[14]RU[jiu:chess])", "RU must be one of"),
        ("(;FF[4]GM[140]RU[jiu:seed])", "size"),
        ("(;FF[4]GM[140]SZ[7]RU[jiu:seed])", "size"),
        ("(;FF[4]GM[140]SZ[14]RU[jiu:seed]JO[colour:red])", "colour"),
        ("(;FF[4]GM[140]SZ[14]RU[jiu:seed]JO[size:8])", "the size is SZ's"),
        ("(;FF[4]GM[140]SZ[14]RU[jiu:seed]JO[min_stones:3][min_stones:4])", "an option twice"),
        ("(;FF[4]GM[140]SZ[14]RU[jiu:seed]JO[min_stones:3,fly_jump=no])", "min_stones"),
        (f"(;{ROOT_NODE}PL[B];B[bb])", "PL[B]; W places first"),
        (f"(;{ROOT_NODE}W[bb])", "a turn in the first node"),
        (f"(;{ROOT_NODE};B[bb])", "B moves out of turn; expected W"),
        (f"(;{ROOT_NODE};W[bb];W[cc])", "line 1, column 38: W moves out of turn; expected B"),
        (f"(;{ROOT_NODE};W[aa])", "the first two stones go to B2 and C3 (jiu, placement 1)"),
        (f"(;{ROOT_NODE};W[bb]B[cc])", "2 of B, W and JT"),
        (f"(;{ROOT_NODE};C[hello])", "0 of B, W and JT"),
        (f"(;{ROOT_NODE};W[bb]PL[B])", "AB, AE, AW and PL stand in the first node"),
        (f"(;{ROOT_NODE};W[bb][cc])", "W has 2 values; expected one"),
        (f"(;{ROOT_NODE};W[])", "'' is not a turn; expected one like gg"),
        (f"(;{ROOT_NODE};W[bb*aa])", "is not a turn"),
        (f"(;{ROOT_NODE};W[oo])", "is not a turn"),
        (f"(;{ROOT_NODE};W[bb];B[ee])", "'E5' is not a point; expected a letter A to D"),
        (f"(;{ROOT_NODE};W[bb-bc])", "stones are still being placed"),
        (f"(;{ROOT_NODE}{TRANSITION})", "the transition to battle stands once"),
        (f"(;{ROOT_NODE}{LAYOUT};B[ba-bb])", f"expected {TRANSITION} before it"),
        (f"(;{ROOT_NODE}{LAYOUT};JT[battle]AE[bb]PL[B])", f"the transition must be {TRANSITION}"),
        (f"(;{ROOT_NODE}{LAYOUT};JT[prep]AE[bb][cc]PL[B])", "the transition must be"),
        (f"(;{ROOT_NODE}{LAYOUT};JT[battle]AE[bb][cc]PL[W])", "the transition must be"),
        (f"(;{ROOT_NODE}{LAYOUT}{TRANSITION}{TRANSITION})", "the transition to battle stands once"),
        (f"(;{ROOT_NODE}{LAYOUT}{TRANSITION};B[da-db])", "B4 is occupied"),
        (f"(;{ROOT_NODE}RE[B+Z];W[bb])", "RE[B+Z]; expected 0, ? or one like B+M"),
        (f"(;{ROOT_NODE}RE[B+M];W[bb])", "RE[B+M], but the game is not over"),
        (f"(;{ROOT_NODE}PW[a][b];W[bb])", "PW has 2 values"),
        (f"(;{ROOT_NODE}AB[aa]PL[W])", "a position needs AB and AW, PL[B] or PL[W], and JT"),
        (f"(;{ROOT_NODE}AB[aa]JT[battle])", "a position needs"),
        (f"(;{ROOT_NODE}AB[aa]AW[aa]PL[W]JT[battle])", "AW[aa]: two stones on one point"),
        (f"(;{ROOT_NODE}AB[ee]AW[aa]PL[W]JT[battle])", "'ee' is not a point"),
        (f"(;{ROOT_NODE}AB[aa]AW[bb]PL[W]JT[prep]JC[3])", "there are none in JT[prep]"),
        (f"(;{ROOT_NODE}AB[aa]AW[bb]PL[W]JT[prep])", "C3"),
        (f"(;{ROOT_NODE}AB[aa]AW[bb]PL[W]JT[battle]JC[x])", "quiet plies"),
        (f"(;{ROOT_NODE}AB[aa]AW[bb]PL[W]JT[battle]JC[5]JN[4])", "more quiet plies than plies"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        jiu.read(text)
    assert message in str(refused.value)
    assert str(refused.value).startswith("line 1, column ")


def test_a_layout_may_stop_before_the_transition() -> None:
    assert len(jiu.read(f"(;{ROOT_NODE}{LAYOUT})").moves) == 16
    played = jiu.read(f"(;{ROOT_NODE}{LAYOUT}{TRANSITION};B[bd-bb];W[cd-cc])")
    assert jiu.write(played).count("JT") == 1


def test_results_must_fit_the_board() -> None:
    record = next(r for s in range(50) if (r := random_record("jiu(size=6)", s)).result[-1] == "M")
    text = jiu.write(record)
    loser = "W+M" if record.result == "B+M" else "B+M"
    for wrong in (loser, "0", record.result[:2] + "H", record.result[:2] + "R"):
        with pytest.raises(ParseError, match=re.escape(f"RE[{wrong}], but the game ended")):
            jiu.read(text.replace(f"RE[{record.result}]", f"RE[{wrong}]"))
    assert jiu.read(text.replace(f"RE[{record.result}]", "")).result == record.result
    assert jiu.read(text.replace(f"RE[{record.result}]", "RE[?]")).result == record.result
    for result in ("B+R", "W+T", "B+F", "0", "W+", "B+D", "?"):
        assert jiu.read(f"(;{ROOT_NODE}RE[{result}];W[bb])").result == result
    with pytest.raises(ParseError, match="the game is not over"):
        jiu.write(Record("jiu", result="B+X"))


def test_every_outcome_has_its_letter() -> None:
    found = {random_record(spec, seed).result for spec in SPECS for seed in range(6)}
    assert {result[2:] for result in found if "+" in result} >= {"M", "H", "V", "L"}
    assert "0" in found


def test_records_that_cannot_be_written() -> None:
    position = board(E6)
    cut = Record(position.game, (position.parse_move("C1-C3"),), position.text)
    with pytest.raises(ParseError, match="C1-C3xC2, is not over; expected a stop"):
        jiu.write(cut)
    with pytest.raises(ParseError, match="SZ is no header"):
        jiu.write(Record("jiu", headers={"SZ": "14"}))
    with pytest.raises(ParseError, match="'who' is not an SGF identifier"):
        jiu.write(Record("jiu", headers={"who": "me"}))


def test_a_record_knows_its_positions() -> None:
    record = random_record("jiu(size=4)", seed=1)
    positions = list(record.positions())
    assert len(positions) == len(record.moves) + 1
    assert positions[-1] == record.last()
    assert Record("jiu(size=14)", start=tempo.load("jiu").start().text) == Record("jiu")
    with pytest.raises(IllegalMove, match="move 2 of 2"):
        Record("jiu(size=4)", (record.moves[0],) * 2).last()


# ---- damage --------------------------------------------------------------------------------------

SMALL_SGF = f"(;{ROOT_NODE}PW[A]RE[?]PL[W]{LAYOUT}{TRANSITION};B[bd-bb];W[cd-cc])"
POSITION_SGF = (
    "(;FF[4]GM[140]SZ[6]RU[jiu:competition]JO[fly_threshold:3]AB[aa][ba][ab][bb][cb]"
    "AW[ff][fe][ee][dd]PL[W]JT[battle]JC[1]JN[9];W[ff-ef];B[cb-cc])"
)
PIECES = (
    "[",
    "]",
    ";",
    ",",
    "-",
    "~",
    "*",
    "x",
    "0",
    "14",
    "A1",
    "bb",
    "\n",
    "é",
    "JT",
)


def damaged_readers() -> dict[str, tuple[str, Callable[[str], object]]]:
    first, _, texts = master_game()
    return {
        "record": (SMALL_SGF, jiu.read),
        "position": (POSITION_SGF, jiu.read_all),
        "turn": (texts[22], lambda text: parse_or_refuse(first, text)),
    }


def parse_or_refuse(position: Any, text: str) -> None:
    """Turns may also be illegal, which whole files report as damage."""
    try:
        jiu.parse_turn(position, text)
    except IllegalMove as error:
        raise ParseError(str(error)) from error


@pytest.mark.parametrize("name", ["record", "position", "turn"])
def test_damaged_files_are_refused_or_read_but_never_crash(name: str) -> None:
    text, reader = damaged_readers()[name]
    stream = random.Random(20)
    refused = 0
    for _ in range(1_500):
        try:
            reader(mutated(text, PIECES, stream))
        except ParseError:
            refused += 1
    assert refused > 500


# ---- the documentation ---------------------------------------------------------------------------


def examples(language: str) -> list[str]:
    text = (DATA.parent.parent / "docs" / "records.md").read_text().partition("## Gomoku")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_documentations_examples_can_be_read() -> None:
    found = examples("sgf")
    assert len(found) >= 3
    for text in found:
        tree = sgf.read_one(text)
        assert len(list(jiu.replay(tree))) == len(tree.nodes) - 1


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    jiu.write_file(MASTER, master_records())
