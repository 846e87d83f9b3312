"""Tibetan Jiu chess: its board, its records, its opening libraries."""

from tempo import _core
from tempo.games.description import NEWCOMER, Description, Level, Sample, Small

# What differs from the default rules, by the name under which players know it.
PROFILES: dict[str, dict[str, str]] = {
    "seed": {},
    "competition": {"shape_check": "off", "single_jump_ban": "strong"},
    "seed_literal": {"shape_check": "any_time", "literal_14": "yes"},
    "adjudicated": {"early_double_dalian": "yes"},
}
_FILLED = "xoxxooxo/ooxoxxox/xxoxooxo/oxx1oxox/xoxo1xxo/ooxxoxoo/xxoooxxo/oxoxxoox x battle 0 0"

GAME = Description(
    _core.jiu,
    __name__,
    listed=3,
    profiles=PROFILES,
    portrait="14/14/14/4x9/4oxo7/3oxxo7/4oxxo6/5oxo6/14/14/14/14/14/14 x prep",
    study="alphabeta:eval=learned",
    learnt_on=(Small("jiu(size=6)"),),
    samples=(Sample("jiu", 3), Sample("jiu(size=8)", 4, _FILLED)),
    levels=(
        NEWCOMER,
        Level("beginner", "Beginner", "jiu-bayes", "places by a network of shapes"),
        Level("club", "Club player", "jiu-sarsa", "places by what Sarsa has learnt"),
        Level("strong", "Strong", "jiu-strong:time=0.3", "tries boards out, 0.3 s a move"),
        Level("master", "Master", "jiu-strong:time=2", "the same with two seconds a move"),
    ),
)
