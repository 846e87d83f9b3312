"""Gomoku by a learnt critic: the move after which it likes its chances best, with no search at all.

The critic says how likely player 1 is to win (Zhao, Zhang, Dai 2012). Player 1 plays what makes it
highest, player 2 what makes it lowest; of equal moves any.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays

from tempo._core import gomoku, gomoku_critic
from tempo.agents.base import Candidate, Choice, Cost
from tempo.agents.registry import declare, declare_also
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError
from tempo.games.game import by_seat
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.games.protocol import View

Floats = NDArray[np.float32]

VARIANTS = {"patterns": 274, "counts": 122, "one_turn": 196, "no_turn": 194}
PLAYERS = ("one", "two", "seat")
SHOWN = 5  # candidates that a choice names


@dataclass(frozen=True)
class CriticSettings(AgentSettings):
    """Which critic, and how it is asked."""

    weights: str = setting(
        "", "run folder or file; empty: those that come with Tempo", opens="file"
    )
    variant: str = setting(
        "patterns", "which of those: by what the critic sees of a board", choices=tuple(VARIANTS)
    )
    player: str = setting(
        "one", "whom it takes itself for: player one, two, or seat by seat", choices=PLAYERS
    )
    forced: bool = setting(True, "play a winning move without asking the critic")


@dataclass(frozen=True)
class Weights:
    """Weights into [I, H] and out of [H] the hidden layer."""

    first: Floats
    second: Floats

    def critic(self, options: gomoku.Options) -> gomoku_critic.Critic:
        """The critic in the core, on a board of these options."""
        made = gomoku_critic.Critic(options, inputs=self.inputs, hidden=int(self.second.shape[0]))
        made.load(np.ascontiguousarray(self.first), np.ascontiguousarray(self.second))
        return made

    @property
    def inputs(self) -> str:
        """The name of what the critic sees, known by how many inputs it has."""
        count = int(self.first.shape[0])
        if count in VARIANTS.values():
            return next(name for name, inputs in VARIANTS.items() if inputs == count)
        side = math.isqrt(max(0, (count - 2) // 2))
        if 2 * side * side + 2 == count and side >= 5:
            return "board"
        raise ParseError(f"no critic has {count} inputs; 274, 122, 196 and 194 do, and boards")


def read_weights(source: str = "", variant: str = "patterns") -> Weights:
    """Weights of a run folder, of a file, or of a variant that comes with the package."""
    if not source:
        return _arrays(shipped(variant), f"the critic of {variant}")
    if Path(source).is_dir():
        checkpoint = Run.open(source).latest()
        if checkpoint is None:
            raise ParseError(f"{source} has no checkpoint yet")
        return _weights(checkpoint.arrays, source)
    try:
        return _arrays(Path(source).read_bytes(), source)
    except OSError as error:
        raise ParseError(f"there are no weights '{source}': {error.strerror}") from None


def shipped(variant: str) -> bytes:
    """The file of a variant that comes with the package."""
    folder = resources.files("tempo.weights") / "gomoku"
    file = folder / f"critic-{variant}.safetensors"
    if file.is_file():
        return file.read_bytes()
    there = sorted(f.name for f in folder.iterdir() if f.name.startswith("critic-"))
    names = [
        n.removeprefix("critic-").removesuffix(".safetensors") for n in there if "json" not in n
    ]
    raise ParseError(f"no critic of '{variant}' comes with Tempo; there are {', '.join(names)}")


def _arrays(data: bytes, source: str) -> Weights:
    try:
        return _weights(load_arrays(data), source)
    except SafetensorError as error:
        raise ParseError(f"{source} is no file of weights: {error}") from None


def _weights(arrays: dict[str, NDArray[np.generic]], source: str) -> Weights:
    if "first" not in arrays or "second" not in arrays:
        raise ParseError(
            f"{source} holds {', '.join(arrays)}; expected a critic's first and second"
        )
    first, second = (np.asarray(arrays[name], np.float32) for name in ("first", "second"))
    if first.ndim != 2 or second.shape != first.shape[1:]:
        raise ParseError(f"{source} has weights {first.shape} and {second.shape} that do not fit")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ParseError(f"{source} holds numbers that are not finite")
    return Weights(first, second)


@declare(
    "critic",
    CriticSettings,
    "a learnt critic of patterns, without search",
    games=("gomoku",),
    weights=("gomoku/critic-patterns",),
    runs={"adp": "gomoku"},
)
class CriticAgent:
    """Plays the candidate with the best value after it."""

    def __init__(self, settings: CriticSettings | None = None, name: str | None = None) -> None:
        self._settings = settings or CriticSettings()
        self.name = name or text_of("critic", self._settings)
        self._weights = read_weights(self._settings.weights, self._settings.variant)
        self._critics: dict[str, gomoku_critic.Critic] = {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Takes a new random stream, for moves of equal value."""
        self._random = Random(seed)

    def choose(self, view: View) -> Choice:
        """The best candidate for the seat to move; one that wins at once, if there is one."""
        if not isinstance(view, gomoku.Position):
            raise ParseError(f"critic plays gomoku alone, not {getattr(view, 'game', '?')}")
        critic = self._critic(view.options)
        seat = view.turn
        player = {"one": 0, "two": 1, "seat": seat}[self._settings.player]
        if len(view.legal_moves) == view.options.move_numbers:
            return self._opening(view)
        moves, values, five = critic.judge(view, first=player ^ seat)
        own = values if player == 0 else 1 - values  # how likely the seat to move is to win
        best = self._best(own)
        move = five if self._settings.forced and five >= 0 else int(moves[best])
        worth = float(own[moves == move][0])
        order = np.argsort(-own, kind="stable")[:SHOWN]
        return Choice(
            move,
            values=by_seat(2 * worth - 1, seat),
            line=(move,),
            cost=Cost(len(moves), len(moves), len(moves) * self._weights.first.size),
            candidates=tuple(
                Candidate(int(moves[i]), 1, by_seat(2 * float(own[i]) - 1, seat)) for i in order
            ),
        )

    def _critic(self, options: gomoku.Options) -> gomoku_critic.Critic:
        if options.spec not in self._critics:
            self._critics[options.spec] = self._weights.critic(options)
        return self._critics[options.spec]

    def _best(self, own: Floats) -> int:
        equal = np.flatnonzero(own == own.max())
        return int(equal[self._random.randrange(len(equal))])

    @staticmethod
    def _opening(view: gomoku.Position) -> Choice:
        """The first stone goes to the centre, as in training."""
        side = math.isqrt(view.options.move_numbers)
        move = side // 2 * side + side // 2
        return Choice(move, values=(), line=(move,), cost=Cost(positions=1))

    def clone(self) -> CriticAgent:
        """Another one, for another thread or seat."""
        return CriticAgent(self._settings, self.name)


declare_also("gomoku-adp", "critic", "the critic")
