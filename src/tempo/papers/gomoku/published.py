"""What the two Gomoku papers print.

Zhao, Zhang, Dai, "Self-teaching adaptive dynamic programming for Gomoku", Neurocomputing 78 (2012)
23-29; Tang, Zhao, Shao, Lv, "ADP with MCTS algorithm for Gomoku", IEEE SSCI 2016. Their opponent,
the commercial "5-star Gomoku", cannot be had: stand-ins take its place here. Curves are read from
figures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LEVELS = ("beginner", "dilettante", "candidate")


@dataclass(frozen=True)
class Case:
    """One variant of the critic, and what it won of 30 games against each level."""

    number: int
    name: str
    recipe: str
    games: int  # of training
    won: dict[str, int] = field(default_factory=dict)  # by level; the others are not printed


CASE_GAMES = 30
CASES = {
    "patterns": Case(
        1, "ST-Gomoku", "gomoku-critic", 60_000,
        {"beginner": 30, "dilettante": 22, "candidate": 13},
    ),
    "counts": Case(
        2, "SST1, plain counts", "gomoku-critic-counts", 80_000,
        {"beginner": 30, "dilettante": 15, "candidate": 14},
    ),
    "one_turn": Case(
        3, "SST2, one turn pair", "gomoku-critic-one-turn", 80_000,
        {"beginner": 30, "dilettante": 23, "candidate": 11},
    ),
    "no_turn": Case(4, "SST3, no turn", "gomoku-critic-no-turn", 30_000, {"beginner": 0}),
    "board": Case(5, "RIST, bare board", "gomoku-critic-board", 30_000, {"beginner": 0}),
}  # fmt: skip
ST = "patterns"  # ST-Gomoku itself
EARLY_GAMES, EARLY_WON = 10_000, 20  # after its first games, of 30 against the beginner

# Self-teaching against watching, by thousands of games: share of moves equal to ST-Gomoku's, and
# moves per game.
CORRECT = {
    "taught": {1: 0.16, 10: 0.46, 20: 0.50, 80: 0.66},
    "watching": {1: 0.10, 10: 0.33, 20: 0.45, 80: 0.47},
}
STILL = 25  # from here on watching stays where it is, between 0.46 and 0.51
MOVES = {1: 15.0, 4: 11.5, 20: 17.0, 21: 20.7, 80: 23.5}  # of self-teaching
WATCHED_MOVES = (21.5, 22.8)  # throughout
WATCHED = (30, 30)  # what ST-Gomoku won against the watching program

# The follow-up.
UCT_GAMES = 100
UCT_WON = {1: 62, 10: 75, 50: 71, 100: 67, 200: 60, 400: 58}  # HMCTS-n against UCT-n

METHODS = {
    "adp-uct": "ADP-UCT",
    "adp-hmcts": "ADP-HMCTS",
    "adp": "ADP",
    "hmcts": "HMCTS",
}
CROSS_GAMES = 500
CROSS_WON = {
    ("adp-uct", "adp-hmcts"): 267,
    ("adp-uct", "adp"): 360,
    ("adp-uct", "hmcts"): 397,
    ("adp-hmcts", "adp"): 354,
    ("adp-hmcts", "hmcts"): 379,
    ("adp", "hmcts"): 348,
}

LADDER_GAMES = 100
LADDER_WON = {
    "adp": {"beginner": 100, "dilettante": 73, "candidate": 43},
    "hmcts": {"beginner": 46, "dilettante": 13, "candidate": 0},
    "adp-hmcts": {"beginner": 100, "dilettante": 89, "candidate": 71},
    "adp-uct": {"beginner": 100, "dilettante": 82, "candidate": 64},
}

SHARE = 0.5  # λ, the best in the follow-up's Figure 4
SHARES = (0.0, 0.25, 0.75, 1.0)  # the others, which are ours

# Milliseconds a move, the middle of what is printed, and that itself.
TIMES = {
    "adp": (70.0, "60 to 80 ms"),
    "hmcts": (150_000.0, "2 to 3 min at 400 playouts"),
    "uct": (150_000.0, "2 to 3 min at 400 playouts"),
    "adp-hmcts": (2_500.0, "2 to 3 s with OpenMP, 10 s without"),
    "adp-uct": (4_500.0, "4 to 5 s"),
}
