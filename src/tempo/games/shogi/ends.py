"""How a game of shogi ended and how long its moves took, as records, KIF and CSA say it.

A record's result is the winner and the reason: `B+R` Black won, for White resigned; T time, F a
foul (or nobody came), M mate, D a declaration; `B+` for no stated reason. Draws: `0+R` repetition,
`0+J` impasse, `0+L` too many moves, `0` any. `Void` a game broken off, `?` unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.games.record import Record

if TYPE_CHECKING:
    from tempo._core import Outcome
    from tempo.games.protocol import Position

COLOURS = ("B", "W")  # by seat
LOSES, DRAWS, WINS = -1, 0, 1

_result = re.compile(r"[BW]\+[RTFMD]?|0(\+[RJL])?|Void|\?")
_times = re.compile(r"[0-9]{1,10}(,[0-9]{1,10})*")


@dataclass(frozen=True)
class End:
    """An end that the formats have a word for; `mover` is what it means for the side to move."""

    mover: int | None  # None: no result
    letter: str
    kif: str
    csa: str  # + and - stand before an action by Black and by White


# Where several say the same, the first is written.
ENDS = (
    End(LOSES, "R", "投了", "TORYO"),
    End(LOSES, "T", "切れ負け", "TIME_UP"),
    End(LOSES, "F", "反則負け", "ILLEGAL_MOVE"),
    End(WINS, "F", "反則勝ち", "ILLEGAL_ACTION"),
    End(LOSES, "M", "詰み", "TSUMI"),
    End(WINS, "D", "入玉勝ち", "KACHI"),
    End(DRAWS, "R", "千日手", "SENNICHITE"),
    End(DRAWS, "J", "持将棋", "JISHOGI"),
    End(DRAWS, "L", "最大手数", "MAX_MOVES"),
    End(DRAWS, "", "引き分け", "HIKIWAKE"),
    End(None, "Void", "中断", "CHUDAN"),
    End(LOSES, "F", "不戦敗", ""),
    End(WINS, "F", "不戦勝", ""),
    End(LOSES, "T", "時間切れ", ""),
    End(None, "?", "不詰", "FUZUMI"),
    End(None, "?", "待った", "MATTA"),
    End(None, "?", "エラー", "ERROR"),
)

# By what the rules call an end.
LETTERS = {
    "checkmate": "M",
    "stalemate": "M",  # the side that cannot move has lost, in check or not
    "declaration": "D",
    "perpetual check": "F",
    "fourfold repetition": "R",
    "length limit": "L",
}


def result_of(end: End, turn: int) -> str:
    """A record's result, `turn` being the seat to move when the game ended."""
    if end.mover is None:
        return end.letter
    if end.mover == DRAWS:
        return f"0+{end.letter}" if end.letter else "0"
    return f"{COLOURS[turn if end.mover == WINS else 1 - turn]}+{end.letter}"


def end_of(result: str, turn: int) -> End | None:
    """The end that says a result; None where it is unknown or a win without a reason."""
    if not _result.fullmatch(result):
        raise ParseError(
            f"'{result}' is no result of shogi; expected B+ or W+ with R, T, F, M, D or nothing "
            "after it, 0, 0+R, 0+J, 0+L, Void or ?"
        )
    if result == "?" or result.endswith("+"):
        return None
    for end in ENDS:
        if result_of(end, turn) == result:
            return end
    mover = ("Black", "White")[turn]
    raise ParseError(f"{result}, but {mover} is to move: it is who is to move that ends a game so")


def found_result(outcome: Outcome | None) -> str:
    """What the board itself says."""
    if outcome is None:
        return "?"
    letter = LETTERS.get(outcome.reason, "")
    if outcome.scores[0] == outcome.scores[1]:
        return f"0+{letter}" if letter else "0"
    return f"{COLOURS[outcome.scores[0] < 0]}+{letter}"


def agreed_result(given: str, last: Position) -> str:
    """What a record says of its end, if the board agrees; the reason is the board's."""
    if last.outcome is None:
        return given
    found = found_result(last.outcome)
    if given not in ("?", "Void") and given[:1] != found[:1]:
        raise ParseError(
            f"the file says {given}, but the game ended {found} ({last.outcome.reason})"
        )
    return found


# ---- times ---------------------------------------------------------------------------------------


def times_text(times: list[int | None], moves: int, end: End | None) -> str:
    """Milliseconds a move, and for the end where a file tells it, as the header MS; or nothing."""
    if len(times) > moves and (times[-1] is None or end is None):
        times = times[:-1]
    if not any(times):
        return ""
    return ",".join(str(time or 0) for time in times)


def times_of(record: Record) -> list[int]:
    """Milliseconds for each move and perhaps for the end; empty where a record has none."""
    given = record.headers.get("MS", "")
    if not given:
        return []
    times = given.split(",")
    if not _times.fullmatch(given) or len(times) - len(record.moves) not in (0, 1):
        raise ParseError(
            f"MS[{given[:40]}]; expected milliseconds for each of the moves, as 0,1500, and one "
            "number more for what ended the game or none"
        )
    return [int(time) for time in times]
