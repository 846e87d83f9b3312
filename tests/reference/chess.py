"""Chess by the book: a dictionary of pieces, moves tried one by one, and a list of all that was.

Numbers in comments are articles of the FIDE laws (2023).
"""

from __future__ import annotations

from collections.abc import Iterator

Square = tuple[int, int]  # file, rank; (0, 0) is a1
Board = dict[Square, str]  # upper case is White

FILES = "abcdefgh"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
LINES = {"R": STRAIGHT, "B": DIAGONAL, "Q": STRAIGHT + DIAGONAL}
LEAPS = {"N": JUMPS, "K": STRAIGHT + DIAGONAL}
# Right: king's home, rook's home, squares that must be empty, squares the king crosses.
CASTLING = {
    "K": ("e1", "h1", "f1 g1", "f1 g1"),
    "Q": ("e1", "a1", "b1 c1 d1", "d1 c1"),
    "k": ("e8", "h8", "f8 g8", "f8 g8"),
    "q": ("e8", "a8", "b8 c8 d8", "d8 c8"),
}


def square(text: str) -> Square:
    return FILES.index(text[0]), int(text[1]) - 1


def name(place: Square) -> str:
    return f"{FILES[place[0]]}{place[1] + 1}"


def on_board(place: Square) -> bool:
    return 0 <= place[0] < 8 and 0 <= place[1] < 8


def is_white(piece: str) -> bool:
    return piece.isupper()


class Game:
    """One game, from the start or from a FEN, with everything that has happened in it."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.repetitions = {"three": 3, "five": 5}[options["repetition"]]
        self.quiet_plies = {"fifty": 100, "seventy_five": 150}[options["quiet"]]
        pieces, turn, self.rights, passed, clock, number = (dealt or START).split(" ")
        self.board = read_pieces(pieces)
        self.turn = "wb".index(turn)
        self.passed = None if passed == "-" else square(passed)
        self.clock, self.number = int(clock), int(number)
        self.seen = [self.sameness()]

    # Moves

    def moves(self) -> list[str]:
        """Legal moves as UCI, none when the game is over."""
        return [] if self.outcome() is not None else self.legal()

    def legal(self) -> list[str]:
        return [move for move in self.candidates() if not self.exposes(move)]

    def exposes(self, move: str) -> bool:
        """Whether a move leaves the mover's own king attacked (3.9.2)."""
        after = self.after(move)
        return self.attacked(after, king(after, self.turn), by=1 - self.turn)

    def candidates(self) -> Iterator[str]:
        for place, piece in list(self.board.items()):
            if is_white(piece) != (self.turn == 0):
                continue
            kind = piece.upper()
            if kind == "P":
                yield from self.pawn_moves(place)
                continue
            for target in reach(self.board, place):
                if target not in self.board or self.is_foe(target):
                    yield name(place) + name(target)
        yield from self.castlings()

    def is_foe(self, place: Square) -> bool:
        return place in self.board and is_white(self.board[place]) != (self.turn == 0)

    def pawn_moves(self, place: Square) -> Iterator[str]:
        file, rank = place
        step = 1 if self.turn == 0 else -1
        targets = []
        if (file, rank + step) not in self.board:
            targets.append((file, rank + step))
            at_home = rank == (1 if self.turn == 0 else 6)
            if at_home and (file, rank + 2 * step) not in self.board:
                targets.append((file, rank + 2 * step))
        for side in (-1, 1):
            target = (file + side, rank + step)
            if self.is_foe(target) or (target == self.passed and self.passed is not None):
                targets.append(target)
        for target in targets:
            for promotion in "nbrq" if target[1] in (0, 7) else ("",):
                yield name(place) + name(target) + promotion

    def castlings(self) -> Iterator[str]:
        for right in self.rights.replace("-", ""):
            if is_white(right) != (self.turn == 0):
                continue
            home, _, empty, crossed = CASTLING[right]
            if any(square(s) in self.board for s in empty.split()):
                continue
            path = [home, *crossed.split()]  # 3.8.2: not out of, through or into check
            if any(self.attacked(self.board, square(s), by=1 - self.turn) for s in path):
                continue
            yield home + crossed.split()[-1]

    def attacked(self, board: Board, place: Square, by: int) -> bool:
        for origin, piece in board.items():
            if is_white(piece) != (by == 0):
                continue
            if piece.upper() == "P":
                step = 1 if by == 0 else -1
                if place in ((origin[0] - 1, origin[1] + step), (origin[0] + 1, origin[1] + step)):
                    return True
            elif place in reach(board, origin):
                return True
        return False

    def in_check(self) -> bool:
        return self.attacked(self.board, king(self.board, self.turn), by=1 - self.turn)

    # Playing

    def after(self, move: str) -> Board:
        """The board after a move that is at least a candidate."""
        board = dict(self.board)
        origin, target = square(move[:2]), square(move[2:4])
        piece = board.pop(origin)
        if piece.upper() == "P" and origin[0] != target[0] and target not in board:
            del board[(target[0], origin[1])]  # 3.7.3.1: en passant
        if piece.upper() == "K" and abs(origin[0] - target[0]) == 2:
            short = target[0] > origin[0]
            rook = board.pop((7 if short else 0, origin[1]))
            board[(5 if short else 3, origin[1])] = rook
        if len(move) == 5:
            piece = move[4].upper() if self.turn == 0 else move[4]
        board[target] = piece
        return board

    def play(self, move: str) -> None:
        assert move in self.legal()
        origin, target = square(move[:2]), square(move[2:4])
        pawn = self.board[origin].upper() == "P"
        quiet = not pawn and target not in self.board
        self.board = self.after(move)
        gone = [
            right
            for right, (home, rook, _, _) in CASTLING.items()
            if {home, rook} & {name(origin), name(target)}
        ]
        self.rights = "".join(right for right in self.rights if right not in gone) or "-"
        self.clock = self.clock + 1 if quiet else 0
        self.number += self.turn
        self.turn = 1 - self.turn
        self.passed = None
        if pawn and abs(origin[1] - target[1]) == 2:
            self.passed = (origin[0], (origin[1] + target[1]) // 2)
            if not self.can_pass():
                self.passed = None
        self.seen.append(self.sameness())

    def can_pass(self) -> bool:
        """Whether some pawn may really capture en passant."""
        assert self.passed is not None
        target = name(self.passed)
        pawns = (m for m in self.legal() if m[2:4] == target and self.is_pawn(square(m[:2])))
        return any(m[0] != target[0] for m in pawns)

    def is_pawn(self, place: Square) -> bool:
        return self.board[place].upper() == "P"

    def sameness(self) -> tuple[object, ...]:
        """What makes two positions the same (9.2.3)."""
        return frozenset(self.board.items()), self.turn, self.rights, self.passed

    # The end

    def outcome(self) -> tuple[str, tuple[float, ...]] | None:
        draw = (0.0, 0.0)
        if self.cannot_mate():
            return "insufficient material", draw
        if not self.legal():
            if self.in_check():
                return "checkmate", (-1.0, 1.0) if self.turn == 0 else (1.0, -1.0)
            return "stalemate", draw
        if self.clock >= self.quiet_plies:
            return {100: "fifty", 150: "seventy-five"}[self.quiet_plies] + "-move rule", draw
        if self.seen.count(self.seen[-1]) >= self.repetitions:
            return {3: "threefold", 5: "fivefold"}[self.repetitions] + " repetition", draw
        return None

    def cannot_mate(self) -> bool:
        others = [(p, k.upper()) for p, k in self.board.items() if k.upper() != "K"]
        if len(others) <= 1:
            return all(kind in "NB" for _, kind in others)
        colours = {(place[0] + place[1]) % 2 for place, _ in others}
        return all(kind == "B" for _, kind in others) and len(colours) == 1

    def text(self) -> str:
        passed = "-" if self.passed is None else name(self.passed)
        turn = "wb"[self.turn]
        return (
            f"{write_pieces(self.board)} {turn} {self.rights} {passed} {self.clock} {self.number}"
        )


def king(board: Board, side: int) -> Square:
    letter = "Kk"[side]
    return next(place for place, piece in board.items() if piece == letter)


def reach(board: Board, origin: Square) -> set[Square]:
    """Squares that a piece (no pawn) looks at, the first occupied one in a line included."""
    kind = board[origin].upper()
    found = set()
    for dx, dy in LINES.get(kind, ()):
        place = (origin[0] + dx, origin[1] + dy)
        while on_board(place):
            found.add(place)
            if place in board:
                break
            place = (place[0] + dx, place[1] + dy)
    for dx, dy in LEAPS.get(kind, ()):
        place = (origin[0] + dx, origin[1] + dy)
        if on_board(place):
            found.add(place)
    return found


def read_pieces(text: str) -> Board:
    board: Board = {}
    for row, line in enumerate(text.split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
                continue
            board[(file, 7 - row)] = letter
            file += 1
    return board


def write_pieces(board: Board) -> str:
    rows = []
    for rank in reversed(range(8)):
        row = "".join(board.get((file, rank), " ") for file in range(8))
        for gap in range(8, 0, -1):
            row = row.replace(" " * gap, str(gap))
        rows.append(row)
    return "/".join(rows)
