"""Tibetan Jiu chess: its board, its records, its opening libraries."""

from tempo import _core
from tempo._core.jiu_preparation import Preparation
from tempo.games.description import Description, Sample, Small, ladder

__all__ = ["GAME", "PROFILES", "Preparation"]

# What differs from the default rules, by the name under which players know it.
PROFILES: dict[str, dict[str, str]] = {
    "seed": {},
    "competition": {"shape_check": "off", "single_jump_ban": "strong"},
    "seed_literal": {"shape_check": "any_time", "literal_14": "yes"},
    "adjudicated": {"early_double_dalian": "yes"},
    # How public programs play, as far as their sources and games say.
    "gongjiu": {
        "single_jump_ban": "both",
        "shape_check": "off",
        "repetition": "off",
        "no_capture_limit": "16",
    },
    "jcar": {"chain_revisit": "none", "single_jump_ban": "both", "shuttle_limit": "on"},
    "jiuchess": {"diagonal": "anti", "square_count": "every_landing"},
    "jq_chess": {
        "formation_bonus": "jq",
        "line_capture": "on",
        "fly_jump": "no",
        "single_jump_ban": "strong",
        "shape_check": "crossing_only",
        "shape_set": "lhasa",
        "gate_test": "structural",
    },
}
_FILLED = "xoxxooxo/ooxoxxox/xxoxooxo/oxx1oxox/xoxo1xxo/ooxxoxoo/xxoooxxo/oxoxxoox x battle 0 0"

GAME = Description(
    _core.jiu,
    __name__,
    listed=3,
    profiles=PROFILES,
    portrait="10xo2/6xoxxoo2/6oooooo2/5xoooox3/1xoxoooox5/1ooooooxo5/1ooooxoxxxx3/1xooxxxxxx4/"
    "1xxxxxxxxoox2/1oxxxooxoooo2/2oxxoo1xox3/2xxxoxx6/2oxxxxo6/3oxx8 o prep",
    study="alphabeta:eval=learned",
    learnt_on=(Small("jiu(size=6)"),),
    samples=(Sample("jiu", 3), Sample("jiu(size=8)", 4, _FILLED)),
    levels=ladder(
        ("jiu-expert", "places by an expert's priorities", 0.7),
        ("jiu-expert", "places by an expert's priorities", 0.4),
        ("jiu-expert", "places by an expert's priorities", 0.2),
        ("jiu-expert", "places by an expert's priorities"),
        (
            "jiu-strong-1:time=0,nodes=100,candidates=4,fills=1",
            "tries boards out, 100 positions a turn",
        ),
        (
            "jiu-strong-1:time=0,nodes=1000,candidates=6,fills=2",
            "tries boards out, 1,000 positions a turn",
        ),
        ("jiu-strong:time=0,nodes=10000,fills=4", "tries boards out, 10,000 positions a turn"),
        (
            "jiu-strong:time=0,nodes=60000,candidates=16,fills=8",
            "tries boards out, 60,000 positions a turn",
        ),
        (
            "jiu-strong:time=0,nodes=300000,candidates=20,fills=14",
            "tries boards out, 300,000 positions a turn",
        ),
    ),
)
