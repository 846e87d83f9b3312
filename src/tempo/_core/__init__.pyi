"""Rules, features, searches and batches. Private: use tempo's own names."""

from tempo._core import chess as chess, gomoku as gomoku


class ParseError(ValueError):
    """Text, options or arrays that do not mean anything."""

class IllegalMove(ValueError):
    """A move that is well formed but not legal in its position."""

class Outcome:
    """Why a game ended and what each seat got."""

    @property
    def reason(self) -> str: ...

    @property
    def scores(self) -> tuple[float, ...]:
        """One number per seat in [-1, 1]."""

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...
