"""Reading PGN: the tags, the moves with their numbers, comments, marks and variations.

See `tempo.games.chess.pgn`, which says what is strict here and what is not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tempo.errors import IllegalMove, ParseError
from tempo.games.record import Record
from tempo.records.sgf import place_text

if TYPE_CHECKING:
    from tempo._core.chess import Position
    from tempo.games import Game

# What a record's headers are called. Others keep their names.
NAMES = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round", "PW": "White", "PB": "Black"}
UNKNOWN = {name: "????.??.??" if name == "Date" else "?" for name in NAMES.values()}
_keys = {name: key for key, name in NAMES.items()}
RESULTS = {"1-0": "W+", "0-1": "B+", "1/2-1/2": "0", "*": "?"}
# Why a game was won, by RE's letter. The first two are the standard's words, the last is ours: the
# standard calls a resignation "normal", as it does a mate.
TERMINATIONS = {"T": "time forfeit", "F": "rules infraction", "R": "resignation"}
_letters = {words: letter for letter, words in TERMINATIONS.items()}
SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")  # $1 to $6
VARIANTS = ("standard", "chess", "from position")
DEEPEST = 50  # variations inside each other
MOST_CHARACTERS = 16 * 2**20

_token = re.compile(
    r"""(?P<space>[ \t\r\n\v\f]+)
      | (?P<escape>(?<![^\r\n])%[^\r\n]*)
      | (?P<tag>\[[ \t]*(?P<name>[A-Za-z0-9_]+)[ \t]+"(?P<value>(?:[^"\\\r\n]|\\["\\])*)"[ \t]*\])
      | \{(?P<comment>[^}]*)\}
      | ;(?P<rest>[^\r\n]*)
      | (?P<result>1-0|0-1|1/2-1/2|\*)(?![^\s\[\](){};*])
      | (?P<number>[0-9]+)(?P<dots>\.*)(?=[\s.a-hKQRBNO{;(]|$)
      | \$(?P<nag>[0-9]{1,3})(?![0-9])
      | (?P<sign>[()])
      | (?P<move>[A-Za-z0][A-Za-z0-9=+#/@-]*)(?P<suffix>[!?]*)
      | (?P<wrong>.)""",
    re.VERBOSE | re.DOTALL,
)
_san = re.compile(r"([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?([+#])?")
_castling = re.compile(r"(O-O(?:-O)?)([+#])?")


@dataclass(frozen=True)
class Node:
    """A move of a game with variations: after which node it was made, and what is said of it."""

    move: int
    parent: int = -1  # the number of a node; -1: the move begins the game
    comment: str = ""  # after the move
    before: str = ""  # before it, where it begins a variation
    nags: tuple[int, ...] = ()  # numeric annotation glyphs: 1 is !, 2 is ?


@dataclass(frozen=True)
class Annotated:
    """A game with all that a file says: the record of its main line, and every move as a node."""

    record: Record
    nodes: tuple[Node, ...] = ()


class Reader:
    """The games of a text, one after another."""

    def __init__(self, text: str, game: Game) -> None:
        if len(text) > MOST_CHARACTERS:
            raise ParseError(f"{len(text)} characters of PGN; the limit is {MOST_CHARACTERS}")
        self.text = text.removeprefix("\ufeff")
        self.game = game
        self.breaks = [m.end() for m in re.finditer(r"\r\n|\r|\n", self.text)]

    def games(self) -> Iterator[Annotated]:
        """Every game, played and checked."""
        one = _OneGame(self)
        for token in _token.finditer(self.text):
            if token.lastgroup in ("space", "escape"):
                continue
            if (whole := one.take(token)) is not None:
                yield whole
                one = _OneGame(self)
        if one.begun:
            raise self.error(
                len(self.text), "the text ends inside a game; expected 1-0, 0-1, 1/2-1/2 or *"
            )

    def error(self, offset: int, message: str) -> ParseError:
        """What is wrong at a place, with its line and column."""
        line = bisect_right(self.breaks, offset)
        column = offset - (self.breaks[line - 1] if line else 0) + 1
        return ParseError(f"{place_text((line + 1, column))}{message}")


@dataclass
class _Line:
    """A line of moves under way: the game's, or a variation's."""

    position: Position
    last: int  # the node that led here
    ply: int  # half-moves since White's move 0
    opened: int = 0  # where the text has its '('
    before: Position | None = None  # without the last move; None until there is one
    parent: int = -1  # of the last move


@dataclass
class _OneGame:
    reader: Reader
    tags: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)  # of tags, for errors
    nodes: list[Node] = field(default_factory=list)
    main: list[int] = field(default_factory=list)
    lines: list[_Line] = field(default_factory=list)
    comment: str = ""  # before the first move of the line under way
    opening: str = ""  # before the first move of the game
    first: Position | None = None

    @property
    def begun(self) -> bool:
        return bool(self.tags or self.lines or self.comment)

    def take(self, token: re.Match[str]) -> Annotated | None:
        """Reads one token; the whole game when it was the last."""
        at = token.start()
        if token["tag"] is not None:
            self.tag(token["name"], token["value"], at)
            return None
        if token["wrong"] is not None:
            raise self.reader.error(at, self.unreadable(token["wrong"]))
        if not self.lines:
            self.begin(at)
        if token["result"] is not None:
            return self.end(token["result"], at)
        if token["comment"] is not None or token["rest"] is not None:
            self.remark(token["comment"] if token["rest"] is None else token["rest"])
        elif token["number"] is not None:
            self.number(int(token["number"][:9]), len(token["dots"]), at)
        elif token["nag"] is not None:
            self.mark(int(token["nag"]), at)
        elif token["sign"] is not None:
            self.open(at) if token["sign"] == "(" else self.close(at)
        else:
            self.move(token["move"], at)
            if token["suffix"]:
                self.suffix(token["suffix"], token.start("suffix"))
        return None

    def unreadable(self, found: str) -> str:
        if found == "[":
            return (
                'a tag that cannot be read; expected one like [White "Ann"], quotes inside as \\"'
            )
        if found == "{":
            return "a comment that never ends; expected '}'"
        expected = "a tag, a move, a comment, a variation or a result"
        return f"found {found!r}; expected {expected}"

    # ---- tags

    def tag(self, name: str, value: str, at: int) -> None:
        if self.lines:
            raise self.reader.error(
                at, f"the tag {name} inside the moves; expected 1-0, 0-1, 1/2-1/2 or * before it"
            )
        if name in self.tags:
            raise self.reader.error(at, f"{name} is given twice")
        self.tags[name] = re.sub(r"\\(.)", r"\1", value)
        self.places[name] = at

    def begin(self, at: int) -> None:
        """The tags are read: the position from which the moves begin."""
        variant = self.tags.get("Variant", "standard")
        if variant.lower() not in VARIANTS:
            place = self.places["Variant"]
            raise self.reader.error(place, f"the variant {variant}; expected standard chess")
        fen, given = self.tags.get("FEN"), self.tags.get("SetUp")
        if given not in (None, "0" if fen is None else "1"):
            expected = 'SetUp "1" beside a FEN, SetUp "0" or nothing without one'
            raise self.reader.error(self.places["SetUp"], f'SetUp "{given}"; expected {expected}')
        game = self.reader.game
        try:
            position: Position = game.core.start(game.options)
            if fen is not None:
                position = game.core.parse(fen, game.options)
        except ParseError as error:
            raise self.reader.error(self.places.get("FEN", at), str(error)) from error
        _, turn, *_, number = position.text.split(" ")
        self.first = position
        self.lines.append(_Line(position, -1, 2 * int(number) + (turn == "b")))

    # ---- moves

    def number(self, number: int, dots: int, at: int) -> None:
        line = self.lines[-1]
        expected = f"{line.ply // 2}{'...' if line.ply % 2 else '.'}"
        if number != line.ply // 2 or dots not in (0, 3 if line.ply % 2 else 1):
            found = f"{number}{'.' * dots}"
            raise self.reader.error(at, f"move number {found}; expected {expected}")

    def move(self, text: str, at: int) -> None:
        line = self.lines[-1]
        try:
            move = move_of(line.position, text)
            after = line.position.play(move)
        except (ParseError, IllegalMove) as error:
            name = f"{line.ply // 2}{'...' if line.ply % 2 else '.'}"
            raise self.reader.error(at, f"{name} {error}") from error
        line.before, line.parent, line.position = line.position, line.last, after
        is_main = len(self.lines) == 1
        self.nodes.append(Node(move, line.last, before="" if is_main else self.comment))
        if is_main:
            self.opening = self.opening or self.comment
            self.main.append(move)
        self.comment = ""
        line.last = len(self.nodes) - 1
        line.ply += 1

    def open(self, at: int) -> None:
        line = self.lines[-1]
        if line.before is None:
            raise self.reader.error(at, "a variation before a move; expected it after one")
        if len(self.lines) > DEEPEST:
            raise self.reader.error(at, f"more than {DEEPEST} variations inside each other")
        self.lines.append(_Line(line.before, line.parent, line.ply - 1, at))

    def close(self, at: int) -> None:
        if len(self.lines) == 1:
            raise self.reader.error(at, "found ')'; no variation is open")
        if self.lines[-1].before is None:
            raise self.reader.error(at, "a variation without a move")
        self.lines.pop()

    # ---- what is said of them

    def remark(self, text: str) -> None:
        words = " ".join(text.split())
        line = self.lines[-1]
        if line.before is None:
            self.comment = f"{self.comment} {words}".strip()
        else:
            node = self.nodes[line.last]
            said = f"{node.comment} {words}".strip()
            self.nodes[line.last] = Node(node.move, node.parent, said, node.before, node.nags)

    def suffix(self, text: str, at: int) -> None:
        if text not in SUFFIXES:
            raise self.reader.error(at, f"found {text}; expected one of {' '.join(SUFFIXES)}")
        self.mark(1 + SUFFIXES.index(text), at)

    def mark(self, nag: int, at: int) -> None:
        line = self.lines[-1]
        if nag > 255 or line.before is None:
            raise self.reader.error(at, f"${nag}; expected $0 to $255, after a move")
        node = self.nodes[line.last]
        marks = (*node.nags, nag)
        self.nodes[line.last] = Node(node.move, node.parent, node.comment, node.before, marks)

    # ---- the end

    def end(self, result: str, at: int) -> Annotated:
        if len(self.lines) > 1:
            opened = self.reader.error(self.lines[-1].opened, "")
            raise self.reader.error(at, f"a result; expected ')' for the '(' of {str(opened)[:-2]}")
        said = self.tags.get("Result", result)
        if said != result:
            message = f'Result "{said}", but the moves end with {result}'
            raise self.reader.error(self.places["Result"], message)
        assert self.first is not None
        letter = _letters.get(self.tags.get("Termination", ""), "")
        try:
            told = agreed_result(f"{RESULTS[result]}{letter}", self.lines[-1].position)
        except ParseError as error:
            raise self.reader.error(at, str(error)) from error
        opening = self.opening or ("" if self.main else self.comment)
        headers = self.headers() | ({"C": opening} if opening else {})
        record = Record(self.reader.game.spec, tuple(self.main), self.first.text, headers, told)
        return Annotated(record, tuple(self.nodes))

    def headers(self) -> dict[str, str]:
        kept = {}
        for name, value in self.tags.items():
            if name in ("Result", "FEN", "SetUp") or value == UNKNOWN.get(name):
                continue
            if name == "Termination" and value in _letters:
                continue
            kept[_keys.get(name, name)] = value
        return kept


# ---- moves and results ---------------------------------------------------------------------------


def move_of(position: Position, text: str) -> int:
    """The legal move that standard algebraic notation names.

    More of the square a piece comes from than is needed is allowed, and a missing + or #; a mark
    that stands there must be true, but for + on a mate.
    """
    if position.is_over:
        assert position.outcome is not None
        raise IllegalMove(f"{text}: the game is over ({position.outcome.reason})")
    castling, plain = _castling.fullmatch(text), _san.fullmatch(text)
    if castling is not None:
        found = [m for m in position.legal_moves if position.san(m).rstrip("+#") == castling[1]]
        check = castling[2]
    elif plain is not None:
        found = _matching(position, plain)
        check = plain[7]
    else:
        raise ParseError(_unlike_san(text))
    if len(found) != 1:
        names = ", ".join(position.san(move) for move in found)
        why = f"could be {names}" if found else "is not legal here"
        raise IllegalMove(f"{text} {why}; the position is {position.text}")
    san = position.san(found[0])
    if ("x" in text) != ("x" in san):
        raise ParseError(f"{text}: expected {san}, x for a capture and for nothing else")
    if check and check != san[-1] and not (check == "+" and san[-1] == "#"):
        raise ParseError(f"{text}: expected {san}, + for check and # for mate and nothing else")
    return found[0]


def _matching(position: Position, san: re.Match[str]) -> list[int]:
    """The legal moves that fit the letters of a move."""
    piece, file, rank, _, to, promotion, _ = san.groups()
    found = []
    for move in position.legal_moves:
        uci = position.move_text(move)
        if uci[2:4] != to or (promotion or "").lower() != uci[4:]:
            continue
        if (file and uci[0] != file) or (rank and uci[1] != rank):
            continue
        written = position.san(move)
        if written[0] != "O" and (written[0] if written[0] in "KQRBN" else None) == piece:
            found.append(move)
    return found


def _unlike_san(text: str) -> str:
    if re.fullmatch(r"[0oO]-[0oO](-[0oO])?[+#]?", text):
        return f"{text}; castling is written with capital letters O: O-O"
    if re.fullmatch(r"[a-h]?x?[a-h][18][QRBN][+#]?", text):
        return f"{text}; a promotion has an equals sign: e8=Q"
    return f"{text} is no move; expected one like e4, Nbd7, exd5, e8=Q or O-O"


def agreed_result(given: str, last: Position) -> str:
    """What a game says of its end, if that can be: the board overrules `?` and the reason."""
    end = last.outcome
    if end is None:
        return given if given[:2] in ("W+", "B+") else given[:1]
    score = end.scores[0]
    found = "0" if score == 0 else "W+" if score > 0 else "B+"
    if given[0] != "?" and given[:2] != found and not (given[0] == found == "0"):
        names = {result: name for name, result in RESULTS.items()}
        said = names.get(given[:2], given)
        raise ParseError(f"{said}, but the board says {names[found]} ({end.reason})")
    return found
