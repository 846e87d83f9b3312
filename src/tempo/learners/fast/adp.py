"""Adaptive dynamic programming: a critic that learns from every move of games, its own or others'.

After each move the value of the position before it is moved towards the value of the position
after it, many times over; the last position towards the result ("Self-teaching adaptive dynamic
programming for Gomoku", Zhao, Zhang, Dai 2012). There is no actor: the best move is the one after
which the critic's value is best.

A `Pupil` plays and learns: `PlainPupil` in NumPy for any game with features, others in the core.
`Adp` takes a pupil through a schedule and keeps the curves. What it learns from is a switch:
its own games (`teach_itself`), or games that are given (`watch`).

Letters: G games, T moves of all games one after the other, N positions, I inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError, TempoError
from tempo.ledger import Ledger
from tempo.nets.critic import Critic, Rule

if TYPE_CHECKING:
    from tempo.games.game import Game

Floats = NDArray[np.float32]
OPENING = 4  # moves of both sides that are not compared with an expert's: the first two of each
Encode = Callable[[Sequence[Any]], Floats]  # positions to inputs [N, I], seen by player 1


@dataclass(frozen=True)
class Stage:
    """One row of a schedule: iterations, games of each, and how they explore."""

    games: int = 1000  # an iteration; the curves have one point for each
    iterations: int = 10
    random_share: float = 0.1  # ε
    random_opening: bool = False  # the paper's exploration (1)
    begins: Literal["alternate", "one", "two"] = "alternate"  # which player begins


PAPER = (
    Stage(iterations=20, random_opening=True),
    Stage(random_share=0.1),
    Stage(random_share=0.08),
    Stage(random_share=0.07),
    Stage(random_share=0.05),
)


@dataclass(frozen=True)
class Settings:
    """What to learn by. Every default is the paper's, or our reading of it."""

    alpha: float = 0.2
    rate_in: float = 0.05  # l1
    rate_out: float = 0.05  # l2
    discount: float = 1.0  # γ
    repeats: int = 50
    target: Literal["moving", "fixed"] = "moving"
    inputs: str = "patterns"  # what the critic sees, where a game offers a choice
    hidden: int = 100
    spread: float = 0.5  # first weights lie between -spread and spread
    forced: bool = True  # a move that wins at once is played without asking
    radius: int = 2  # how far candidates lie from stones, where a game has stones
    source: Literal["self", "expert"] = "self"  # whose games it learns from
    expert: str = ""  # weights of a critic that is watched, or compared with
    stages: tuple[Stage, ...] = PAPER

    def __post_init__(self) -> None:
        for name, choices in (("target", ("moving", "fixed")), ("source", ("self", "expert"))):
            if getattr(self, name) not in choices:
                wrong = getattr(self, name)
                raise ParseError(f"{name} cannot be '{wrong}'; it takes {' or '.join(choices)}")

    @property
    def rule(self) -> Rule:
        """The part that says how one transition is learnt."""
        return Rule(
            self.alpha, self.rate_in, self.rate_out, self.discount, self.repeats, self.target
        )


@dataclass(frozen=True)
class Games:
    """Games as they were played, and how often pupil and expert agreed."""

    firsts: NDArray[np.uint8]  # [G] the player who began
    moves: NDArray[np.int16]  # [T]
    is_random: NDArray[np.bool_]  # [T] drawn, not chosen
    lengths: NDArray[np.int32]  # [G]
    results: Floats  # [G] of player 1: 1 won, 1/2 drawn, 0 lost
    squares: Floats  # [G] how far values were from their targets, squared, summed over moves
    evaluated: NDArray[np.int64]  # [G] positions valued to choose moves
    asked: NDArray[np.int32]  # [G, 2] by player: moves that were compared
    agreed: NDArray[np.int32]  # [G, 2] of them, equal ones


class Pupil(Protocol):
    """What plays and learns."""

    def teach_itself(self, firsts: NDArray[np.uint8], seed: int, begin: int, stage: Stage) -> Games:
        """Games against itself, learning after every move; game i by (seed, begin + i) alone."""
        ...

    def watch(self, games: Games, stage: Stage) -> Games:
        """The same learning from given games; agreed says what it would have played itself."""
        ...

    def weights(self) -> tuple[Floats, Floats]:
        """Into [I, H] and out of [H] the hidden layer."""
        ...

    def load(self, first: Floats, second: Floats) -> None:
        """Takes these weights."""
        ...


Shown = Callable[[NDArray[np.uint8], int, int, Stage], Games]  # firsts, seed, begin, stage


class Adp:
    """The learner: a pupil's place in a schedule."""

    def __init__(
        self, pupil: Pupil, settings: Settings, seed: int, shown: Shown | None = None
    ) -> None:
        if settings.source == "expert" and shown is None:
            raise ParseError("to watch, a pupil needs games: name an expert")
        self.pupil = pupil
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.games = 0
        self.ledger = Ledger()
        self._shown = shown if settings.source == "expert" else None
        start = Critic.random(pupil.weights()[0].shape[0], settings.hidden, seed, settings.spread)
        pupil.load(start.first, start.second)

    @property
    def total(self) -> int:
        """How many iterations there are."""
        return sum(stage.iterations for stage in self.settings.stages)

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= self.total

    def iterate(self) -> dict[str, Any]:
        """The games of one iteration; its line has the curves of the paper."""
        stage = self._stage()
        firsts = begins(stage, self.games)
        cost = Ledger()
        with cost.timing():
            if self._shown is None:
                games = self.pupil.teach_itself(firsts, self.seed, self.games, stage)
            else:
                games = self.pupil.watch(self._shown(firsts, self.seed, self.games, stage), stage)
        moves = int(games.lengths.sum())
        cost.games, cost.moves = len(firsts), moves
        cost.evaluations = int(games.evaluated.sum())
        cost.gradient_steps = (moves + len(firsts)) * self.settings.repeats
        # A step looks at two positions and changes every weight. Counted as if no input were zero.
        weights = sum(array.size for array in self.pupil.weights())
        cost.multiply_adds = (cost.evaluations + 3 * cost.gradient_steps) * weights
        self.ledger += cost
        self.step += 1
        self.games += len(firsts)
        return {
            "step": self.step,
            "games": self.games,
            "moves": moves,
            "won": float(games.results.mean()),
            "loss": float(games.squares.sum() / (moves + len(firsts))),
            **_correctness(games),
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _stage(self) -> Stage:
        before = 0
        for stage in self.settings.stages:
            before += stage.iterations
            if self.step < before:
                return stage
        raise TempoError("the schedule is at its end")

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights, for a checkpoint."""
        first, second = self.pupil.weights()
        return {"first": first, "second": second}

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint. Random streams follow from them."""
        return {"games": self.games, "seed": self.seed}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        self.step, self.games, self.seed = step, state["games"], state["seed"]
        self.pupil.load(arrays["first"], arrays["second"])


def begins(stage: Stage, number: int) -> NDArray[np.uint8]:
    """[G] who begins the games of an iteration, the first of which has this number."""
    if stage.begins == "alternate":
        return ((number + np.arange(stage.games)) % 2).astype(np.uint8)
    if stage.begins in ("one", "two"):
        return np.full(stage.games, ("one", "two").index(stage.begins), np.uint8)
    raise ParseError(f"begins cannot be '{stage.begins}'; it takes alternate, one or two")


def _correctness(games: Games) -> dict[str, float]:
    """The share of moves equal to the expert's, in all and by player."""
    asked, agreed = games.asked.sum(0), games.agreed.sum(0)
    if not asked.sum():
        return {}
    by_player = agreed / np.maximum(asked, 1)
    return {
        "correct": float(agreed.sum() / asked.sum()),
        "correct_one": float(by_player[0]),
        "correct_two": float(by_player[1]),
    }


# ---- any game ------------------------------------------------------------------------------------


def planes(game: Game) -> Encode:
    """What the game's own features show seat 0, flattened, with whose turn it is as a pair."""
    if game.seats != 2:
        raise ParseError(f"a critic speaks of two players; {game.spec} has {game.seats} seats")

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
            raise ParseError(
                f"weights {first.shape} and {second.shape}; "
                f"expected {self.critic.first.shape} and {self.critic.second.shape}"
            )
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
