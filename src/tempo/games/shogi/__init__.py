"""Shogi: its board, its records, mate problems and the search for them."""

from tempo import _core
from tempo._core import shogi_mate as mate
from tempo._core.shogi import Position
from tempo.games.description import Description, Sample, ladder

__all__ = ["GAME", "mate", "problem"]

GAME = Description(
    _core.shogi,
    __name__,
    listed=4,
    search=_core.shogi_strong,
    position_text="an SFEN",
    unit=("points", 800.0),  # as the static evaluation squashes them
    study="shogi-strong",
    portrait="lnsgk2nl/1r4gs1/p1pppp1pp/1p4p2/7P1/2P6/PP1PPPP1P/1SG4R1/LN2KGSNL b Bb 1",
    samples=(Sample("shogi", 4),),
    levels=ladder(
        ("shogi-strong:nodes=100", "100 positions a move", 0.7),
        ("shogi-strong:nodes=100", "100 positions a move", 0.4),
        ("shogi-strong:nodes=100", "100 positions a move", 0.2),
        ("shogi-strong:nodes=100", "100 positions a move"),
        ("shogi-strong:nodes=500", "500 positions a move"),
        ("shogi-strong:nodes=3000", "3,000 positions a move"),
        ("shogi-strong:nodes=15000", "15,000 positions a move"),
        ("shogi-strong:nodes=70000", "70,000 positions a move"),
        ("shogi-strong:nodes=350000", "350,000 positions a move"),
    ),
)


def problem(text: str) -> Position:
    """A position in which the attacker may lack a king, as in mate problems."""
    return _core.shogi.parse_problem(text, _core.shogi.Options({}))
