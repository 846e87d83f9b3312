"""Games of shogi for the tests of records."""

from __future__ import annotations

import random
from typing import Any

import tempo
from tempo.games.record import Record
from tempo.games.shogi.ends import found_result
from tempo.games.shogi.notation import Placement

GAME = tempo.load("shogi")
KIF = "手合割：平手\n手数----指手---------消費時間--\n"
EMPTY_RANKS = "".join(f"| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n" for rank in "四五六七八")
DRAWN = (
    "後手の持駒：飛　角　金四　歩十八\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
    "+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ 杏 ・v龍 ・ ・ ・|三\n" + EMPTY_RANKS
    + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n"
    "先手の持駒：なし\n後手番\n手数＝11\n"
)  # fmt: skip


def random_record(seed: int, length: int, start: str = "", **told: Any) -> Record:
    """A random game, ended by its rules or broken off."""
    stream = random.Random(seed)
    position: Any = GAME.parse(start) if start else GAME.start()
    moves: list[int] = []
    while not position.is_over and len(moves) < length:
        legal = position.legal_moves
        moves.append(legal[stream.randrange(len(legal))])
        position = position.play(moves[-1])
    result = found_result(position.outcome)
    if result == "?":
        result = told.get("result", "?")
    return Record("shogi", tuple(moves), start, told.get("headers", {}), result)


def played(text: str, start: str = "") -> tuple[int, ...]:
    """The moves that USI spells `7g7f 3c3d`."""
    position: Any = GAME.parse(start) if start else GAME.start()
    moves = []
    for name in text.split():
        moves.append(position.parse_move(name))
        position = position.play(moves[-1])
    return tuple(moves)


def spelt(record: Record) -> list[str]:
    """A record's moves as USI spells them."""
    positions = record.positions()
    return [position.move_text(m) for position, m in zip(positions, record.moves, strict=False)]


def turn_after(record: Record) -> int:
    return (Placement.parse(record.first().text).turn + len(record.moves)) % 2


OPENING = "7g7f 3c3d 8h2b+ 3a2b 2g2f B*5e 2f2e 5e9i+ B*7g 9i8i 7g2b+"


def golden_record() -> Record:
    """Captures, promotions, drops, 同, times and what ends the game."""
    headers = {
        "DT": "2026/05/02 10:30:00",
        "EV": "第一回の試合",
        "PB": "春野 一郎",
        "PW": "Ann, of the second row",
        "C": "初手から\n*二行目",
        "MS": "1000,16000,0,61000,3601000,0,0,5000,0,0,2000,9000",
    }
    return Record("shogi", played(OPENING), "", headers, "B+R")
