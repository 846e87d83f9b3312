"""Shogi on 5x5: the slow rules of the full board with another start and a shallower zone."""

from __future__ import annotations

from reference import shogi


class Game(shogi.Game):
    """One game of mini-shogi."""

    size = 5
    zone = 1
    first = "rbsgk/4p/5/P4/KGSBR b - 1"
