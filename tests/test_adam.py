"""Adam's steps by hand, and the falling step size."""

from __future__ import annotations

import numpy as np
import pytest

from tempo.nets.adam import Adam, falling


def test_steps_by_hand() -> None:
    adam = Adam(2, damping=0.5, forgets=0.1)
    first = adam.step(np.array([0.5, -2.0]), 0.1, 1)
    # The means, freed of their start at 0, are the gradient and its squares.
    assert first == pytest.approx([0.1 * 0.5 / (0.5 + 0.5), 0.1 * -2 / (2 + 0.5)])
    second = adam.step(np.array([1.5, 0.0]), 0.1, 2)
    # mean 0.9 * 0.05 + 0.1 * 1.5 = 0.195 of 0.19; squares 0.9 * 0.025 + 0.1 * 2.25 = 0.2475 of 0.19
    assert second[0] == pytest.approx(0.1 * (0.195 / 0.19) / ((0.2475 / 0.19) ** 0.5 + 0.5))
    assert second[1] == pytest.approx(0.1 * (-0.18 / 0.19) / ((0.36 / 0.19) ** 0.5 + 0.5))


def test_a_checkpoint_goes_on_alike() -> None:
    gradients = np.random.default_rng(1).normal(size=(4, 3))
    whole, half, rest = (Adam(3, damping=1e-8) for _ in range(3))
    steps = [whole.step(g, 0.01, i + 1) for i, g in enumerate(gradients)]
    for i in range(2):
        half.step(gradients[i], 0.01, i + 1)
    rest.restore(half.arrays())
    assert np.array_equal(rest.step(gradients[2], 0.01, 3), steps[2])
    assert np.array_equal(rest.step(gradients[3], 0.01, 4), steps[3])


def test_a_step_size_falls_on_a_straight_line() -> None:
    assert falling(0.2, 0.1, 0, 10) == pytest.approx(0.2)
    assert falling(0.2, 0.1, 5, 10) == pytest.approx(0.11)
    assert falling(0.2, 0.1, 10, 10) == pytest.approx(0.02)
