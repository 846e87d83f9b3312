"""Reading KIF, line by line: the head, the moves, the variations. See `tempo.games.shogi.kif`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.games.record import Record
from tempo.games.shogi.ends import ENDS, agreed_result, end_of, result_of, times_text
from tempo.games.shogi.kif_diagram import (
    FILES,
    KANJI,
    NAMED,
    STARTS,
    is_border,
    read_hand,
    read_row,
)
from tempo.games.shogi.kif_diagram import PIECES as DRAWN
from tempo.games.shogi.notation import (
    SIZE,
    Line,
    Placement,
    Square,
    Step,
    game_of,
    lines_of,
    play,
    start_of,
)

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

# What a record's headers are called. Others keep their names.
NAMES = {
    "PB": "先手", "PW": "後手", "EV": "棋戦", "PC": "場所", "DT": "開始日時", "ED": "終了日時",
    "ON": "戦型", "GC": "備考",
}  # fmt: skip
HANDICAP_NAMES = {"PB": "下手", "PW": "上手"}
_keys = {name: key for key, name in (*NAMES.items(), *HANDICAP_NAMES.items())}
SEATS = {"先手": 0, "下手": 0, "後手": 1, "上手": 1}

PIECES = DRAWN | {name: piece for piece, name in NAMED.items()}

_header = re.compile(r"([^：]+)：(.*)", re.DOTALL)
_turn = re.compile(r"(先手|後手|下手|上手)番[ 　]*")
_count = re.compile(r"手数＝([0-9]{1,5})(?:[ 　].*)?")
_variation = re.compile(r"変化：[ 　]*([0-9]{1,5})手[ 　]*")
FOOTER = re.compile(r"[ 　]*まで、?([0-9]{1,5})手で(.*?)[ 　]*")
_verdict = re.compile(
    r"(?:時間切れにより)?(先手|後手|下手|上手)の(勝ち|反則勝ち|反則負け|入玉勝ち)"
)

_number = re.compile(r"[ 　]*([0-9]{1,5})[ 　]+")
_end = re.compile("|".join(sorted({end.kif for end in ENDS}, key=len, reverse=True)))
_same = re.compile(r"同[ 　]*")
_square = re.compile(rf"([{FILES}1-9])([{KANJI}])")
_piece = re.compile("|".join(sorted(PIECES, key=len, reverse=True)))
_suffix = re.compile(r"(成|不成)?\(([1-9])([1-9])\)|打")
_time = re.compile(
    r"[ 　]*(?:\([ ]*(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{2})[ ]*/[ ]*[0-9: ]*\))?[ 　]*\+?[ 　]*"
)


@dataclass
class _Head:
    """What stands before the moves."""

    headers: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    board: Placement = field(default_factory=lambda: Placement.parse(STARTS["平手"]))
    place: Line = field(default_factory=lambda: Line("", 1))  # what names the board
    drawn: bool = False
    known: set[str] = field(default_factory=set)  # names seen

    def once(self, name: str, line: Line) -> None:
        if name in self.known:
            raise line.error(f"{name} is given twice")
        self.known.add(name)


class Reader:
    """One pass over the lines: the head, the moves, the variations."""

    def __init__(self, text: str, rules: str) -> None:
        self.game: Game = game_of(rules, "KIF")
        self.lines = [line for line in lines_of(text) if matters(line)]
        self.at = 0
        self.last = Line("", self.lines[-1].number if self.lines else 1)
        self.head = _Head()

    def records(self) -> Iterator[Record]:
        """The main line, then each variation from where it leaves the line before it."""
        if not self.lines:
            raise self.last.error("an empty file; expected headers and moves")
        self._read_head()
        head = self.head
        branch = _Branch(start_of(self.game, head.board, head.place), head.board.number)
        while True:
            self._read_moves(branch)
            yield branch.record(head, self.last)
            while self.at < len(self.lines) and self.lines[self.at].text.startswith("*"):
                self.at += 1
            if self.at == len(self.lines):
                return
            line = self._take()
            found = _variation.fullmatch(line.text)
            if found is None:
                raise line.error(
                    f"'{line.text[:20]}' after the end of the game; expected 変化：N手 or the end"
                )
            branch.back_to(int(found[1]), line)

    def _take(self) -> Line:
        self.at += 1
        return self.lines[self.at - 1]

    # ---- the head

    def _read_head(self) -> None:
        while self.at < len(self.lines) and not begins_moves(self.lines[self.at]):
            self._head_line(self._take())
        if self.at < len(self.lines) and self.lines[self.at].text.startswith("手数-"):
            self.at += 1
        if self.head.place.text.strip(" 　") == "その他" and not self.head.drawn:
            raise self.head.place.error(
                "その他 without a diagram; expected one, or a handicap's name"
            )

    def _head_line(self, line: Line) -> None:
        head = self.head
        if line.text.startswith("*"):
            head.comments.append(line.text[1:])
        elif is_border(line):
            self._read_diagram(line)
        elif (turn := _turn.fullmatch(line.text)) is not None:
            head.once("番", line)
            head.board.turn = SEATS[turn[1]]
            head.place = line if head.place.text == "" else head.place
        elif (count := _count.fullmatch(line.text)) is not None:
            head.once("手数＝", line)
            head.board.number = int(count[1]) + 1
        elif (header := _header.fullmatch(line.text)) is not None:
            self._header(header[1], Line(header[2], line.number, header.start(2) + 1), line)
        elif re.sub("[ 　]", "", line.text) != FILES[::-1]:
            raise line.error(
                f"'{line.text[:20]}'; expected a header like 先手：Ann, a diagram, or "
                "手数----指手 before the moves"
            )

    def _header(self, name: str, value: Line, line: Line) -> None:
        head = self.head
        if name.endswith("の持駒"):
            if name[:2] not in SEATS or len(name) != 5:
                raise line.error(f"'{name}'; expected 先手の持駒 or 後手の持駒")
            head.once(f"持駒 {SEATS[name[:2]]}", line)
            head.board.hands[SEATS[name[:2]]].update(read_hand(value))
        elif name == "手合割":
            head.once(name, line)
            self._handicap(value)
        else:
            key = _keys.get(name, name)
            head.once(key, line)
            head.headers[key] = value.text

    def _handicap(self, value: Line) -> None:
        name = value.text.strip(" 　")
        if name not in STARTS and name != "その他":
            raise value.error(f"'{name}'; expected {', '.join(STARTS)} or その他")
        self.head.place = value
        if name == "その他" or self.head.drawn:
            return  # a diagram says it
        start, board = Placement.parse(STARTS[name]), self.head.board
        board.pieces = start.pieces
        board.turn = board.turn if "番" in self.head.known else start.turn

    def _read_diagram(self, line: Line) -> None:
        head = self.head
        head.once("diagram", line)
        head.board.pieces.clear()
        head.board.turn = head.board.turn if "番" in head.known else 0
        head.drawn, head.place = True, line
        for rank in range(1, SIZE + 1):
            if self.at == len(self.lines):
                raise self.last.error(f"the file ends before rank {rank} of the diagram")
            read_row(self._take(), rank, head.board)
        if self.at == len(self.lines) or not is_border(self._take()):
            raise self.lines[self.at - 1].error("expected the lower edge of the diagram, +---+")

    # ---- the moves

    def _read_moves(self, branch: _Branch) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.text.startswith("変化："):
                return
            self.at += 1
            if line.text.startswith("*"):
                if branch.is_new:
                    self.head.comments.append(line.text[1:])
                continue  # a record keeps no comments on moves
            if (footer := FOOTER.fullmatch(line.text)) is not None:
                branch.read_footer(footer, line)
                return
            branch.read_line(line)


def matters(line: Line) -> bool:
    """Not blank, not for programs to skip (#), not a bookmark (&)."""
    return bool(line.text.strip(" 　\t")) and not line.text.startswith(("#", "&"))


def begins_moves(line: Line) -> bool:
    """Whether a line is no longer of the head."""
    return (
        line.text.startswith(("手数-", "変化："))
        or _number.match(line.text) is not None
        or FOOTER.fullmatch(line.text) is not None
    )


class _Branch:
    """A line of moves as far as it has been read."""

    def __init__(self, start: Position, number: int) -> None:
        self.positions = [start]
        self.moves: list[int] = []
        self.squares: list[Square] = []  # where each move went
        self.times: list[int | None] = []
        self.offset = 0  # what the file's numbers have more than 1, 2, 3...
        self.offsets = (0, number - 1)
        self.end: str | None = None  # the result, once the file has told it
        self.is_new = True  # nothing has been read

    @property
    def turn(self) -> int:
        """The seat to move, also where the game is over."""
        return (self.first_turn + len(self.moves)) % 2

    @property
    def first_turn(self) -> int:
        return "bw".index(self.positions[0].text.split(" ")[1])

    def back_to(self, number: int, line: Line) -> None:
        """Takes moves back so that move `number` comes next."""
        kept = number - 1 - self.offset
        if not 0 <= kept <= len(self.moves):
            low, high = self.offset + 1, self.offset + len(self.moves) + 1
            raise line.error(f"'{line.text}'; the line before has moves {low} to {high}")
        del self.moves[kept:], self.squares[kept:], self.times[kept:], self.positions[kept + 1 :]
        self.end = None

    def read_line(self, line: Line) -> None:
        """A move or a word that ends the game, with its number and perhaps its time."""
        self.is_new = False
        scan = _Scanner(line)
        number = int(scan.take(_number, "a move like 1 ７六歩(77), or まで")[1])
        if not self.moves and number - 1 in self.offsets:
            self.offset = number - 1
        if number != len(self.moves) + 1 + self.offset:
            raise line.error(f"move {number}; expected move {len(self.moves) + 1 + self.offset}")
        if self.end is not None:
            raise line.error("a move after the end of the game")
        if (end := scan.maybe(_end)) is not None:
            word = next(known for known in ENDS if known.kif == end[0])
            self.end = result_of(word, self.turn)
        else:
            self.play(scan)
        time = scan.take(_time, "a time like ( 0:16/00:00:16)")
        if scan.at != len(line.text):
            raise scan.error("a time like ( 0:16/00:00:16) or the end of the line")
        self.times.append(_milliseconds(time))

    def play(self, scan: _Scanner) -> None:
        begun = scan.rest()
        to = self.destination(scan)
        name = scan.take(_piece, "a piece, 歩香桂銀金角飛玉 or と成香成桂成銀馬龍")
        kind = PIECES[name[0]]
        suffix = scan.take(_suffix, "成, 打 or where the piece comes from, as (77)")
        if suffix[0] == "打":
            step = Step(kind, to)
        else:
            source = (int(suffix[2]), int(suffix[3]))
            step = Step(kind, to, source, suffix[1] == "成")
            there = Placement.parse(self.positions[-1].text).pieces.get(source, "")
            if there.upper() != kind:
                at = f"on {source[0]}{KANJI[source[1] - 1]}"
                has = f"{NAMED[there.upper()]} is {at}" if there else f"nothing is {at}"
                raise begun.error(f"{has}, not {name[0]}", name.start() - begun.column + 1)
        move, after = play(self.positions[-1], step, begun)
        self.moves.append(move)
        self.squares.append(to)
        self.positions.append(after)

    def destination(self, scan: _Scanner) -> Square:
        if scan.maybe(_same) is not None:
            if not self.squares:
                raise scan.error("a square: 同 is that of the move before, and there is none")
            return self.squares[-1]
        found = scan.take(_square, "a square like ７六, 同, or a word like 投了")
        return (FILES.index(found[1]) + 1 if found[1] in FILES else int(found[1])), (
            KANJI.index(found[2]) + 1
        )

    def read_footer(self, footer: re.Match[str], line: Line) -> None:
        """`まで112手で先手の勝ち`: the number must be right, and the result agree."""
        count = len(self.moves)
        if int(footer[1]) not in (count, count + self.offset):
            raise line.error(f"まで{footer[1]}手, but there are {count} moves", footer.start(1))
        said = _said(footer[2], self.turn)
        if said is None:
            raise line.error(
                f"'{footer[2]}'; expected 先手の勝ち, 後手の勝ち, 千日手, 持将棋, 中断 or the like",
                footer.start(2),
            )
        if self.end not in (None, "?", said) and self.end[:1] != said[:1]:
            raise line.error(f"{footer[2]} is {said}, but the moves end with {self.end}")
        self.end = said if self.end in (None, "?") else self.end

    def record(self, head: _Head, last: Line) -> Record:
        first = self.positions[0]
        try:
            result = agreed_result(self.end or "?", self.positions[-1])
            end = end_of(result, self.turn)
        except ParseError as error:
            raise last.error(str(error)) from error
        headers = dict(head.headers)
        if head.comments:
            headers["C"] = "\n".join(head.comments)
        if times := times_text(self.times, len(self.moves), end):
            headers["MS"] = times
        return Record(first.game, tuple(self.moves), first.text, headers, result)


def _said(verdict: str, turn: int) -> str | None:
    """The result that a footer tells."""
    if (found := _verdict.fullmatch(verdict)) is not None:
        winner = SEATS[found[1]] ^ (found[2] == "反則負け")
        letter = {"勝ち": "", "入玉勝ち": "D"}.get(found[2], "F")
        if verdict.startswith("時間切れ"):
            letter = "T"
        return f"{'BW'[winner]}+{letter}"
    word = "詰み" if verdict == "詰" else verdict
    end = next((end for end in ENDS if end.kif == word), None)
    return result_of(end, turn) if end else None


def _milliseconds(time: re.Match[str]) -> int | None:
    if time[3] is None:
        return None
    return 1000 * (int(time[1] or 0) * 3600 + int(time[2]) * 60 + int(time[3]))


class _Scanner:
    """A line read from left to right; errors name the column."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.at = 0

    def maybe(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.line.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def take(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        found = self.maybe(pattern)
        if found is None:
            raise self.error(expected)
        return found

    def rest(self) -> Line:
        return Line(self.line.text[self.at :], self.line.number, self.line.column + self.at)

    def error(self, expected: str) -> ParseError:
        shown = self.line.text[self.at : self.at + 12] or "the end of the line"
        return self.line.error(f"'{shown}'; expected {expected}", self.at)
