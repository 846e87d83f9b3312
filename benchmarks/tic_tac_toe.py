"""Tic-tac-toe written in Python, to compare with the one that open_spiel has in Python."""

from __future__ import annotations

import tempo

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@tempo.register
class TicTacToe(tempo.PythonGame):
    """Three in a row."""

    name, move_numbers, length_bound = "tic-tac-toe", 9, 9

    def __init__(self, board: str = "." * 9, turn: int = 0) -> None:
        self.board, self.turn = board, turn

    @property
    def legal_moves(self) -> list[int]:
        """The empty squares."""
        return [square for square, letter in enumerate(self.board) if letter == "."]

    def play(self, move: int) -> TicTacToe:
        """A mark on a square."""
        mark = "xo"[self.turn]
        return TicTacToe(self.board[:move] + mark + self.board[move + 1 :], 1 - self.turn)

    @property
    def outcome(self) -> tuple[int, int] | None:
        """Three in a row of the player who has just moved, or a full board."""
        board, mark = self.board, "ox"[self.turn]
        for a, b, c in LINES:
            if board[a] == board[b] == board[c] == mark:
                return (1, -1) if mark == "x" else (-1, 1)
        return None if "." in board else (0, 0)
