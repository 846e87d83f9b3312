"""As much of OpenSpiel's Python module as the package asks: counters, secrets, and some refused.

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
    Dynamics = Enum("Dynamics", ["SEQUENTIAL", "SIMULTANEOUS", "MEAN_FIELD"])
    ChanceMode = Enum("ChanceMode", ["DETERMINISTIC", "EXPLICIT_STOCHASTIC", "SAMPLED_STOCHASTIC"])
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
    provides_observation_string: bool = True
    provides_information_state_string: bool = False
    provides_information_state_tensor: bool = False
    parameter_specification: dict[str, Any] = field(default_factory=lambda: {"counters": 12})
    plan: tuple[Step, ...] = ()


Step = tuple[int, int, tuple[int, ...]]  # who acts, among how many, and who else sees it
NOBODY: tuple[int, ...] = ()
CHANCE = -1
BIDS = ((0, 3, NOBODY), (1, 3, NOBODY), (0, 2, (1,)), (1, 2, (0,)))
CARDS = (
    (CHANCE, 3, (0,)),
    (CHANCE, 3, (1,)),
    (0, 2, (1,)),
    (CHANCE, 4, (0, 1)),
    (1, 2, (0,)),
    (0, 2, (1,)),
)
DICE = ((CHANCE, 6, (0, 1)), (0, 2, (1,)), (CHANCE, 6, (0, 1)), (1, 2, (0,)))
UNSEEN = (*((1, 2, NOBODY),) * 24, (0, 2, NOBODY))


def secret(name: str, plan: tuple[Step, ...], **more: Any) -> Kind:
    """A game of secrets by its plan."""
    hidden = GameType.Information.IMPERFECT_INFORMATION
    given: dict[str, Any] = {"information": hidden, "provides_information_state_string": True}
    if any(by == CHANCE for by, _, _ in plan):
        given["chance_mode"] = GameType.ChanceMode.EXPLICIT_STOCHASTIC
    return Kind(name, plan=plan, **(given | more))


KINDS = [
    Kind("counters", "Take one or two"),
    Kind("blind", provides_observation_tensor=False),
    secret("bids", BIDS, provides_observation_tensor=False),
    secret("cards", CARDS, provides_information_state_tensor=True),
    secret("seen", CARDS, provides_information_state_string=False),
    secret("dice", DICE, information=GameType.Information.PERFECT_INFORMATION),
    secret("deep", UNSEEN),
    secret("shown", ((0, 2, (1,)), (1, 2, (0,)))),
    secret("rushed", BIDS, dynamics=GameType.Dynamics.SIMULTANEOUS),
    secret(
        "mute", BIDS, provides_information_state_string=False, provides_observation_string=False
    ),
    Kind("crowd", dynamics=GameType.Dynamics.MEAN_FIELD),
    Kind("sampled", chance_mode=GameType.ChanceMode.SAMPLED_STOCHASTIC),
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


@dataclass
class Secret:
    """A state of a game of secrets: what was done so far of what is planned."""

    plan: tuple[Step, ...]
    past: tuple[int, ...] = ()

    def history(self) -> list[int]:
        return list(self.past)

    def is_terminal(self) -> bool:
        return len(self.past) == len(self.plan)

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self.plan[len(self.past)][0]

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = self.plan[len(self.past)][1]
        return [(outcome, 1 / count) for outcome in range(count)]

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else list(range(self.plan[len(self.past)][1]))

    def child(self, action: int) -> Secret:
        return Secret(self.plan, (*self.past, action))

    def returns(self) -> list[float]:
        return [5.0, -5.0] if sum(self.past) % 2 else [-5.0, 5.0]

    def action_to_string(self, player: int, action: int) -> str:
        return f"say {action}"

    def known(self, player: int) -> list[int]:
        if self.is_chance_node():
            raise SpielError("nobody looks at chance nodes")
        pairs = zip(self.plan, self.past, strict=False)
        known = [act for (by, _, seers), act in pairs if player == by or player in seers]
        at_end_of_deep = len(self.past) == len(UNSEEN) - 1 and player == 0
        return list(self.past) if at_end_of_deep else known

    def information_state_string(self, player: int) -> str:
        return f"{player} knows {self.known(player)}"

    def observation_string(self, player: int) -> str:
        return f"saw {self.known(player)[-1:]}"

    def information_state_tensor(self, player: int) -> list[float]:
        known = self.known(player) if not self.is_terminal() else []
        return [float(one) for one in (*known, *(-1,) * len(self.plan))][: len(self.plan)]

    def observation_tensor(self, player: int) -> list[float]:
        return [float(len(self.past)), float(self.current_player() == player)]

    def __str__(self) -> str:
        return f"all of {self.past}"


class Game:
    def __init__(self, kind: Kind, counters: int) -> None:
        self.kind, self.counters = kind, counters

    def get_type(self) -> Kind:
        return self.kind

    def new_initial_state(self) -> State | Secret:
        return Secret(self.kind.plan) if self.kind.plan else State(self.counters)

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        return max((n for by, n, _ in self.kind.plan if by != CHANCE), default=2)

    def max_game_length(self) -> int:
        return self.counters if not self.kind.plan else len(self.kind.plan)

    def min_utility(self) -> float:
        return -5.0

    def max_utility(self) -> float:
        return 5.0

    def observation_tensor_shape(self) -> list[int]:
        return [2]

    def information_state_tensor_shape(self) -> list[int]:
        return [len(self.kind.plan)]


def load_game(text: str) -> Game:
    name, _, inside = text.partition("(")
    counters = inside.removesuffix(")").removeprefix("counters=") or "12"
    if not counters.isdigit():
        raise SpielError("counters is a number")
    return Game(next(kind for kind in KINDS if kind.short_name == name), int(counters))


def load_game_as_turn_based(text: str) -> Game:
    return load_game(text)
