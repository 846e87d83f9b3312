"""Records of shogi as KIF, the game files of Kakinoki Shogi and of most programs since.

    手合割：平手
    先手：Ann
    後手：Ben
    手数----指手---------消費時間--
       1 ７六歩(77)   ( 0:16/00:00:16)
       2 ３四歩(33)   ( 0:04/00:00:04)
       3 投了
    まで2手で後手の勝ち

A move is where to, which piece, 成 if it promotes, where from, or 打 for a drop; 同 is the square
of the move before. Not KI2, which leaves out where a piece comes from. docs/records.md has it all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path

from tempo.errors import ParseError
from tempo.files import replacing
from tempo.games.record import Record
from tempo.games.shogi.ends import LOSES, WINS, End, agreed_result, end_of, times_of
from tempo.games.shogi.kif_diagram import FILES, KANJI, NAMED, diagram, handicap_of
from tempo.games.shogi.kif_reader import (
    FOOTER,
    HANDICAP_NAMES,
    NAMES,
    Reader,
    begins_moves,
    matters,
)
from tempo.games.shogi.notation import (
    Line,
    Placement,
    Square,
    Step,
    comment_lines,
    decode,
    game_of,
    own_names,
    step_of,
)

__all__ = ["read", "read_file", "read_lines", "write", "write_file", "write_lines"]

TABLE = "手数----指手---------消費時間--"
VERSION = "#KIF version=2.0 encoding={}"


# ---- reading -------------------------------------------------------------------------------------


def read(text: str, rules: str = "shogi") -> Record:
    """The record of a file without variations, every move played by the rules."""
    records = Reader(text, rules).records()
    first = next(records)
    if (line := next(records, None)) is not None:
        raise ParseError(
            f"a game with variations, the first after move {_shared(first, line)}; a record is one "
            "line of moves: read_lines reads them all"
        )
    return first


def read_lines(text: str, rules: str = "shogi") -> tuple[Record, ...]:
    """The game of a file and then each of its variations, all from the first move."""
    return tuple(Reader(text, rules).records())


def read_file(path: str | os.PathLike[str], rules: str = "shogi") -> Record:
    """The record of a file on disk, in Shift-JIS or UTF-8."""
    return read(decode(Path(path)), rules)


# ---- writing -------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """A record as KIF; reading it gives an equal one, times in whole seconds."""
    return write_lines([record])


def write_lines(records: Sequence[Record]) -> str:
    """A game and its variations, as `read_lines` gives them: only the first one's headers count."""
    first = records[0]
    lines = [VERSION.format("UTF-8"), *_head_lines(first), TABLE, *_branch_lines(first, 0)]
    for before, record in pairwise(records):
        shared = _shared(before, record)
        if record.game != first.game or record.start != first.start:
            raise ParseError("variations of one game have its rules and its start")
        lines += ["", f"変化：{shared + 1}手", *_branch_lines(record, shared)]
    return "\n".join(lines) + "\n"


def write_file(path: str | os.PathLike[str], record: Record) -> None:
    """Writes a whole file, or leaves the old one as it was: .kif in Shift-JIS, others in UTF-8."""
    text = write(record)
    if Path(path).suffix.lower() == ".kif":
        text = text.replace(VERSION.format("UTF-8"), VERSION.format("Shift_JIS"), 1)
        try:
            data = text.encode("cp932")
        except UnicodeEncodeError as error:
            shown = error.object[error.start : error.end]
            raise ParseError(
                f"Shift-JIS has no '{shown}'; expected a file .kifu, in UTF-8"
            ) from error
    else:
        data = text.encode()
    with replacing(path) as file:
        file.write(data)


def _shared(a: Record, b: Record) -> int:
    pairs = zip(a.moves, b.moves, strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _head_lines(record: Record) -> Iterator[str]:
    game_of(record.game, "KIF")
    start = record.first().text
    handicap = handicap_of(start)
    names = NAMES if handicap in (None, "平手") else NAMES | HANDICAP_NAMES
    if handicap is None:
        yield from diagram(Placement.parse(start))
    else:
        yield f"手合割：{handicap}"
    for name, value in own_names(record, names):
        if not _can_be_header(name):
            raise ParseError(f"'{name}' cannot be a header in KIF; expected a plain word")
        yield f"{name}：{value}"
    yield from (f"*{line}" for line in comment_lines(record))


def _can_be_header(name: str) -> bool:
    line = Line(f"{name}：", 1)
    return (
        bool(name)
        and "：" not in name
        and name != "手合割"
        and not name.endswith("の持駒")
        and not name.startswith(("#", "&", "*", "変化", "手数-"))
        and matters(Line(name, 1))
        and not begins_moves(line)
        and FOOTER.match(line.text) is None
    )


def _branch_lines(record: Record, begin: int) -> Iterator[str]:
    """The moves from number `begin` on, the end, and who won."""
    positions = list(record.positions())
    result = agreed_result(record.result, positions[-1])
    turn = Placement.parse(positions[0].text).turn
    times, spent = times_of(record), [0, 0]
    last: Square | None = None
    for i, move in enumerate(record.moves):
        step = step_of(positions[i].move_text(move), Placement.parse(positions[i].text))
        timed = _time_text(times, i, spent, turn)
        if i >= begin:
            yield f"{i + 1:4d} {_move_text(step, last)}{timed}"
        last, turn = step.to, 1 - turn
    count = len(record.moves)
    if (end := end_of(result, turn)) is not None:
        yield f"{count + 1:4d} {end.kif}{_time_text(times, count, spent, turn)}"
    elif len(times) > count and times[count]:
        raise ParseError("MS has a time for the end, but the result names no end")
    if (verdict := _verdict_text(result, end)) is not None:
        yield f"まで{count}手で{verdict}"


def _move_text(step: Step, last: Square | None) -> str:
    where = f"{FILES[step.to[0] - 1]}{KANJI[step.to[1] - 1]}" if step.to != last else "同　"
    if step.source is None:
        return f"{where}{NAMED[step.kind]}打"
    source = f"({step.source[0]}{step.source[1]})"
    return f"{where}{NAMED[step.kind]}{'成' if step.promotes else ''}{source}"


def _time_text(times: list[int], i: int, spent: list[int], turn: int) -> str:
    if i >= len(times):
        return ""
    seconds = times[i] // 1000
    spent[turn] += seconds
    hours, rest = divmod(spent[turn], 3600)
    total = f"{hours:02d}:{rest // 60:02d}:{rest % 60:02d}"
    return f"   ({seconds // 60:2d}:{seconds % 60:02d}/{total})"


def _verdict_text(result: str, end: End | None) -> str | None:
    if result == "?":
        return None
    if end is not None and end.mover not in (LOSES, WINS):
        return end.kif
    winner = ("先手", "後手")[result[0] == "W"]
    return f"{winner}の{ {'F': '反則勝ち', 'D': '入玉勝ち'}.get(result[2:], '勝ち') }"
