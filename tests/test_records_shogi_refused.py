"""Records of shogi that are wrong: KIF and CSA refused with place and reason, and never a crash."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated
from shogi_records import DRAWN, KIF, golden_record, played

from tempo.errors import IllegalMove, ParseError
from tempo.games.record import Record
from tempo.games.shogi import csa, kif

# ---- what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: an empty file"),
        ("hello\n", "line 1, column 1: 'hello'; expected a header like 先手：Ann"),
        ("先手：A\n先手：B\n", "line 2, column 1: PB is given twice"),
        ("先手：A\n下手：B\n", "line 2, column 1: PB is given twice"),
        ("手合割：半落ち\n", "line 1, column 5: '半落ち'; expected 平手, 香落ち"),
        ("手合割：その他\n", "line 1, column 5: その他 without a diagram; expected one"),
        ("手合割：平手\n手合割：平手\n", "line 2, column 1: 手合割 is given twice"),
        ("左手の持駒：なし\n", "line 1, column 1: '左手の持駒'; expected 先手の持駒"),
        ("先手の持駒：歩　歩\n", "line 1, column 9: '歩' is not of a hand"),
        ("先手の持駒：歩十九\n", "line 1, column 7: '歩十九' is not of a hand"),
        ("先手の持駒：玉\n", "'玉' is not of a hand"),
        ("先手の持駒：飛　と\n", "line 1, column 9: 'と' is not of a hand"),
        ("+--+\n|\n", "line 2, column 1: expected rank 1 of the diagram"),
        (
            "+--+\n| ・|一\n",
            "line 2, column 2: 2 characters between the bars; expected two a square",
        ),
        ("+--+\n" + "|" + " ・" * 9 + "|二\n", "line 2, column 21: '二'; expected 一"),
        ("+--+\n|" + " ・" * 8 + "x歩|一\n", "line 2, column 18: 'x歩' is not a square"),
        ("+--+\n", "line 1, column 1: the file ends before rank 1"),
        (DRAWN.replace("| ・ ・ ・ ・ 玉", "| ・ ・ ・ ・ ・"), "line 3, column 1: "),
        (DRAWN.replace("歩十八", "歩十八　香四"), "line 3, column 1: "),
        (KIF + "1 ７六歩(77)\n3 ３四歩(33)\n", "line 4, column 1: move 3; expected move 2"),
        (KIF + "2 ７六歩(77)\n", "line 3, column 1: move 2; expected move 1"),
        (KIF + "１ ７六歩(77)\n", "line 3, column 1: '１ ７六歩(77)'; expected a move like 1"),
        (KIF + "1 ７十歩(77)\n", "line 3, column 3: '７十歩(77)'; expected a square like ７六, 同"),
        (KIF + "1 ７六兵(77)\n", "line 3, column 5: '兵(77)'; expected a piece"),
        (KIF + "1 ７六歩77\n", "line 3, column 6: '77'; expected 成, 打 or where"),
        (KIF + "1 ７六歩右(77)\n", "line 3, column 6: '右(77)'; expected 成, 打"),
        (KIF + "1 ７六歩(77) soon\n", "line 3, column 11: 'soon'; expected a time like ( 0:16"),
        (KIF + "1 ７六歩(77) ( 0:1/00:00:00)\n", "column 11: '( 0:1/00:00:'; expected a time"),
        (KIF + "1 同　歩(77)\n", "line 3, column 5: '歩(77)'; expected a square: 同 is that of"),
        (KIF + "1 ７六金(77)\n", "line 3, column 5: 歩 is on 7七, not 金"),
        (KIF + "1 ７五歩(76)\n", "line 3, column 5: nothing is on 7六, not 歩"),
        (KIF + "1 ７五歩(77)\n", "line 3, column 3: 7g7e: a pawn cannot go there"),
        (KIF + "1 ７六歩成(77)\n", "line 3, column 3: "),
        (KIF + "1 ７六歩打\n", "line 3, column 3: "),
        (KIF + "1 ３三歩(33)\n", "line 3, column 3: "),
        (KIF + "1 投了\n2 ７六歩(77)\n", "line 4, column 1: move 2; expected move 1"),
        (KIF + "1 投了\n1 ７六歩(77)\n", "line 4, column 1: a move after the end of the game"),
        (
            KIF + "1 ７六歩(77)\nまで2手で先手の勝ち\n",
            "line 4, column 3: まで2手, but there are 1 moves",
        ),
        (KIF + "1 ７六歩(77)\nまで1手で誰かの勝ち\n", "line 4, column 6: '誰かの勝ち'; expected"),
        (KIF + "まで0手で後手の入玉勝ち\n", "line 3, column 1: W+D, but Black is to move"),
        (KIF + "1 投了\nまで0手で先手の勝ち\n", "先手の勝ち is B+, but the moves end with W+R"),
        (KIF + "まで0手で中断\n1 ７六歩(77)\n", "line 4, column 1: '1 ７六歩(77)' after the end"),
        (
            KIF + "1 ７六歩(77)\n変化：3手\n",
            "line 4, column 1: '変化：3手'; the line before has moves 1 to 2",
        ),
        (KIF + "1 ７六歩(77)\n変化：0手\n", "the line before has moves 1 to 2"),
        (KIF + "1 ７六歩(77)\n変化：手\n", "line 4, column 1: '変化：手' after the end"),
    ],
)
def test_what_is_wrong_with_kif_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        kif.read_lines(text)
    assert message in str(refused.value)


CSA = "V2.2\nPI\n+\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the file ends before the line + or -"),
        ("hello\n", "line 1, column 1: 'hello'; expected N+ or N- and a name"),
        ("V9\n", "line 1, column 1: 'V9'; expected V1, V2, V2.1, V2.2, V3.0 at the top"),
        ("N+A\nV2.2\n", "line 2, column 1: 'V2.2'; expected"),
        ("N+A\nN+B\n", "line 2, column 1: N+ is given twice"),
        ("$EVENT\n", "line 1, column 1: '$EVENT'; expected"),
        ("+\n", "line 1, column 1: no board; expected PI"),
        ("PI\nN+A\n+\n", "line 2, column 1: 'N+A'; expected more of the board"),
        ("PI\nPI\n+\n", "line 2, column 1: PI after other lines of a board"),
        ("PI82KA\n+\n", "line 1, column 3: no KA on 82 to leave out"),
        ("PI8\n+\n", "line 1, column 3: '8'; expected a square and a piece"),
        ("PX\n+\n", "line 1, column 1: 'PX'; expected PI, P1 to P9, P+ or P-"),
        ("P1 *  *\n+\n", "line 1, column 9: '   ' is not a square"),
        ("P1+XX\n+\n", "line 1, column 3: '+XX' is not a square"),
        ("P1" + " * " * 10 + "\n+\n", "line 1, column 30: more than nine squares"),
        ("P1" + " * " * 9 + "\n+\n", "line 2, column 1: the board has no P2"),
        ("P1" + " * " * 9 + "\nP1" + " * " * 9 + "\n", "line 2, column 1: P1 a second time"),
        ("P+55FU55FU\n", "line 1, column 7: two pieces on 55"),
        ("P+50FU\n", "line 1, column 3: '50FU'; expected a piece"),
        ("P+00OU\n", "line 1, column 3: 'OU' is not of a hand"),
        ("P+00HI00HI00HI\n", "line 1, column 11: 3 HI in a hand; there are 2"),
        ("P+00AL00FU\n", "line 1, column 7: 'FU' after AL"),
        ("P+00AL\nP-00FU\n", "line 2, column 1: 'P-00FU' after AL"),
        ("P+59OU\n+\n", "line 2, column 1: "),
        (CSA + "7776FU\n", "line 4, column 1: '7776FU'; expected a move like +7776FU"),
        (CSA + "-3334FU\n", "line 4, column 1: - moves out of turn; expected +"),
        (CSA + "+7776XX\n", "line 4, column 1: '+7776XX'; expected a move"),
        (CSA + "+0776FU\n", "'+0776FU'; expected a move like +7776FU, with 00 for a drop"),
        (CSA + "+7776KI\n", "line 4, column 6: FU is on 77, which cannot become KI"),
        (CSA + "+7675FU\n", "line 4, column 6: nothing is on 76"),
        (CSA + "+7775FU\n", "line 4, column 1: 7g7e: a pawn cannot go there"),
        (CSA + "+0055KA\n", "line 4, column 1: "),
        (CSA + "T5\n", "line 4, column 1: a time without a move"),
        (CSA + "+7776FU\nT5\nT6\n", "line 6, column 1: a time without a move"),
        (CSA + "+7776FU\nTx\n", "line 5, column 1: 'Tx'; expected seconds"),
        (CSA + "+7776FU,-7776FU\n", "line 4, column 14: nothing is on 77"),
        (CSA + "%DONE\n", "line 4, column 1: '%DONE'; expected %TORYO"),
        (CSA + "%ILLEGAL_ACTION\n", "(an action has + or -)"),
        (CSA + "%TORYO\n%TORYO\n", "line 5, column 1: a second end of the game"),
        (CSA + "%TORYO\n+7776FU\n", "line 5, column 1: a move after the end"),
        (CSA + "PI\n", "line 4, column 1: 'PI'; expected a move like +7776FU, a time"),
    ],
)
def test_what_is_wrong_with_csa_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        csa.read_all(text)
    assert message in str(refused.value)


def test_records_that_cannot_be_written() -> None:
    moves = played("7g7f 3c3d")
    for module in (kif, csa):
        with pytest.raises(ParseError, match="is for shogi, not for minishogi"):
            module.write(Record("minishogi"))
        with pytest.raises(ParseError, match=r"'B\+5' is no result of shogi"):
            module.write(Record("shogi", moves, result="B+5"))
        with pytest.raises(ParseError, match=r"B\+R, but Black is to move"):
            module.write(Record("shogi", moves, result="B+R"))
        with pytest.raises(ParseError, match=r"(EVENT|棋戦) has several lines"):
            module.write(Record("shogi", headers={"EV": "a\nb"}))
        with pytest.raises(ParseError, match="two headers would be called"):
            module.write(Record("shogi", headers={"EV": "a", "EVENT": "b", "棋戦": "c"}))
        with pytest.raises(ParseError, match=r"MS\[1\]; expected milliseconds for each"):
            module.write(Record("shogi", moves, headers={"MS": "1"}))
        with pytest.raises(ParseError, match="MS has a time for the end"):
            module.write(Record("shogi", moves, headers={"MS": "1,1,1000"}))
        with pytest.raises(IllegalMove, match="move 2 of 2"):
            module.write(Record("shogi", (moves[0], moves[0])))
    for name in ("", "a：b", "手合割", "# a", "12 a", "先手の持駒", "まで1手で", "変化"):
        with pytest.raises(ParseError, match="cannot be a header in KIF"):
            kif.write(Record("shogi", headers={name: "x"}))
    with pytest.raises(ParseError, match="cannot be a header in CSA"):
        csa.write(Record("shogi", headers={"a:b": "x"}))
    with pytest.raises(ParseError, match=r"B\+ has no reason"):
        csa.write(Record("shogi", moves, result="B+"))
    with pytest.raises(ParseError, match="variations of one game have its rules and its start"):
        kif.write_lines([Record("shogi"), Record("shogi(length=9)")])


def test_the_rules_to_replay_by_can_be_chosen() -> None:
    text = csa.write(Record("shogi(length=2)", played("7g7f 3c3d")))
    assert "%MAX_MOVES" in text
    assert csa.read(text, "shogi(length=2)").result == "0+L"
    with pytest.raises(ParseError, match="KIF is for shogi, not for chess"):
        kif.read(KIF, "chess")


# ---- damage --------------------------------------------------------------------------------------

PIECES = (
    "：", "(", ")", "\n", "\r", "同", "打", "成", "投了", "９", "一", "変化：1手", "|", "+", "-",
    "%", "T",
    "'", ",", "0", "00AL", "P1", "7" * 5_000, "v", "・", "\u3000", " ", "²", "まで1手で", "/",
)  # fmt: skip
DAMAGED: dict[str, tuple[str, Callable[[str], object]]] = {
    "kif": (kif.write(golden_record()), kif.read_lines),
    "kif from a position": (
        DRAWN + "1 ５八金打\n2 同　玉(59)\n変化：1手\n1 投了\n",
        kif.read_lines,
    ),
    "csa": (csa.write(golden_record()), csa.read_all),
    "csa from a position": (
        csa.write(Record("shogi", start="4k4/9/3+L1+r3/9/9/9/9/9/4K4 w rb4g3p 1")),
        csa.read_all,
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_or_read_but_never_crash(name: str) -> None:
    text, reader = DAMAGED[name]
    stream = random.Random(5)
    refused: list[str] = []
    for _ in range(500):
        try:
            reader(mutated(text, PIECES, stream))
        except ParseError as error:
            refused.append(str(error))
    assert 125 < len(refused) < 500
    assert all(re.match(r"line \d+, column \d+: ", message) for message in refused)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("123 ７六歩五同角成打(77)\n変化：手投了まで"), max_size=30))
def test_any_kif_text_is_read_or_refused_and_what_is_read_survives(text: str) -> None:
    try:
        lines = kif.read_lines(f"{KIF}1 ７六歩(77)\n2 ３四歩(33)\n3 {text}\n")
    except ParseError:
        return
    assert kif.read_lines(kif.write_lines(lines)) == lines
