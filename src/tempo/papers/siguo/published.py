"""What the Siguo paper prints, and the ways of learning that are compared with it.

Lin, Wang, Han, Zhang, Xu, "The Improvement of Q-learning Applied to Imperfect Information Game",
IEEE SMC 2009, pp. 1562-1567. It names no opponent of its tests ("a mixture of human and computer
opponents"), no reward, no inputs, no cooling and no number of training games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

GAMES = 100  # behind every row of both tables

# Table II: own moves a game ("iterations"), explorations a game, wins.
TABLE_2 = {"q": (75, 0, 14), "q-epsilon": (87, 9, 17), "metropolis": (79, 6, 19)}
# Table III: won, drawn, lost.
TABLE_3 = {
    "q": (15, 78, 7),
    "ttd-adaptive": (19, 80, 1),
    "metropolis": (20, 77, 3),
    "metropolis-ttd": (23, 72, 5),
}
# Figure 7: forward nodes of λ = 0 and of λ = 0.3. 37 is more than the m = 20 of the text allows; it
# is what half a game of 75 own moves leaves on average.
NODES = {"q": 1, "ttd": 37}
# Figure 6, by who settles first: adaptive TTD before all; TTD before Q(λ), but not before Q.
ORDER = (
    ("ttd-adaptive", "q"),
    ("ttd-adaptive", "ttd"),
    ("ttd-adaptive", "q-lambda"),
    ("ttd", "q-lambda"),
    ("q", "ttd"),
)
GAPS = (
    ("ttd-adaptive", "q"),
    ("metropolis", "q"),
    ("metropolis-ttd", "q"),
    ("metropolis-ttd", "ttd-adaptive"),
    ("metropolis-ttd", "metropolis"),
)


@dataclass(frozen=True)
class Arm:
    """A way of learning: a recipe, and what is changed of it."""

    title: str
    recipe: str
    changes: dict[str, Any] = field(default_factory=dict)
    curve: bool = False  # whether it is tested on the way too, for Figure 6


_AVERAGED = "siguo-ttd-averaged"
_ADAPTIVE = {"adaptive": "closed"}
_STILL = {"exploration": "greedy"}

PRINTED = {
    "q": Arm("Q-learning", "siguo-q", curve=True),
    "q-epsilon": Arm("ε-greedy", "siguo-q-epsilon"),
    "metropolis": Arm("Metropolis", "siguo-metropolis"),
    "q-lambda": Arm("Q(0.3)", "siguo-qlambda", curve=True),
    "ttd": Arm("TTD(0.3, 20)", "siguo-ttd", curve=True),
    "ttd-adaptive": Arm("TTD, adaptive λ", "siguo-ttd-adaptive", curve=True),
    "metropolis-ttd": Arm("Metropolis + TTD", "siguo-metropolis-ttd"),
}
# The same rows where something is learnt: pushes averaged over a game. The curves of Figure 6 are
# of runs that explore, since without it no game is decided and nothing is rewarded.
AVERAGED = {
    "q": Arm("Q-learning", "siguo-q-averaged", _STILL),
    "q-epsilon": Arm("ε-greedy", "siguo-q-averaged", {"exploration": "epsilon"}),
    "metropolis": Arm("Metropolis", "siguo-q-averaged", curve=True),
    "q-lambda": Arm("Metropolis + Q(0.3)", _AVERAGED, {"rule": "q_lambda", "trace": 0.3}, True),
    "ttd": Arm("Metropolis + TTD(0.3, 20)", _AVERAGED, {"trace": 0.3}, curve=True),
    "ttd-adaptive": Arm("TTD, adaptive λ", _AVERAGED, {**_ADAPTIVE, **_STILL}),
    "metropolis-ttd": Arm("Metropolis + TTD, adaptive λ", _AVERAGED, _ADAPTIVE, curve=True),
}
READINGS = {"printed": PRINTED, "averaged": AVERAGED}
# Which arm stands for a curve of Figure 6 in either reading.
CURVES = {
    "printed": {name: name for name in ("q", "q-lambda", "ttd", "ttd-adaptive")},
    "averaged": {
        "q": "metropolis",
        "q-lambda": "q-lambda",
        "ttd": "ttd",
        "ttd-adaptive": "metropolis-ttd",
    },
}
# What the paper leaves open, one change at a time: against `long` for runs that average, against
# the printed arm of Table III for the others.
SWITCHES = {
    "long": Arm("λ = 0.9, pushes averaged (the base)", _AVERAGED),
    "team": Arm("successor: team", _AVERAGED, {"successor": "team"}),
    "literal": Arm("successor: literal", _AVERAGED, {"successor": "literal"}),
    "cut": Arm("traces cut where a move was not best", _AVERAGED, {"cut_on_explore": True}),
    "strength": Arm("0.01 for every rank taken", _AVERAGED, {"strength": 0.01}),
    "ranks": Arm("inputs: ranks", _AVERAGED, {"inputs": "ranks"}),
    "summary": Arm("inputs: summary", _AVERAGED, {"inputs": "summary"}),
    "recursive": Arm("adaptive λ as printed", _AVERAGED, {"adaptive": "recursive"}),
    "q-0.3": Arm("printed Q-learning, α = 0.3", "siguo-q", {"step_size": 0.3}),
    "q-strength": Arm("printed Q-learning, 0.01 for every rank", "siguo-q", {"strength": 0.01}),
    "ttd-0.4": Arm("printed adaptive TTD, α = 0.4", "siguo-ttd-adaptive", {"step_size": 0.4}),
}
BASES = {
    "q-0.3": ("printed", "q"),
    "q-strength": ("printed", "q"),
    "ttd-0.4": ("printed", "ttd-adaptive"),
}
GROUPS = {**READINGS, "switches": SWITCHES}
