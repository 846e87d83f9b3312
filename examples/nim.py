"""Nim, written in Python: `tempo match mcts:sims=200 random --game examples/nim.py`."""

import numpy as np

import tempo

MOST = 7  # counters in a heap


@tempo.register
class Nim(tempo.PythonGame):
    """Take any number of counters from one heap; who takes the last one wins."""

    name = "nim"
    move_numbers = 4 * MOST  # heaps, and how many are taken less one
    length_bound = 16
    reason = "the last counter was taken"

    def __init__(self, heaps=(1, 3, 5, 7), turn=0):
        self.heaps, self.turn = heaps, turn

    @property
    def legal_moves(self):
        return [MOST * i + n for i, heap in enumerate(self.heaps) for n in range(heap)]

    def play(self, move):
        heaps = list(self.heaps)
        heaps[move // MOST] -= move % MOST + 1
        return Nim(tuple(heaps), 1 - self.turn)

    @property
    def outcome(self):
        return None if any(self.heaps) else (1, -1) if self.turn else (-1, 1)

    def check(self):
        if len(self.heaps) != 4 or not all(0 <= heap <= MOST for heap in self.heaps):
            raise ValueError(f"expected four heaps of up to {MOST} counters")

    def move_text(self, move):
        return f"{'abcd'[move // MOST]}{move % MOST + 1}"

    @property
    def board(self):
        rows = zip("abcd", self.heaps, strict=True)
        return "\n".join(f"{name} {'o' * heap}" for name, heap in rows)

    def features(self, seat):
        return np.array([[heap > n for n in range(MOST)] for heap in self.heaps])
