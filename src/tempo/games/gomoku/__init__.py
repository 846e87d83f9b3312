"""Gomoku: its board, its records, its openings."""

from tempo import _core
from tempo.games.description import Description, Small, ladder

GAME = Description(
    _core.gomoku,
    __name__,
    listed=1,
    search=_core.gomoku_threats,
    study="gomoku-strong",
    portrait="15/15/15/15/15/11o3/4oxoooxx4/6oxxx1o3/6x1xoo4/6ox1x5/6o1x1x4/7x1o1o3/15/15/15 x",
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
