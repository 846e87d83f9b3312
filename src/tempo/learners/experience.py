"""Self-play: games of an approximator against itself, and what learners need of them.

Games are played side by side (`Batch`), one crossing into the core for a move in each of them.
Whole games are then laid end to end. Every value is that of the seat that moved,
however many seats there are and however many moves its turn has; hidden games are searched on what
the seat could see. Game i is played by its own random stream, (seed, i).

Letters: N moves of all games, G games, S seats, B games side by side, K legal moves of all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo.learners.choosing import Simulations, Valued
from tempo.ledger import Ledger
from tempo.nets.approximator import QUIESCENCE_TURNS, Approximator, Floats, Inputs, Seen
from tempo.stopping import check

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Start = Callable[[np.random.Generator], "Position"]
TABLE = 1 << 20  # bytes of the transposition table of a search


@dataclass(frozen=True)
class Acting:
    """How moves are chosen while learning.

    With `depth` 1 every move is valued, else games are searched, with `simulations` by a tree. A
    share `random` of the moves is made at random; with a `temperature` random moves are proposed
    every time, and taken or not by how much worse they are (Metropolis); by that of `boltzmann`
    every move is drawn by its value. Both need values of all moves, which alpha-beta has not.
    """

    depth: int = 1
    random: float = 0.1
    temperature: float = 0.0
    boltzmann: float = 0.0
    simulations: int = 0
    opening: int = 4  # random moves at most before a game counts
    longest: int = 1000  # moves, after which a game is drawn
    record: int = 0  # interior positions kept of every search, for TreeStrap
    detours: float = 0.0  # share of moves before which a position off the line is valued
    even: float = 1.0  # openings that the search values beyond this are drawn again
    keep: bool = False  # the positions themselves, for a memory that values them later


@dataclass(frozen=True)
class Nodes:
    """Interior positions of searches with what was proved of them, for the seat to move there."""

    inputs: Inputs
    low: Floats
    high: Floats
    ply: Ints  # of the search; 0 where they lie in the order of games


@dataclass(frozen=True)
class Experience:
    """Whole games laid end to end: entry t is the position before a move, seen by its mover."""

    inputs: Inputs  # [N]
    game: Ints  # [N] which of the G games
    turn: NDArray[np.uint8]  # [N] who moved
    sign: Floats  # [N] 1 where the mover is of the first seat's team, else -1
    moves: NDArray[np.int32]  # [N]
    value: Floats  # [N] the approximator's own value
    best: Floats  # [N] what the search or the best move promises
    taken: Floats  # [N] the value of the move made; of the best one where a search chose it
    explored: Flags  # [N] made at random
    last: Flags  # [N] the last entry of its game
    scores: Floats  # [G, S] what each seat got; 0 where a game was broken off
    leaves: Inputs  # [N] where the principal variation ends
    leaf_sign: Floats  # [N] 1 where the leaf is seen by the mover's team, else -1
    evaluated: Flags  # [N] the leaf's value is the approximator's, not that of an end
    nodes: Nodes | None = None
    asides: Nodes | None = None  # positions off the line of the games, with their searched values
    quiet: Flags | None = None  # [N] without check, and the best move takes nothing; if it is known
    positions: NDArray[np.object_] | None = None  # [N] where the moves were made, if they are kept
    cost: Ledger = field(default_factory=Ledger)
    round: int = 2  # entries from a seat's turn to its next one, turns of several moves aside

    def __len__(self) -> int:
        return len(self.turn)

    @property
    def outcome(self) -> Floats:
        """[N] what the first seat got in the game of each entry."""
        found: Floats = self.scores[self.game, 0]
        return found

    @property
    def result(self) -> Floats:
        """[N] what the mover got in the game of each entry."""
        found: Floats = self.scores[self.game, self.turn]
        return found

    @staticmethod
    def joined(parts: Sequence[Experience]) -> Experience:
        """Games of one batch that were played apart, as if they had been played together."""
        found: dict[str, Any] = {}
        for name in (one.name for one in fields(Experience)):
            columns = [getattr(part, name) for part in parts]
            if columns[0] is None:
                found[name] = None
            elif name in ("inputs", "leaves"):
                found[name] = Inputs.joined(columns)
            elif name in ("nodes", "asides"):
                found[name] = _in_order_of_plies(columns)
            elif name == "cost":
                found[name] = sum(columns, Ledger())
            elif name == "round":
                found[name] = columns[0]
            else:
                found[name] = np.concatenate(columns)
        before = np.cumsum([0, *(len(part.scores) for part in parts)])
        own = [part.game + at for part, at in zip(parts, before, strict=False)]
        return Experience(**found | {"game": np.concatenate(own)})

    def by_seat(self) -> Experience:
        """The moves of every seat as a game of its own, for more than two sides.

        A value belongs to the seat to move, and where there are three no sign turns it into that of
        another. So a seat learns from its own next turn, and from what it got in the end.
        """
        seats = self.scores.shape[1]
        own = self.game * seats + self.turn
        order = np.argsort(own, kind="stable")
        own = own[order]
        columns = (
            "inputs", "turn", "moves", "value", "best", "taken", "explored", "leaves", "leaf_sign",
            "evaluated",
        )  # fmt: skip
        return replace(
            self,
            **{name: getattr(self, name)[order] for name in columns},
            game=own,
            sign=np.ones(len(self), np.float32),
            last=np.append(own[1:] != own[:-1], True),
            scores=np.repeat(self.scores.reshape(-1, 1), seats, axis=1),
            quiet=None if self.quiet is None else self.quiet[order],
            round=1,
        )


def self_play(
    game: Game,
    approximator: Approximator,
    acting: Acting,
    *,
    games: int,
    seed: int,
    first: int = 0,
    threads: int = 1,
    start: Start | None = None,
    among: tuple[int, int] | None = None,
) -> Experience:
    """Plays games `first` to `first + games` of an approximator against itself.

    Where they are some of a batch that is played apart, `among` is the first game of all and how
    many there are: each is played as it would be among all of them.

    >>> import tempo
    >>> from tempo.nets.registry import Shape, make
    >>> game = tempo.load("othello(size=4)")
    >>> played = self_play(game, make("table", game, Shape()), Acting(), games=3, seed=1)
    >>> played.scores.shape, bool((played.best >= played.taken).all())
    ((3, 2), True)
    """
    whole = among or (first, games)
    return _SelfPlay(game, approximator, acting, games, seed, first, threads, start, whole).play()


class _SelfPlay:
    """Games under way."""

    def __init__(
        self,
        game: Game,
        approximator: Approximator,
        acting: Acting,
        games: int,
        seed: int,
        first: int,
        threads: int,
        start: Start | None,
        among: tuple[int, int],
    ) -> None:
        self._game, self._acting, self._sees = game, acting, approximator.sees
        self._approximator = approximator
        self._evaluator = approximator.evaluator()
        stream = int(np.random.SeedSequence([seed, among[0]]).generate_state(1, np.uint64)[0])
        self._batch: Any = game.batch(games, seed=stream, threads=threads)
        self._apart = games < among[1]
        if self._apart:
            core: Any = game.core
            states = core.Batch(game.start(), among[1], stream, 1, False).random_states
            at = first - among[0]
            self._batch.random_states = states[at : at + games]
            self._batch.restart()
        self._random = [np.random.default_rng([seed, first + i]) for i in range(games)]
        if start is not None:
            for i, random in enumerate(self._random):
                self._batch.place(i, start(random))
        self._opening = np.array([r.integers(acting.opening + 1) for r in self._random])
        teams = np.array(game.teams)
        self._sign = np.where(teams == teams[0], 1, -1).astype(np.float32)
        self._trees = None
        if acting.simulations:
            self._trees = Simulations(
                game, acting.simulations, games, seed=seed, first=first, threads=threads
            )
        self._seats = game.seats
        self._rows: dict[str, list[Any]] = defaultdict(list)
        self._nodes: list[Any] = []
        self._plies = np.zeros(games, np.int64)  # moves made in each game
        self._cost = Ledger(games=games)

    def play(self) -> Experience:
        """To the end of every game."""
        ply = np.zeros(len(self._batch), np.int64)
        while True:
            check()
            going = ~self._batch.over & (ply < self._acting.longest)
            if not going.any() and self._cost.moves:
                return self._laid_end_to_end()
            if not going.any() and self._apart:  # those played elsewhere may count
                nothing = np.zeros((3, len(ply)))
                self._chosen(going, nothing, random_moves(self._batch, nothing[0]))
                return self._laid_end_to_end()
            if not going.any():  # every game ended in its opening
                self._batch.restart()
                self._opening[:] = ply[:] = 0
                continue
            draws = np.array([random.random(3) for random in self._random]).T
            counted = going & (ply >= self._opening)
            moves = random_moves(self._batch, draws[2])
            # Hidden games draw what a seat imagines from their own streams, whatever others do.
            if counted.any() or self._game.is_hidden:
                self._plies = ply
                moves = np.where(counted, self._chosen(counted, draws, moves), moves)
            moves = np.where(going, moves, -1)
            self._batch.play(moves.astype(np.int32))
            ply += going

    def _chosen(self, counted: Flags, draws: NDArray[np.float64], at_random: Ints) -> Ints:
        """Decides in every game that counts, and notes what learners need."""
        batch, explores = self._batch, draws[0] < self._acting.random
        note: dict[str, Any] = {"turn": batch.turns, "value": batch.values(self._evaluator)}
        note["keys"], note["features"] = batch.input_keys, self._features()
        if self._trees is not None:
            moves = self._simulate(note, self._trees, counted, explores, draws, at_random)
        elif self._acting.depth > 1 or self._acting.record:
            moves = self._search(note, counted, explores, at_random)
        else:
            moves = self._judge(note, explores, draws, at_random)
        note["moves"], note["game"] = moves, np.arange(len(batch))
        if self._acting.keep:
            note["positions"] = self._positions(counted)
        for name, column in note.items():
            self._rows[name].append(column[counted])
        self._cost.moves += int(counted.sum())
        return moves

    def _positions(self, counted: Flags) -> NDArray[np.object_]:
        """[B] positions as their texts give them back, so that they can be stored."""
        found = np.empty(len(counted), object)
        for i in np.flatnonzero(counted).tolist():
            found[i] = self._game.parse(self._batch[i].text)
        return found

    def _features(self) -> Seen:
        """[B, ...] what the approximator sees besides keys."""
        if self._sees == "features":
            found: Floats = self._batch.features()
            return found
        if self._sees == "terms":
            terms: Floats = self._batch.terms()
            return terms
        if self._sees == "packed":
            packed: Seen = self._batch.packed()
            return packed
        return np.zeros((len(self._batch), 0), np.float32)

    def _judge(
        self, note: dict[str, Any], explores: Flags, draws: NDArray[np.float64], at_random: Ints
    ) -> Ints:
        """Values every legal move, and takes one of the best, or one at random."""
        valued = Valued(*self._batch.move_values(self._evaluator))
        best, best_at = valued.best(draws[1])
        explores, at = self._explored(valued, best, best_at, explores, draws[0], at_random)
        moves, taken = valued.at(at)
        self._spent(len(valued.values), len(valued.values))
        note |= {"best": best, "taken": taken, "explored": explores & (taken < best)}
        return moves

    def _explored(
        self, valued: Valued, best: Floats, best_at: Ints, explores: Flags,
        draws: NDArray[np.float64], at_random: Ints,
    ) -> tuple[Flags, Ints]:  # fmt: skip
        """[B] where a move other than the best may be made, and where in the list it stands."""
        if self._acting.boltzmann > 0:
            at = valued.drawn(self._acting.boltzmann, draws)
            return at >= 0, at
        random_at = valued.places(at_random)
        if self._acting.temperature > 0:
            explores = valued.accepted(random_at, best, self._acting.temperature, draws)
        return explores, np.where(explores, random_at, best_at)

    def _simulate(
        self, note: dict[str, Any], trees: Simulations, counted: Flags, explores: Flags,
        draws: NDArray[np.float64], at_random: Ints,
    ) -> Ints:  # fmt: skip
        """Searches every game by a tree; a random move that it has not tried has no value."""
        valued, positions, evaluations = trees.search(
            self._batch, self._evaluator, counted, self._plies
        )
        best_at = np.where(np.diff(valued.offsets) > 0, valued.offsets[:-1], -1)
        found, best = valued.at(best_at)
        explores, at = self._explored(valued, best, best_at, explores, draws[0], at_random)
        moves, taken = valued.at(at)
        moves = np.where(at < 0, at_random, moves)
        note |= {
            "best": best, "taken": np.where(at < 0, best, taken), "explored": moves != found,
        }  # fmt: skip
        self._spent(positions, evaluations)
        return moves

    def _spent(self, positions: int, evaluations: int) -> None:
        self._cost.positions += positions
        self._cost.evaluations += evaluations
        self._cost.multiply_adds += evaluations * self._approximator.multiply_adds

    def _search(
        self, note: dict[str, Any], counted: Flags, explores: Flags, at_random: Ints
    ) -> Ints:
        """Searches every game, and makes the best move, or one at random."""
        s = self._acting
        settings = _core.AlphaBetaSettings(
            depth=s.depth, table_bytes=TABLE, reduce=s.depth > 2, record=s.record,
            quiescence_turns=QUIESCENCE_TURNS,
        )  # fmt: skip
        found = self._batch.search(self._evaluator, settings, inputs=self._sees)
        explored = explores & (at_random != found.moves)
        note |= {
            "best": found.values, "taken": found.values, "explored": explored,
            "leaf_keys": found.leaf_keys, "leaf_sign": found.leaf_signs,
            "evaluated": found.evaluated,
        }  # fmt: skip
        note["leaf_features"] = self._seen(found, "leaf")
        if s.record:
            kept = counted[found.node_games]
            inputs = Inputs(found.node_keys, self._seen(found, "node"))
            ply = np.full(int(kept.sum()), int(self._plies.max()), np.int64)
            self._nodes.append((inputs[kept], found.low[kept], found.high[kept], ply))
        self._spent(found.positions, found.evaluations)
        return np.where(explored, at_random, found.moves).astype(np.int64)

    def _seen(self, found: Any, what: str) -> Seen:
        if self._sees == "keys":
            return np.zeros((len(getattr(found, f"{what}_keys")), 0), np.float32)
        seen: Seen = getattr(found, f"{what}_{self._sees}")
        return seen

    def _laid_end_to_end(self) -> Experience:
        rows = {name: np.concatenate(parts) for name, parts in self._rows.items()}
        order = np.argsort(rows["game"], kind="stable")
        rows = {name: column[order] for name, column in rows.items()}
        game, turn = rows["game"], rows["turn"]
        last = np.append(game[1:] != game[:-1], True)[: len(game)]
        inputs = Inputs(rows["keys"], rows["features"])
        leaves, leaf_sign, evaluated = self._leaves(rows, inputs, last)
        nodes = None
        if self._nodes:
            seen, *columns = zip(*self._nodes, strict=True)
            nodes = Nodes(Inputs.joined(list(seen)), *map(np.concatenate, columns))
        return Experience(
            inputs, game, turn, self._sign[turn], rows["moves"].astype(np.int32), rows["value"],
            rows["best"], rows["taken"], rows["explored"], last, self._batch.scores, leaves,
            leaf_sign, evaluated, nodes, positions=rows.get("positions"), cost=self._cost,
            round=self._seats,
        )  # fmt: skip

    def _leaves(
        self, rows: dict[str, Any], inputs: Inputs, last: Flags
    ) -> tuple[Inputs, Floats, Flags]:
        """Where searches ended. Without a search that is the position after the best move."""
        if "leaf_keys" in rows:
            found = Inputs(rows["leaf_keys"], rows["leaf_features"])
            return found, rows["leaf_sign"], rows["evaluated"]
        following = np.minimum(np.arange(len(last)) + 1, len(last) - 1)
        sign = self._sign[rows["turn"]]
        return inputs[following], sign * sign[following], ~last & ~rows["explored"]


def _in_order_of_plies(parts: Sequence[Nodes]) -> Nodes:
    """As searches of one batch give them: those of the first moves of all games first."""
    low, high, ply = (
        np.concatenate([getattr(p, n) for p in parts]) for n in ("low", "high", "ply")
    )
    order = np.argsort(ply, kind="stable")
    inputs = Inputs.joined([part.inputs for part in parts])
    return Nodes(inputs[order], low[order], high[order], ply[order])


def random_moves(batch: Any, draws: NDArray[np.float64]) -> Ints:
    """[B] a legal move of each game by draws [B] from 0 to 1; -1 where it is over."""
    offsets, moves = batch.legal_list()
    counts = np.diff(offsets)
    picked = offsets[:-1] + np.minimum((draws * counts).astype(np.int64), counts - 1)
    legal = np.append(moves.astype(np.int64), -1)
    return np.where(counts > 0, legal[np.where(counts > 0, picked, -1)], -1)
