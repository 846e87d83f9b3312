"""Siguo for the truncated learner: games with itself or opponents, and inputs, in the core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tempo._core import siguo, siguo_learning
from tempo.agents.siguo.learnt import core_player
from tempo.errors import ParseError
from tempo.games import load as load_game
from tempo.games.game import Game
from tempo.games.protocol import View
from tempo.learners.fast.truncated import OnlineGame, OnlineRule, Played, Settings, Truncated
from tempo.nets.tanh import TanhNetwork
from tempo.recipes.exports import Exported, Source

MOST_HIDDEN = 8  # of the core's network


@dataclass(frozen=True)
class SiguoSelfPlay:
    """Siguo by its options, seen as `kind` of inputs."""

    options: siguo.Options
    kind: str = "stations"
    threads: int = 1
    opponents: tuple[str, ...] = ("itself",)  # met in turn
    notices: float = 0.0  # of stand-ins

    @property
    def inputs(self) -> int:
        """Always 130."""
        return siguo_learning.inputs

    def play(
        self,
        network: TanhNetwork,
        games: int,
        *,
        seed: int,
        begin: int,
        random_share: float,
        temperature: float,
    ) -> Played:
        """Games from dealt starts, in the core."""
        player = core_player(network, self.kind)
        parts = [
            player.play(
                self.options,
                count,
                seed=seed,
                begin=at,
                random_share=random_share,
                temperature=temperature,
                opponent=self._opponent(at),
                notices=self.notices,
                threads=min(self.threads, count),
            )
            for at, count in self._blocks(begin, games)
        ]
        rows, taken, best, turn, gains, lengths, scores, judged = zip(*parts, strict=True)
        return Played(
            np.concatenate(rows),
            np.concatenate(taken),
            np.concatenate(best),
            np.concatenate(turn),
            np.concatenate(gains),
            np.concatenate(lengths),
            np.concatenate(scores),
            sum(judged),
        )

    def learn(
        self,
        network: TanhNetwork,
        rule: OnlineRule,
        *,
        seed: int,
        game: int,
        random_share: float,
        temperature: float,
    ) -> OnlineGame:
        """A game from a dealt start, in the core."""
        player = core_player(network, self.kind)
        found = player.learn(
            self.options,
            seed=seed,
            game=game,
            random_share=random_share,
            temperature=temperature,
            opponent=self._opponent(game),
            notices=self.notices,
            biases=network.has_biases,
            **asdict(rule),
        )
        network.first, network.bias, network.second, network.last = (
            np.asarray(part, np.float64) for part in player.weights()
        )
        return OnlineGame(
            score=found["score"],
            length=int(found["length"]),
            made=int(found["made"]),
            explored=int(found["explored"]),
            undone=int(found["undone"]),
            squares=found["squares"],
            judged=int(found["judged"]),
        )

    def _opponent(self, game: int) -> str:
        """Games 2 i and 2 i + 1 meet the same, from either team's places."""
        return self.opponents[game // 2 % len(self.opponents)]

    def _blocks(self, begin: int, games: int) -> list[tuple[int, int]]:
        """Games with one opponent: where they begin, and how many."""
        if len(self.opponents) == 1:
            return [(begin, games)]
        return [(game, 1) for game in range(begin, begin + games)]


def refusal(game: Game, _: Settings, __: Mapping[str, Any]) -> str:
    """Self-play with expected states is of one game."""
    if not isinstance(game.options, siguo.Options):
        return f"truncated learners play siguo; see tempo train ttd --game {game.name}"
    return ""


def make(
    game: Game, settings: Settings, _: Mapping[str, Any], seed: int, threads: int = 1
) -> Truncated:
    """The learner of Siguo."""
    assert isinstance(game.options, siguo.Options)  # `refusal` sees to it
    siguo_learning.features([], settings.inputs)  # refuses names that there are none of
    if settings.hidden > MOST_HIDDEN:
        raise ParseError(f"{settings.hidden} hidden units; expected 1 to {MOST_HIDDEN}")
    opponents = tuple(settings.opponents.split("+"))
    for opponent in opponents:
        siguo_learning.check_opponent(opponent)
    world = SiguoSelfPlay(game.options, settings.inputs, threads, opponents, settings.notices)
    return Truncated(world, settings, seed)


def learn_game(
    learner: Truncated, moves: Sequence[tuple[View, int]], scores: Sequence[float]
) -> dict[str, Any]:
    """What a game teaches that is over: the moves of the seats that the network has played."""
    if learner.settings.strength:
        raise ParseError("rewards for strength taken are not counted in games that are brought")
    rows, taken, best, turn, judged = [], [], [], [], 0
    for view, move in moves:
        assert isinstance(view, siguo.View)
        legal, after = siguo_learning.after_moves(view, learner.settings.inputs)
        values = learner.network.values(after)
        at = int(np.flatnonzero(legal == move)[0])
        rows.append(after[at])
        taken.append(values[at])
        best.append(values.max())
        turn.append(view.seat)
        judged += len(legal)
    played = Played(
        rows=np.array(rows, np.float32),
        taken=np.array(taken, np.float32),
        best=np.array(best, np.float32),
        turn=np.array(turn, np.uint8),
        gains=np.zeros((len(rows), len(scores)), np.float32),
        lengths=np.array([len(rows)], np.int32),
        scores=np.array([scores], np.float32),
        judged=judged,
    )
    return learner.learn_in_order(played)


def export(source: Source) -> Exported:
    """The network, with its score against random moves from dealt starts.

    And how often it takes its last move back, against random moves too.
    """
    inputs = source.run.config.get("inputs", "stations")
    figures = source.matches("siguo", {"random": 200})
    return Exported.of_arrays(
        "network",
        source.checkpoint.arrays,
        inputs=inputs,
        figures=figures,
        undone=undone(TanhNetwork.of_arrays(source.checkpoint.arrays, "the run"), inputs),
    )


def undone(network: TanhNetwork, inputs: str, pairs: int = 50, seed: int = 1) -> float:
    """The share of its moves that take back its seat's last one, against random moves."""
    options = load_game("siguo").options
    assert isinstance(options, siguo.Options)
    _, counts, _ = core_player(network, inputs).test(options, pairs, seed=seed)
    return round(float(counts[..., 3].sum() / counts[..., 1].sum()), 4)
