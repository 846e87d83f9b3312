"""The Gomoku paper's critic as a slow and obvious pupil in NumPy, one position at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.games.game import Game
from tempo.learners.fast.adp import Floats, Games, Settings, Stage
from tempo.nets.critic import Critic

OPENING = 4  # moves of both sides that are not compared with an expert's: the first two of each
Encode = Callable[[Sequence[Any]], Floats]  # positions to inputs [N, I], seen by player 1


def planes(game: Game) -> Encode:
    """What the game's own features show seat 0, flattened, with whose turn it is as a pair."""

    def encode(positions: Sequence[Any]) -> Floats:
        rows = []
        for position in positions:
            turn = np.zeros(2, np.float32)
            turn[position.turn] = 1
            rows.append(np.concatenate([position.features(0).reshape(-1), turn]))
        return np.stack(rows)

    return encode


# A position and its number in the game to a move, whether it was drawn, and what another would
# play; None where the game is not continued.
_Choose = Callable[[Any, int], tuple[int, bool, int | None] | None]


@dataclass
class PlainPupil:
    """A critic in NumPy that plays any game of two seats, one position at a time.

    Player 1 is seat 0, who begins, whatever a stage says. All legal moves are candidates. With a
    random opening the first move of each seat is drawn.
    """

    game: Game
    encode: Encode
    settings: Settings = field(default_factory=Settings)
    expert: Critic | None = None

    def __post_init__(self) -> None:
        inputs = self.encode([self.game.start()]).shape[1]
        self.critic = Critic.random(inputs, self.settings.hidden, 0, self.settings.spread)

    def weights(self) -> tuple[Floats, Floats]:
        """Copies of them: learning changes them in place."""
        return self.critic.first.copy(), self.critic.second.copy()

    def load(self, first: Floats, second: Floats) -> None:
        """Takes these weights."""
        if first.shape != self.critic.first.shape or second.shape != self.critic.second.shape:
            raise ValueError(f"weights {first.shape} and {second.shape} of another critic")
        self.critic = Critic(np.array(first, np.float32), np.array(second, np.float32))

    def choose(self, position: Any, critic: Critic | None = None) -> int:
        """The move after which the value is best for the seat to move; of equal ones the last."""
        moves = list(position.legal_moves)
        after = [position.play(move) for move in moves]
        if self.settings.forced:
            won = [
                move
                for move, next_one in zip(moves, after, strict=True)
                if next_one.is_over and next_one.outcome.scores[position.turn] > 0
            ]
            if won:
                return int(won[-1])
        values = (critic or self.critic).values(self.encode(after))
        own = values if position.turn == 0 else -values
        return int(moves[len(moves) - 1 - int(np.argmax(own[::-1]))])

    def teach_itself(self, firsts: NDArray[np.uint8], seed: int, begin: int, stage: Stage) -> Games:
        """Games against itself."""
        numbers = range(begin, begin + len(firsts))
        return _joined(
            firsts, [self._follow(self._own(Random(f"{seed}/{n}"), stage)) for n in numbers]
        )

    def watch(self, games: Games, stage: Stage) -> Games:
        """Given games."""
        ends = np.cumsum(games.lengths)
        parts = [
            (games.moves[end - length : end], games.is_random[end - length : end])
            for end, length in zip(ends, games.lengths, strict=True)
        ]
        return _joined(games.firsts, [self._follow(self._given(*part)) for part in parts])

    def _own(self, random: Random, stage: Stage) -> _Choose:
        """Moves of its own, or drawn; compared with the expert's."""

        def choose(position: Any, ply: int) -> tuple[int, bool, int | None]:
            drawn = (stage.random_opening and ply < 2) or random.random() < stage.random_share
            if drawn:
                moves = position.legal_moves
                return int(moves[random.randrange(len(moves))]), True, None
            better = self.choose(position, self.expert) if self.expert else None
            return self.choose(position), False, better

        return choose

    def _given(self, moves: NDArray[np.int16], is_random: NDArray[np.bool_]) -> _Choose:
        """Moves of others, compared with its own."""

        def choose(position: Any, ply: int) -> tuple[int, bool, int | None] | None:
            if ply == len(moves):
                return None
            return int(moves[ply]), bool(is_random[ply]), self.choose(position)

        return choose

    def _follow(self, choose: _Choose) -> _Played:
        """One game move by move, learning after each and from the end."""
        position: Any = self.game.start()
        x = self.encode([position])[0]
        played = _Played()
        while not position.is_over and (chosen := choose(position, len(played.moves))):
            move, is_random, other = chosen
            played.evaluated += 0 if is_random else len(position.legal_moves)
            if not is_random and other is not None and len(played.moves) >= OPENING:
                played.asked[position.turn] += 1
                played.agreed[position.turn] += move == other
            position = position.play(move)
            after = self.encode([position])[0]
            self._learn(x, after, played)
            x = after
            played.moves.append(move)
            played.is_random.append(is_random)
        if position.is_over:
            played.result = (1 + position.outcome.scores[0]) / 2
            self._learn(x, played.result, played)
        return played

    def _learn(self, x: Floats, target: Floats | float, played: _Played) -> None:
        wanted = target
        if isinstance(wanted, np.ndarray):
            wanted = self.settings.discount * float(self.critic.values(wanted[None])[0])
        played.squares += (wanted - float(self.critic.values(x[None])[0])) ** 2
        self.critic.learn(self.settings.rule, x, target)


@dataclass
class _Played:
    """One game on its way."""

    moves: list[int] = field(default_factory=list)
    is_random: list[bool] = field(default_factory=list)
    result: float = 0.5
    squares: float = 0.0
    evaluated: int = 0
    asked: list[int] = field(default_factory=lambda: [0, 0])
    agreed: list[int] = field(default_factory=lambda: [0, 0])


def _joined(firsts: NDArray[np.uint8], played: list[_Played]) -> Games:
    return Games(
        firsts,
        np.array([move for game in played for move in game.moves], np.int16),
        np.array([flag for game in played for flag in game.is_random], np.bool_),
        np.array([len(game.moves) for game in played], np.int32),
        np.array([game.result for game in played], np.float32),
        np.array([game.squares for game in played], np.float32),
        np.array([game.evaluated for game in played], np.int64),
        np.array([game.asked for game in played], np.int32).reshape(-1, 2),
        np.array([game.agreed for game in played], np.int32).reshape(-1, 2),
    )
