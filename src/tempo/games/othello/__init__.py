"""Othello: the smallest complete game, to start another one from."""

from tempo import _core
from tempo.games.description import NEWCOMER, Description, Level, Sample, Small

GAME = Description(
    _core.othello,
    __name__,
    samples=(Sample("othello", depth=7),),
    learnt_on=(Small("othello(size=6)"),),
    study="alphabeta",
    portrait="8/8/2xoo3/2xxxo2/2xoxx2/3oo3/8/8 x",
    levels=(
        NEWCOMER,
        Level("beginner", "Beginner", "alphabeta:depth=1", "looks at its own move alone"),
        Level("club", "Club player", "alphabeta:depth=4", "looks four moves ahead"),
        Level("strong", "Strong", "alphabeta:depth=7", "looks seven moves ahead"),
        Level("master", "Master", "alphabeta:time=2", "two seconds of looking ahead a move"),
    ),
)
