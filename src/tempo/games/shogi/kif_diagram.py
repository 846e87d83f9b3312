"""Diagrams of KIF: a board drawn with lines, hands in words, names of handicaps.

後手の持駒：飛　歩二
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂 ・ ・v玉 ・ ・v桂v香|一
...
+---------------------------+
先手の持駒：なし
後手番
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tempo.games.shogi.notation import COUNTS, EVEN, HAND, SIZE, Hand, Line, Placement, own

KANJI = "一二三四五六七八九"
FILES = "１２３４５６７８９"
HEADING = "  " + " ".join(reversed(FILES))
BORDER = "+" + "-" * 27 + "+"

# One sign a piece, as diagrams have them.
SIGNS = {
    "P": "歩", "L": "香", "N": "桂", "S": "銀", "G": "金", "B": "角", "R": "飛", "K": "玉",
    "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
}  # fmt: skip
PIECES = {sign: piece for piece, sign in SIGNS.items()} | {"王": "K", "竜": "+R"}
EMPTY = "・"
NAMED = {**SIGNS, "+L": "成香", "+N": "成桂", "+S": "成銀"}  # as moves have them

# White gives these pieces and moves first.
HANDICAPS = {
    "香落ち": "lnsgkgsn1/1r5b1",
    "右香落ち": "1nsgkgsnl/1r5b1",
    "角落ち": "lnsgkgsnl/1r7",
    "飛車落ち": "lnsgkgsnl/7b1",
    "飛香落ち": "lnsgkgsn1/7b1",
    "二枚落ち": "lnsgkgsnl/9",
    "三枚落ち": "lnsgkgsn1/9",
    "四枚落ち": "1nsgkgsn1/9",
    "五枚落ち": "2sgkgsn1/9",
    "左五枚落ち": "1nsgkgs2/9",
    "六枚落ち": "2sgkgs2/9",
    "右七枚落ち": "3gkgs2/9",
    "左七枚落ち": "2sgkg3/9",
    "八枚落ち": "3gkg3/9",
    "十枚落ち": "4k4/9",
}
STARTS = {"平手": EVEN} | {
    name: f"{rows}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    for name, rows in HANDICAPS.items()
}

_border = re.compile(r"\+-+\+[ 　]*")
_row = re.compile(rf"\|(.*)\|([{KANJI}]?)[ 　]*")
_cell = re.compile(r"([ v^])(.)")


# ---- reading -------------------------------------------------------------------------------------


def is_border(line: Line) -> bool:
    """Whether a line draws the upper or the lower edge of a board."""
    return _border.fullmatch(line.text) is not None


def read_row(line: Line, rank: int, board: Placement) -> None:
    """One rank between its bars."""
    found = _row.fullmatch(line.text)
    if found is None:
        raise line.error(f"expected rank {rank} of the diagram, nine squares between bars")
    if found[2] not in ("", KANJI[rank - 1]):
        raise line.error(f"'{found[2]}'; expected {KANJI[rank - 1]}", found.start(2))
    cells = found[1]
    if len(cells) != 2 * SIZE:
        raise line.error(f"{len(cells)} characters between the bars; expected two a square, 18", 1)
    for i in range(SIZE):
        cell = _cell.fullmatch(cells, 2 * i, 2 * i + 2)
        if cell is None or (cell[2] not in PIECES and cells[2 * i : 2 * i + 2] != " " + EMPTY):
            raise line.error(
                f"'{cells[2 * i : 2 * i + 2]}' is not a square; expected a piece after a space or, "
                f"for White, after v, or ' {EMPTY}'",
                1 + 2 * i,
            )
        if cell[2] != EMPTY:
            board.pieces[SIZE - i, rank] = own(PIECES[cell[2]], cell[1] == "v")


def read_hand(line: Line) -> Hand:
    """`飛　角二　歩十八`, or `なし` for an empty hand."""
    if line.text.strip(" 　") in ("", "なし"):
        return {}
    hand: Hand = {}
    for found in re.finditer(r"[^ 　]+", line.text):
        letter, count = PIECES.get(found[0][0], ""), _number(found[0][1:])
        if letter not in HAND or not count or count > COUNTS[letter] or letter in hand:
            raise line.error(
                f"'{found[0]}' is not of a hand; expected pieces once each with how many, as in "
                "角　歩十二, or なし",
                found.start(),
            )
        hand[letter] = count
    return hand


def _number(kanji: str) -> int | None:
    """1 for nothing, 12 for 十二; None for what is no number up to 19."""
    if not kanji:
        return 1
    tens, one = (10, kanji[1:]) if kanji[0] == "十" else (0, kanji)
    if one == "" and tens:
        return tens
    return tens + KANJI.index(one) + 1 if len(one) == 1 and one in KANJI else None


# ---- writing -------------------------------------------------------------------------------------


def handicap_of(sfen: str) -> str | None:
    """The name of a start, if it has one."""
    return next((name for name, start in STARTS.items() if start == sfen), None)


def diagram(board: Placement) -> Iterator[str]:
    """The lines of a drawn position."""
    yield f"後手の持駒：{_hand_text(board.hands[1])}"
    yield HEADING
    yield BORDER
    for rank in range(1, SIZE + 1):
        cells = (_cell_text(board, file, rank) for file in range(SIZE, 0, -1))
        yield f"|{''.join(cells)}|{KANJI[rank - 1]}"
    yield BORDER
    yield f"先手の持駒：{_hand_text(board.hands[0])}"
    if board.turn:
        yield "後手番"
    if board.number > 1:
        yield f"手数＝{board.number - 1}"


def _cell_text(board: Placement, file: int, rank: int) -> str:
    piece = board.pieces.get((file, rank))
    if piece is None:
        return f" {EMPTY}"
    return f"{'v' if piece.islower() else ' '}{SIGNS[piece.upper()]}"


def _hand_text(hand: Hand) -> str:
    held = [f"{SIGNS[letter]}{_kanji(hand[letter])}" for letter in HAND if hand.get(letter)]
    return "　".join(held) or "なし"


def _kanji(number: int) -> str:
    if number == 1:
        return ""
    ten, one = divmod(number, 10)
    return ("十" if ten else "") + (KANJI[one - 1] if one else "")
