"""Games on the squares of a board, written in Python: what can be said of all of them.

@tempo.register
class TicTacToe(tempo.GridGame):
    "Three in a row."

    name, rows, columns, pieces = "tic-tac-toe", 3, 3, "xo"
    move_numbers = length_bound = 9

    def __init__(self, squares="." * 9, turn=0):
        self.squares, self.turn = squares, turn
    ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from tempo.games.boards import Grid, on_squares
from tempo.games.python import PythonGame
from tempo.games.scene import Face, Layout, Piece, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tempo.games.game import Game
    from tempo.games.protocol import View

COLUMNS = "abcdefghijklmnopqrstuvwxyz"


class GridGame(PythonGame):
    """A game on the squares of a board, with its text, features, print and picture.

    A class has `rows`, `columns` and `pieces` besides what every `PythonGame` has, and its objects
    `squares`: a letter for each square, row by row from the top, a dot where nothing stands. Where
    a move is more than the number of a square, `touched` names its squares.
    """

    rows: ClassVar[int]
    columns: ClassVar[int]
    pieces: ClassVar[Sequence[str]]  # the letters of each seat
    turned: ClassVar[bool] = False  # whether the second seat sees the board from the other side

    squares: Any

    @classmethod
    def square_name(cls, square: int) -> str:
        """A square by its column and its row from below: a1."""
        return f"{COLUMNS[square % cls.columns]}{cls.rows - square // cls.columns}"

    def touched(self, move: int) -> Sequence[int]:
        """The squares of a move in the order in which a hand touches them; none for a pass."""
        return (move,)

    def move_text(self, move: int) -> str:
        """The names of the squares that a move touches."""
        return "".join(map(self.square_name, self.touched(move))) or "pass"

    @property
    def board(self) -> str:
        """The rows from the top."""
        return "\n".join(self._rows())

    def _rows(self) -> list[str]:
        wide = self.columns
        return [self.squares[i : i + wide] for i in range(0, self.rows * wide, wide)]

    def _word(self, name: str) -> str:
        return "/".join(self._rows()) if name == "squares" else super()._word(name)

    def _value(self, name: str, word: str) -> object:
        if name != "squares":
            return super()._value(name, word)
        rows, letters = word.split("/"), {".", *"".join(self.pieces)}
        if [len(row) for row in rows] != [self.columns] * self.rows:
            raise ValueError(f"expected {self.rows} rows of {self.columns} squares")
        if wrong := set(word) - letters - {"/"}:
            raise ValueError(f"'{min(wrong)}' is no piece; there are {' '.join(sorted(letters))}")
        return "".join(rows)

    def features(self, seat: int) -> NDArray[np.float32]:
        """A plane for each kind of piece, those of `seat` first, then those of the next seats."""
        import numpy as np  # noqa: PLC0415 - for learners alone

        kinds = "".join([*self.pieces[seat:], *self.pieces[:seat]])
        letters = np.frombuffer(self.squares.encode(), np.uint8)
        planes = letters == np.frombuffer(kinds.encode(), np.uint8)[:, None]
        shaped: NDArray[np.float32] = planes.astype(np.float32)
        return shaped.reshape(-1, self.rows, self.columns)

    @classmethod
    def face(cls) -> Face:
        """The board with its pieces; a move is entered by touching its squares."""
        return _GridFace(cls)


class _GridFace(Face):
    """Squares and pieces as the class has them."""

    def __init__(self, game: type[GridGame]) -> None:
        self._game = game
        rows = [str(row) for row in range(game.rows, 0, -1)]
        self._grid = Grid(COLUMNS[: game.columns], rows)
        self._steps = lru_cache(maxsize=64)(self._all_steps)

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The chequered board."""
        grid = self._grid.turned() if self._game.turned and seat == 1 else self._grid
        return on_squares(self, game, grid)

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """The letters of the squares, as plain stones where a seat has one kind of piece."""
        game, at = self._game, self._game.parse(view.text)
        plain = max(map(len, game.pieces)) == 1 and len(game.seat_names) == 2
        found = []
        for square, letter in enumerate(at.squares):
            owner = next((i for i, own in enumerate(game.pieces) if letter in own), None)
            if owner is not None:
                own = game.pieces[owner]
                whole = letter.upper() if len(set(own.upper())) == len(own) else letter
                place, text = game.square_name(square), "" if plain else whole
                kind = f"{text} of {game.seat_names[owner]}" if text else game.seat_names[owner]
                label = f"{kind} on {place}"
                found.append(Piece(place, owner, "stone" if plain else "disc", text, text, label))
        return tuple(found)

    def step(self, view: View, move: int) -> Step:
        """The squares to touch; a button for a move without squares."""
        return self._steps(view.text, tuple(view.legal_moves))[move]

    def _all_steps(self, text: str, moves: tuple[int, ...]) -> dict[int, Step]:
        at: Any = self._game.parse(text)
        touches = {m: tuple(map(self._game.square_name, at.touched(m))) for m in moves}
        shared = Counter(touches.values())
        found = {}
        for move, places in touches.items():
            name = at.move_text(move)
            choice = name if shared[places] > 1 else ""
            found[move] = (
                Step(move, name, places, choice) if places else Step(move, name, button=name)
            )
        return found

    def hint(self, view: View) -> str:
        """A piece is moved or put down, as the first move is."""
        step = self.step(view, view.legal_moves[0])
        return "Move a piece." if len(step.touches) > 1 else "Choose a square."

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""
