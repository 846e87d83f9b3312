"""Four-player Siguo military chess with hidden ranks: its board, its records, its beliefs."""

from tempo import _core
from tempo.games.description import Description, Sample, ladder

GAME = Description(
    _core.siguo,
    __name__,
    listed=6,
    study="siguo-strong",
    samples=(Sample("siguo(max_plies=80)"),),
    levels=ladder(
        ("siguo-heuristic", "plays by rules of thumb", 0.6),
        ("siguo-heuristic", "plays by rules of thumb", 0.35),
        ("siguo-heuristic", "plays by rules of thumb", 0.15),
        ("siguo-heuristic", "plays by rules of thumb"),
        ("siguo-strong:determinizations=4", "tries moves on 4 determinizations"),
        ("siguo-strong:determinizations=25", "tries moves on 25 determinizations"),
        ("siguo-strong:determinizations=150", "tries moves on 150 determinizations"),
        ("siguo-strong:determinizations=1000", "tries moves on 1,000 determinizations"),
        ("siguo-strong:determinizations=5000", "tries moves on 5,000 determinizations"),
    ),
)
