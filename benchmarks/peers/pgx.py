# The peers are not installed where types are checked.
# mypy: ignore-errors

"""pgx: games in JAX, stepped as a compiled batch. Made for accelerators; here on one CPU core."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"  # chosen before JAX starts

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

NAME = "pgx"
VERSION = pgx.__version__
GAMES = 64
STEPS = 16


def playouts():
    """A game that ends starts anew, so that every step of the batch is a move that counts."""
    environment = pgx.make("chess")
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def advance(carry, _):
        key, state = carry
        key, draw, reset = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        moves = jax.random.categorical(draw, logits, axis=-1)
        return (key, step(state, moves, jax.random.split(reset, GAMES))), None

    @jax.jit
    def advance_many(carry):
        return jax.lax.scan(advance, carry, None, length=STEPS)[0]

    key = jax.random.PRNGKey(1)
    carry = key, jax.jit(jax.vmap(environment.init))(jax.random.split(key, GAMES))

    def burst():
        nonlocal carry
        carry = jax.block_until_ready(advance_many(carry))
        return GAMES * STEPS

    return burst


TASKS = {"chess-playouts": ("moves", playouts)}
