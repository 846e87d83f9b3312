"""The parts of deep Q-learning that run on the device, compiled once for a learner."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from tempo.learners.fast import replay
from tempo.nets import devices
from tempo.nets.qmethods import Method, Transitions, chooser, huber, unpacked

if TYPE_CHECKING:
    from tempo.learners.fast.dqn_settings import Settings
    from tempo.nets.encoding import Encoding

LEAST = 1e-3  # what is added to an error before it becomes a priority


@dataclass(frozen=True)
class Rule:
    """What of the settings is compiled in."""

    batch: int
    huber: float
    clip: float
    priority: float
    symmetry: bool
    target_share: float

    @classmethod
    def of(cls, settings: Settings) -> Rule:
        """Those among all settings."""
        return cls(**{field.name: getattr(settings, field.name) for field in fields(cls)})


@lru_cache(maxsize=4)
def compiled(method: Method, encoding: Encoding, rule: Rule) -> Compiled:
    """What was compiled before for the same method, encoding and rule, or new."""
    return Compiled(method, encoding, rule)


class Compiled:
    """Choosing, remembering and learning, for one method, encoding and rule."""

    def __init__(self, method: Method, encoding: Encoding, rule: Rule) -> None:
        self.method, self.encoding, self.rule = method, encoding, rule
        self._outputs = encoding.kinds * encoding.shape[1] * encoding.shape[2]
        symmetries = len(encoding.cells) if rule.symmetry else 1
        self._cells = np.asarray(encoding.cells[:symmetries])
        self._turned = np.asarray(encoding.turned[:symmetries])
        self._back = np.argsort(self._turned, axis=1)
        limits = [optax.clip_by_global_norm(rule.clip)] if rule.clip else []
        self.optimizer = optax.chain(*limits, optax.scale_by_adam())
        self.make = jax.jit(method.make)
        self.best = jax.jit(lambda *given: chooser(method, encoding)(*given)[0])
        self.put = jax.jit(replay.put, donate_argnums=(0, 1))
        self.finish = jax.jit(replay.finish, donate_argnums=(0, 1))
        self.train = jax.jit(self._train, donate_argnums=(0, 1, 2, 4, 5))

    @staticmethod
    def copy(tree: Any) -> Any:
        """The same numbers in memory of their own."""
        return jax.tree.map(jnp.copy, tree)

    def _transitions(
        self, memory: replay.Memory, drawn: replay.Drawn, symmetry: Array
    ) -> Transitions:
        """What the drawn entries say, all seen through one symmetry."""
        here = drawn.rows, drawn.games
        later = (drawn.rows + memory.offsets[here]) % len(memory.outputs), drawn.games
        cells, turned = jnp.asarray(self._cells)[symmetry], jnp.asarray(self._turned)[symmetry]
        back = jnp.asarray(self._back)[symmetry]

        def planes(at: tuple[Array, Array]) -> Array:
            x = self.encoding.planes(memory.positions[at])
            return x.reshape(len(x), -1)[:, cells].reshape(x.shape) if len(self._cells) > 1 else x

        def legal(at: tuple[Array, Array]) -> Array:
            flags = unpacked(memory.legal[at], self._outputs)
            return flags[:, back] if len(self._cells) > 1 else flags

        return Transitions(
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
        priorities: Array, totals: Array, seed: Array, number: Array,
        rate: Array, correction: Array,
    ) -> Any:  # fmt: skip
        """Update `number`. `totals` gathers loss, size of errors and of gains, for the log."""
        s = self.rule
        one, two = jax.random.split(jax.random.fold_in(jax.random.key(seed), number))
        drawn = devices.divided(replay.draw(priorities, one, s.batch, correction))
        transitions = self._transitions(
            memory, drawn, jax.random.randint(two, (), 0, len(self._cells))
        )

        def loss_of(trained: Any) -> tuple[Array, Array]:
            errors = self.method.errors(trained, slow, transitions).reshape(s.batch, -1)
            errors = jnp.where(transitions.weights[:, None] > 0, errors, 0.0)
            return (transitions.weights * huber(errors, s.huber).sum(1)).mean(), errors

        (loss, errors), gradient = jax.value_and_grad(loss_of, has_aux=True)(nets)
        changes, optimizer_state = self.optimizer.update(gradient, optimizer_state)
        nets = jax.tree.map(lambda w, c: w - rate * c, nets, changes)
        if s.target_share:
            slow = jax.tree.map(lambda a, b: a + s.target_share * (b - a), slow, nets)
        size = jnp.abs(errors).mean(1)
        here = drawn.rows, drawn.games
        old = priorities[here]
        new = jnp.where(old > 0, (size + LEAST) ** s.priority, 0.0)
        totals = totals + jnp.stack([loss, size.mean(), jnp.abs(transitions.gains).mean()])
        return devices.alike((nets, slow, optimizer_state, priorities.at[here].set(new), totals))
