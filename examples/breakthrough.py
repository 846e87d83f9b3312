"""Breakthrough on 5x5, in Python: `tempo perft examples/breakthrough.py 5`."""

import re

import numpy as np

import tempo

SIDE = 5
SQUARES = [f"{column}{row}" for row in "54321" for column in "abcde"]


@tempo.register
class Breakthrough(tempo.PythonGame):
    """Pawns go forward, take diagonally; who reaches the last row or takes all pawns wins."""

    name = "breakthrough"
    seat_names = ("white", "black")
    move_numbers = 3 * SIDE * SIDE  # where from, and to the left, straight on or to the right
    length_bound = 2 * 2 * SIDE * 3  # every pawn goes forward three times before the last row

    def __init__(self, board="b" * 10 + "." * 5 + "w" * 10, turn=0):
        self.squares, self.turn = board, turn

    @staticmethod
    def target(move, turn):
        return move // 3 + (SIDE if turn else -SIDE) + move % 3 - 1

    @property
    def legal_moves(self):
        own, moves = "wb"[self.turn], []
        for square, piece in enumerate(self.squares):
            if piece != own:
                continue
            ahead = square + (SIDE if self.turn else -SIDE)
            if square % SIDE > 0 and self.squares[ahead - 1] != own:
                moves.append(3 * square)
            if self.squares[ahead] == ".":
                moves.append(3 * square + 1)
            if square % SIDE < SIDE - 1 and self.squares[ahead + 1] != own:
                moves.append(3 * square + 2)
        return moves

    def play(self, move):
        board = list(self.squares)
        board[move // 3], board[self.target(move, self.turn)] = ".", "wb"[self.turn]
        return Breakthrough("".join(board), 1 - self.turn)

    @property
    def outcome(self):
        if "w" in self.squares[:SIDE] or "b" not in self.squares:
            return 1, -1
        return (-1, 1) if "b" in self.squares[-SIDE:] or "w" not in self.squares else None

    def move_text(self, move):
        return SQUARES[move // 3] + SQUARES[self.target(move, self.turn)]

    @property
    def board(self):
        return "\n".join(self.squares[i : i + SIDE] for i in range(0, SIDE * SIDE, SIDE))

    @property
    def text(self):
        return f"{self.board.replace(chr(10), '/')} {'wb'[self.turn]}"

    @classmethod
    def parse(cls, text):
        if not re.fullmatch(r"([wb.]{5}/){4}[wb.]{5} [wb]", text):
            raise ValueError(f"expected rows and the side to move, as in {cls().text}")
        return cls(text[:-2].replace("/", ""), "wb".index(text[-1]))

    def features(self, seat):
        planes = [[piece == colour for piece in self.squares] for colour in "wb"]
        return np.array(planes).reshape(2, SIDE, SIDE)[[seat, 1 - seat]]
