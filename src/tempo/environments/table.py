"""Games of one seat against an opponent, many side by side: what a Gymnasium environment steps.

A game's random numbers come from its own seed and their count, so that a game is the same alone
and among others. Letters: B games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import agents
from tempo.agents.base import Resigns
from tempo.errors import IllegalMove, ParseError, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.agents import Agent
    from tempo.games import Game

ALTERNATE = "alternate"
WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
FEW = 16  # below 1/16 of the games, replies are played one by one, not as a batch


class Table:
    """Games side by side. Whenever the caller looks, it is its turn in each, or the game is over.

    Every other seat, a partner's too, is played by the opponent, from that seat's view alone. An
    opponent of None leaves all seats to the caller.
    """

    def __init__(
        self, game: Game, count: int, opponent: str | None, seat: int | str, threads: int
    ) -> None:
        self.game = game
        self.batch: Any = game.batch(count, threads=threads)
        self.over = np.ones(count, np.bool_)  # [B]
        self.scores = np.zeros((count, game.seats), np.float32)  # [B, seats]
        self.seats = np.zeros(count, np.intp)  # [B] the caller's seat
        self._opponent = opponent
        self._first = _seat_number(game, seat)
        self._teams = np.array(game.teams)
        self._rows = np.arange(count)
        self._drawn = np.zeros(count, np.uint64)
        self._losers = np.full(count, -1)  # the seat that resigned or made an illegal move
        self._agents: dict[tuple[int, int], Agent] = {}
        self._seed(int(np.random.default_rng().integers(2**63)))
        if opponent is not None:
            agents.load(opponent)  # refuses what is none before a game begins

    def begin(self, seed: int | None = None) -> None:
        """Starts every game anew, with a seed of its own made from `seed` + its number, if any."""
        if seed is not None:
            self._seed(seed)
        self._restart(np.ones_like(self.over))
        self._reply()
        self._look()

    def step(self, moves: NDArray[Any]) -> NDArray[np.float64]:
        """One move of the caller's in every game, and the replies; gives the movers' rewards [B].

        Games that are over begin anew instead. A player who makes an illegal move has lost.
        """
        fresh = self.over
        outside = ~fresh & ((moves < 0) | (moves >= self.game.move_numbers))
        if outside.any():
            i, last = int(outside.argmax()), self.game.move_numbers - 1
            raise ParseError(f"game {i}: an action is from 0 to {last}, not {moves[i]}")
        movers = self.seats.copy()
        self._restart(fresh)
        moves = np.where(fresh, -1, moves)
        try:
            self.batch.play(moves)
        except IllegalMove:
            illegal = ~fresh & (self.batch.legal_mask()[self._rows, moves] == 0)
            self._losers[illegal] = movers[illegal]
            self.batch.play(np.where(illegal, -1, moves))
        self._reply()
        self._look()
        rewards: NDArray[np.float64] = self.scores[self._rows, movers].astype(np.float64)
        return rewards

    def observe(self) -> dict[str, Any]:
        """[B, planes, rows, columns] and [B, moves]: what the caller's seat may know and do."""
        features = self.batch.features()  # as the seat to move sees it
        for i in np.flatnonzero(self.batch.turns != self.seats):  # where games are over
            features[i] = self.batch[int(i)].features(int(self.seats[i]))
        mask = self.batch.legal_mask().view(np.int8)
        mask[self._losers >= 0] = 0
        return {"observation": features, "action_mask": mask}

    def random_moves(self, random: NDArray[np.float64]) -> NDArray[np.int64]:
        """[B] a legal move for each number in [0, 1), all as likely; 0 where a game is over."""
        offsets, listed = self.batch.legal_list()
        counts = np.diff(offsets)
        places = offsets[:-1] + (random * counts).astype(np.int64)
        moves = np.zeros(len(random), np.int64)
        moves[counts > 0] = listed[places[counts > 0]]
        return moves

    def _seed(self, seed: int) -> None:
        self._seeds = mixed(np.arange(len(self.over), dtype=np.uint64) + np.uint64(seed % 2**64))
        self._begun = np.zeros(len(self.over), np.intp)

    def _restart(self, which: NDArray[np.bool_]) -> None:
        if not which.any():
            return
        self._seeds[which] = mixed(self._seeds[which] + np.uint64(GOLDEN))
        self._drawn[which] = 0
        self._losers[which] = -1
        turn = self._begun[which] % self.game.seats
        self.seats[which] = turn if self._first is None else self._first
        self._begun[which] += 1
        self.batch.restart(which)
        if self.game.is_dealt:
            for i in np.flatnonzero(which):
                self.batch.place(int(i), self.game.start(int(self._seeds[i] >> 1)))
        for (number, seat), agent in self._agents.items():
            if which[number]:
                agent.reset(self._agent_seed(number, seat))

    def _look(self) -> None:
        self.over = self.batch.over
        self.scores = self.batch.scores
        if self._opponent is None:
            self.seats = self.batch.turns.astype(np.intp)
        if (lost := self._losers >= 0).any():
            same = self._teams[self._losers[lost], None] == self._teams
            self.scores[lost] = np.where(same, -1, 1 / (len(set(self.game.teams)) - 1))
            self.over |= lost

    # ---- the opponent's moves ----

    def _reply(self) -> None:
        """Moves for the other seats until it is the caller's turn, or the end, in every game."""
        if self._opponent is None:
            return
        while True:
            waiting = (self.batch.turns != self.seats) & ~self.batch.over
            count = np.count_nonzero(waiting)
            if self._opponent != "random" or count * FEW < len(waiting):
                for i in np.flatnonzero(waiting):
                    self._reply_alone(int(i))
                return
            offsets, listed = self.batch.legal_list()
            starts, ends = offsets[:-1][waiting], offsets[1:][waiting]
            draws = mixed(self._seeds[waiting] + self._drawn[waiting] * GOLDEN)
            self._drawn[waiting] += 1
            moves = np.full(len(waiting), -1, np.int32)
            places = picked(draws, (ends - starts).astype(np.uint64)).astype(np.int64)
            moves[waiting] = listed[starts + places]
            self.batch.play(moves)

    def _reply_alone(self, i: int) -> None:
        position = self.batch[i]
        seat = self.seats[i]
        try:
            while position.turn != seat and not position.is_over:
                position = position.play(self._choose(i, position))
        except Resigns:
            self._losers[i] = position.turn
        self.batch.place(i, position)

    def _choose(self, i: int, position: Any) -> int:
        seat = position.turn
        if self._opponent != "random":
            return self._agent(i, seat).choose(position.view(seat)).move
        draw = mixed(int(self._seeds[i]) + int(self._drawn[i]) * GOLDEN & WORD)
        self._drawn[i] += 1
        moves = position.legal_moves
        return int(moves[picked(draw, len(moves))])

    def _agent(self, i: int, seat: int) -> Agent:
        """An agent for each seat of each game: they remember."""
        if (i, seat) not in self._agents:
            self._agents[i, seat] = agents.load(str(self._opponent))
            self._agents[i, seat].reset(self._agent_seed(i, seat))
        return self._agents[i, seat]

    def _agent_seed(self, i: int, seat: int) -> int:
        return int(mixed(int(self._seeds[i]) + (seat + 1) * GOLDEN & WORD)) >> 1


def _seat_number(game: Game, seat: int | str) -> int | None:
    """The number of a seat; None for another one in every game."""
    if seat == ALTERNATE:
        return None
    if seat in game.seat_names:
        return game.seat_names.index(str(seat))
    if isinstance(seat, int) and 0 <= seat < game.seats:
        return seat
    names = ", ".join((*game.seat_names, ALTERNATE))
    raise ParseError(f"a seat is 0 to {game.seats - 1} or one of {names}, not {quoted(seat)}")


def mixed(x: Any) -> Any:
    """The last steps of SplitMix64, of a number or of an array of them."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


def picked(draw: Any, count: Any) -> Any:
    """A place below `count`, from 64 random bits."""
    return (draw >> 32) * count >> 32
