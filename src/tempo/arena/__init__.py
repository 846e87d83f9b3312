"""Matches, ratings and tournaments: who is stronger, how sure that is, and what each side spent.

>>> from tempo import arena
>>> result = arena.match(("random", "random"), "gomoku(size=5)", games=20, seed=1)
>>> result.games
20
"""

from tempo.arena.conditions import Clock, Conditions
from tempo.arena.match import MatchProgress, match
from tempo.arena.openings import Opening
from tempo.arena.ratings import Rating, rate
from tempo.arena.result import MatchResult
from tempo.arena.statistics import SPRT, Pairs
from tempo.arena.table import GameRecord
from tempo.arena.tournament import TournamentProgress, TournamentResult, tournament

__all__ = [
    "SPRT",
    "Clock",
    "Conditions",
    "GameRecord",
    "MatchProgress",
    "MatchResult",
    "Opening",
    "Pairs",
    "Rating",
    "TournamentProgress",
    "TournamentResult",
    "match",
    "rate",
    "tournament",
]
