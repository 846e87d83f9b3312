"""Chess: its board, its records, its endings."""

from tempo import _core
from tempo.games.description import NEWCOMER, Description, Level, Sample, Small

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
        NEWCOMER,
        Level("beginner", "Beginner", "alphabeta:depth=1", "takes what can be taken"),
        Level("club", "Club player", "alphabeta:depth=3", "looks three moves ahead"),
        Level("strong", "Strong", "alphabeta:nodes=300000", "300,000 positions a move"),
        Level("master", "Master", "alphabeta:time=3", "three seconds a move"),
        Level("perfect", "Perfect", "tablebase", "plays endings of four pieces without a mistake"),
    ),
)
