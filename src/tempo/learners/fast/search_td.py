"""Learning values by search: TD-Leaf, TD-Stem and relatives, on a game written down as a graph.

The weights stand still during an iteration, so every position is evaluated once, minimax of depth
d is d sweeps over all of them, and self-play follows arrows (`tempo._core.graph`). What the rules
need of an episode (values, leaves, searched values) is then read from arrays.

One iteration: evaluate all positions, search all positions, play `games` games, compute targets
by the rule (`tempo.td`), move the network towards them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from tempo import td
from tempo._core.graph import Graph
from tempo.errors import ParseError
from tempo.explore import schedule
from tempo.ledger import Ledger
from tempo.nets import devices, squares

Nodes = NDArray[np.int32]
Floats = NDArray[np.float32]

CHUNKS = {"cpu": 1 << 10, "gpu": 1 << 18}  # positions a call, within the cache on a CPU
RULES = ("td", "td_leaf", "td_stem", "td_root", "root_strap", "tree_strap")


@dataclass(frozen=True)
class GameGraph:
    """A game as the learner sees it: [n] positions, n - 1 edges at least, and where games begin."""

    offsets: NDArray[np.int64]
    next: Nodes
    turn: NDArray[np.uint8]
    end: NDArray[np.int8]  # 0 none, 1 won, 2 lost, 3 drawn, for seat 0
    starts: Nodes
    planes: NDArray[np.uint64]  # [n, P] sets of squares
    numbers: Floats  # [n, G]
    later: Nodes = field(default_factory=lambda: np.zeros(0, np.int32))  # of what it can become

    @property
    def size(self) -> int:
        """The number of positions."""
        return len(self.turn)

    @property
    def scores(self) -> Floats:
        """[n] what seat 0 gets at an end, 0 elsewhere."""
        return np.array([0, 1, -1, 0], np.float32)[self.end]


@dataclass(frozen=True)
class Stage:
    """One row of a schedule: iterations, games of each, and settings."""

    games: int
    iterations: int
    depth: int = 1
    trace: float = 0.5
    steps: int = 0  # length of the λ-return; 0: the whole episode
    first_index: int = 1  # where the exploration schedule begins
    mate_depth: int = 0  # moves within which a forced end is found and played


@dataclass(frozen=True)
class Settings:
    """The settings. The stages are the schedule; everything else holds for all of them."""

    rule: str = "td_stem"
    anchor: Literal["leaf", "state"] = "leaf"
    network: str = "dense"
    hidden: tuple[int, ...] = (128,)
    channels: tuple[int, ...] = (16, 16)
    optimizer: str = "sgd"
    step_size: float = 1e-4
    final_share: float = 1.0  # of the step size, reached along a cosine at the end of the schedule
    discount: float = 1.0
    exploration: str = "power"  # ε of iteration index i, see tempo.explore
    later_share: float = 0.0  # of games and of drawn positions: of what the game can become
    opening: int = 6  # random moves at most before a game counts
    cap: int = 100  # moves after which a game is drawn
    per_episode: bool = False  # each position counts 1/T, as printed: (α/T) Σ_t
    batch: int = 2048  # positions in one step of the optimizer
    updates: int = 0  # steps an iteration, drawn with repetition; 0: every position once
    stages: tuple[Stage, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ParseError(f"there is no rule '{self.rule}'; there are {', '.join(RULES)}")
        if self.optimizer not in {"sgd", "adam"}:
            raise ParseError(f"there is no optimizer '{self.optimizer}'; there are sgd and adam")
        if not 0 <= self.later_share <= 1:
            raise ParseError(f"later_share is between 0 and 1, not {self.later_share}")

    def iterations(self) -> Iterator[tuple[Stage, int]]:
        """Every iteration of the schedule with its stage and its exploration index."""
        for stage in self.stages:
            for i in range(stage.iterations):
                yield stage, stage.first_index + i


@dataclass(frozen=True)
class Searched:
    """Minimax of every depth up to d, at every position: values, leaves and best successors."""

    values: list[Floats]  # by depth; [0] is the network's own
    leaves: Nodes
    best: Nodes


@dataclass(frozen=True)
class Samples:
    """What the network is trained towards: weights [M] say how much each target counts."""

    inputs: Nodes
    targets: Floats
    weights: Floats


class SearchTD:
    """The learner: a network, an optimizer and a place in the schedule."""

    def __init__(self, game: GameGraph, settings: Settings, seed: int, threads: int = 1) -> None:
        self.game = game
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.games = 0
        self.ledger = Ledger()
        self.graph = Graph(game.offsets, game.next, game.turn, game.end, threads)
        sizes = {"hidden": settings.hidden, "channels": settings.channels}
        shape = game.planes.shape[1], game.numbers.shape[1]
        self.network = squares.make(settings.network, *shape, sizes, seed)
        self._optimizer = make_optimizer(settings)
        self._optimizer_state = self._optimizer.init(eqx.filter(self.network, eqx.is_array))
        self._planes = jnp.asarray(squares.halves(game.planes))
        self._numbers = jnp.asarray(game.numbers)
        self._scores = game.scores
        self._schedule = list(settings.iterations())
        self._mates: dict[int, Nodes] = {}
        self._train = partial(_train, self._optimizer)

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= len(self._schedule)

    @property
    def total(self) -> int:
        """The number of iterations of the schedule."""
        return len(self._schedule)

    def iterate(self) -> dict[str, Any]:
        """One iteration; returns its line of the log."""
        stage, index = self._schedule[self.step]
        before = self.ledger.wall_seconds
        with self.ledger.timing():
            searched = self.search(stage.depth)
            epsilon = schedule(self.settings.exploration, index)
            best = self._with_mates(searched.best, stage.mate_depth)
            episodes = self._play(best, stage.games, epsilon)
            samples = self._samples(searched, episodes, stage)
            loss = self._learn(samples)
        if jax.default_backend() == "gpu":  # held all the while, busy or not
            self.ledger.gpu_seconds += self.ledger.wall_seconds - before
        self.step += 1
        self.games += stage.games
        self._charge(stage, episodes, samples)
        lengths, outcomes = episodes[1], episodes[2]
        return {
            "step": self.step,
            "games": self.games,
            "epsilon": round(epsilon, 6),
            "won": float(np.mean(outcomes > 0)),
            "lost": float(np.mean(outcomes < 0)),
            "length": float(np.mean(lengths)),
            "loss": loss,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    # Searching and playing

    def values(self) -> Floats:
        """[n] the network's value of every position, exact scores at the ends."""
        parts = []
        chunk = CHUNKS.get(jax.default_backend(), CHUNKS["cpu"])
        for at in range(0, self.game.size, chunk):
            part = slice(at, min(at + chunk, self.game.size))
            padding = chunk - (part.stop - part.start)
            planes = jnp.pad(self._planes[part], ((0, padding), (0, 0), (0, 0)))
            numbers = jnp.pad(self._numbers[part], ((0, padding), (0, 0)))
            parts.append(np.asarray(_evaluate(self.network, planes, numbers))[: part.stop - at])
        return np.where(self.game.end == 0, np.concatenate(parts), self._scores).astype(np.float32)

    def search(self, depth: int) -> Searched:
        """Minimax of `depth` at every position with the network at the leaves."""
        return sweep(self.graph, self.values(), depth, self.settings.discount)

    def _with_mates(self, best: Nodes, depth: int) -> Nodes:
        """Plays a forced end within `depth` moves where the side to move has one."""
        if depth == 0:
            return best
        if depth not in self._mates:
            # Only ends are worth anything, and sooner ones more: what has a value is forced.
            found = sweep(self.graph, self._scores, depth, 0.999)
            mover = np.where(self.game.turn == 0, 1, -1)
            self._mates[depth] = np.where(mover * found.values[-1] > 0, found.best, -1)
        mates = self._mates[depth]
        return np.where(mates >= 0, mates, best).astype(np.int32)

    def _play(self, best: Nodes, games: int, epsilon: float) -> tuple[Nodes, Nodes, Floats]:
        random = np.random.default_rng([self.seed, self.step, 0])
        starts = random.choice(self.game.starts, size=games)
        if later := round(self.settings.later_share * games) * bool(len(self.game.later)):
            starts[:later] = random.choice(self.game.later, size=later)
        return self.graph.play(
            best,
            starts,
            random_share=epsilon,
            opening=self.settings.opening,
            cap=self.settings.cap,
            seed=self.seed,
            first_game=self.games,
        )

    # Learning

    def _samples(
        self, searched: Searched, episodes: tuple[Nodes, Nodes, Floats], stage: Stage
    ) -> Samples:
        states, lengths, outcomes = episodes
        states, outcomes, lengths = states[lengths > 0], outcomes[lengths > 0], lengths[lengths > 0]
        nodes = states[states >= 0]
        if self.settings.rule == "tree_strap":
            return self._tree_samples(searched, nodes)
        last = np.zeros(len(nodes), bool)
        last[np.cumsum(lengths) - 1] = True
        outcome = np.repeat(outcomes, lengths)
        targets, inputs = self._targets(searched, nodes, outcome, last, stage)
        each = td.episode_weights(last) if self.settings.per_episode else 1.0
        weights = np.where(self.game.end[inputs] == 0, each, 0.0)
        return Samples(inputs, targets.astype(np.float32), weights.astype(np.float32))

    def _targets(
        self, searched: Searched, nodes: Nodes, outcome: Floats, last: td.Flags, stage: Stage
    ) -> tuple[td.Values, Nodes]:
        own, found, leaves = searched.values[0][nodes], searched.values[-1][nodes], searched.leaves
        common: dict[str, Any] = {
            "trace": stage.trace,
            "steps": stage.steps or None,
            "discount": self.settings.discount,
        }
        rules: dict[str, Callable[[], tuple[td.Values, Nodes]]] = {
            "td": lambda: (td.td(own, outcome, last, **common), nodes),
            "td_leaf": lambda: (
                # The search discounts, and a leaf that is no end lies as deep as it looks.
                td.td_leaf(found, outcome, last, **common, plies=stage.depth),
                leaves[nodes],
            ),
            "td_stem": lambda: (
                td.td_stem(own, found, outcome, last, **common, anchor=self.settings.anchor),
                nodes,
            ),
            "td_root": lambda: (td.td_root(found, outcome, last, **{**common, "trace": 0}), nodes),
            "root_strap": lambda: (td.root_strap(found), nodes),
        }
        return rules[self.settings.rule]()

    def _tree_samples(self, searched: Searched, nodes: Nodes) -> Samples:
        """Every node of the search trees towards its own searched value.

        A node met at several depths is trained once, towards the deepest of its values.
        """
        visits = np.bincount(nodes, minlength=self.game.size) > 0
        fresh = self.game.end == 0
        inputs, targets = [], []
        for depth in range(len(searched.values) - 1, 0, -1):
            met = np.flatnonzero(visits & fresh).astype(np.int32)
            fresh[met] = False
            bound = searched.values[depth][met]  # plain minimax: low and high are one
            inputs.append(met)
            targets.append(td.tree_strap(searched.values[0][met], bound, bound))
            visits = self._successors_of(met)
        every = np.concatenate(inputs)
        return Samples(
            every, np.concatenate(targets).astype(np.float32), np.ones(len(every), np.float32)
        )

    def _successors_of(self, nodes: Nodes) -> NDArray[np.bool_]:
        """[n] which nodes can be reached in one move."""
        chosen = np.zeros(self.game.size, bool)
        chosen[nodes] = True
        reached = np.zeros(self.game.size, bool)
        reached[self.game.next[np.repeat(chosen, np.diff(self.game.offsets))]] = True
        return reached

    def _learn(self, samples: Samples) -> float:
        random = np.random.default_rng([self.seed, self.step, 1])
        batch = self.settings.batch
        order: NDArray[np.intp]
        if self.settings.updates:
            counted = np.flatnonzero(samples.weights)
            drawn = random.integers(len(counted), size=self.settings.updates * batch)
            order = self._drawn_later(counted[drawn], samples.inputs, counted, random)
            weights = np.full(len(order), 1 / batch, np.float32)
        else:
            order = random.permutation(len(samples.inputs))
            weights = samples.weights[order]
        rows = _rows(samples.inputs[order], samples.targets[order], weights, batch)
        self.network, self._optimizer_state, loss = self._train(
            self.network, self._optimizer_state, self._planes, self._numbers, rows
        )
        return float(loss) / max(float(weights.sum()), 1e-9)

    def _drawn_later(
        self, order: NDArray[np.intp], inputs: Nodes, counted: NDArray[np.intp],
        random: np.random.Generator,
    ) -> NDArray[np.intp]:  # fmt: skip
        """The draw with its share of positions of what the game can become, spread over batches.

        They are few, and every won game ends among them: drawn evenly, they would hardly be learnt.
        """
        among = counted[np.isin(inputs[counted], self.game.later)]
        if not self.settings.later_share or not len(among):
            return order
        replaced = random.random(len(order)) < self.settings.later_share
        order[replaced] = random.choice(among, size=int(replaced.sum()))
        return order

    def _charge(
        self, stage: Stage, episodes: tuple[Nodes, Nodes, Floats], samples: Samples
    ) -> None:
        each = squares.multiply_adds(self.network)
        count = self.settings.updates * self.settings.batch or len(samples.inputs)
        self.ledger += Ledger(
            games=stage.games,
            moves=int(episodes[1].sum()),
            positions=stage.depth * len(self.game.next),
            evaluations=self.game.size,
            # A gradient costs about twice a value.
            multiply_adds=each * (self.game.size + 3 * count),
            gradient_steps=-(-count // self.settings.batch),
        )

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights and optimizer, for a checkpoint."""
        return {
            **squares.arrays_of(self.network, "network"),
            **squares.arrays_of(self._optimizer_state, "optimizer"),
        }

    def state(self) -> dict[str, Any]:
        """Counters; random streams are made from them and the seed, so they need no storing."""
        return {"games": self.games, "seed": self.seed}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step, self.games, self.seed = step, state["games"], state["seed"]
        self.network = squares.with_arrays(self.network, arrays, "network")
        self._optimizer_state = squares.with_arrays(self._optimizer_state, arrays, "optimizer")


def make_optimizer(settings: Settings) -> optax.GradientTransformation:
    """Plain gradient steps or Adam; a falling step size needs a fixed number of updates."""
    rate: Any = settings.step_size
    if settings.final_share != 1.0:
        if not settings.updates:
            raise ParseError("final_share needs updates: the number of steps must be known")
        total = settings.updates * sum(stage.iterations for stage in settings.stages)
        rate = optax.cosine_decay_schedule(rate, total, settings.final_share)
    return _optimizer(settings.optimizer, rate)


@cache
def _optimizer(name: str, rate: Any) -> optax.GradientTransformation:
    """One object for one rate: what was compiled for it serves all learners of a process."""
    return optax.sgd(rate) if name == "sgd" else optax.adam(rate)


def sweep(graph: Graph, values: Floats, depth: int, discount: float = 1.0) -> Searched:
    """Minimax of `depth` at every node of a graph, from the values at the leaves."""
    by_depth = [values]
    leaves = np.arange(len(values), dtype=np.int32)
    best = np.full(len(values), -1, np.int32)
    for _ in range(depth):
        deeper, leaves, best = graph.sweep(by_depth[-1], leaves, discount)
        by_depth.append(deeper)
    return Searched(by_depth, leaves, best)


@eqx.filter_jit
def _evaluate(network: squares.Network, planes: jax.Array, numbers: jax.Array) -> jax.Array:
    return network(*devices.divided((planes, numbers)))


Rows = tuple[jax.Array, ...]  # inputs, targets, weights


def _rows(inputs: Nodes, targets: Floats, weights: Floats, batch: int) -> Rows:
    """[M, batch] rows; the last is filled up with weight 0, M up to a power of two or so."""
    count = -(-len(inputs) // batch)
    grain = max(1, 1 << max(0, count.bit_length() - 3))  # few different M: each is compiled anew
    padding = -(-count // grain) * grain * batch - len(inputs)

    def row(values: NDArray[Any]) -> jax.Array:
        return jnp.asarray(np.pad(values, (0, padding)).reshape(-1, batch))

    return devices.split(row(inputs), row(targets), row(weights), axis=1)


@eqx.filter_jit
def _train(
    optimizer: optax.GradientTransformation,
    network: squares.Network,
    state: Any,
    planes: jax.Array,
    numbers: jax.Array,
    rows: Rows,
) -> tuple[squares.Network, Any, jax.Array]:
    """One pass over the rows: θ += α Σ w (target - V) ∇V, a step of the optimizer a row."""
    trained, fixed = eqx.partition(network, eqx.is_array)

    def loss(parameters: Any, row: Rows) -> jax.Array:
        inputs, targets, weights = row
        values = eqx.combine(parameters, fixed)(planes[inputs], numbers[inputs])
        return 0.5 * jnp.sum(weights * (values - targets) ** 2)

    def one(carry: tuple[Any, Any], row: Rows) -> tuple[tuple[Any, Any], jax.Array]:
        parameters, optimizer_state = carry
        value, gradient = jax.value_and_grad(loss)(parameters, row)
        updates, optimizer_state = optimizer.update(gradient, optimizer_state, parameters)
        return (eqx.apply_updates(parameters, updates), optimizer_state), value

    (trained, state), losses = jax.lax.scan(one, (trained, state), rows)
    return eqx.combine(trained, fixed), state, jnp.sum(losses)
