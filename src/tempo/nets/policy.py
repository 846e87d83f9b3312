"""A dense network with a policy and a value, in NumPy: learns small boards without JAX.

Hidden layers are rectified. Two values (of the game, and soon) are a tanh each; the policy is a
softmax over the legal moves.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.games.game import Game
from tempo.nets.adam import Adam, restored, stored
from tempo.nets.approximator import Arrays, Floats, Inputs
from tempo.nets.guided import (
    NO_MOVE,
    SOON,
    Answer,
    Examples,
    Ints,
    Later,
    Losses,
    Packing,
    Rows,
    symmetry_tables,
)

DAMPING = 1e-8
LOWEST = -60.0  # of a logit below the highest one: its prior is still a number
FEW = 4  # times as many moves as are wanted: then those wanted are computed one by one


class DensePolicy:
    """Layers of weights [out, in] and biases [out]; those of values and moves come last."""

    sees = "features"
    on_gpu = False

    def __init__(self, game: Game, hidden: tuple[int, ...], seed: int) -> None:
        self._game, self._packing = game, Packing(game)
        self._features, self._moved = symmetry_tables(game)
        random = np.random.default_rng([seed, 0x706F6C])
        self.layers: list[tuple[Floats, Floats]] = []
        sizes = [self._packing.numbers, *hidden]
        spreads = [(b, a, np.sqrt(2 / a)) for a, b in pairwise(sizes)]
        # The first answers are almost even: nothing is known yet.
        for outputs in (2, game.move_numbers):
            spreads.append((outputs, sizes[-1], 0.1 / np.sqrt(sizes[-1])))
        for outputs, inputs, spread in spreads:
            drawn = random.normal(0, spread, (outputs, inputs)).astype(np.float32)
            self.layers.append((drawn, np.zeros(outputs, np.float32)))
        self._steps = 0
        self._adam = Adam(sum(part.size for part in self._parts()), damping=DAMPING)

    def _parts(self) -> list[Floats]:
        return [part for layer in self.layers for part in layer]

    @property
    def multiply_adds(self) -> int:
        """Of one forward pass, every input counted."""
        return sum(weights.size for weights, _ in self.layers)

    def _forward(self, x: Floats) -> tuple[list[Floats], Floats]:
        """The inputs of all layers, those of values and moves last; both values [N, 2]."""
        seen = [x]
        for weights, bias in self.layers[:-2]:
            seen.append(np.maximum(seen[-1] @ weights.T + bias, 0))
        weights, bias = self.layers[-2]
        return seen, np.tanh(seen[-1] @ weights.T + bias)

    def _logits(self, last: Floats) -> Floats:
        weights, bias = self.layers[-1]
        found: Floats = last @ weights.T + bias
        return found

    def _some_logits(self, last: Floats, of: Ints, moves: NDArray[Any]) -> Floats:
        """[K] those of moves[k] in position of[k]: all are computed, unless few are wanted."""
        weights, bias = self.layers[-1]
        if FEW * len(moves) > len(last) * len(bias):
            found: Floats = self._logits(last)[of, moves]
            return found
        some: Floats = np.einsum("kh,kh->k", last[of], weights[moves]) + bias[moves]
        return some

    def values(self, inputs: Inputs) -> Floats:
        """[N] the value of the game."""
        return self.answer(inputs.features)[0]

    def answer(self, features: Floats) -> tuple[Floats, Later]:
        """Values [N] and logits [N, A], as searches of the core ask for them."""
        seen, values = self._forward(features.reshape(len(features), -1))
        return np.ascontiguousarray(values[:, 0]), Later(lambda: self._logits(seen[-1]))

    def ask(self, rows: Rows, offsets: Ints, moves: NDArray[np.uint16]) -> Answer:
        """Answers at once."""
        seen, values = self._forward(self._packing.features(rows))
        of = np.repeat(np.arange(len(rows)), np.diff(offsets))
        logits = self._some_logits(seen[-1], of, moves)
        lower = logits - np.maximum.reduceat(logits, offsets[:-1])[of]
        priors = np.exp(np.maximum(lower, LOWEST))
        first = np.ascontiguousarray(values[:, 0])
        return lambda: (first, priors)

    def evaluator(self) -> Any:
        """Asks this network, in batches as large as the search has."""
        return self._game.core.Evaluator.callback(self.answer)

    def fit(self, inputs: Inputs, targets: Floats, step_size: float) -> float:
        """One step of Adam down the squared error of the value alone."""
        seen, values = self._forward(inputs.features.reshape(len(targets), -1))
        error = values[:, 0] - targets
        by_values = np.zeros_like(values)
        by_values[:, 0] = 2 * error * (1 - values[:, 0] ** 2) / len(error)
        self._step(seen, by_values, None, step_size)
        return float(np.mean(error**2))

    def improve(self, examples: Examples, symmetries: Ints, step_size: float) -> Losses:
        """One step of Adam down the sum of all losses."""
        count, wanted = len(examples), examples.shares.astype(np.float32)
        features = np.take_along_axis(
            self._packing.features(examples.rows), self._features[symmetries], axis=1
        )
        seen, values = self._forward(features)
        of, column = np.nonzero(examples.moves != NO_MOVE)
        moves = self._moved[symmetries[of], examples.moves[of, column]]
        some, at = np.unique(moves, return_inverse=True)
        logits = np.full((count, len(some)), -np.inf, np.float32)
        weights, bias = self.layers[-1]
        logits[of, at] = (seen[-1] @ weights[some].T + bias[some])[of, at]
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        given = wanted[of, column]
        surprise = -np.sum(given * np.log(np.maximum(shares[of, at], 1e-30)))
        errors = values - np.stack([examples.values, examples.soon], axis=1)
        slope: Floats = np.array([2 / count, 2 * SOON / count], np.float32)
        by_values: Floats = slope * errors * (1 - values**2)
        shares[of, at] -= given
        self._step(seen, by_values, (some, shares / count), step_size)
        value, soon = np.mean(errors**2, axis=0)
        return Losses(float(value), float(soon), float(surprise) / count)

    def _step(
        self,
        seen: list[Floats],
        by_values: Floats,
        by_logits: tuple[Ints, Floats] | None,
        step_size: float,
    ) -> None:
        """One step. Of the layer of moves, by far the largest, those alone that were legal."""
        last, (of_values, _), (of_moves, bias_of_moves) = seen[-1], *self.layers[-2:]
        back = by_values @ of_values
        if by_logits is not None:
            back = back + by_logits[1] @ of_moves[by_logits[0]]
        gradients = [by_values.T @ last, by_values.sum(axis=0)]
        for (weights, _), inputs, outputs in zip(
            self.layers[-3::-1], seen[-2::-1], seen[:0:-1], strict=True
        ):
            back = back * (outputs > 0)
            gradients[:0] = [back.T @ inputs, back.sum(axis=0)]
            if inputs is not seen[0]:
                back = back @ weights
        self._steps += 1
        shared = sum(part.size for part in self._parts()[:-2])
        gradient = np.concatenate([g.ravel() for g in gradients]).astype(np.float64)
        change = self._adam.step_at(slice(0, shared), gradient, step_size, self._steps)
        at = 0
        for part in self._parts()[:-2]:
            part[...] -= change[at : at + part.size].reshape(part.shape).astype(np.float32)
            at += part.size
        if by_logits is None:
            return
        some, slopes = by_logits
        width = of_moves.shape[1]
        rows = (shared + width * some[:, None] + np.arange(width)).ravel()
        change = self._adam.step_at(
            rows, (slopes.T @ last).ravel().astype(np.float64), step_size, self._steps
        )
        of_moves[some] -= change.reshape(-1, width).astype(np.float32)
        change = self._adam.step_at(
            shared + of_moves.size + some, slopes.sum(axis=0).astype(np.float64), step_size,
            self._steps,
        )  # fmt: skip
        bias_of_moves[some] -= change.astype(np.float32)

    def arrays(self) -> Arrays:
        """Weights, biases and Adam's averages."""
        named = {f"layer{i}.{kind}": part for i, layer in enumerate(self.layers)
                 for kind, part in zip(("weights", "bias"), layer, strict=True)}  # fmt: skip
        return {**named, **stored(self._adam, self._steps)}

    def restore(self, arrays: Arrays) -> None:
        """Goes back to a checkpoint."""
        for i, layer in enumerate(self.layers):
            for kind, part in zip(("weights", "bias"), layer, strict=True):
                part[:] = arrays[f"layer{i}.{kind}"]
        self._steps = restored(self._adam, arrays)
