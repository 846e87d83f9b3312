"""The parts of deep Q-learning that run on the device, compiled once for a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from tempo.learners import replay
from tempo.learners.dqn_methods import Lesson, Method, huber

if TYPE_CHECKING:
    from tempo.learners.dqn_settings import Settings
    from tempo.nets.encoding import Encoding

LEAST = 1e-3  # what is added to an error before it becomes a priority


class Compiled:
    """Choosing, remembering and learning, for one method, encoding and set of settings."""

    def __init__(self, method: Method, encoding: Encoding, settings: Settings) -> None:
        self.method, self.encoding, self.settings = method, encoding, settings
        self._outputs = encoding.kinds * encoding.shape[1] * encoding.shape[2]
        symmetries = len(encoding.cells) if settings.symmetry else 1
        self._cells = np.asarray(encoding.cells[:symmetries])
        self._turned = np.asarray(encoding.turned[:symmetries])
        self._back = np.argsort(self._turned, axis=1)
        limits = [optax.clip_by_global_norm(settings.clip)] if settings.clip else []
        self.optimizer = optax.chain(*limits, optax.scale_by_adam())
        self.make = jax.jit(method.make)
        self.best = jax.jit(self._best)
        self.put = jax.jit(replay.put, donate_argnums=(0, 1))
        self.finish = jax.jit(replay.finish, donate_argnums=(0, 1))
        self.train = jax.jit(self._train, donate_argnums=(0, 1, 2, 4, 5))

    @staticmethod
    def copy(tree: Any) -> Any:
        """The same numbers in memory of their own."""
        return jax.tree.map(jnp.copy, tree)

    def _best(self, nets: Any, stored: Array, bits: Array) -> Array:
        """[B] the best legal output."""
        legal = replay.unpacked(bits, self._outputs)
        return self.method.best(nets, self.encoding.planes(stored), legal)[0]

    def _lesson(self, memory: replay.Memory, drawn: replay.Drawn, symmetry: Array) -> Lesson:
        """What the drawn entries say, all seen through one symmetry."""
        here = drawn.rows, drawn.games
        later = (drawn.rows + memory.offsets[here]) % len(memory.outputs), drawn.games
        cells, turned = jnp.asarray(self._cells)[symmetry], jnp.asarray(self._turned)[symmetry]
        back = jnp.asarray(self._back)[symmetry]

        def planes(at: tuple[Array, Array]) -> Array:
            x = self.encoding.planes(memory.positions[at])
            return x.reshape(len(x), -1)[:, cells].reshape(x.shape) if len(self._cells) > 1 else x

        def legal(at: tuple[Array, Array]) -> Array:
            flags = replay.unpacked(memory.legal[at], self._outputs)
            return flags[:, back] if len(self._cells) > 1 else flags

        return Lesson(
            planes=planes(here),
            legal=legal(here),
            outputs=turned[memory.outputs[here]],
            gains=memory.gains[here],
            factors=memory.factors[here],
            later=planes(later),
            later_legal=legal(later),
            weights=drawn.weights,
        )

    def _train(
        self, nets: Any, slow: Any, optimizer_state: Any, memory: replay.Memory,
        priorities: Array, totals: Array, key: Array, rate: Array, correction: Array, share: Array,
    ) -> Any:  # fmt: skip
        """One update. `totals` gathers loss, size of errors and targets, for the log."""
        s = self.settings
        one, two = jax.random.split(key)
        drawn = replay.draw(priorities, one, s.batch, correction)
        lesson = self._lesson(memory, drawn, jax.random.randint(two, (), 0, len(self._cells)))

        def loss_of(trained: Any) -> tuple[Array, Array]:
            errors = self.method.errors(trained, slow, lesson).reshape(s.batch, -1)
            return (lesson.weights * huber(errors, s.huber).sum(1)).mean(), errors

        (loss, errors), gradient = jax.value_and_grad(loss_of, has_aux=True)(nets)
        changes, optimizer_state = self.optimizer.update(gradient, optimizer_state)
        nets = jax.tree.map(lambda w, c: w - rate * c, nets, changes)
        slow = jax.lax.cond(
            share > 0,
            lambda: jax.tree.map(lambda a, b: a + share * (b - a), slow, nets),
            lambda: slow,
        )
        size = jnp.abs(errors).mean(1)
        here = drawn.rows, drawn.games
        old = priorities[here]
        new = jnp.where(old > 0, (size + LEAST) ** s.priority, 0.0)
        totals = totals + jnp.stack([loss, size.mean(), jnp.abs(lesson.gains).mean()])
        return nets, slow, optimizer_state, priorities.at[here].set(new), totals
