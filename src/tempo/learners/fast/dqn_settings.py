"""The settings of deep Q-learning: every switch of the paper's learner and of the improved one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError
from tempo.nets import qmethods
from tempo.nets.qmethods import METHODS, NETWORK, Method
from tempo.td import Successor

if TYPE_CHECKING:
    from tempo.nets.encoding import Encoding


@dataclass(frozen=True)
class Settings:
    """The settings of this learner."""

    # How long
    steps: int = 1000  # iterations, each with a line in the log
    seconds: float = 0.0  # of wall time, after which learning ends early; 0: no such end
    plies: int = 32  # moves in every game, an iteration
    games: int = 256  # side by side
    # Networks
    method: str = "joint"  # joint: one head for all moves; paper, corrected: piece, then place
    channels: int = 64
    blocks: int = 4
    half: bool = False  # compute in bfloat16
    dueling: bool = True
    double: bool = True
    # Playing
    exploration: str = "0.1"  # ε by the number of the game, see tempo.explore
    spread: float = 0.0  # a game's own ε is ε^(1 + spread u), u even in [0, 1) (Horgan et al. 2018)
    opening: int = 0  # random moves at most at the beginning
    random_share: float = 0.0  # of the games have one seat that always moves at random
    cap: int = 0  # moves after which a game is broken off; 0: only the rules end it
    # Rewards and targets
    win: float = 1.0  # what a won game is worth
    gain: float = 1.0  # what the encoding's gains are multiplied with
    discount: float = 0.99
    n_step: int = 1
    successor: Successor = "negamax"
    replies: bool = True  # own_turn: what others earn in between counts against the seat
    cut: bool = True  # targets look no further than the next move that was drawn
    # Memory
    memory: int = 100_000  # positions
    first: int = 5_000  # positions before learning begins
    priority: float = 0.6  # exponent of errors; 0: all entries alike
    correction: float = 0.4  # of what priorities do to averages, growing to 1
    symmetry: bool = True
    # Learning
    batch: int = 256
    updates: int = 1  # after a number of rows:
    every: int = 1
    step_size: float = 3e-4  # of Adam
    final_share: float = 0.1  # of the step size, reached on a straight line
    clip: float = 10.0  # norm of a gradient; 0: any
    huber: float = 1.0  # width; 0: squares
    target_share: float = 0.005  # how far targets follow the networks at every update
    target_every: int = 0  # updates between whole copies of them; 0: none
    # Looking
    exam: int = 0  # games against random moves, after a number of iterations:
    exam_every: int = 20

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise ParseError(f"there is no method '{self.method}'; there are {known}")
        for name in ("steps", "plies", "games", "n_step", "batch", "updates", "every", "memory"):
            if getattr(self, name) < 1:
                raise ParseError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.memory < self.batch:
            raise ParseError(
                f"a memory of {self.memory} positions is less than a batch of {self.batch}"
            )


def method_of(settings: Settings, encoding: Encoding) -> Method:
    """How moves are chosen and learnt, for a game of this encoding."""
    return qmethods.method_of(encoding, **{name: getattr(settings, name) for name in NETWORK})


def settings_in(recipe: Mapping[str, Any]) -> Settings:
    """The settings among the fields of a recipe or of a run's configuration."""
    known = {field.name for field in fields(Settings)}
    return Settings(**{name: value for name, value in recipe.items() if name in known})
