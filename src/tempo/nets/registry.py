"""Approximators by name, for any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tempo.errors import unknown
from tempo.games.game import Game
from tempo.nets.approximator import Approximator
from tempo.nets.dense import Dense
from tempo.nets.linear import Linear
from tempo.nets.policy import DensePolicy
from tempo.nets.table import Table


@dataclass(frozen=True)
class Shape:
    """How large a network is, and from which weights it starts."""

    hidden: tuple[int, ...] = (64,)
    channels: tuple[int, ...] = (16, 16)
    seed: int = 0


def _linear(game: Game, shape: Shape) -> Approximator:
    """On the game's terms, where it has some; else on its planes."""
    return Linear(game) if hasattr(game.core, "term_names") else Dense(game, (), shape.seed)


def _convolution(game: Game, shape: Shape) -> Approximator:
    from tempo.nets.conv import Convolution  # noqa: PLC0415 - needs JAX

    return Convolution(game, shape.channels, shape.hidden[-1], shape.seed)


def _incremental(game: Game, shape: Shape) -> Approximator:
    from tempo.nets.teaching import TaughtIncremental  # noqa: PLC0415 - needs JAX

    return TaughtIncremental(game, shape)


def _lines(game: Game, shape: Shape) -> Approximator:
    from tempo.nets.teaching import TaughtLines  # noqa: PLC0415 - needs JAX

    return TaughtLines(game, shape)


def _residual(game: Game, shape: Shape) -> Approximator:
    from tempo.nets.residual import Residual  # noqa: PLC0415 - needs JAX

    return Residual(game, shape.channels, shape.hidden[-1], shape.seed)


NETS: dict[str, tuple[str, Callable[[Game, Shape], Approximator]]] = {
    "table": ("one value for every position ever seen", lambda game, _: Table(game)),
    "linear": ("a weighted sum of the game's terms, or of its planes", _linear),
    "dense": (
        "hidden layers on the game's planes",
        lambda game, shape: Dense(game, shape.hidden, shape.seed),
    ),
    "conv": ("3x3 windows on the game's planes; needs JAX", _convolution),
    "incremental": (
        "sums of rows that a search keeps up, then small layers of integers; needs JAX",
        _incremental,
    ),
    "lines": (
        "patterns of lines through every point, then small layers of integers; needs JAX",
        _lines,
    ),
    "policy": (
        "hidden layers on the game's planes, with a policy",
        lambda game, shape: DensePolicy(game, shape.hidden, shape.seed),
    ),
    "residual": ("residual blocks of convolutions, with a policy; needs JAX", _residual),
}
DEEP = ("conv", "residual", "incremental", "lines")  # those that need the extra `deep`
GUIDED = ("policy", "residual")  # those with a policy
STEP_SIZES = {
    "table": 0.2, "linear": 0.02, "dense": 2e-3, "conv": 1e-3, "policy": 2e-3, "residual": 1e-3,
    "incremental": 1e-3, "lines": 2e-3,
}  # fmt: skip


def make(name: str, game: Game, shape: Shape) -> Approximator:
    """Makes an untrained approximator.

    >>> import tempo
    >>> make("dense", tempo.load("othello(size=4)"), Shape(hidden=(8,))).multiply_adds
    520
    """
    if name not in NETS:
        raise unknown("net", name, NETS)
    return NETS[name][1](game, shape)
