"""Breakthrough on 5x5, in Python: `tempo play --game examples/breakthrough.py`."""

import tempo


@tempo.register
class Breakthrough(tempo.GridGame):
    """Pawns go forward, take diagonally; who reaches the last row or takes all pawns wins."""

    name = "breakthrough"
    seat_names = ("white", "black")
    rows, columns, pieces, turned = 5, 5, "wb", True
    move_numbers = 3 * 25  # where from, and to the left, straight on or to the right
    reason = "the last row is reached or the last pawn taken"
    length_bound = 2 * 10 * 3  # every pawn goes forward three times before the last row

    def __init__(self, squares="b" * 10 + "." * 5 + "w" * 10, turn=0):
        self.squares, self.turn = squares, turn

    def touched(self, move):
        square, side = divmod(move, 3)
        return square, square + (5 if self.turn else -5) + side - 1

    @property
    def legal_moves(self):
        own, moves = "wb"[self.turn], []
        for square, piece in enumerate(self.squares):
            if piece == own:
                ahead = square + (5 if self.turn else -5)
                if square % 5 > 0 and self.squares[ahead - 1] != own:
                    moves.append(3 * square)
                if self.squares[ahead] == ".":
                    moves.append(3 * square + 1)
                if square % 5 < 4 and self.squares[ahead + 1] != own:
                    moves.append(3 * square + 2)
        return moves

    def play(self, move):
        squares, (start, end) = list(self.squares), self.touched(move)
        squares[start], squares[end] = ".", "wb"[self.turn]
        return Breakthrough("".join(squares), 1 - self.turn)

    @property
    def outcome(self):
        if "w" in self.squares[:5] or "b" not in self.squares:
            return 1, -1
        return (-1, 1) if "b" in self.squares[-5:] or "w" not in self.squares else None
