"""Several devices of JAX, simulated on one machine: they learn what one learns."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import numpy as np
import tempo
from tempo.nets import devices
from tempo.nets.approximator import Inputs
from tempo.nets.guided import NO_MOVE, Examples, Packing
from tempo.nets.registry import Shape, make

several = devices.mesh()
assert several is not None and several.size == 2

def learnt(net):
    game = tempo.load("gomoku(size=5)")
    made = make(net, game, Shape((8,), (4,), 1))
    batch = game.batch(32, seed=1)
    batch.playout(limit=4)
    inputs = Inputs(batch.input_keys, batch.features())
    targets = np.linspace(-0.9, 0.9, 32, dtype=np.float32)
    if net == "conv":
        losses = [made.fit(inputs, targets, 0.01) for _ in range(3)]
    else:
        moves = np.full((32, 16), NO_MOVE, np.uint16)
        moves[:, :2], shares = (20, 24), np.zeros((32, 16), np.float16)
        shares[:, 0] = 1
        examples = Examples(Packing(game).rows(batch), moves, shares, targets, targets)
        turned = np.arange(32) % 8
        losses = [made.improve(examples, turned, 0.01).total for _ in range(3)]
    used = {len(part.sharding.device_set) for part in made.weights.values()}
    return used, losses, made.values(inputs)

for net in ("conv", "residual"):
    used, losses, values = learnt(net)
    assert used == {2}, (net, used)
    devices.mesh = lambda: None
    alone_used, alone_losses, alone_values = learnt(net)
    assert alone_used == {1}
    assert np.allclose(losses, alone_losses, atol=1e-4), (net, losses, alone_losses)
    assert np.allclose(values, alone_values, atol=1e-3), net
    assert losses[2] < losses[0]
    devices.mesh = lambda: several
print("the same")
"""

# Gradients of the shares are added up: without an all-reduce every device would do all the work.
LEARNERS = """
import jax
import numpy as np
from tempo import recipes
from tempo.learners.fast import dqn_compiled, search_td
from tempo.nets import devices

several = devices.mesh()
KRK = recipes.read("krk") | {
    "stages": [{"iterations": 1, "games": 50, "depth": 1}], "updates": 3, "hidden": [8],
    "batch": 256,
}
DQN = recipes.read("minishogi-dqn") | {
    "games": 4, "plies": 12, "steps": 1, "channels": 4, "blocks": 1, "batch": 8, "memory": 400,
    "updates": 1, "exam": 0, "first": 44, "n_step": 1, "symmetry": False, "double": False,
}

def learnt(recipe):
    dqn_compiled.compiled.cache_clear()
    jax.clear_caches()
    made = recipes.make_learner(recipe, 1)
    learner = made.learner if hasattr(made, "learner") else made
    programs = []
    if hasattr(learner, "_run"):
        train = learner._run.train
        def spied(*given):
            program = train.lower(*given).compile()
            programs.append(program.as_text())
            return program(*given)
        learner._run.train = spied
    else:
        train = learner._train
        def spied(*given):
            program = search_td._train.lower(train.args[0], *given).compile()
            programs.append(program.compiled.as_text())
            return train(*given)
        learner._train = spied
    row = learner.iterate()
    network = learner.nets if hasattr(learner, "_run") else learner.network
    leaves = [leaf for leaf in jax.tree_util.tree_leaves(network) if hasattr(leaf, "sharding")]
    used = {len(leaf.sharding.device_set) for leaf in leaves}
    return used, "all-reduce" in programs[0], row["loss"], [np.asarray(leaf) for leaf in leaves]

for recipe in (KRK, DQN):
    devices.mesh = lambda: several
    used, adds_up, loss, weights = learnt(recipe)
    assert (used, adds_up) == ({2}, True), (used, adds_up)
    devices.mesh = lambda: None
    used, adds_up, alone, others = learnt(recipe)
    assert (used, adds_up) == ({1}, False)
    assert np.isclose(loss, alone, rtol=1e-3), (loss, alone)
    assert all(np.allclose(a, b, atol=1e-4) for a, b in zip(weights, others, strict=True))
print("the same")
"""


@pytest.mark.parametrize("script", [SCRIPT, LEARNERS], ids=["any game", "papers"])
def test_two_devices_learn_what_one_learns(script: str) -> None:
    flags = "--xla_force_host_platform_device_count=2 --xla_cpu_multi_thread_eigen=false"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False,
        env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    assert done.stdout == "the same\n", done.stderr
