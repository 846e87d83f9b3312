"""Deep Q-learning (Mnih et al. 2015) from self-play, for any game that has an encoding.

Many games are played side by side with one network: every move of all of them is one call of the
network and one row of the replay memory, both on the device. Between moves the network is moved
towards targets drawn from the memory, while the rules compute the next positions in the core.

The shogi paper's learner and the improved one are the same loop with other settings: which networks
(`nets.qmethods`), which targets (`td.n_step`), how entries are drawn (`replay`).

Letters: B games side by side, K entries that a target looks ahead, T rows of the memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from tempo import td
from tempo.explore import schedule
from tempo.learners.fast import replay
from tempo.learners.fast.dqn_compiled import Rule, compiled
from tempo.learners.fast.dqn_exam import against_random
from tempo.learners.fast.dqn_settings import Settings, method_of
from tempo.ledger import Ledger
from tempo.nets import devices
from tempo.nets.squares import arrays_of, with_arrays

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.nets.encoding import Encoding

PLAY, BEGIN = 1, 2  # what a random stream is for
KEPT = ("reward", "turn", "last", "cut", "broken", "output")  # of the last K + 1 rows


class Dqn:
    """The learner: networks, memory, and the games under way."""

    def __init__(
        self, game: Game, encoding: Encoding, settings: Settings, seed: int, threads: int = 1
    ) -> None:
        self.game, self.encoding, self.settings = game, encoding, settings
        self.seed, self.threads = seed, threads
        self.step = 0
        self.moves = 0  # rows written
        self.updates = 0
        self.begun = 0  # games
        self.games = 0  # ended
        self.ledger = Ledger()
        s, outputs = settings, encoding.kinds * encoding.shape[1] * encoding.shape[2]
        self.method = method_of(settings, encoding)
        self._run = compiled(self.method, encoding, Rule.of(settings))
        self.nets = self._run.make(jax.random.key(seed))
        self.slow = self._run.copy(self.nets)
        self.optimizer_state = self._run.optimizer.init(self.nets)
        self._cost = self.method.cost(self.nets)
        self._rows = max(s.memory // s.games, self._ahead + 2)
        self.memory, self.priorities = replay.empty(
            self._rows, s.games, encoding.stored, -(-outputs // 8)
        )
        self._window = {name: np.zeros((self._ahead + 1, s.games), np.float32) for name in KEPT}
        self._totals = jnp.zeros(3)
        self._cap = min(s.cap or game.length_bound, game.length_bound)
        self.batch = game.batch(s.games, seed=seed, threads=threads)
        self._played = np.zeros((s.games, self._cap), np.uint16)
        self._epsilon = np.zeros(s.games)  # of each game
        self._opening = np.zeros(s.games, np.int32)  # random moves it begins with
        self._stranger = np.full(s.games, -1)  # the seat that moves at random, -1 for none
        self._begin(np.ones(s.games, bool))

    @property
    def _ahead(self) -> int:
        return td.look_ahead(self.settings.n_step, self.settings.successor)

    @property
    def total(self) -> int:
        """The number of iterations."""
        return self.settings.steps

    @property
    def done(self) -> bool:
        """Whether the schedule or the time is at its end."""
        return self.step >= self.settings.steps or self.progress >= 1

    @property
    def progress(self) -> float:
        """How much of the schedule, or of the time where one is set, is behind: 0 to 1."""
        share = self.step / self.settings.steps
        if self.settings.seconds:
            share = max(share, self.ledger.wall_seconds / self.settings.seconds)
        return min(share, 1.0)

    def iterate(self) -> dict[str, Any]:
        """Some moves in every game; returns its line of the log."""
        before, updates = self.ledger.wall_seconds, self.updates
        ended: list[tuple[int, float, int]] = []
        self._totals = jnp.zeros(3)
        with self.ledger.timing():
            for _ in range(self.settings.plies):
                ended += self._ply()
            totals = np.asarray(self._totals, np.float64) / max(self.updates - updates, 1)
        self.step += 1
        seconds = self.ledger.wall_seconds - before
        self._charge(len(ended), self.updates - updates, seconds)
        row: dict[str, Any] = {"step": self.step, "games": self.games, "moves": self.moves}
        if ended:
            lengths, results, _ = zip(*ended, strict=True)
            row["length"] = round(float(np.mean(lengths)), 1)
            row["won"] = float(np.mean((np.array(results) + 1) / 2))
        row = {"won": 0.5, **row, "updates": self.updates, "loss": float(totals[0])}
        row |= {"error": float(totals[1]), "gain": float(totals[2])}
        s = self.settings
        if s.exam and (self.step % s.exam_every == 0 or self.done):
            row |= self.exam(s.exam)
        row["moves_per_second"] = round(s.games * s.plies / seconds)
        row["updates_per_second"] = round((self.updates - updates) / seconds, 1)
        row["cpu_seconds"] = round(self.ledger.cpu_seconds, 3)
        row["wall_seconds"] = round(self.ledger.wall_seconds, 3)
        return row

    def exam(self, games: int) -> dict[str, float]:
        """How the target networks fare against random moves, without exploring. Nothing learns."""
        return against_random(
            self.game,
            self.encoding,
            lambda stored, bits: self._run.best(self.slow, stored, bits),
            games=games,
            cap=self._cap,
            seed=self.seed * 1_000_003 + self.step,
            threads=self.threads,
        )

    # Playing

    def _ply(self) -> list[tuple[int, float, int]]:
        """One move in every game; returns length and result for seat 0 of those that ended."""
        legal = self.encoding.legal(self.batch)
        turn = self.batch.turns
        row = self.moves // self.settings.games % self._rows
        stored, bits = jnp.asarray(self.encoding.observe(self.batch)), jnp.asarray(legal.bits)
        best = self._run.best(self.nets, *devices.split(stored, bits))
        self.memory, self.priorities = self._run.put(
            self.memory, self.priorities, row, stored, bits
        )
        self._learn()  # on the device, while the games go on here
        random = np.random.default_rng([self.seed, PLAY, self.moves])
        places, explored = self._choose(legal, turn, np.asarray(best), random)
        moves = legal.moves[places].astype(np.int32)
        gains = self.settings.gain * self.encoding.gains(self.batch, moves)
        lengths = self.batch.lengths
        self._played[np.arange(len(moves)), lengths] = moves
        self.batch.play(moves)
        last, scores = self.batch.over, self.batch.scores
        reward = gains + self.settings.win * scores[np.arange(len(turn)), turn]
        broken = ~last & (lengths + 1 >= self._cap)
        cut = (explored & self.settings.cut) | broken
        self._note(reward, turn, last, cut, broken, legal.outputs[places])
        over = last | broken
        self.moves += len(moves)
        self.games += int(over.sum())
        self.batch.restart(over)
        self._begin(over)
        return [
            (int(lengths[i]) + 1, float(scores[i, 0]), i) for i in np.flatnonzero(over).tolist()
        ]

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Decides how the games that begin will explore."""
        s, count = self.settings, int(which.sum())
        if count == 0:
            return
        random = np.random.default_rng([self.seed, BEGIN, self.moves])
        base = np.array([schedule(s.exploration, self.begun + i + 1) for i in range(count)])
        self._epsilon[which] = base ** (1 + s.spread * random.random(count))
        self._opening[which] = random.integers(s.opening + 1, size=count)
        seats = random.integers(2, size=count)
        self._stranger[which] = np.where(random.random(count) < s.random_share, seats, -1)
        self.begun += count

    def _choose(
        self, legal: Any, turn: NDArray[Any], best: NDArray[Any], random: np.random.Generator
    ) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """[B] places in the list of legal moves, and [B] which of them were drawn."""
        draws = random.random((2, len(turn)))
        explored = (
            (draws[0] < self._epsilon)
            | (self.batch.lengths < self._opening)
            | (self._stranger == turn)
        )
        return np.where(explored, legal.drawn(draws[1]), legal.places(best)), explored

    def _note(self, *row: NDArray[Any]) -> None:
        """Adds a row to the window; the one that fell out of sight can now be learnt from."""
        for name, values in zip(KEPT, row, strict=True):
            window = self._window[name]
            window[:-1] = window[1:]
            window[-1] = values
        number = self.moves // self.settings.games - self._ahead
        if number < 0:
            return
        w, s = self._window, self.settings
        found = td.n_step(
            w["reward"],
            w["turn"].astype(np.int8),
            w["last"] > 0,
            w["cut"] > 0,
            w["broken"] > 0,
            discount=s.discount,
            steps=s.n_step,
            successor=s.successor,
            replies=s.replies,
        )
        self.memory, self.priorities = self._run.finish(
            self.memory,
            self.priorities,
            number % self._rows,
            w["output"][0].astype(np.int32),
            (found.gain, found.factor, found.offset),
            found.known,
        )

    # Learning

    def _learn(self) -> None:
        """The updates due after this row."""
        s = self.settings
        row = self.moves // s.games
        if row - self._ahead <= 0 or self.moves < s.first or row % s.every:
            return
        left = 1 - self.progress
        rate = s.step_size * (s.final_share + (1 - s.final_share) * left)
        correction = 1 - (1 - s.correction) * left
        for _ in range(s.updates):
            self.updates += 1
            (self.nets, self.slow, self.optimizer_state, self.priorities, self._totals) = (
                self._run.train(
                    self.nets, self.slow, self.optimizer_state, self.memory, self.priorities,
                    self._totals, np.uint32(self.seed), np.uint32(self.updates),
                    np.float32(rate), np.float32(correction),
                )
            )  # fmt: skip
            if s.target_every and self.updates % s.target_every == 0:
                self.slow = self._run.copy(self.nets)

    def _charge(self, ended: int, updates: int, seconds: float) -> None:
        s = self.settings
        played = s.plies * s.games
        # A target takes one look with each network, a gradient about three.
        looks = played + updates * s.batch * (5 if s.method == "joint" and s.double else 4)
        self.ledger += Ledger(
            games=ended,
            moves=played,
            evaluations=looks,
            multiply_adds=looks * self._cost,
            gradient_steps=updates,
            gpu_seconds=seconds if jax.default_backend() == "gpu" else 0.0,
        )

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Networks, optimizer, memory and the games under way, for a checkpoint."""
        trees = {"nets": self.nets, "slow": self.slow, "optimizer": self.optimizer_state}
        found = {k: v for name, tree in trees.items() for k, v in arrays_of(tree, name).items()}
        found |= {f"memory.{k}": np.asarray(v) for k, v in self.memory._asdict().items()}
        found |= {f"window.{k}": v for k, v in self._window.items()}
        return found | {
            "priorities": np.asarray(self.priorities),
            "games.played": self._played,
            "games.lengths": self.batch.lengths,
            "games.epsilon": self._epsilon,
            "games.opening": self._opening,
            "games.stranger": self._stranger,
        }

    def state(self) -> dict[str, Any]:
        """Counters; random streams are made from them and the seed, so they need no storing."""
        names = ("moves", "updates", "begun", "games", "seed")
        return {name: getattr(self, name) for name in names}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step = step
        for name, value in state.items():
            setattr(self, name, value)
        self.nets = with_arrays(self.nets, arrays, "nets")
        self.slow = with_arrays(self.slow, arrays, "slow")
        self.optimizer_state = with_arrays(self.optimizer_state, arrays, "optimizer")
        self.memory = replay.Memory(
            *(jnp.asarray(arrays[f"memory.{name}"]) for name in replay.Memory._fields)
        )
        self.priorities = jnp.asarray(arrays["priorities"])
        self._window = {name: arrays[f"window.{name}"].copy() for name in KEPT}
        self._epsilon = arrays["games.epsilon"].copy()
        self._opening = arrays["games.opening"].copy()
        self._stranger = arrays["games.stranger"].copy()
        self._replay(arrays["games.played"], arrays["games.lengths"])

    def _replay(self, played: NDArray[np.uint16], lengths: NDArray[np.int32]) -> None:
        """Plays the games under way up to where they were."""
        self._played = played.copy()
        self.batch.restart()
        for ply in range(int(lengths.max(initial=0))):
            self.batch.play(np.where(ply < lengths, played[:, ply].astype(np.int32), -1))
