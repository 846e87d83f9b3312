"""An agent and an evaluator of one's own: `tempo match examples/corner.py:Corner random`."""

from typing import Any

from numpy.typing import NDArray


class Corner:
    """Plays one of the first legal moves."""

    def __init__(self, skip: int = 0) -> None:
        self.skip = skip

    def choose(self, view: Any) -> int:
        moves = view.legal_moves
        return int(moves[self.skip % len(moves)])


def value(seen: NDArray[Any]) -> NDArray[Any]:
    """The share by which one's own pieces outnumber the other's, in games of two colours."""
    difference: NDArray[Any] = 0.01 * (seen[:, 0].sum((1, 2)) - seen[:, 1].sum((1, 2)))
    return difference
