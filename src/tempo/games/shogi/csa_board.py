"""Positions of CSA: PI with pieces left out, ranks P1 to P9, single pieces after P+ and P-."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tempo.games.shogi.notation import COUNTS, EVEN, HAND, SIZE, Line, Placement, own

NAMES_OF = {
    "P": "FU", "L": "KY", "N": "KE", "S": "GI", "G": "KI", "B": "KA", "R": "HI", "K": "OU",
    "+P": "TO", "+L": "NY", "+N": "NK", "+S": "NG", "+B": "UM", "+R": "RY",
}  # fmt: skip
PIECES = {name: piece for piece, name in NAMES_OF.items()}
EMPTY = " * "
ALL = "AL"  # into the hand, whatever is left

_piece = re.compile(r"([0-9])([0-9])([A-Z]{2})")


class BoardReader:
    """A board as its lines come in."""

    def __init__(self) -> None:
        self._board = Placement()
        self._usual = False  # PI
        self._ranks: set[int] = set()
        self._rest: int | None = None  # the seat that has all the rest in hand

    @property
    def begun(self) -> bool:
        """Whether any line has been read."""
        board = self._board
        return self._usual or bool(self._ranks or board.pieces or any(board.hands))

    def read(self, line: Line) -> None:
        """One line that begins with P."""
        sign = line.text[1:2]
        if self._rest is not None:
            raise line.error(f"'{line.text[:20]}' after {ALL}; expected + or - to begin")
        if sign == "I":
            self._read_usual(line)
        elif sign and sign in "+-":
            self._read_pieces(line, "+-".index(sign))
        elif sign and sign in "123456789":
            self._read_rank(line, int(sign))
        else:
            raise line.error(f"'{line.text[:20]}'; expected PI, P1 to P9, P+ or P-")

    def placement(self, turn: int, line: Line) -> Placement:
        """The whole board; `line` is the one that says whose turn it is."""
        if self._ranks and len(self._ranks) < SIZE:
            missing = min(set(range(1, SIZE + 1)) - self._ranks)
            raise line.error(f"the board has no P{missing}; expected all of P1 to P9")
        if not self.begun:
            raise line.error(
                "no board; expected PI, P1 to P9, or P+ and P- before whose turn it is"
            )
        if self._rest is not None:
            hand = self._board.hands[self._rest]
            for letter, count in self._board.left().items():
                if count > 0:
                    hand[letter] = hand.get(letter, 0) + count
        self._board.turn = turn
        return self._board

    def _read_usual(self, line: Line) -> None:
        if self.begun:
            raise line.error("PI after other lines of a board; expected it alone")
        self._board, self._usual = Placement.parse(EVEN), True
        for at, file, rank, name in _listed(line):
            there = self._board.pieces.pop((file, rank), "")
            if NAMES_OF.get(there.upper()) != name:
                raise line.error(f"no {name} on {file}{rank} to leave out", at)

    def _read_rank(self, line: Line, rank: int) -> None:
        if self._usual or rank in self._ranks:
            raise line.error(f"P{rank} a second time; expected each rank once, and none after PI")
        self._ranks.add(rank)
        cells = line.text[2:].ljust(3 * SIZE)  # editors cut the last space
        if len(cells) > 3 * SIZE:
            raise line.error("more than nine squares of three characters", 2 + 3 * SIZE)
        for i in range(SIZE):
            cell = cells[3 * i : 3 * i + 3]
            if cell == EMPTY:
                continue
            if cell[0] not in "+-" or cell[1:] not in PIECES:
                raise line.error(
                    f"'{cell}' is not a square; expected a piece like +FU or -KA, or '{EMPTY}'",
                    2 + 3 * i,
                )
            self._board.pieces[SIZE - i, rank] = own(PIECES[cell[1:]], cell[0] == "-")

    def _read_pieces(self, line: Line, seat: int) -> None:
        for at, file, rank, name in _listed(line):
            if self._rest is not None:
                raise line.error(f"'{name}' after {ALL}, which is the last", at)
            if (file, rank) == (0, 0):
                self._hold(line, at, seat, name)
            elif 0 in (file, rank) or name not in PIECES:
                raise line.error(f"'{file}{rank}{name}'; expected a piece, as 77FU or 00FU", at)
            elif (file, rank) in self._board.pieces:
                raise line.error(f"two pieces on {file}{rank}", at)
            else:
                self._board.pieces[file, rank] = own(PIECES[name], seat == 1)

    def _hold(self, line: Line, at: int, seat: int, name: str) -> None:
        if name == ALL:
            self._rest = seat
            return
        letter, hand = PIECES.get(name, ""), self._board.hands[seat]
        if letter not in HAND:
            raise line.error(
                f"'{name}' is not of a hand; expected FU, KY, KE, GI, KI, KA or HI", at
            )
        hand[letter] = hand.get(letter, 0) + 1
        if hand[letter] > COUNTS[letter]:
            raise line.error(f"{hand[letter]} {name} in a hand; there are {COUNTS[letter]}", at)


def _listed(line: Line) -> Iterator[tuple[int, int, int, str]]:
    """The pieces that follow PI, P+ or P-: where each stands in the line, its square, its name."""
    at = 2
    while at < len(line.text):
        found = _piece.match(line.text, at)
        if found is None:
            raise line.error(f"'{line.text[at : at + 4]}'; expected a square and a piece: 82HI", at)
        yield at, int(found[1]), int(found[2]), found[3]
        at = found.end()


def board_lines(board: Placement) -> Iterator[str]:
    """A position as P1 to P9, P+ and P-; its move number has no place."""
    for rank in range(1, SIZE + 1):
        cells = (board.pieces.get((file, rank)) for file in range(SIZE, 0, -1))
        yield f"P{rank}" + "".join(_cell_text(piece) for piece in cells)
    for seat, hand in enumerate(board.hands):
        if held := "".join(f"00{NAMES_OF[letter]}" * hand.get(letter, 0) for letter in HAND):
            yield f"P{'+-'[seat]}{held}"


def _cell_text(piece: str | None) -> str:
    if piece is None:
        return EMPTY
    return f"{'-' if piece.islower() else '+'}{NAMES_OF[piece.upper()]}"
