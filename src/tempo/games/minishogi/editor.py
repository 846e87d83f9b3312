"""A position of minishogi set up by hand, as one of shogi is."""

from tempo.games.shogi.editor import ORDER, SIDES, compose, read, samples, tray

__all__ = ["ORDER", "SIDES", "compose", "read", "samples", "tray"]
