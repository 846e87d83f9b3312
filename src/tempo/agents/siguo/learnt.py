"""Siguo by what the paper's learners have learnt: the best expected after-state, with no search.

siguo-q and siguo-ttd come with weights of their own; a run's can be named in their place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import load as load_arrays

from tempo._core import siguo, siguo_learning
from tempo.agents.base import Candidate, Choice, Cost, Drawing, played_by
from tempo.agents.registry import Runs, declare
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError
from tempo.games.game import by_seat
from tempo.nets.tanh import TanhNetwork
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View

SHOWN = 5  # candidates that a choice names


@dataclass(frozen=True)
class SiguoLearntSettings(AgentSettings):
    """Which network plays."""

    weights: str = setting(
        "", "folder of a run that has learnt siguo; empty: those of Tempo", opens="file"
    )


def core_player(network: TanhNetwork, kind: str) -> siguo_learning.Player:
    """The network in the core, on this kind of inputs."""
    first, bias, second = (
        np.ascontiguousarray(part, np.float32)
        for part in (network.first, network.bias, network.second)
    )
    return siguo_learning.Player(first, bias, second, float(network.last), inputs=kind)


@dataclass(frozen=True)
class _Learnt:
    """What a run has learnt, ready to play."""

    player: siguo_learning.Player
    weights: int


def _learnt(folder: str) -> _Learnt:
    run = Run.open(folder)
    if run.config.get("learner") != "truncated":
        raise ParseError(f"{folder} is no run of a truncated learner")
    network = TanhNetwork.of_arrays(run.trained().arrays, folder)
    player = core_player(network, str(run.config.get("inputs", "stations")))
    return _Learnt(player, network.weights)


def _shipped(agent: str) -> _Learnt:
    """What comes with the package: `siguo-ttd` is weights/siguo/ttd.safetensors."""
    files, name = resources.files("tempo.weights") / "siguo", agent.removeprefix("siguo-")
    about = json.loads((files / f"{name}.json").read_text())
    arrays = load_arrays((files / f"{name}.safetensors").read_bytes())
    network = TanhNetwork.of_arrays(arrays, agent)
    return _Learnt(core_player(network, about["inputs"]), network.weights)


def best_moves_evaluator(run: Run, game: Game) -> Any:
    """What a run has learnt, for searches: a seat's view is worth its best move."""
    player = _learnt(str(run.folder)).player

    def values(positions: list[siguo.Position]) -> list[float]:
        found = [player.judge(position.view(position.turn))[1] for position in positions]
        return [float(moves.max(initial=-1.0)) for moves in found]

    return game.core.Evaluator.positions(values)


@declare(
    "siguo-q",
    SiguoLearntSettings,
    "what Q-learning has learnt, without search",
    games=("siguo",),
    weights=("siguo/q",),
    runs=Runs(
        {"truncated": "siguo"},
        lambda folder, _: SiguoLearntSettings(weights=folder),
        best_moves_evaluator,
    ),
)
class SiguoLearnt(Drawing):
    """Plays a move with the highest value; of equal ones any."""

    def __init__(
        self, settings: SiguoLearntSettings, agent: str = "siguo-q", name: str | None = None
    ) -> None:
        self.settings, self._agent = settings, agent
        self.name = name or text_of(agent, settings)
        if settings.weights:
            _ = self._learnt  # a wrong folder is refused before a game begins
        self.reset(0)

    @cached_property
    def _learnt(self) -> _Learnt:
        folder = self.settings.weights
        return _learnt(folder) if folder else _shipped(self._agent)

    def choose(self, view: View) -> Choice:
        """The best move by its expected after-state."""
        known = played_by(self._agent, view, siguo.View)
        moves, values = self._learnt.player.judge(known)
        best = self._best(values)
        order = np.argsort(-values, kind="stable")[:SHOWN]
        return Choice(
            int(moves[best]),
            values=by_seat(float(values[best]), known.seat, 4),
            line=(int(moves[best]),),
            cost=Cost(1, len(moves), len(moves) * self._learnt.weights),
            candidates=tuple(
                Candidate(int(moves[i]), 1, by_seat(float(values[i]), known.seat, 4)) for i in order
            ),
        )


declare(
    "siguo-ttd",
    SiguoLearntSettings,
    "what truncated TD has learnt, without search",
    games=("siguo",),
    weights=("siguo/ttd",),
)(partial(SiguoLearnt, agent="siguo-ttd"))
