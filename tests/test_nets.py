"""Value networks: inputs, first weights, checkpoints, and NumPy answering as JAX does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tempo._core import endings
from tempo.errors import ParseError
from tempo.nets import plain

squares = pytest.importorskip("tempo.nets.squares", reason="needs the extra `deep`")

SIZES: dict[str, Any] = {"hidden": (16, 8), "channels": (4, 5)}
KINDS = ["dense", "convolution"]
SEED = 5


def some_features(count: int = 300) -> tuple[Any, Any]:
    family = endings.Family("KRK")
    print(f"seed {SEED}")
    numbers = np.random.default_rng(SEED).integers(0, family.dead, count)
    return family.features_of(numbers)


def test_sets_unpack_from_a1_on() -> None:
    sets = np.array([[1, 1 << 63], [1 << 33 | 1 << 2, 0]], np.uint64)
    expected = np.zeros((2, 2, 64), np.float32)
    expected[0, 0, 0] = expected[0, 1, 63] = expected[1, 0, 2] = expected[1, 0, 33] = 1
    np.testing.assert_array_equal(plain.unpack(sets), expected)
    np.testing.assert_array_equal(squares.unpack(squares.halves(sets)), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_first_weights_are_glorot_uniform(kind: str) -> None:
    network = squares.make(kind, 8, 6, {"hidden": (200,), "channels": (16, 16)}, SEED)
    for layer in (*network.layers, *getattr(network, "convolutions", ())):
        field = int(np.prod(layer.weight.shape[2:]))
        bound = np.sqrt(6 / (field * sum(layer.weight.shape[:2])))
        weight = np.abs(np.asarray(layer.weight))
        assert weight.max() <= bound
        assert weight.max() > 0.9 * bound
        assert weight.std() > 0
        assert not np.any(layer.bias)


def test_the_seed_decides_the_weights() -> None:
    one, same, other = (
        squares.arrays_of(squares.make("dense", 8, 6, SIZES, seed)) for seed in (1, 1, 2)
    )
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one[".layers[0].weight"], other[".layers[0].weight"])


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_answers_as_jax_does(kind: str) -> None:
    planes, numbers = some_features()
    network = squares.make(kind, planes.shape[1], numbers.shape[1], SIZES, SEED)
    theirs = np.asarray(network(squares.halves(planes), numbers))
    copy = plain.read(squares.arrays_of(network, "network"))
    copy.check(planes.shape[1], numbers.shape[1])
    assert theirs.std() > 0.01
    np.testing.assert_allclose(copy(planes, numbers), theirs, atol=2e-6)
    assert copy.multiply_adds == squares.multiply_adds(network)


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_there_and_back(kind: str) -> None:
    network = squares.make(kind, 8, 6, SIZES, 1)
    arrays = squares.arrays_of(network, "network")
    other = squares.make(kind, 8, 6, SIZES, 2)
    again = squares.arrays_of(squares.with_arrays(other, arrays, "network"), "network")
    assert again.keys() == arrays.keys()
    assert all(np.array_equal(again[name], arrays[name]) for name in arrays)


def test_arrays_that_do_not_fit_are_refused() -> None:
    network = squares.make("dense", 8, 6, SIZES, 1)
    arrays = squares.arrays_of(network, "network")
    with pytest.raises(ParseError, match=r"expected \[16, 774\]"):
        squares.with_arrays(squares.make("dense", 12, 6, SIZES, 1), arrays, "network")
    with pytest.raises(ParseError, match=r"stored with nothing"):
        squares.with_arrays(network, {}, "network")
    with pytest.raises(ParseError, match=r"expected \[16, 774\]"):
        plain.read(arrays).check(12, 6)
    with pytest.raises(ParseError, match="no network"):
        plain.read({})
    with pytest.raises(ParseError, match=r"layers\[1\]\.bias' is missing"):
        plain.read({k: v for k, v in arrays.items() if k != "network.layers[1].bias"})
    broken = {**arrays, "network.layers[0].bias": np.full(16, np.nan, np.float32)}
    with pytest.raises(ParseError, match="values that are not finite"):
        plain.read(broken)


def test_there_is_no_other_network() -> None:
    with pytest.raises(ParseError, match="there are dense and convolution"):
        squares.make("transformer", 8, 6, SIZES, 1)
