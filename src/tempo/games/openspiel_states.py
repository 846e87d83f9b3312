"""Open games of OpenSpiel: a state of the library as a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError


def plane_shape(given: Sequence[int]) -> tuple[int, int, int]:
    """The shape of a tensor as planes, rows and columns."""
    shape = tuple(given)
    if len(shape) > 3:
        return 1, 1, int(np.prod(shape))
    planes, rows, columns = (*(1,) * (3 - len(shape)), *shape)
    return planes, rows, columns


class Rules:
    """A game of OpenSpiel, and what all its positions share."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.scale = 1 / max(abs(game.min_utility()), abs(game.max_utility()))
        self.shape: tuple[int, int, int] | None = None
        self.position: type[Position] = Position
        if game.get_type().provides_observation_tensor:
            self.shape = plane_shape(game.observation_tensor_shape())
            self.position = WithFeatures

    def start(self) -> Position:
        """The first position."""
        return self.position(self, self.game.new_initial_state())

    def deal(self, random: Random) -> Position:
        """The first position; nothing is drawn."""
        return self.start()

    def fault(self) -> str:
        """Why the game cannot be played here, to follow its name; empty if it can."""
        return ""

    def parse(self, text: str) -> Position:
        """The position after the moves of a text."""
        state = self.game.new_initial_state()
        first, *moves = text.split(" ")
        for move in map(int, moves):
            if move not in state.legal_actions():
                raise ParseError(f"move {move} is not legal after {len(state.history())} others")
            state.apply_action(move)
        position = self.position(self, state)
        if first != "start" or position.text != text:
            raise ParseError("expected 'start' and the numbers of the moves")
        return position


class Position:
    """A state of OpenSpiel, which nobody changes any more."""

    reason = "the game is over"

    def __init__(self, rules: Rules, state: Any) -> None:
        self._rules = rules
        self._state = state
        over = state.is_terminal()
        self.turn = 0 if over else state.current_player()
        self.outcome = [score * rules.scale for score in state.returns()] if over else None

    @property
    def legal_moves(self) -> list[int]:
        """The legal actions."""
        moves: list[int] = self._state.legal_actions()
        return moves

    def play(self, move: int) -> Position:
        """The state after an action."""
        return type(self)(self._rules, self._state.child(move))

    @property
    def text(self) -> str:
        """The moves from the start."""
        return " ".join(("start", *map(str, self._state.history())))

    @cached_property
    def _texts(self) -> dict[int, str]:
        """The names of the actions, with their numbers where names are shared or not plain."""
        named = {move: self._state.action_to_string(self.turn, move) for move in self.legal_moves}
        shared = Counter(named.values())
        return {
            move: text if shared[text] == 1 and text.isascii() and text.isprintable() else str(move)
            for move, text in named.items()
        }

    def move_text(self, move: int) -> str:
        """The action's name."""
        return self._texts[move]

    @property
    def board(self) -> str:
        """The state as OpenSpiel prints it."""
        return str(self._state)


class WithFeatures(Position):
    """The same of a game that has a tensor of what a player sees."""

    def features(self, seat: int) -> NDArray[np.float32]:
        """The observation of a player."""
        return np.asarray(self._state.observation_tensor(seat), np.float32)
