"""Shogi: its board, its records."""

from tempo import _core
from tempo.games.description import NEWCOMER, Description, Level, Sample

GAME = Description(
    _core.shogi,
    __name__,
    listed=4,
    position_text="an SFEN",
    unit=("points", 800.0),  # as the static evaluation squashes them
    study="shogi-strong",
    portrait="lnsgk2nl/1r4gs1/p1pppp1pp/1p4p2/7P1/2P6/PP1PPPP1P/1SG4R1/LN2KGSNL b Bb 1",
    samples=(Sample("shogi", 4),),
    levels=(
        NEWCOMER,
        Level("beginner", "Beginner", "shogi-strong:nodes=300", "300 positions a move"),
        Level("club", "Club player", "shogi-strong:nodes=5000", "5,000 positions a move"),
        Level("strong", "Strong", "shogi-strong:time=1", "looks for mates; one second a move"),
        Level("master", "Master", "shogi-strong:time=4", "the same with four seconds a move"),
    ),
)
