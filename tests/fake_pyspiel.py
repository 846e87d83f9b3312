"""As much of OpenSpiel's Python module as the package asks: a game of counters, and some refused.

The library itself is not needed by the tests; tools/check_openspiel.py tries all of its games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

__version__ = "0.1"


class SpielError(RuntimeError):
    """What the library raises."""


class GameType:
    Dynamics = Enum("Dynamics", ["SEQUENTIAL", "SIMULTANEOUS"])
    ChanceMode = Enum("ChanceMode", ["DETERMINISTIC", "EXPLICIT_STOCHASTIC"])
    Information = Enum("Information", ["PERFECT_INFORMATION", "IMPERFECT_INFORMATION"])
    Utility = Enum("Utility", ["ZERO_SUM", "GENERAL_SUM"])


@dataclass
class Kind:
    short_name: str
    long_name: str = "A game"
    dynamics: Any = GameType.Dynamics.SEQUENTIAL
    chance_mode: Any = GameType.ChanceMode.DETERMINISTIC
    information: Any = GameType.Information.PERFECT_INFORMATION
    utility: Any = GameType.Utility.ZERO_SUM
    default_loadable: bool = True
    min_num_players: int = 2
    max_num_players: int = 2
    provides_observation_tensor: bool = True
    parameter_specification: dict[str, Any] = field(default_factory=lambda: {"counters": 12})


KINDS = [
    Kind("counters", "Take one or two"),
    Kind("blind", provides_observation_tensor=False),
    Kind("rushed", dynamics=GameType.Dynamics.SIMULTANEOUS),
    Kind("lots", chance_mode=GameType.ChanceMode.EXPLICIT_STOCHASTIC),
    Kind("hidden", information=GameType.Information.IMPERFECT_INFORMATION),
    Kind("greedy", utility=GameType.Utility.GENERAL_SUM),
    Kind("nested", default_loadable=False),
    Kind("alone", min_num_players=1, max_num_players=1),
]


def registered_games() -> list[Kind]:
    return KINDS


@dataclass
class State:
    left: int
    turn: int = 0
    past: tuple[int, ...] = ()

    def history(self) -> list[int]:
        return list(self.past)

    def apply_action(self, action: int) -> None:
        self.__dict__ |= vars(self.child(action))

    def is_terminal(self) -> bool:
        return self.left <= 0

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self.turn

    def returns(self) -> list[float]:
        return [5.0, -5.0] if self.turn else [-5.0, 5.0]

    def legal_actions(self) -> list[int]:
        return [0, 1][: self.left]

    def child(self, action: int) -> State:
        return State(self.left - action - 1, 1 - self.turn, (*self.past, action))

    def action_to_string(self, player: int, action: int) -> str:
        return "take" if self.left % 3 == 0 else f"take {action + 1}"

    def observation_tensor(self, player: int) -> list[float]:
        return [float(self.left), float(self.turn == player)]

    def __str__(self) -> str:
        return "o" * self.left


class Game:
    def __init__(self, kind: Kind, counters: int) -> None:
        self.kind, self.counters = kind, counters

    def get_type(self) -> Kind:
        return self.kind

    def new_initial_state(self) -> State:
        return State(self.counters)

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        return 2

    def max_game_length(self) -> int:
        return self.counters

    def min_utility(self) -> float:
        return -5.0

    def max_utility(self) -> float:
        return 5.0

    def observation_tensor_shape(self) -> list[int]:
        return [2]


def load_game(text: str) -> Game:
    name, _, inside = text.partition("(")
    counters = inside.removesuffix(")").removeprefix("counters=") or "12"
    if not counters.isdigit():
        raise SpielError("counters is a number")
    return Game(next(kind for kind in KINDS if kind.short_name == name), int(counters))
