"""Four-player Siguo military chess with hidden ranks: its board, its records, its beliefs."""

from tempo import _core
from tempo.games.description import NEWCOMER, Description, Level, Sample

GAME = Description(
    _core.siguo,
    __name__,
    listed=6,
    study="siguo-strong",
    samples=(Sample("siguo(max_plies=80)"),),
    levels=(
        NEWCOMER,
        Level(
            "beginner",
            "Beginner",
            "siguo-strong:determinizations=1,anchor=0",
            "one guess, no experience",
        ),
        Level("club", "Club player", "siguo-heuristic", "plays by rules of thumb"),
        Level(
            "strong",
            "Strong",
            "siguo-strong:determinizations=60",
            "tries moves on 60 determinizations",
        ),
        Level(
            "master",
            "Master",
            "siguo-strong:time=1",
            "as many determinizations as fit into a second",
        ),
    ),
)
