"""Four-player Siguo military chess with hidden ranks: its board, its records, its beliefs."""

from tempo import _core
from tempo._core.siguo import Belief
from tempo.games.description import Description, Sample, ladder

__all__ = ["GAME", "Belief"]

GAME = Description(
    _core.siguo,
    __name__,
    listed=6,
    study="siguo-strong",
    samples=(Sample("siguo(max_plies=80)"),),
    levels=ladder(
        ("siguo-heuristic", "plays by rules of thumb", 0.9),
        ("siguo-heuristic", "plays by rules of thumb", 0.75),
        ("siguo-heuristic", "plays by rules of thumb", 0.5),
        ("siguo-heuristic", "plays by rules of thumb", 0.25),
        ("siguo-heuristic", "plays by rules of thumb"),
        ("siguo-strong-1:determinizations=10", "tries moves on 10 determinizations"),
        ("siguo-strong-1:determinizations=150", "tries moves on 150 determinizations"),
        ("siguo-strong:determinizations=10", "tries moves on 10 determinizations"),
        ("siguo-strong:determinizations=100", "tries moves on 100 determinizations"),
    ),
)
