"""Guided self-play in parts: each has its own games and random streams, and can be played anywhere.

Here the parts are played one after the other. Workers play them side by side: weights and the games
under way go out, the games that ended and those under way come back. A part that a dead worker had
is played again by another; nothing depends on who plays it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tempo.cluster.workers import Call, Workers
from tempo.errors import ParseError
from tempo.games.registry import load
from tempo.learners.gathering import weights_alone
from tempo.learners.guided_play import GuidedPlay, Played, Searching, mixed
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays
from tempo.nets.guided import Guided, is_guided
from tempo.nets.registry import Shape, make
from tempo.nets.stored import part

if TYPE_CHECKING:
    from tempo.games.game import Game


@dataclass(frozen=True)
class Setup:
    """What a part is played by, apart from weights and state."""

    game: str
    net: str
    shape: Shape
    searching: Searching
    games: int
    seed: int


@dataclass(frozen=True)
class State:
    """Where a part stands."""

    arrays: Arrays
    ended: int
    begun: int
    token: str = ""  # of what a worker may still have


class Parts:
    """The games of all parts."""

    def __init__(self, game: Game, net: Guided, setup: Setup, parts: int, threads: int) -> None:
        self._net = net
        sizes = [setup.games // parts + (i < setup.games % parts) for i in range(parts)]
        # A single part draws from the seed itself.
        seeds = [
            setup.seed if parts == 1 else int(mixed(setup.seed, 7, i)[0]) for i in range(parts)
        ]
        self._setups = [
            replace(setup, games=size, seed=seed) for size, seed in zip(sizes, seeds, strict=True)
        ]
        self._plays = [
            GuidedPlay(game, net, one.searching, one.games, one.seed, threads)
            for one in self._setups
        ]
        self._states: list[State] | None = None  # where workers have brought the parts
        self._workers: Workers | None = None

    def spread(self, workers: Workers) -> None:
        """Has workers play the parts."""
        if len(self._plays) == 1:
            raise ParseError("zero hands over its games in parts: --set parts=8 makes eight")
        self._workers = workers
        self._states = [_state(play) for play in self._plays]

    @property
    def ended(self) -> int:
        """How many games have ended."""
        return sum(one.ended for one in self._states or self._plays)

    def moves(self, plies: int, cost: Ledger) -> Played:
        """Makes this many moves in every game; the games that ended meanwhile."""
        if self._workers is None or self._states is None:
            return Played.joined([play.moves(plies, cost) for play in self._plays])
        found = dict(self._workers.results(self._calls(self._workers, plies)))
        self._states = [found[i][1] for i in range(len(found))]
        for i in range(len(found)):
            cost.add(found[i][2])
        return Played.joined([found[i][0] for i in range(len(found))])

    def _calls(self, workers: Workers, plies: int) -> Iterator[Call]:
        weights = workers.share(weights_alone(self._net))
        for setup, state in zip(self._setups, self._states or (), strict=True):
            yield moved_elsewhere, (setup, weights, state, plies)

    # Checkpoints

    def arrays(self) -> Arrays:
        """The games under way."""
        states = self._states or [_state(play) for play in self._plays]
        if len(states) == 1:
            return states[0].arrays
        return {f"part{i}.{name}": a for i, s in enumerate(states) for name, a in s.arrays.items()}

    def counters(self) -> dict[str, Any]:
        """How many games have ended and begun; lists where there are parts."""
        kept = self._states or self._plays
        found = {name: [getattr(one, name) for one in kept] for name in ("ended", "begun")}
        return {name: counts[0] if len(counts) == 1 else counts for name, counts in found.items()}

    def restore(self, arrays: Arrays, counters: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        one = len(self._plays) == 1
        for i, play in enumerate(self._plays):
            ended, begun = (
                counters[name] if one else counters[name][i] for name in ("ended", "begun")
            )
            play.restore(arrays if one else part(arrays, f"part{i}."), ended, begun)
        if self._workers is not None:
            self._states = [_state(play) for play in self._plays]


def _state(play: GuidedPlay) -> State:
    return State(play.arrays(), play.ended, play.begun)


class _Kept:
    """A part in a worker, as it left it."""

    def __init__(self, setup: Setup) -> None:
        game = load(setup.game)
        net: Any = make(setup.net, game, setup.shape)
        assert is_guided(net)
        self.net: Guided = net
        self.play = GuidedPlay(game, net, setup.searching, setup.games, setup.seed, threads=1)
        self.token = ""


@lru_cache(2)
def _kept(setup: Setup) -> _Kept:
    return _Kept(setup)


def moved_elsewhere(
    setup: Setup, weights: Arrays, state: State, plies: int
) -> tuple[Played, State, Ledger]:
    """Runs in a worker: moves in every game of a part; where it stands then, and what it cost."""
    cost = Ledger()
    with cost.timing():
        kept = _kept(setup)
        kept.net.restore(dict(weights))
        if not state.token or state.token != kept.token:
            kept.play.restore(state.arrays, state.ended, state.begun)
        kept.token = ""  # an error on the way leaves it elsewhere
        played = kept.play.moves(plies, cost)
        kept.token = secrets.token_hex(8)
    cost.wall_seconds = 0.0  # the learner waits for all of them, and counts that
    arrays = {name: array.copy() for name, array in kept.play.arrays().items()}
    return played, State(arrays, kept.play.ended, kept.play.begun, kept.token), cost
