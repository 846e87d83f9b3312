"""Shogi by the book: a dictionary of pieces, moves tried one by one, and a list of all that was.

The same rules on 9x9 and on 5x5 (`minishogi.py`): what differs is the start, the depth of the
promotion zone and the option of declaring.
"""

from __future__ import annotations

from collections.abc import Iterator

Square = tuple[int, int]  # file from the left, rank from the top; (0, 0) is 9a
Board = dict[Square, str]  # upper case is Black; "+P" and "+p" have promoted
Hands = dict[str, int]  # by letter: "P" is Black's pawn, "p" White's

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
# As Black moves them: up is -1.
GOLD = ((0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1))
STEPS = {
    "P": ((0, -1),),
    "N": ((-1, -2), (1, -2)),
    "S": ((0, -1), *DIAGONAL),
    "G": GOLD,
    "K": STRAIGHT + DIAGONAL,
    **dict.fromkeys(("+P", "+L", "+N", "+S"), GOLD),
    "+B": STRAIGHT,
    "+R": DIAGONAL,
}
RAYS = {"L": ((0, -1),), "B": DIAGONAL, "+B": DIAGONAL, "R": STRAIGHT, "+R": STRAIGHT}
HAND_ORDER = "RBGSNLPrbgsnlp"


def is_black(piece: str) -> bool:
    return piece[-1].isupper()


class Game:
    """One game, from the start or from an SFEN, with everything that has happened in it."""

    size = 9
    zone = 3
    first = START

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.length = int(options["length"])
        self.checks_lose = options["repetition"] == "perpetual-loses"
        self.may_declare = options.get("declaration") == "on"
        pieces, turn, hands, number = (dealt or self.first).split(" ")
        self.board = read_pieces(pieces)
        self.hands = read_hands(hands)
        self.turn = "bw".index(turn)
        self.number = int(number)
        self.seen = [(self.sameness(), self.in_check())]

    # Moves

    def moves(self) -> list[str]:
        """Legal moves as USI, none when the game is over."""
        return [] if self.outcome() is not None else list(self.legal())

    def legal(self) -> Iterator[str]:
        for move in self.candidates():
            board, hands = self.after(move)
            if self.attacked(board, self.turn):
                continue
            if move.startswith("P*") and self.is_mate_by(board, hands):
                continue
            yield move

    def is_mate_by(self, board: Board, hands: Hands) -> bool:
        """Whether a pawn just dropped leaves the other king without an answer. Answering drops do
        not matter: nothing fits between a pawn and the king beside it."""
        if not self.attacked(board, 1 - self.turn):
            return False
        other = Game.__new__(type(self))
        other.board, other.hands, other.turn = board, dict.fromkeys(hands, 0), 1 - self.turn
        return not any(
            not other.attacked(other.after(answer)[0], other.turn) for answer in other.candidates()
        )

    def candidates(self) -> Iterator[str]:
        """Moves before anyone looks at the kings."""
        for origin, piece in list(self.board.items()):
            if is_black(piece) != (self.turn == 0):
                continue
            for target in self.reach(self.board, origin):
                held = self.board.get(target)
                if held is not None and is_black(held) == (self.turn == 0):
                    continue
                move = self.name(origin) + self.name(target)
                if not self.is_stuck(piece, target):
                    yield move
                if piece.upper() in "PLNSBR" and (self.in_zone(origin) or self.in_zone(target)):
                    yield move + "+"
        yield from self.drops()

    def drops(self) -> Iterator[str]:
        letters = "PLNSGBR" if self.turn == 0 else "plnsgbr"
        empty = [s for s in self.every_square() if s not in self.board]
        for letter in letters:
            if not self.hands.get(letter, 0):
                continue
            for place in empty:
                pawns = letter in "Pp" and any(
                    self.board.get((place[0], rank)) == letter for rank in range(self.size)
                )
                if not pawns and not self.is_stuck(letter, place):
                    yield f"{letter.upper()}*{self.name(place)}"

    def every_square(self) -> list[Square]:
        return [(file, rank) for rank in range(self.size) for file in range(self.size)]

    def on_board(self, place: Square) -> bool:
        return 0 <= place[0] < self.size and 0 <= place[1] < self.size

    def ranks_ahead(self, place: Square, turn: int) -> int:
        return place[1] if turn == 0 else self.size - 1 - place[1]

    def in_zone(self, place: Square) -> bool:
        return self.ranks_ahead(place, self.turn) < self.zone

    def is_stuck(self, piece: str, place: Square) -> bool:
        """Whether a piece could never move again from a square."""
        needed = {"P": 1, "L": 1, "N": 2}.get(piece.upper(), 0)
        return self.ranks_ahead(place, 0 if is_black(piece) else 1) < needed

    def reach(self, board: Board, origin: Square) -> Iterator[Square]:
        piece = board[origin]
        turned = 1 if is_black(piece) else -1
        for dx, dy in STEPS.get(piece.upper(), ()):
            target = (origin[0] + dx * turned, origin[1] + dy * turned)
            if self.on_board(target):
                yield target
        for dx, dy in RAYS.get(piece.upper(), ()):
            target = (origin[0] + dx * turned, origin[1] + dy * turned)
            while self.on_board(target):
                yield target
                if target in board:
                    break
                target = (target[0] + dx * turned, target[1] + dy * turned)

    def attacked(self, board: Board, turn: int) -> bool:
        """Whether the king of a side stands attacked."""
        king = "Kk"[turn]
        return any(
            board.get(target) == king
            for origin, piece in board.items()
            if is_black(piece) != (turn == 0)
            for target in self.reach(board, origin)
        )

    def in_check(self) -> bool:
        return self.attacked(self.board, self.turn)

    # Playing

    def after(self, move: str) -> tuple[Board, Hands]:
        board, hands = dict(self.board), dict(self.hands)
        target = self.square(move[2:4])
        if move[1] == "*":
            letter = move[0] if self.turn == 0 else move[0].lower()
            hands[letter] = hands.get(letter, 0) - 1
            board[target] = letter
            return board, hands
        taken = board.get(target)
        if taken is not None:
            letter = taken[-1].swapcase()
            hands[letter] = hands.get(letter, 0) + 1
        board[target] = ("+" if move.endswith("+") else "") + board.pop(self.square(move[:2]))
        return board, hands

    def play(self, move: str) -> None:
        self.board, self.hands = self.after(move)
        self.turn = 1 - self.turn
        self.number += 1
        self.seen.append((self.sameness(), self.in_check()))

    def sameness(self) -> str:
        return self.text().rpartition(" ")[0]

    # Ends

    def outcome(self) -> tuple[str, tuple[float, ...]] | None:
        win = (1.0, -1.0) if self.turn == 0 else (-1.0, 1.0)
        loss = (-win[0], -win[1])
        if self.may_declare and self.declares():
            return "declaration", win
        if not any(True for _ in self.legal()):
            return ("checkmate" if self.in_check() else "stalemate"), loss
        if self.number > self.length:
            return "length limit", (0.0, 0.0)
        return self.repeated(win, loss)

    def repeated(
        self, win: tuple[float, ...], loss: tuple[float, ...]
    ) -> tuple[str, tuple[float, ...]] | None:
        here = self.seen[-1][0]
        times = [i for i, (same, _) in enumerate(self.seen) if same == here]
        if len(times) < 4:
            return None
        since = [checked for _, checked in self.seen[times[-4] + 1 :]]
        mine, theirs = all(since[::2]), all(since[1::2])  # my moves come first, theirs last
        if self.checks_lose and mine != theirs:
            return "perpetual check", loss if mine else win
        return "fourfold repetition", (0.0, 0.0)

    def declares(self) -> bool:
        king = next((s for s, p in self.board.items() if p == "Kk"[self.turn]), None)
        if king is None or not self.in_zone(king) or self.in_check():
            return False
        inside = [
            piece
            for place, piece in self.board.items()
            if is_black(piece) == (self.turn == 0) and self.in_zone(place) and place != king
        ]
        held = [letter for letter, n in self.hands.items() for _ in range(n)]
        held = [letter for letter in held if is_black(letter) == (self.turn == 0)]
        points = sum(5 if piece[-1] in "RBrb" else 1 for piece in inside + held)
        return len(inside) >= 10 and points >= (28 if self.turn == 0 else 27)

    # Text

    def square(self, text: str) -> Square:
        return self.size - int(text[0]), ord(text[1]) - ord("a")

    def name(self, place: Square) -> str:
        return f"{self.size - place[0]}{chr(ord('a') + place[1])}"

    def text(self) -> str:
        ranks = []
        for rank in range(self.size):
            row = "".join(self.board.get((file, rank), ".") for file in range(self.size))
            for gap in range(self.size, 0, -1):
                row = row.replace("." * gap, str(gap))
            ranks.append(row)
        hands = "".join(
            (str(self.hands[letter]) if self.hands[letter] > 1 else "") + letter
            for letter in HAND_ORDER
            if self.hands.get(letter, 0)
        )
        return f"{'/'.join(ranks)} {'bw'[self.turn]} {hands or '-'} {self.number}"


def read_pieces(text: str) -> Board:
    board: Board = {}
    for rank, row in enumerate(text.split("/")):
        file, plus = 0, ""
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            elif letter == "+":
                plus = "+"
            else:
                board[file, rank] = plus + letter
                file, plus = file + 1, ""
    return board


def read_hands(text: str) -> Hands:
    hands: Hands = {}
    number = ""
    for letter in text.replace("-", ""):
        if letter.isdigit():
            number += letter
        else:
            hands[letter] = int(number or 1)
            number = ""
    return hands
