"""Othello: the smallest complete game, to start another one from."""

from tempo import _core
from tempo.games.description import SEARCH_STEPS, Description, Sample, Small, ladder

GAME = Description(
    _core.othello,
    __name__,
    samples=(Sample("othello", depth=7),),
    learnt_on=(Small("othello(size=6)"),),
    study="alphabeta",
    portrait="8/8/2xoo3/2xxxo2/2xoxx2/3oo3/8/8 x",
    levels=ladder(
        ("alphabeta:depth=2", "looks two moves ahead", 0.6),
        ("alphabeta:depth=2", "looks two moves ahead", 0.3),
        ("alphabeta:depth=2", "looks two moves ahead"),
        ("alphabeta:depth=3", "looks three moves ahead"),
        ("alphabeta:depth=4", "looks four moves ahead"),
        (f"alphabeta:nodes=1000,steps={SEARCH_STEPS}", "1,000 positions a move"),
        (f"alphabeta:nodes=6000,steps={SEARCH_STEPS}", "6,000 positions a move"),
        (f"alphabeta:nodes=60000,steps={SEARCH_STEPS}", "60,000 positions a move"),
        (f"alphabeta:nodes=1000000,steps={SEARCH_STEPS}", "1,000,000 positions a move"),
    ),
)
