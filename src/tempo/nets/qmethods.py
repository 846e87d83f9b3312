"""How Q-networks choose moves and are trained towards targets: one joint head, or piece then place.

Everything here is compiled by JAX and pure. A target is gain + factor * value of a later position
(`td.n_step`): factor carries the sign, so that all values are those of the seat to move.

Letters: N positions, P planes, R rows, C columns, O outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp
from jax import Array

from tempo.errors import ParseError
from tempo.nets import qnets

if TYPE_CHECKING:
    from tempo.nets.encoding import Encoding

METHODS = ("joint", "paper", "corrected")  # one head for all moves; piece, then place
NETWORK = ("method", "channels", "blocks", "half", "dueling", "double")
LOW = -1e30  # what is not legal is worth


class Transitions(NamedTuple):
    """Entries to learn from, with what their targets look at."""

    planes: Array  # [N, P, R, C]
    legal: Array  # [N, O]
    outputs: Array  # [N] that were played
    gains: Array  # [N]
    factors: Array  # [N]
    later: Array  # [N, P, R, C]
    later_legal: Array  # [N, O]
    weights: Array  # [N]


class Method(Protocol):
    """How networks become moves and transitions become gradients."""

    def __hash__(self) -> int:
        """Equal methods are compiled once."""

    def make(self, key: Array) -> Any:
        """Fresh networks."""

    def best(self, nets: Any, planes: Array, legal: Array) -> tuple[Array, Array]:
        """[N] the best legal output, and [N] its value."""

    def errors(self, nets: Any, slow: Any, drawn: Transitions) -> Array:
        """[N, ...] targets minus values; `slow` are the target networks."""

    def cost(self, nets: Any) -> int:
        """Multiply-adds of looking at one position."""


@dataclass(frozen=True)
class Joint:
    """One residual network with an output for every move (double, dueling)."""

    shape: tuple[int, int, int]
    kinds: int
    channels: int = 64
    blocks: int = 4
    half: bool = False
    is_dueling: bool = True
    is_double: bool = True

    def make(self, key: Array) -> qnets.Residual:
        """A fresh network."""
        return qnets.Residual(
            self.shape, self.kinds, key, channels=self.channels, blocks=self.blocks, half=self.half
        )

    def values(self, net: qnets.Residual, planes: Array, legal: Array) -> Array:
        """[N, O] what each move is worth; LOW where it is not legal."""
        value, moves = net(planes)
        q = qnets.dueling(value, moves, legal) if self.is_dueling else moves
        return jnp.where(legal, q, LOW)

    def best(self, nets: qnets.Residual, planes: Array, legal: Array) -> tuple[Array, Array]:
        """[N] the best legal output, and [N] its value."""
        q = self.values(nets, planes, legal)
        return q.argmax(1), q.max(1)

    def errors(self, nets: qnets.Residual, slow: qnets.Residual, drawn: Transitions) -> Array:
        """[N] targets minus values. Double Q-learning: one network picks, the other values."""
        later = self.values(slow, drawn.later, drawn.later_legal)
        if self.is_double:
            held = jax.lax.stop_gradient(nets)
            picked = self.values(held, drawn.later, drawn.later_legal).argmax(1)
        else:
            picked = later.argmax(1)
        targets = _targets(drawn, _at(later, picked))
        return targets - _at(self.values(nets, drawn.planes, drawn.legal), drawn.outputs)

    def cost(self, nets: qnets.Residual) -> int:
        """Multiply-adds of one forward pass."""
        return qnets.multiply_adds(nets, self.shape)


class Pair(NamedTuple):
    """The paper's two networks: which piece, and where to."""

    s: qnets.Paper
    a: qnets.Paper


@dataclass(frozen=True)
class TwoStage:
    """The shogi paper's way: the best movable piece first, then its best legal place.

    Output = piece * places + place. Faithfully, the second network does not know which piece was
    chosen; corrected, one more plane shows it: its square, or for a piece in hand the squares where
    it may be dropped.
    """

    shape: tuple[int, int, int]
    pieces: int = 88
    places: int = 81
    is_faithful: bool = True

    def make(self, key: Array) -> Pair:
        """Fresh networks."""
        s, a = jax.random.split(key)
        planes, rows, columns = self.shape
        second = (planes + (not self.is_faithful), rows, columns)
        return Pair(
            qnets.Paper(self.shape, self.pieces, s, planes_as_height=self.is_faithful),
            qnets.Paper(second, self.places, a, planes_as_height=self.is_faithful),
        )

    def best(self, nets: Pair, planes: Array, legal: Array) -> tuple[Array, Array]:
        """[N] piece and place in one output, and [N] the first network's value of the piece."""
        by_piece = legal.reshape(-1, self.pieces, self.places)
        pieces = jnp.where(by_piece.any(2), nets.s(planes), LOW)
        piece = pieces.argmax(1)
        places = self._places(nets.a, planes, by_piece, piece)
        return piece * self.places + places.argmax(1), pieces.max(1)

    def _places(self, a: qnets.Paper, planes: Array, by_piece: Array, piece: Array) -> Array:
        """[N, places] what each place is worth for a piece; LOW where it cannot go."""
        there = jnp.take_along_axis(by_piece, piece[:, None, None], 1)[:, 0]
        if self.is_faithful:
            return jnp.where(there, a(planes), LOW)
        square = jax.nn.one_hot(piece, self.places, dtype=planes.dtype)  # of a hand piece: nothing
        shown = jnp.where((piece < self.places)[:, None], square, there.astype(planes.dtype))
        plane = shown.reshape(-1, 1, *self.shape[1:])
        return jnp.where(there, a(jnp.concatenate([planes, plane], 1)), LOW)

    def errors(self, nets: Pair, slow: Pair, drawn: Transitions) -> Array:
        """[N, 2] targets minus values, of each network.

        The second network's target looks at the places of the piece that the first would pick.
        """
        later = drawn.later_legal.reshape(-1, self.pieces, self.places)
        pieces = jnp.where(later.any(2), slow.s(drawn.later), LOW)
        places = self._places(slow.a, drawn.later, later, pieces.argmax(1))
        piece, place = drawn.outputs // self.places, drawn.outputs % self.places
        by_piece = drawn.legal.reshape(-1, self.pieces, self.places)
        s = _targets(drawn, pieces.max(1)) - _at(nets.s(drawn.planes), piece)
        a = _targets(drawn, places.max(1))
        a = a - _at(self._places(nets.a, drawn.planes, by_piece, piece), place)
        return jnp.stack([s, a], 1)

    def cost(self, nets: Pair) -> int:
        """Multiply-adds of one forward pass of both."""
        second = (self.shape[0] + (not self.is_faithful), *self.shape[1:])
        return qnets.multiply_adds(nets.s, self.shape) + qnets.multiply_adds(nets.a, second)


def _targets(drawn: Transitions, values: Array) -> Array:
    """gain + factor * value, where there is something later; held fixed."""
    later = jnp.where(drawn.factors == 0, 0.0, drawn.factors * values)
    return jax.lax.stop_gradient(drawn.gains + later)


def _at(values: Array, outputs: Array) -> Array:
    return jnp.take_along_axis(values, outputs[:, None], 1)[:, 0]


def huber(errors: Array, width: float) -> Array:
    """Squares near 0, straight lines beyond `width`; plain squares (halved) for width 0."""
    if width == 0:
        return 0.5 * jnp.square(errors)
    near = jnp.minimum(jnp.abs(errors), width)
    return near * (jnp.abs(errors) - 0.5 * near)


def chooser(
    method: Method, encoding: Encoding
) -> Callable[[Any, Array, Array], tuple[Array, Array]]:
    """[B] the best legal output and [B] its value, of networks, stored positions and legal bits."""
    outputs = encoding.kinds * encoding.shape[1] * encoding.shape[2]

    def choose(nets: Any, stored: Array, bits: Array) -> tuple[Array, Array]:
        legal = unpacked(jnp.asarray(bits), outputs)
        return method.best(nets, encoding.planes(jnp.asarray(stored)), legal)

    return choose


def unpacked(bits: Array, count: int) -> Array:
    """[..., count] flags of [..., L] bytes, first bit first."""
    flags = (bits[..., None] >> jnp.arange(8, dtype=jnp.uint8)) & 1
    return flags.reshape(*bits.shape[:-1], -1)[..., :count].astype(bool)


def method_of(
    encoding: Encoding,
    method: str = "joint",
    channels: int = 64,
    blocks: int = 4,
    half: bool = False,
    dueling: bool = True,
    double: bool = True,
) -> Method:
    """How moves are chosen and learnt, for a game of this encoding; NETWORK are its settings."""
    if method not in METHODS:
        raise ParseError(f"there is no method '{method}'; there are {', '.join(METHODS)}")
    if method == "joint":
        return Joint(
            encoding.shape,
            encoding.kinds,
            channels=channels,
            blocks=blocks,
            half=half,
            is_dueling=dueling,
            is_double=double,
        )
    places = encoding.shape[1] * encoding.shape[2]
    return TwoStage(encoding.shape, encoding.kinds, places, is_faithful=method == "paper")
