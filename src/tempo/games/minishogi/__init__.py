"""Mini-shogi, on a board of five by five; what it shares lies in `tempo.games.shogi`."""

from tempo import _core
from tempo.games.description import Description, Sample, ladder

GAME = Description(
    _core.minishogi,
    __name__,
    listed=5,
    position_text="an SFEN",
    unit=("points", 800.0),  # as the static evaluation, shared with shogi, squashes them
    study="alphabeta",
    samples=(Sample("minishogi", 4),),
    levels=ladder(
        ("alphabeta:depth=1", "looks one move ahead", 0.7),
        ("alphabeta:depth=1", "looks one move ahead", 0.4),
        ("alphabeta:depth=1", "looks one move ahead", 0.2),
        ("alphabeta:depth=1", "looks one move ahead"),
        ("alphabeta:depth=2", "looks two moves ahead"),
        ("alphabeta:depth=3", "looks three moves ahead"),
        ("alphabeta:nodes=20000", "20,000 positions a move"),
        ("alphabeta:nodes=120000", "120,000 positions a move"),
        ("alphabeta:nodes=700000", "700,000 positions a move"),
    ),
)
