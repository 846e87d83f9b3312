"""Records of shogi: KIF and CSA, in and out.

`python tests/test_records_shogi.py --write` rewrites the golden files; a test run only compares.
"""

from __future__ import annotations

import re
import sys
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_records import DRAWN, GAME, KIF, golden_record, played, random_record, spelt, turn_after

from tempo.errors import ParseError
from tempo.games.record import Record
from tempo.games.shogi import csa, kif
from tempo.games.shogi.kif_diagram import STARTS
from tempo.games.shogi.notation import EVEN, Placement

DATA = Path(__file__).resolve().parent / "data" / "records"
DOCS = Path(__file__).resolve().parent.parent / "docs" / "records.md"


# ---- golden files --------------------------------------------------------------------------------


def test_the_golden_kif_in_shift_jis() -> None:
    data = (DATA / "shogi_game.kif").read_bytes()
    assert "春野 一郎".encode("cp932") in data
    assert kif.read_file(DATA / "shogi_game.kif") == golden_record()


def test_the_golden_csa() -> None:
    text = (DATA / "shogi_game.csa").read_text()
    assert csa.read(text) == golden_record()
    assert csa.write(golden_record()) == text


def test_files_on_disk(tmp_path: Path) -> None:
    record = golden_record()
    for name in ("game.kif", "game.kifu"):
        kif.write_file(tmp_path / name, record)
        assert kif.read_file(tmp_path / name) == record
    assert (tmp_path / "game.kif").read_bytes() == (DATA / "shogi_game.kif").read_bytes()
    assert (tmp_path / "game.kifu").read_text() == kif.write(record)
    foreign = Record("shogi", headers={"PB": "Ünal", "PW": "ナ"})
    with pytest.raises(ParseError, match=r"Shift-JIS has no 'Ü'; expected a file \.kifu"):
        kif.write_file(tmp_path / "game.kif", foreign)
    assert kif.read_file(tmp_path / "game.kif") == record, "the old file is as it was"
    (tmp_path / "broken.kif").write_bytes(b"\xff\xfe\x81")
    with pytest.raises(ParseError, match="is neither UTF-8"):
        kif.read_file(tmp_path / "broken.kif")
    records = (record, Record("shogi", played("2g2f")))
    csa.write_file(tmp_path / "games.csa", records)
    assert csa.read_file(tmp_path / "games.csa") == records
    (tmp_path / "old.csa").write_bytes("V2.2\r\nN+春野\r\nPI\r\n+\r\n".encode("cp932"))
    assert csa.read_file(tmp_path / "old.csa")[0].headers == {"PB": "春野"}


# ---- round trips ---------------------------------------------------------------------------------

plain = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12
)
headers = st.fixed_dictionaries(
    {}, optional={"PB": plain, "PW": plain, "EV": plain, "DT": plain, "持ち時間": plain, "C": plain}
)
OPEN_ENDS = ("R", "T", "F", "M")  # by which the side to move loses


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Games from the start, from handicaps and from the middle of others, with all they say."""
    told = dict(draw(headers))
    start = draw(st.sampled_from(["", *STARTS.values(), "middle"]))
    if start == "middle":
        start = random_record(draw(st.integers(0, 200)), draw(st.integers(1, 120))).last().text
        if GAME.parse(start).is_over:
            start = ""
    start = "" if start == EVEN else start
    record = random_record(draw(st.integers(0, 2**32)), draw(st.integers(0, 150)), start)
    turn, result = turn_after(record), record.result
    if result == "?":
        loss = "BW"[1 - turn] + "+" + draw(st.sampled_from(OPEN_ENDS))
        win = "BW"[turn] + "+" + draw(st.sampled_from(["D", "F"]))
        result = draw(st.sampled_from(["?", "Void", "0", "0+R", "0+J", "0+L", loss, win]))
    if draw(st.booleans()) and record.moves:
        times = [draw(st.integers(0, 5000)) for _ in record.moves]
        times += [7] if result != "?" and draw(st.booleans()) else []
        if any(times):
            told["MS"] = ",".join(str(1000 * time) for time in times)
    return Record("shogi", record.moves, record.start, told, result)


@settings(max_examples=80, deadline=None)
@given(records())
def test_records_survive_kif(record: Record) -> None:
    text = kif.write(record)
    again = kif.read(text)
    assert again == record
    assert kif.write(again) == text
    assert kif.read("\ufeff" + text.replace("\n", "\r\n")) == record


@settings(max_examples=80, deadline=None)
@given(records())
def test_records_survive_csa(record: Record) -> None:
    text = csa.write(record)
    again = csa.read(text)
    # The number of the first move is all that CSA has no place for.
    start = " ".join([*record.start.split(" ")[:3], "1"]) if record.start else ""
    assert again == Record("shogi", record.moves, start, record.headers, record.result)
    assert csa.write(again) == text
    assert kif.read(kif.write(again)) == again, "through KIF nothing is lost"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 40), min_size=1, max_size=5))
def test_variations_survive_kif(seed: int, lengths: list[int]) -> None:
    main = random_record(seed, 40)
    lines = [main]
    for i, length in enumerate(lengths):
        kept = lines[-1].moves[: min(length, len(lines[-1].moves) - 1)]
        position = Record("shogi", kept).last()
        rest = random_record(seed + i + 1, 5, position.text).moves
        lines.append(Record("shogi", kept + rest))
    text = kif.write_lines(lines)
    assert kif.read_lines(text) == tuple(lines)


def test_fractions_of_a_second_are_for_csa() -> None:
    record = Record("shogi", played("7g7f 3c3d"), headers={"MS": "1234,500"})
    assert csa.read(csa.write(record)) == record
    assert "\nT1.234\n-3334FU\nT0.5\n" in csa.write(record)
    assert kif.read(kif.write(record)).headers == {"MS": "1000,0"}, "KIF has whole seconds"


# ---- what the formats mean -----------------------------------------------------------------------


def test_a_move_is_told_in_kif() -> None:
    record = kif.read(
        KIF + "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n"
        "   5 ５五角打\n   6 ４二王(51)\n   7 ２二角成(55)\n   8 投了\nまで7手で先手の勝ち\n"
    )
    assert spelt(record) == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "5a4b", "5e2b+"]
    assert record.result == "B+R"


def test_what_real_kif_files_vary_in() -> None:
    expected = Record("shogi", played("7g7f 3c3d 8h3c+ 2a3c"))
    for text in (
        KIF + "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ３三角成(88)\n   4 同　桂(21)\n",
        "# a program\n手合割：平手　　\n1 7六歩(77)\n2 3四歩(33)\n3 3三角成(88)\n4 同桂(21)",
        "手合割：平手\r\n\r\n1 ７六歩(77) +\r\n*on a move\r\n&mark\r\n2 ３四歩(33)\r\n"
        "3 ３三角成(88)\r\n4 同 桂不成(21)\r\n*on the last\r\n",
        "先手番\n手数＝0\n1 ７六歩(77)\n2 ３四歩(33)\n3 ３三角成(88)\n4 同　桂(21) ( 0:00/)\n",
    ):
        assert kif.read(text) == expected


def test_a_drawn_position() -> None:
    start = "4k4/9/3+L1+r3/9/9/9/9/9/4K4 w rb4g18p 12"
    for first in (1, 12):  # programs count from 1, or go on
        record = kif.read(f"{DRAWN}{first} ５八金打\n{first + 1} 同　玉(59)\n")
        assert (record.start, spelt(record)) == (start, ["G*5h", "5i5h"])
    assert kif.write(Record("shogi", start=start)).splitlines()[1:17] == DRAWN.splitlines()


def test_headers_come_in_any_order() -> None:
    there = ("後手の持駒：飛\n", "後手番\n", "手合割：十枚落ち\n", "手数＝3\n")
    for order in permutations(there):
        record = kif.read("".join(order))
        assert record.start == "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w r 4"
    commented = kif.read("*before\n手合割：平手\n手数----\n*after\n1 ７六歩(77)\n*of the move\n")
    assert commented.headers == {"C": "before\nafter"}


def test_handicaps_have_names() -> None:
    text = "手合割：二枚落ち\n下手：A\n上手：B\n1 ６二銀(71)\n2 投了\nまで1手で上手の勝ち\n"
    record = kif.read(text)
    assert record.start == "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert (record.headers, record.result) == ({"PB": "A", "PW": "B"}, "W+R")
    assert "手合割：二枚落ち\n下手：A\n上手：B\n" in kif.write(record)
    assert csa.read("PI82HI22KA\n-\n-7162GI\n%TORYO\n").start == record.start
    assert len(set(STARTS.values())) == len(STARTS) == 16


def test_variations_are_whole_lines() -> None:
    text = KIF + (
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 投了\nまで3手で先手の勝ち\n\n"
        "変化：3手\n3 ６六歩(67)\n4 ８四歩(83)\n\n変化：4手\n4 ４四歩(43)\n\n変化：2手\n2 中断\n"
    )
    lines = kif.read_lines(text)
    assert [" ".join(spelt(line)) for line in lines] == [
        "7g7f 3c3d 8h2b+",
        "7g7f 3c3d 6g6f 8c8d",
        "7g7f 3c3d 6g6f 4c4d",
        "7g7f",
    ]
    assert [line.result for line in lines] == ["B+R", "?", "?", "Void"]
    with pytest.raises(ParseError, match=r"variations, the first after move 2;.*read_lines"):
        kif.read(text)


def test_csa_positions() -> None:
    pieces = "P-51OU\nP-00HI\nP+59OU63NY\nP+00KI00FU00FU\nP-00AL\n-\n"
    record = csa.read(pieces)
    assert record.start == "4k4/9/3+L5/9/9/9/9/9/4K4 w G2P2r2b3g4s4n3l16p 1"
    assert csa.read(csa.write(record)) == record
    rows = csa.write(Record("shogi", start=EVEN.replace("b - 1", "w - 1")))
    assert "\nP2 * -HI *  *  *  *  * -KA * \n" in rows
    cut = "\n".join(line.rstrip() for line in rows.splitlines())
    assert csa.read(cut) == csa.read(rows), "editors cut spaces at the end"


def test_several_csa_statements_in_a_line() -> None:
    text = "V2.2\nN+A, B\nPI,+\n+7776FU,T12\n-3334FU,T6,%CHUDAN\n"
    record = csa.read(text)
    assert (record.headers, record.result) == ({"PB": "A, B", "MS": "12000,6000"}, "Void")


def test_csa_of_all_versions() -> None:
    for version in ("", "V1\n", "V2\n", "V2.1\n", "V2.2\n", "'CSA encoding=UTF-8\nV3.0\n"):
        record = csa.read(
            f"{version}$EVENT:a:b\n$TIME:300+0+10\nPI\n'*said\n+\n'skipped\n+7776FU\nT2.5\n"
        )
        assert record.headers == {"EV": "a:b", "TIME": "300+0+10", "C": "said", "MS": "2500"}
    several = csa.read_all("V2.2\nPI\n+\n+7776FU\n/\nN+A\nPI\n+\n%KACHI\n")
    assert [record.result for record in several] == ["?", "B+D"]
    with pytest.raises(ParseError, match="2 games in a file; expected one: read_all"):
        csa.read("PI\n+\n/\nPI\n+\n")


@pytest.mark.parametrize(
    ("word", "code", "result"),
    [
        ("投了", "%TORYO", "B+R"),
        ("切れ負け", "%TIME_UP", "B+T"),
        ("反則負け", "%ILLEGAL_MOVE", "B+F"),
        ("反則負け", "%-ILLEGAL_ACTION", "B+F"),
        ("反則勝ち", "%+ILLEGAL_ACTION", "W+F"),
        ("詰み", "%TSUMI", "B+M"),
        ("入玉勝ち", "%KACHI", "W+D"),
        ("千日手", "%SENNICHITE", "0+R"),
        ("持将棋", "%JISHOGI", "0+J"),
        ("最大手数", "%MAX_MOVES", "0+L"),
        ("引き分け", "%HIKIWAKE", "0"),
        ("中断", "%CHUDAN", "Void"),
        ("不詰", "%FUZUMI", "?"),
        ("待った", "%MATTA", "?"),
        ("エラー", "%ERROR", "?"),
    ],
)
def test_ends_have_words(word: str, code: str, result: str) -> None:
    """After one move by Black, White is to move."""
    for record in (
        kif.read(f"{KIF}1 ７六歩(77)\n2 {word} ( 0:05/00:00:05)\n"),
        csa.read(f"PI\n+\n+7776FU\n{code}\nT5\n"),
    ):
        assert record.result == result
        assert record.headers.get("MS", "") == ("" if result == "?" else "0,5000")
        assert kif.read(kif.write(record)) == csa.read(csa.write(record)) == record


@pytest.mark.parametrize(
    ("footer", "result"),
    [
        ("先手の勝ち", "B+"),
        ("後手の勝ち", "W+"),
        ("先手の反則負け", "W+F"),
        ("後手の反則勝ち", "W+F"),
        ("後手の入玉勝ち", "W+D"),
        ("時間切れにより先手の勝ち", "B+T"),
        ("千日手", "0+R"),
        ("詰み", "B+M"),
        ("中断", "Void"),
    ],
)
def test_a_footer_alone_tells_the_result(footer: str, result: str) -> None:
    record = kif.read(f"{KIF}1 ７六歩(77)\nまで1手で{footer}\n")
    assert record.result == result
    assert kif.read(kif.write(record)) == record


def test_the_board_overrules_what_is_unsaid_and_the_reason() -> None:
    start = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    moves = played("G*5b", start)
    assert kif.write(Record("shogi", moves, start)).endswith("   2 詰み\nまで1手で先手の勝ち\n")
    for said in ("?", "Void", "B+R", "B+"):
        record = Record("shogi", moves, start, result=said)
        assert kif.read(kif.write(record)).result == "B+M"
        assert csa.read(csa.write(record)).result == "B+M"
    for said in ("W+R", "0"):
        with pytest.raises(ParseError, match=f"says {re.escape(said)}, but the game ended B.M"):
            kif.write(Record("shogi", moves, start, result=said))


def test_repetition_ends_a_game() -> None:
    moves = played("2h3h 8b7b 3h2h 7b8b " * 3)
    assert kif.read(kif.write(Record("shogi", moves))).result == "0+R"
    with pytest.raises(ParseError, match=r"line 16, column 6: .*the game is over"):
        kif.read(kif.write(Record("shogi", moves)).replace("  13 千日手", "  13 ７六歩(77)"))


# ---- oracles -------------------------------------------------------------------------------------

WON = {"B": "b", "W": "w", "0": "-"}


def oracle_record(seed: int) -> Record:
    """A random game with times, resigned where the rules did not end it."""
    record = random_record(seed, 20 + 10 * seed)
    result = record.result if record.result != "?" else f"{'BW'[1 - turn_after(record)]}+R"
    times = ",".join(str(1000 * (i % 70)) for i in range(len(record.moves)))
    return Record("shogi", record.moves, "", {"PB": "甲", "PW": "乙", "MS": times}, result)


@pytest.mark.parametrize("seed", range(0, 24, 2))
def test_python_shogi_reads_what_we_write_and_we_what_it_does(seed: int) -> None:
    python_shogi = pytest.importorskip("shogi", reason="python-shogi is not installed")
    kif_of, csa_of = pytest.importorskip("shogi.KIF"), pytest.importorskip("shogi.CSA")

    record = oracle_record(seed)
    told = kif_of.Parser.parse_str(kif.write(record))[0]
    assert (told["moves"], told["names"]) == (spelt(record), ["甲", "乙"])
    assert told["win"] == WON[record.result[0]]
    told = csa_of.Parser.parse_str(csa.write(record))[0]
    assert (told["moves"], told["names"]) == (spelt(record), ["甲", "乙"])
    summary = {**told, "sfen": python_shogi.STARTING_SFEN, "win": "wb"[len(record.moves) % 2]}
    again = kif.read(kif_of.Exporter.kif(summary))
    assert again.moves == record.moves


@pytest.mark.parametrize("seed", range(1, 24, 2))
def test_cshogi_reads_what_we_write(seed: int) -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi is not installed")
    kif_of, csa_of = pytest.importorskip("cshogi.KIF"), pytest.importorskip("cshogi.CSA")

    record = oracle_record(seed)
    times = [i % 70 for i in range(len(record.moves))]
    for told in (
        kif_of.Parser.parse_str(kif.write(record)),
        csa_of.Parser.parse_str(csa.write(record))[0],
    ):
        assert [cshogi.move_to_usi(move) for move in told.moves] == spelt(record)
        assert list(told.times)[: len(times)] == times
    middle = list(record.positions())[len(record.moves) // 2]
    rest = Record("shogi", record.moves[len(record.moves) // 2 :], middle.text)
    told = csa_of.Parser.parse_str(csa.write(rest))[0]
    theirs, ours = Placement.parse(told.sfen), Placement.parse(middle.text)
    assert (theirs.pieces, theirs.hands, theirs.turn) == (ours.pieces, ours.hands, ours.turn)
    board = cshogi.Board(middle.text)
    drawn = kif.read(kif_of.board_to_bod(board) + "\n")
    assert drawn.start.split(" ")[:3] == middle.text.split(" ")[:3]


# ---- the documentation ---------------------------------------------------------------------------


def test_the_documentations_examples_can_be_read() -> None:
    section = DOCS.read_text().partition("## Shogi")[2]
    examples = re.findall(r"^```(kif|csa)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert {language for language, _ in examples} == {"kif", "csa"}
    for language, text in examples:
        read = kif.read_lines if language == "kif" else csa.read_all
        assert read(text)


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    kif.write_file(DATA / "shogi_game.kif", golden_record())
    csa.write_file(DATA / "shogi_game.csa", golden_record())
