"""Records of Jiu in other programs' formats: samples, whole games, damage."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from jiu_records import DATA, E21, board, master_records, random_record
from mutations import mutated

from tempo.errors import ParseError
from tempo.games.jiu import PROFILES
from tempo.games.jiu import foreign as jiu_foreign
from tempo.games.jiu import sgf as jiu
from tempo.games.jiu.book import read_book, write_book
from tempo.games.jiu.foreign import (
    jq_turn_text,
    parse_jq_turn,
    read_gongjiu,
    read_jq,
    read_open,
    write_jq,
    write_open,
)
from tempo.games.jiu.found import Displacement, play_displacement
from tempo.games.jiu.turns import read_turn, turns
from tempo.games.record import Record

# One game on a board of four lines: the layout of the rules' example E4, then D2-B2 over C2.
SMALL = "jiu(size=4)"
SMALL_TURNS = "B2 C3 A1 A2 A3 A4 B1 B3 B4 C1 C2 C4 D1 D2 D3 D4 D2-B2xC2"
SMALL_BOOK = (
    "[JIU[4]],[Az],[BZ],[],[],[],[],[],[];\n"
    "0,b1,C2,a0,A1,a2,A3,b0,B2,b3,C0,c1,C3,d0,D1,d2,D3;\n1,C2;\n2,b1;\n3,D1-B1,c1;\n"
)


SMALL_OPEN = (
    "Stage[1]:W(B,2);B(C,3);W(A,1);B(B,1);W(C,1);B(D,1);W(A,2);B(C,2);W(D,2);B(A,3);W(B,3);B(D,3);"
    "W(A,4);B(B,4);W(C,4);B(D,4);Stage[2]:B(B,4)-O(B,2),TC:W(B,3);"
)
SMALL_JQ = "B2 C3 A1 B1 C1 D1 A2 C2 D2 A3 B3 D3 A4 B4 C4 D4".replace(" ", "\n") + "\nB4,B2 TC-B3"
SMALL_GONGJIU = (
    "one vs two\n-----布局结束-----\n1.@0;\n"
    "0.b2;\n0.C3;\n0.a1;\n0.A2;\n0.a3;\n0.A4;\n0.b1;\n0.B3;\n0.b4;\n0.C1;\n0.c2;\n0.C4;\n0.d1;\n0.D2;\n"
    "0.d3;\n0.D4;\n18.D2-B2;\n"
)


def small_readers() -> dict[str, tuple[str, Callable[[str], Record]]]:
    """Every reader of one game, with a small file of its format."""
    return {
        "book": (SMALL_BOOK, lambda text: read_book(text, SMALL)[0]),
        "open": (SMALL_OPEN, lambda text: read_open(text, SMALL)[0]),
        "jq": (SMALL_JQ, lambda text: read_jq(text, SMALL)),
        "gongjiu": (SMALL_GONGJIU, lambda text: read_gongjiu(text, SMALL)),
    }


@pytest.mark.parametrize("name", ["book", "open", "jq", "gongjiu"])
def test_a_small_game_in_every_format(name: str) -> None:
    text, reader = small_readers()[name]
    record = reader(text)
    found = [str(played.turn) for played in turns(record.first(), record.moves)]
    assert " ".join(found) == SMALL_TURNS
    assert record.game == SMALL
    assert record.result == "?"


def test_small_games_are_written_as_they_are_read() -> None:
    record = read_book(SMALL_BOOK, SMALL)[0]
    assert write_book(record) == SMALL_BOOK
    assert write_open([record]) == SMALL_OPEN + "\n"
    assert write_jq(record) == SMALL_JQ + "\n"
    assert record.headers == {"PW": "A", "PB": "B"}
    assert read_book(SMALL_BOOK, "jiu") == (record,), "the header gives the size"


@pytest.mark.parametrize("profile", PROFILES)
def test_whole_games_survive_every_format(profile: str) -> None:
    options = ",".join(f"{name}={value}" for name, value in PROFILES[profile].items())
    record = random_record(f"jiu({options})", seed=7)
    assert record.last().is_over
    assert f"RU[jiu:{profile}]" in jiu.write(record)
    assert "JO[" not in jiu.write(record)
    assert jiu.read(jiu.write(record)) == record
    assert read_book(write_book(record), record.game) == (record,)
    assert read_open(write_open([record, record]), record.game) == (record, record)
    assert read_jq(write_jq(record), record.game) == record


def test_the_master_game_in_the_rule_books_format() -> None:
    """Its published layout has a slip: White places twice in a row, so the battle is the start."""
    (record,) = read_book((DATA / "records" / "book_master_game.txt").read_text())
    game, _ = master_records()
    assert (record.start, record.moves) == (game.start, game.moves)
    assert record.result == "?"
    with pytest.raises(ParseError, match="this format needs every placement"):
        write_book(record)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_gongjius_games(number: int) -> None:
    text = (DATA / "jiu" / f"gongjiu_selfplay_{number}.txt").read_text()
    record = read_gongjiu(text)
    assert record.result == {1: "B+M", 2: "0", 3: "B+M"}[number]
    assert record.headers == {"PW": "工久", "PB": "工久"}
    found = list(turns(record.first(), record.moves))
    paths = re.findall(r"^\d+\.([A-Na-n].*);$", text, re.MULTILINE)
    assert len(found) == len(paths)
    for played, line in zip(found, paths, strict=True):
        path, *takes = line.upper().split(",")
        points = [f"{p[0]}{int(p[1], 16)}" for p in path.split("-")]
        assert re.findall(r"[A-N]\d+", str(played.turn).split("x")[0].split("*")[0]) == points
        assert len(takes) == len(played.turn.takes)
    assert jiu.read(jiu.write(record)) == record


def test_all_formats_by_name() -> None:
    text = (DATA / "jiu" / "gongjiu_selfplay_1.txt").read_text()
    assert jiu_foreign.read(text, "gongjiu") == (read_gongjiu(text),)
    with pytest.raises(
        ParseError, match="there is no format 'pgn'; there are book, open, jq, gongjiu"
    ):
        jiu_foreign.read("", "pgn")


def test_headers_of_the_rule_books_format() -> None:
    header = (
        "[JIU[14]],[白队z],[黑队Z],[后手胜],[0:2],[2020-09-24 11:02:00],[00:26:00],[Aba],[Cup];"
    )
    (record,) = read_book(f"{header}\n0,g6,H7;\n")
    assert record.headers == {
        "PW": "白队", "PB": "黑队", "JS": "0:2", "DT": "2020-09-24 11:02:00", "JD": "00:26:00",
        "PC": "Aba", "EV": "Cup",
    }  # fmt: skip
    assert record.result == "B+"
    assert write_book(record) == f"{header}\n0,g6,H7;\n"
    assert jiu.read(jiu.write(record)) == record
    with pytest.raises(ParseError, match="cannot stand in a header field"):
        write_book(Record("jiu", record.moves, headers={"PW": "[A]"}))


def test_several_games_of_the_rule_books_format() -> None:
    one, two = read_book(f"{SMALL_BOOK}4,clrall;\n{SMALL_BOOK}4,clrall;\n", SMALL)
    assert one == two
    headless = "".join(SMALL_BOOK.splitlines(keepends=True)[1:])
    assert read_book(headless, SMALL)[0].moves == one.moves


def test_a_file_may_break_off_before_stones_are_taken() -> None:
    """The published demonstration ends so; anywhere else it is an error."""
    text = (DATA / "records" / "book_master_game.txt").read_text()
    cut = text[: text.index("4,h8-h7")].replace("3,G8-G6,g7,e6;", "3,G8-G6,g7;")
    assert " take " in read_book(cut)[0].last().text
    with pytest.raises(ParseError, match=r"line 4, battle turn 1: .* takes too few stones"):
        read_book(text.replace("3,G8-G6,g7,e6;", "3,G8-G6,g7;"))


def test_flights_and_jumps_are_told_apart_by_what_is_listed() -> None:
    position = board(E21, options="fly_threshold=6,min_stones=0,shape_check=off")
    assert parse_jq_turn(position, "A3,C3 TC-B3") == jiu.parse_turn(position, "C1-C3xC2")
    assert parse_jq_turn(position, "A3,C3") == jiu.parse_turn(position, "C1~C3")
    assert parse_jq_turn(position, "A3,A2") == jiu.parse_turn(position, "C1-B1")
    assert parse_jq_turn(position, "A3,B2") == jiu.parse_turn(position, "C1~B2")
    assert jq_turn_text(read_turn("C1-C3xC2*F5")) == "A3,C3 TC-B3 FC-E6"
    with pytest.raises(ParseError, match="the path jumps C2; listed: E5"):
        parse_jq_turn(position, "A3,C3 TC-E5")


def test_gongjius_flights_can_be_doubtful_by_other_rules() -> None:
    """It bans the single jump when a side flies, so its own files are never in doubt."""
    given = Displacement("line 9", 1, ((2, 0), (2, 2)), (), None)
    either = board(E21, options="fly_threshold=6,min_stones=0,shape_check=off")
    with pytest.raises(ParseError, match=r"C1-C3xC2 or C1~C3\? Both are legal"):
        play_displacement(either, given, complete=True)
    banned = board(E21, options="fly_threshold=6,min_stones=0,shape_check=off,single_jump_ban=both")
    assert str(play_displacement(banned, given, complete=True).turn) == "C1~C3"


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("book", "0,b1,", "b1,", "line 2: 'b1,C2"),
        ("book", "2,b1", "3,b1", "line 4: '3,b1;'; expected line number 2"),
        ("book", "1,C2;", "1,c2;", "line 3: expected one of the two central stones"),
        ("book", "2,b1;", "2,C2;", "line 4: expected one of the two central stones"),
        ("book", "D1-B1,c1", "D1-b1,c1", "line 5: b1 is not in black's case"),
        ("book", "D1-B1,c1", "D1-B1,C1", "line 5: C1 is in the mover's case"),
        ("book", "D1-B1,c1", "D1-B1", "line 5, battle turn 1:"),
        ("book", "D1-B1,c1", "d0-b0,C0", "line 5, battle turn 1: white moves out of turn"),
        (
            "book",
            "D1-B1,c1",
            "D1-B1,c1,a0",
            "line 5, battle turn 1: D2-B2xC2*A1 takes too many stones",
        ),
        ("book", "D1-B1,c1", "D1-B9,c1", "line 5, battle turn 1:"),
        ("book", "D1-B1,c1;", "D1-B1,c1", "line 5: '3,D1-B1,c1'; expected a turn like"),
        ("book", "d2,D3", "d2,D2", "line 2, placement 16: D3 is occupied"),
        ("book", "JIU[4]", "JIU[6]", "line 1: the file is for size 6; jiu(size=4) was asked for"),
        ("book", "[Az]", "[A]", "line 1: team [A]; expected its name followed by z"),
        ("book", "[BZ],[]", "[BZ],[white]", "line 1: winner [white]"),
        ("book", "[BZ],[]", "[BZ]", "line 1: expected [JIU[14]],"),
        ("book", "1,C2;\n", "[JIU[4]],[Az],[BZ],[],[],[],[],[],[];\n", "line 3: a second header"),
        ("open", "Stage[1]:", "", "line 1: expected Stage[1]:"),
        ("open", "W(B,2);", "W(B,2);;", "line 1: ';;'"),
        ("open", "W(B,2);", "X(B,2);", "line 1: 'X(B,2)'; expected a placement like W(G,7)"),
        ("open", "W(A,1)", "W(P,1)", "line 1: 'W(P,1)'; expected a placement"),
        ("open", "W(A,1)", "W(E,1)", "line 1, placement 3: 'A5' is not a point"),
        ("open", "W(A,1)", "B(A,1)", "line 1, placement 3: black places out of turn"),
        ("open", "B(B,4)-O", "W(B,4)-O", "captures a stone of the mover's own"),
        ("open", "TC:W(B,3)", "TC:W(C,3)", "the path jumps C2; listed: C3"),
        ("open", "TC:W(B,3)", "FC:W(B,3)", "line 1, battle turn 1:"),
        ("open", "TC:W(B,3)", "TC:W(B,99)", "has a point off the board"),
        ("open", "-O(B,2)", "-W(B,2)", "expected a turn like B(H,7)-O(G,7)"),
        ("jq", "B2\n", "B2 TC-A1\n", "line 1: 'B2 TC-A1' places a stone"),
        ("jq", "B2\n", "b2\n", "line 1: 'b2'; expected a turn like"),
        ("jq", "TC-B3", "TC-B3 FC-A1", "line 17, battle turn 1: D2-B2xC2*A1 takes too many stones"),
        ("jq", "D4\n", "", "line 16, battle turn 1: stones move before the board is full"),
        ("jq", "B4,B2", "B4,B3", "line 17, battle turn 1: the path jumps none; listed: C2"),
        ("gongjiu", "one vs two\n", "", "line 1: expected the players"),
        ("gongjiu", "18.D2", "19.D2", "line 20: '19.D2-B2;'; expected turn number 18"),
        ("gongjiu", "18.D2-B2", "18.D2-b2", "line 20: '18.D2-b2;' mixes cases"),
        ("gongjiu", "18.D2-B2", "18.D2-B1", "line 20, battle turn 1:"),
        ("gongjiu", "18.D2-B2", "18.d1-b1", "line 20, battle turn 1: white moves out of turn"),
        ("gongjiu", "0.a1;", "0.a9;", "line 6, placement 3:"),
        ("gongjiu", "0.a1;", "0.a1-a2;", "line 6: '0.a1-a2;'; expected a placement"),
        ("gongjiu", "0.a1;", "0.A1;", "line 6, placement 3: black places out of turn"),
    ],
)
def test_damage_is_found_and_named(name: str, old: str, new: str, message: str) -> None:
    text, reader = small_readers()[name]
    assert old in text
    with pytest.raises(ParseError) as refused:
        reader(text.replace(old, new, 1))
    assert message in str(refused.value)


def test_records_that_cannot_be_written() -> None:
    whole = random_record("jiu(size=6)", seed=3)
    texts = [position.text for position in whole.positions()]
    inside = next(i for i, text in enumerate(texts) if " jump " in text)
    cut = Record(whole.game, whole.moves[:inside])
    for writer in (write_book, write_jq, lambda record: write_open([record])):
        with pytest.raises(ParseError, match="is not over; expected a stop"):
            writer(cut)
    with pytest.raises(ParseError, match="this format needs placements"):
        write_book(Record("jiu"))


def test_slips_are_forgiven_only_in_a_layout_that_fills_the_board() -> None:
    layout = SMALL_BOOK.splitlines()[1]
    (slipped,) = read_book(layout.replace("a0,A1", "A1,a0"), SMALL)
    assert (slipped.moves, slipped.start) == ((), "oxox/o1xo/xo1x/oxox x battle 0 0")
    for old, new, message in (
        ("b1,C2,a0", "b9,c9,a0", "line 1: 16 placements fill 14 points of 16"),
        ("d2,D3", "d2,d2", "line 1: 16 placements fill 15 points of 16"),
        ("a2,A3,b0,B2,b3,C0", "a2,a3,b0,b2,b3,c0", "line 1: white has 10 stones; there are 8"),
    ):
        with pytest.raises(ParseError) as refused:
            read_book(layout.replace(old, new), SMALL)
        assert message in str(refused.value)


@pytest.mark.parametrize("name", ["book", "open", "jq", "gongjiu"])
def test_empty_files_are_refused(name: str) -> None:
    if name != "jq":
        with pytest.raises(ParseError):
            small_readers()[name][1]("\n")
    else:
        assert read_jq("", SMALL).moves == ()


PIECES = (
    "[",
    "]",
    ";",
    ",",
    "-",
    "(",
    "0",
    "14",
    "A1",
    "bb",
    "TC",
    "FC:",
    "W(",
    "\n",
    "é",
    "clrall;",
)


@pytest.mark.parametrize("name", ["book", "open", "jq", "gongjiu"])
def test_damaged_files_are_refused_or_read_but_never_crash(name: str) -> None:
    text, reader = small_readers()[name]
    stream = random.Random(20)
    refused = 0
    for _ in range(1_500):
        try:
            reader(mutated(text, PIECES, stream))
        except ParseError:
            refused += 1
    assert refused > 500
