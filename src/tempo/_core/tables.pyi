"""Learnt values by key."""

import numpy
import numpy.typing


class ValueTable:
    """
    Values and visits by 64-bit key. Absent keys have value 0 and no visits. `threads` read it; they never change it.
    """

    def __init__(self, threads: int = 1) -> None: ...

    def __len__(self) -> int: ...

    @property
    def memory(self) -> int:
        """Bytes held."""

    def read(self, keys: numpy.typing.NDArray[numpy.uint64], wanted: numpy.typing.NDArray[numpy.bool_] | None = None) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32]]:
        """
        Values and visits in the shape of the keys; 0 where a key is absent or not wanted.
        """

    def add(self, keys: numpy.typing.NDArray[numpy.uint64], deltas: numpy.typing.NDArray[numpy.float64]) -> None:
        """
        Adds deltas [N] to the values of keys [N] and counts a visit, one after the other.
        """

    def approach(self, keys: numpy.typing.NDArray[numpy.uint64], targets: numpy.typing.NDArray[numpy.float64], share: float) -> None:
        """
        Moves values of keys [N] a share of the way to targets [N] and counts a visit, one after the other: a key that comes twice moves on from where it is.
        """

    def entries(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32]]:
        """Keys in ascending order, their values and visits."""

    def load(self, keys: numpy.typing.NDArray[numpy.uint64], values: numpy.typing.NDArray[numpy.float32], visits: numpy.typing.NDArray[numpy.uint32]) -> None:
        """Holds what `entries` gave, and nothing else."""
