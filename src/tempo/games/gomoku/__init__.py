"""Gomoku: its board, its records, its openings."""

from tempo import _core
from tempo.games.description import NEWCOMER, Description, Level, Small

GAME = Description(
    _core.gomoku,
    __name__,
    listed=1,
    study="gomoku-strong",
    portrait="15/15/15/15/15/7o7/6xxo6/7xo6/6ooxx5/6xo7/5x9/15/15/15/15 o",
    levels=(
        NEWCOMER,
        Level("beginner", "Beginner", "gomoku-beginner", "sees fours, often slips"),
        Level("club", "Club player", "gomoku-dilettante", "looks a little ahead"),
        Level("strong", "Strong", "gomoku-candidate", "rarely misses a threat"),
        Level("master", "Master", "gomoku-strong:time=2", "finds long chains of fours; 2 s a move"),
    ),
    learnt_on=(Small("gomoku(size=7)"),),
    opening_options=("rule", "size"),
)
