"""The shape that every game of the core has, for code that knows no particular game.

The classes themselves are compiled, one set per game (`tempo._core.gomoku.Position`, ...).
Letters: B games in a batch, A move numbers of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tempo._core import Outcome


class Moves(Protocol):
    """The legal moves of a position: a lazy, ordered set of numbers that also knows texts.

    >>> import tempo
    >>> moves = tempo.load("chess").start().legal_moves
    >>> len(moves), "e2e4" in moves, "e2e5" in moves
    (20, True, False)
    """

    def __len__(self) -> int: ...
    def __getitem__(self, i: int, /) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __contains__(self, move: int | str, /) -> bool: ...


class View(Protocol):
    """What a seat may know. In open games this is the position itself.

    >>> import tempo
    >>> view = tempo.load("siguo").start(seed=3).view("south")
    >>> view.sample(1) == view.sample(1)  # a determinization: a full state that fits the view
    True
    """

    @property
    def turn(self) -> int: ...
    @property
    def legal_moves(self) -> Any: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def key(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def board(self) -> str: ...
    def move_text(self, move: int) -> str: ...


class Position(View, Protocol):
    """One moment of a game: a value that prints, compares, hashes and draws itself.

    >>> import tempo
    >>> start = tempo.load("gomoku(size=5)").start()
    >>> position = start.play("c3").play("b2")
    >>> position.text
    '5/5/2x2/1o3/5 x'
    >>> position.svg()[:4]
    '<svg'
    >>> position.turn, position.outcome, position == start
    (0, None, False)
    """

    @property
    def game(self) -> str: ...
    @property
    def legal_moves(self) -> Moves: ...
    @property
    def scratch_key(self) -> int: ...
    def check(self) -> str: ...
    def is_legal(self, move: int) -> bool: ...
    def play(self, move: int | str) -> Any: ...
    def parse_move(self, text: str) -> int: ...
    def view(self, seat: int | str) -> Any: ...
    def svg(self) -> str: ...


class Batch(Protocol):
    """Many games side by side: arrays in, arrays out, the GIL released.

    >>> import tempo
    >>> batch = tempo.load("gomoku(size=7)").batch(1000, seed=1, threads=2)
    >>> batch.play(batch.legal_mask().argmax(axis=1))  # the first legal move in every game
    >>> batch.lengths[:3]
    array([1, 1, 1], dtype=int32)
    >>> moves = batch.playout()  # random moves to the end of every game
    >>> bool(batch.over.all()), batch.scores.shape
    (True, (1000, 2))
    """

    def __len__(self) -> int: ...
    def __getitem__(self, game: int) -> Any: ...
    def place(self, game: int, position: Any) -> None: ...
    def restart(self, which: NDArray[np.bool_] | None = None) -> None: ...
    def play(self, moves: NDArray[np.int32] | NDArray[np.int64] | NDArray[np.uint16]) -> None: ...
    def playout(self, limit: int = 0) -> int: ...
    def legal_mask(self) -> NDArray[np.uint8]: ...
    def legal_list(self) -> tuple[NDArray[np.int64], NDArray[np.uint16]]: ...
    @property
    def threads(self) -> int: ...
    @property
    def turns(self) -> NDArray[np.uint8]: ...
    @property
    def over(self) -> NDArray[np.bool_]: ...
    @property
    def scores(self) -> NDArray[np.float32]: ...
    @property
    def lengths(self) -> NDArray[np.int32]: ...
    @property
    def keys(self) -> NDArray[np.uint64]: ...


class Options(Protocol):
    """The rule choices of a game."""

    @property
    def spec(self) -> str: ...
    @property
    def move_numbers(self) -> int: ...
    @property
    def length_bound(self) -> int: ...
