"""Games of OpenSpiel with chance or hidden information, as positions with views.

Chance is drawn by a seed that no seat knows: a position is its history, and the seed of the
outcomes to come. A seat knows what it has been shown and what it has done, in their order. A sample
is a random history that would have shown it the same, with another seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError, TempoError
from tempo.games.openspiel_states import Position, Rules, plane_shape

LEAST_TRIED, MOST_TRIED = 64, 2**14  # states of one search for a sample
PROBES = 12  # games in which samples are drawn before a game is accepted
SEEDS = 2**32

Sight = tuple[int, str, tuple[int, ...]]  # whose turn it is, what is shown, the legal actions


class Seen(NamedTuple):
    """What a seat was shown last, the own action that led to it, and all that was before."""

    before: Seen | None
    own: int | None
    sight: Sight
    digest: bytes

    def line(self) -> list[Seen]:
        """All that was seen, from the first."""
        found: list[Seen] = []
        at: Seen | None = self
        while at is not None:
            found.append(at)
            at = at.before
        return found[::-1]


class HiddenRules(Rules):
    """A game of OpenSpiel in which seats do not know all: chance outcomes to come, at least."""

    def __init__(self, spiel: Any, game: Any) -> None:
        super().__init__(game)
        kind, types = game.get_type(), spiel.GameType
        self.draws = kind.chance_mode != types.ChanceMode.DETERMINISTIC
        self.is_open = bool(kind.information == types.Information.PERFECT_INFORMATION)
        self.recalls = kind.provides_information_state_string
        self.observes = kind.provides_observation_string
        self.tensor = "observation_tensor" if self.shape else ""
        if not self.is_open and kind.provides_information_state_tensor:
            self.shape = plane_shape(game.information_state_tensor_shape())
            self.tensor = "information_state_tensor"
        self.hidden_position = HiddenWithFeatures if self.tensor else HiddenPosition

    def start(self) -> HiddenPosition:
        """The first position, with the chance of seed 0."""
        return self.first(0)

    def deal(self, random: Random) -> HiddenPosition:
        """The first position, with a seed of its own."""
        return self.first(random.getrandbits(32))

    def first(self, seed: int) -> HiddenPosition:
        """The first position in which a seat moves."""
        return self.hidden_position(self, self.drawn(self.game.new_initial_state(), seed), seed)

    def drawn(self, state: Any, seed: int) -> Any:
        """The state after the chance nodes that come now."""
        while state.is_chance_node():
            fraction = _fraction(seed, len(state.history()))
            state = state.child(_pick(state.chance_outcomes(), fraction))
        return state

    def parse(self, text: str) -> HiddenPosition:
        """The position after the chance outcomes and moves of a text."""
        first, *numbers = text.split(" ")
        kind, _, given = first.partition(":")
        seed = int(given or "0")
        if kind != "start" or not 0 <= seed < SEEDS:
            raise ParseError("expected 'start', a seed and the numbers of outcomes and moves")
        position = self.replayed([int(number) for number in numbers], seed)
        if position.text != text:
            raise ParseError("expected 'start', a seed and the numbers of outcomes and moves")
        return position

    def replayed(self, history: Sequence[int], seed: int) -> HiddenPosition:
        """The position with this history, chance outcomes included."""
        state = self.game.new_initial_state()
        position: HiddenPosition | None = None
        move = -1
        for made, action in enumerate(history):
            if state.is_terminal() or action not in state.legal_actions():
                raise ParseError(f"move {action} is not legal after {made} others")
            if not state.is_chance_node():
                position, move = self.hidden_position(self, state, seed, position, move), action
            state = state.child(action)
        if state.is_chance_node():
            raise ParseError("a chance outcome is missing at the end")
        return self.hidden_position(self, state, seed, position, move)

    def sight(self, state: Any, seat: int) -> Sight:
        """What a seat is shown of a state in which somebody moves."""
        turn = state.current_player()
        moves = tuple(state.legal_actions()) if turn == seat else ()
        return turn, self.shown(state, seat), moves

    def shown(self, state: Any, seat: int) -> str:
        """The information state of a player, or at least the observation."""
        if self.recalls:
            return str(state.information_state_string(seat))
        return str(state.observation_string(seat))

    def saw(self, seen: Seen | None, own: int | None, sight: Sight) -> Seen:
        """What a seat has seen after one more step; what looks as before is not seen."""
        if seen is not None and own is None and seen.sight == sight:
            return seen
        past = b"" if seen is None else seen.digest
        digest = blake2b(past + repr((own, sight)).encode(), digest_size=8).digest()
        return Seen(seen, own, sight, digest)

    def fitting(self, goal: Sequence[Seen], seat: int, random: Random) -> list[int]:
        """A random history that shows a seat what it has seen; TempoError if none is found.

        A search that has taken an unlucky turn early is begun anew, with more patience.
        """
        patience = LEAST_TRIED
        while patience <= MOST_TRIED:
            if (history := self._walk(goal, seat, random, patience)) is not None:
                return history
            patience *= 2
        raise TempoError("no history was found that shows a seat what it has seen")

    def _walk(
        self, goal: Sequence[Seen], seat: int, random: Random, patience: int
    ) -> list[int] | None:
        """Such a history step by step, with steps back; None if it takes too long."""
        history: list[int] = []
        state, at = self.game.new_initial_state(), -1
        if not state.is_chance_node():
            at = 0  # the first that is seen is always the same
        own: int | None = None
        path = [(state, at, own, self._choices(state, goal, at, seat, random))]
        while at + 1 < len(goal):
            state, at, own, left = path[-1]
            if left:
                patience -= 1
            elif history:
                path.pop()
                history.pop()
                continue
            if not left or patience < 0:
                return None
            action = left.pop()
            if not state.is_chance_node():
                own = action if state.current_player() == seat else None
            state = state.child(action)
            if (found := self._fits(state, goal, at, seat, own)) is not None:
                at = found
                history.append(action)
                path.append((state, at, own, self._choices(state, goal, at, seat, random)))
        return history

    def _choices(
        self, state: Any, goal: Sequence[Seen], at: int, seat: int, random: Random
    ) -> list[int]:
        """What may be done in a state, the first to be tried last."""
        if state.current_player() == seat:
            own = goal[at + 1].own if at + 1 < len(goal) else None
            return [] if own is None else [own]
        if state.is_chance_node():
            drawn = [(random.random() ** (1 / p), out) for out, p in state.chance_outcomes() if p]
        else:
            drawn = [(random.random(), move) for move in state.legal_actions()]
        return [action for _, action in sorted(drawn)]

    def _fits(
        self, after: Any, goal: Sequence[Seen], at: int, seat: int, own: int | None
    ) -> int | None:
        """How far a step leads along what a seat has seen; None if it would see something else."""
        if after.is_terminal():
            return None
        if after.is_chance_node():
            return at  # what chance brings is seen when somebody moves
        sight = self.sight(after, seat)
        if own is None and at >= 0 and goal[at].sight == sight:
            return at
        return at + 1 if (goal[at + 1].own, goal[at + 1].sight) == (own, sight) else None

    def fault(self) -> str:
        """What is wrong with samples, to follow the game's name: some random games are tried."""
        if self.is_open:
            return ""
        hides = False
        for seed in range(PROBES):
            random = Random(seed)
            line = self._random_game(random)
            for position in line[-1 :: -(len(line) // PROBES + 1)]:
                for seat in (0, 1):
                    try:
                        drawn = position.sample(seat, random)
                    except TempoError:
                        return "hides so much that no history is found which fits a seat's view"
                    if drawn.view(seat) != position.view(seat):
                        return "shows a seat other things when the same actions are taken again"
                    hides |= drawn.history() != position.history()
        return "" if hides else "is said to hide something and shows every seat all"

    def _random_game(self, random: Random) -> list[HiddenPosition]:
        """The positions of a game up to its last move."""
        line: list[HiddenPosition] = []
        position = self.deal(random)
        while position.outcome is None:
            line.append(position)
            moves = position.legal_moves
            position = position.play(moves[int(random.random() * len(moves))])
        return line


class HiddenPosition(Position):
    """A state of OpenSpiel in which a seat moves or the game is over, and how it came about."""

    def __init__(
        self,
        rules: HiddenRules,
        state: Any,
        seed: int,
        before: HiddenPosition | None = None,
        move: int = -1,
    ) -> None:
        super().__init__(rules, state)
        self._hidden = rules
        self._seed = seed
        self._before, self._move = before, move
        self._seen: dict[int, Seen] = {}

    @property
    def open_moves(self) -> bool:
        """Whether every seat sees what others play."""
        return self._hidden.is_open

    def play(self, move: int) -> HiddenPosition:
        """The state after an action and the chance outcomes that follow it."""
        after = self._hidden.drawn(self._state.child(move), self._seed)
        return type(self)(self._hidden, after, self._seed, self, move)

    @property
    def text(self) -> str:
        """The seed, and outcomes and moves from the start."""
        first = f"start:{self._seed}" if self._hidden.draws else "start"
        return " ".join((first, *map(str, self.history())))

    def history(self) -> list[int]:
        """Chance outcomes and moves from the start."""
        history: list[int] = self._state.history()
        return history

    def view(self, seat: int) -> str:
        """What a seat is shown, and a digest of all it has seen; a game that is over is open."""
        if self.outcome is not None:
            return self.text
        if self._hidden.is_open:
            return self.public_text
        seen = self.seen(seat)
        shown = seen.sight[1].encode("unicode_escape").decode()
        return f"{shown} {seen.digest.hex()}"

    def view_board(self, seat: int) -> str:
        """What a seat is shown, as OpenSpiel prints it."""
        if self.outcome is not None or self._hidden.is_open:
            return self.board
        if self._hidden.observes:
            return str(self._state.observation_string(seat))
        return self._hidden.shown(self._state, seat)

    @property
    def public_text(self) -> str:
        """What everybody knows: where only chance is hidden, all that happened."""
        if not self._hidden.is_open:
            return "?"
        return " ".join(("start", *map(str, self.history())))

    def seen(self, seat: int) -> Seen:
        """All that a seat has seen so far."""
        line: list[HiddenPosition] = []
        at: HiddenPosition | None = self
        while at is not None and seat not in at._seen:
            line.append(at)
            at = at._before
        seen = None if at is None else at._seen[seat]
        for position in reversed(line):
            seen = position._look(seen, seat)
            position._seen[seat] = seen
        return self._seen[seat]

    def _look(self, seen: Seen | None, seat: int) -> Seen:
        own = self._move if self._before is not None and self._before.turn == seat else None
        return self._hidden.saw(seen, own, self._hidden.sight(self._state, seat))

    def sample(self, seat: int, random: Random) -> HiddenPosition:
        """A position that looks the same to a seat."""
        rules = self._hidden
        if self.outcome is not None:
            return self
        if rules.is_open:
            history = self.history()
        else:
            history = rules.fitting(self.seen(seat).line(), seat, random)
        return rules.replayed(history, random.getrandbits(32) if rules.draws else 0)


class HiddenWithFeatures(HiddenPosition):
    """The same of a game that has a tensor of what a player knows."""

    def features(self, seat: int) -> NDArray[np.float32]:
        """The information state of a player, or the observation."""
        return np.asarray(getattr(self._state, self._hidden.tensor)(seat), np.float32)


def _fraction(seed: int, made: int) -> float:
    """A number from 0 to 1 for the next chance node, the same whenever it is asked for."""
    drawn = blake2b(b"%d %d" % (seed, made), digest_size=7).digest()
    return int.from_bytes(drawn, "big") / 2**56


def _pick(outcomes: Sequence[tuple[int, float]], fraction: float) -> int:
    """The outcome that a fraction of all probability falls on."""
    for outcome, probability in outcomes:
        fraction -= probability
        if fraction < 0:
            return outcome
    return next(outcome for outcome, probability in reversed(outcomes) if probability > 0)
