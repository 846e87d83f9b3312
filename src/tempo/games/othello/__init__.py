"""Othello: the smallest complete game, to start another one from."""

from tempo import _core
from tempo.games.description import Description, Sample, Small, ladder

GAME = Description(
    _core.othello,
    __name__,
    samples=(Sample("othello", depth=7),),
    learnt_on=(Small("othello(size=6)"),),
    study="alphabeta",
    portrait="8/8/2xoo3/2xxxo2/2xoxx2/3oo3/8/8 x",
    levels=ladder(
        ("alphabeta:depth=1", "looks one move ahead", 0.7),
        ("alphabeta:depth=1", "looks one move ahead", 0.35),
        ("alphabeta:depth=1", "looks one move ahead"),
        ("alphabeta:depth=2", "looks two moves ahead"),
        ("alphabeta:depth=3", "looks three moves ahead"),
        ("alphabeta:depth=4", "looks four moves ahead"),
        ("alphabeta:nodes=3000,steps=all", "3,000 positions a move"),
        ("alphabeta:nodes=40000,steps=all", "40,000 positions a move"),
        ("alphabeta:nodes=1000000,steps=all", "1,000,000 positions a move"),
    ),
)
