"""Gomoku: its board, its records, its openings."""

from tempo import _core
from tempo.games.description import Description, Small, ladder

GAME = Description(
    _core.gomoku,
    __name__,
    listed=1,
    search=_core.gomoku_threats,
    study="gomoku-strong",
    portrait="15/15/15/15/15/7o7/6xxo6/7xo6/6ooxx5/6xo7/5x9/15/15/15/15 o",
    levels=ladder(
        ("gomoku-beginner", "sees fours, often slips", 0.7),
        ("gomoku-beginner", "sees fours, often slips", 0.4),
        ("gomoku-beginner", "sees fours, often slips", 0.15),
        ("gomoku-beginner", "sees fours, often slips"),
        ("gomoku-dilettante", "looks a little ahead"),
        ("gomoku-strong:nodes=2000", "2,000 positions a move"),
        ("gomoku-strong:nodes=20000", "20,000 positions a move"),
        ("gomoku-strong:nodes=200000", "200,000 positions a move"),
        ("gomoku-strong:nodes=2000000", "2,000,000 positions a move"),
    ),
    learnt_on=(Small("gomoku(size=7)"),),
    opening_options=("rule", "size"),
)
