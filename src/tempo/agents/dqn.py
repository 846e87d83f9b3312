"""Playing by a deep Q-network alone: the legal move that it values most, without any search.

The networks are those of a run of `tempo train` (its target networks, which are the steadier ones),
of a file that `tempo export` wrote, or those that come with Tempo for the game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays

from tempo.agents.base import Choice, Cost
from tempo.agents.registry import Runs, declare
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError, missing_extra
from tempo.games.game import by_seat
from tempo.games.registry import load as load_game
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View

PREFIX = "slow"  # the target networks among the arrays of a checkpoint


@dataclass(frozen=True)
class DqnSettings(AgentSettings):
    """Which networks."""

    weights: str = setting(
        "", "run folder or file; empty: those that come with Tempo", opens="file"
    )


@dataclass(frozen=True)
class Stored:
    """Networks as they are stored, and the recipe that says what they are."""

    recipe: Mapping[str, Any]
    arrays: dict[str, NDArray[Any]]
    source: str


def read(source: str, game: str) -> Stored:
    """Networks of a run folder, of a file, or those that come with Tempo for a game."""
    if not source:
        file = resources.files("tempo.weights") / game / "dqn.safetensors"
        if not file.is_file():
            raise ParseError(f"no Q-network of {game} comes with Tempo; give weights=RUN or a file")
        about = resources.files("tempo.weights") / game / "dqn.json"
        return _stored(file.read_bytes(), about.read_text(), f"the Q-network of {game}")
    if Path(source).is_dir():
        run = Run.open(source)
        return Stored(run.config, run.trained().arrays, source)
    about_file = Path(source).with_suffix(".json")
    try:
        return _stored(Path(source).read_bytes(), about_file.read_text(), source)
    except OSError as error:
        raise ParseError(
            f"there are no weights '{source}' with {about_file.name} beside: {error.strerror}"
        ) from None


def _stored(data: bytes, about: str, source: str) -> Stored:
    """What `tempo export` wrote: the arrays, and what they are."""
    try:
        return Stored(json.loads(about)["recipe"], load_arrays(data), source)
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ParseError(f"{source} holds no Q-network: {error}") from None


class Player:
    """Networks that answer, for one game."""

    def __init__(self, stored: Stored, spec: str) -> None:
        try:
            import jax  # noqa: PLC0415

            from tempo.nets.encodings import encoding_of  # noqa: PLC0415
            from tempo.nets.qmethods import NETWORK, chooser, method_of  # noqa: PLC0415
            from tempo.nets.squares import with_arrays  # noqa: PLC0415
        except ImportError as error:
            raise missing_extra(error) or error from None
        recipe = stored.recipe
        learnt = load_game(str(recipe.get("game", "shogi")))
        game = load_game(spec)
        if game.name != learnt.name:
            raise ParseError(f"{stored.source} plays {learnt.name}, not {game.name}")
        network = {name: recipe[name] for name in NETWORK if name in recipe}
        if jax.default_backend() == "cpu":  # where 16 bits take several times as long as 32
            network["half"] = False
        heads, reward = str(recipe.get("method", "joint")), str(recipe.get("reward", "material"))
        self.encoding = encoding_of(game, heads, reward)
        method = method_of(self.encoding, **network)
        shapes = jax.eval_shape(method.make, jax.random.key(0))
        blank = jax.tree.map(lambda leaf: jax.numpy.zeros(leaf.shape, leaf.dtype), shapes)
        self._nets = with_arrays(blank, stored.arrays, PREFIX)
        self.cost = method.cost(self._nets)
        self._best = jax.jit(chooser(method, self.encoding))
        self._batch = game.core.Batch

    def best(self, stored: Any, bits: Any) -> Any:
        """[B] the best legal outputs and [B] their values, of positions as they are stored."""
        return self._best(self._nets, stored, bits)

    def values(self, positions: list[Any]) -> NDArray[np.float32]:
        """[N] what each position's best move is worth to the seat to move."""
        count = len(positions)
        batch = self._batch(positions[0], 1 << (count - 1).bit_length())  # few sizes to compile
        for i, position in enumerate(positions[1:], start=1):
            batch.place(i, position)
        _, found = self.best(self.encoding.observe(batch), self.encoding.legal(batch).bits)
        return np.clip(np.asarray(found, np.float32)[:count], -1, 1)

    def choose(self, view: View) -> tuple[int, float]:
        """The best move, and what it is worth to the seat to move."""
        batch = self._batch(view, 1)
        legal = self.encoding.legal(batch)
        output, value = self.best(self.encoding.observe(batch), legal.bits)
        place = int(legal.places(np.asarray(output))[0])
        return int(legal.moves[place]), float(value[0])


def best_moves_evaluator(run: Run, game: Game) -> Any:
    """Networks of Q for searches: a position is worth its best move."""
    player = Player(Stored(run.config, run.trained().arrays, str(run.folder)), game.spec)
    return game.core.Evaluator.positions(player.values)


@declare(
    "dqn",
    DqnSettings,
    "a deep Q-network's best move, without search",
    games=(),  # what its weights have learnt
    runs=Runs(
        {"dqn": "shogi"}, lambda folder, _: DqnSettings(weights=folder), best_moves_evaluator
    ),
)
class DqnAgent:
    """Plays the move that a Q-network values most."""

    def __init__(
        self, settings: DqnSettings | None = None, name: str | None = None, agent: str = "dqn"
    ) -> None:
        self._settings = settings or DqnSettings()
        self._agent = agent
        self.name = name or text_of(agent, self._settings)
        self._players: dict[str, Player] = {}

    def reset(self, seed: int) -> None:
        """Nothing to forget: it plays the same in every game."""

    def choose(self, view: View) -> Choice:
        """The best legal move by the network."""
        spec = str(getattr(view, "game", ""))
        if spec not in self._players:
            stored = read(self._settings.weights, spec.partition("(")[0])
            self._players[spec] = Player(stored, spec)
        player = self._players[spec]
        move, value = player.choose(view)
        own = max(-1.0, min(1.0, value))
        return Choice(move, by_seat(own, view.turn), line=(move,), cost=Cost(1, 1, player.cost))

    def clone(self) -> DqnAgent:
        """A copy that shares the networks, for another thread or seat."""
        made = DqnAgent(self._settings, self.name, self._agent)
        made._players = self._players
        return made


declare(
    "shogi-dqn",
    DqnSettings,
    "the Q-network that comes with Tempo, without search",
    games=("shogi",),
    weights=("shogi/dqn",),
)(partial(DqnAgent, agent="shogi-dqn"))
