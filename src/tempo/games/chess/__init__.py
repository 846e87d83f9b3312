"""Chess: its board, its records, its endings."""

from tempo import _core
from tempo.games.description import SEARCH_STEPS, Description, Level, Sample, Small, ladder

GAME = Description(
    _core.chess,
    __name__,
    listed=2,
    learnt_on=(Small("chess", "KRK"), Small("chess", "KBNK")),
    endings=("KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR"),
    position_text="a FEN",
    unit=("pawns", 4.0),  # as the static evaluation squashes them
    study="alphabeta",
    portrait="r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    samples=(Sample("chess", 4),),
    levels=(
        *ladder(
            ("alphabeta:depth=1", "looks one move ahead", 0.7),
            ("alphabeta:depth=1", "looks one move ahead", 0.4),
            ("alphabeta:depth=1", "looks one move ahead", 0.2),
            ("alphabeta:depth=1", "looks one move ahead"),
            ("alphabeta:depth=2", "looks two moves ahead"),
            ("alphabeta:depth=3", "looks three moves ahead"),
            (f"alphabeta:nodes=10000,steps={SEARCH_STEPS}", "10,000 positions a move"),
            (f"alphabeta:nodes=100000,steps={SEARCH_STEPS}", "100,000 positions a move"),
            (f"alphabeta:nodes=1000000,steps={SEARCH_STEPS}", "1,000,000 positions a move"),
        ),
        Level("perfect", "Perfect", "tablebase", "plays endings of four pieces without a mistake"),
    ),
)
