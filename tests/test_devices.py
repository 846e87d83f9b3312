"""Several devices of JAX, simulated on one machine: they learn what one learns."""

import os
import subprocess
import sys

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


def test_two_devices_learn_what_one_learns() -> None:
    flags = "--xla_force_host_platform_device_count=2 --xla_cpu_multi_thread_eigen=false"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False,
        env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    assert done.stdout == "the same\n", done.stderr
