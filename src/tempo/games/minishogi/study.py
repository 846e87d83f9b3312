"""What a study says of a position of mini-shogi: the same as of shogi."""

from tempo.games.shogi.study import exact

__all__ = ["exact"]
