"""What every learner is set by. A learner's own defaults stand where it is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from tempo.errors import ParseError, TempoError
from tempo.explore import schedule
from tempo.td import Successor


@dataclass(frozen=True)
class Settings:
    """Approximator, acting, rule and schedule."""

    net: str = "dense"  # see tempo.nets.registry
    hidden: tuple[int, ...] = (64,)  # units by layer, but of conv the last one alone
    channels: tuple[int, ...] = (16, 16)  # of conv
    init: str = ""  # a run, or a file of a network in integers, whose weights learning begins with
    iterations: int = 100  # each plays `games` games and then learns from them
    games: int = 16
    seconds: float = 0.0  # after which no iteration begins; 0: no limit
    depth: int = 1  # of the search that chooses moves, and whose values are learnt from
    simulations: int = 0  # of a Monte-Carlo search that does so instead; 0: none
    nodes: int = 0  # positions of a search by the game's own search; 0: as deep as `depth`
    given: int = 0  # with nodes, iterations whose games the shipped evaluation plays
    imitate: int = 0  # with nodes, first iterations that learn the shipped evaluation itself
    detours: float = (
        0.0  # with nodes, share of moves before which a position off the line is valued
    )
    even: float = 1.0  # with nodes, openings that the search values beyond this are drawn again
    record: int = 0  # interior positions of every search that are learnt from
    exploration: str = "0.3"  # ε by iteration, see tempo.explore
    temperature: float = 0.0  # of Metropolis at first; 0: ε-greedy
    boltzmann: float = 0.0  # temperature at first of moves drawn by their values; 0: none are
    cooling: float = 0.98  # either temperature an iteration later
    opening: int = 4  # random moves at most before a game counts; with a start there are none
    longest: int = 1000  # moves, after which a game is drawn
    start: str = ""  # where games start: an ending's name, where a game has them
    practice: bool = True  # with a start: at all distances from the end alike, where a game tells
    trace: float = 0.7  # λ
    discount: float = 0.99  # γ of a round, from a seat's turn to its next: sooner is better
    steps: int = 0  # how far targets look ahead; 0: to the end of a game
    successor: Successor = "own_turn"  # which later move the target of a move looks at
    adaptive: str = ""  # how λ falls: closed or recursive; empty: it does not
    results: float = 0.0  # share of a game's result in targets
    step_size: float = 0.0  # of Adam, or of a table; 0: what suits the net
    batch: int = 256  # samples of one step
    passes: int = 2  # over the samples of an iteration
    replay: int = 0  # samples of earlier iterations that are kept and learnt from again
    quiet: bool = False  # learn only from positions without check and whose best move takes nothing
    final_share: float = 1.0  # of the step size, towards which it falls by equal factors
    refresh: int = 0  # iterations after which the target network is renewed; 0: there is none
    exam: int = 40  # games against random moves, ten times in a training; 0: none

    def __post_init__(self) -> None:
        schedule(self.exploration, 1)
        whole = ("iterations", "games", "depth", "batch", "passes", "longest")
        if wrong := [name for name in whole if getattr(self, name) < 1]:
            raise ParseError(f"{wrong[0]} is 1 or more, not {getattr(self, wrong[0])}")
        counts = (
            "nodes", "given", "imitate", "record", "opening", "steps", "replay", "refresh",
            "seconds", "temperature", "boltzmann", "simulations", "exam",
        )  # fmt: skip
        if wrong := [name for name in counts if getattr(self, name) < 0]:
            raise ParseError(f"{wrong[0]} is 0 or more, not {getattr(self, wrong[0])}")
        if self.simulations == 1:
            raise ParseError("simulations is 2 or more, or 0 for none: the first one is the root")
        if self.exam % 2:
            raise ParseError(f"games of an exam come in pairs: exam is even, not {self.exam}")
        shares = (
            "trace", "discount", "results", "cooling", "step_size", "final_share", "detours", "even"
        )  # fmt: skip
        if wrong := [name for name in shares if not 0 <= getattr(self, name) <= 1]:
            raise ParseError(f"{wrong[0]} is from 0 to 1, not {getattr(self, wrong[0])}")
        if not self.hidden or min(self.hidden) < 1 or not self.channels or min(self.channels) < 1:
            raise ParseError("hidden and channels name one size or more, each 1 or more")
        if self.adaptive not in ("", "closed", "recursive"):
            raise ParseError(f"adaptive is closed or recursive, not '{self.adaptive}'")


LONGER = ("iterations", "seconds", "exam")  # what a run may change when it goes on


def require_same(settings: Settings, stored: Mapping[str, Any]) -> None:
    """Raises TempoError unless a run resumes with the settings it began with, its length aside."""
    usual = {field.name: field.default for field in fields(settings)}  # what was not there before
    now, then = asdict(settings), {**usual, **stored}
    for told in (now, then):
        for name in LONGER:
            told.pop(name, None)
        for name in ("hidden", "channels"):
            told[name] = list(told[name])
    if now != then:
        raise TempoError(f"a run cannot go on with other settings than {dict(stored)}")
