"""Gomoku by a learnt critic: the move after which it likes its chances best, with no search at all.

The critic says how likely player 1 is to win (Zhao, Zhang, Dai 2012). Player 1 plays what makes it
highest, player 2 what makes it lowest; of equal moves any.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays

from tempo._core import gomoku, gomoku_critic
from tempo.agents.base import Candidate, Choice, Cost, Drawing, played_by
from tempo.agents.registry import Runs, declare, declare_also
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError
from tempo.games.game import by_seat
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.games.game import Game
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
        return _weights(Run.open(source).trained().arrays, source)
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


class GomokuAgent(Drawing, ABC):
    """Plays the centre of an empty board; otherwise what it finds best."""

    name: str

    def __init__(self) -> None:
        self._critics: dict[str, gomoku_critic.Critic] = {}
        self.reset(0)

    def choose(self, view: View) -> Choice:
        """The centre of an empty board, as in training; otherwise what was found best."""
        position = played_by(self.name, view, gomoku.Position)
        if len(position.legal_moves) == position.options.move_numbers:
            side = math.isqrt(position.options.move_numbers)
            move = side // 2 * side + side // 2
            return Choice(move, values=(), line=(move,), cost=Cost(positions=1))
        return self._choose(position)

    @abstractmethod
    def _choose(self, view: gomoku.Position) -> Choice:
        """What was found best, where there is something to choose."""

    def _asked(
        self, view: gomoku.Position, weights: Weights, player: str
    ) -> tuple[NDArray[np.int32], Floats, int, bool]:
        """Candidates, the critic's values, a winning move or -1; whether it plays as player 1."""
        options = view.options
        if options.spec not in self._critics:
            self._critics[options.spec] = weights.critic(options)
        taken = {"one": 0, "two": 1, "seat": view.turn}[player]
        judged = self._critics[options.spec].judge(view, first=taken ^ view.turn)
        return *judged, taken == 0


def choice_among(
    view: gomoku.Position,
    moves: Sequence[int] | NDArray[np.int32],
    worth: NDArray[np.floating],
    best: int,
    visits: int,
    cost: Cost,
) -> Choice:
    """The best move, with what the first few are worth in [0, 1] to the seat to move."""

    def values(place: int) -> tuple[float, ...]:
        return by_seat(2 * float(worth[place]) - 1, view.turn)

    order = np.argsort(-worth, kind="stable")[:SHOWN]
    shown = tuple(Candidate(int(moves[i]), visits, values(i)) for i in order)
    move = int(moves[best])
    return Choice(move, values(best), line=(move,), cost=cost, candidates=shown)


def critic_evaluator(run: Run, game: Game) -> gomoku.Evaluator:
    """A critic at the leaves of a search; player 1 is the seat that began."""
    options = game.options
    assert isinstance(options, gomoku.Options)
    critic = read_weights(str(run.folder)).critic(options)

    def values(planes: Floats) -> Floats:
        positions = [_position(seen, game) for seen in planes]
        first = 2 * critic.values(positions, first=0) - 1
        began = planes[:, 2, 0, 0] > 0
        return np.where(began, first, -first).astype(np.float32)

    return gomoku.Evaluator.callback(values)


def _position(planes: Floats, game: Game) -> gomoku.Position:
    """The position that planes [3, size, size] show: own stones, opposing ones, who began."""
    own, opposing = ("x", "o") if planes[2, 0, 0] > 0 else ("o", "x")
    letters = np.where(planes[0] > 0, own, np.where(planes[1] > 0, opposing, "1"))
    rows = "/".join("".join(row) for row in letters[::-1])
    empty = re.sub("1+", lambda ones: str(len(ones[0])), rows)
    made = game.parse(f"{empty} {own}")
    assert isinstance(made, gomoku.Position)
    return made


@declare(
    "critic",
    CriticSettings,
    "a learnt critic of patterns, without search",
    games=("gomoku",),
    weights=("gomoku/critic-patterns",),
    runs=Runs(
        {"adp": "gomoku"}, lambda folder, _: CriticSettings(weights=folder), critic_evaluator
    ),
)
class CriticAgent(GomokuAgent):
    """Plays the candidate with the best value after it."""

    def __init__(self, settings: CriticSettings | None = None, name: str | None = None) -> None:
        self._settings = settings or CriticSettings()
        self.name = name or text_of("critic", self._settings)
        self._weights = read_weights(self._settings.weights, self._settings.variant)
        super().__init__()

    def _choose(self, view: gomoku.Position) -> Choice:
        moves, values, five, is_first = self._asked(view, self._weights, self._settings.player)
        own = values if is_first else 1 - values  # how likely the seat to move is to win
        best = self._best(own)
        if self._settings.forced and five >= 0:
            best = int(np.flatnonzero(moves == five)[0])
        cost = Cost(len(moves), len(moves), len(moves) * self._weights.first.size)
        return choice_among(view, moves, own, best, 1, cost)

    def clone(self) -> CriticAgent:
        """A copy, for another thread or seat."""
        return CriticAgent(self._settings, self.name)


declare_also("gomoku-adp", "critic", "the critic")
