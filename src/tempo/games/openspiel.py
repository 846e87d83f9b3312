"""OpenSpiel's games by name, where `open_spiel` is installed: `tempo.load("openspiel:hex")`.

Parameters follow as OpenSpiel has them: `openspiel:hex(board_size=5)`. Games of two players in
turn, without chance and hidden information, in which one wins what the other loses, are played as
any other; the rest is refused in a sentence. A position's text is the moves from the start.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tempo._core import foreign
from tempo.errors import ParseError, TempoError, quoted
from tempo.games.python import ForeignCore

PREFIX = "openspiel:"
MOST_MOVES = 0xFFFF
_VALUE = re.compile(r"[A-Za-z0-9_.+-]+")


def core_of(name: str) -> ForeignCore:
    """The game `openspiel:NAME` as a core; ParseError says why there is none."""
    spiel = _library()
    short = name.removeprefix(PREFIX)
    kinds = {kind.short_name: kind for kind in spiel.registered_games()}
    if short not in kinds:
        raise ParseError(f"OpenSpiel has no game {quoted(short)}")
    if why := refusal(spiel, kinds[short]):
        raise ParseError(f"{name} {why}")
    kind = kinds[short]
    version = getattr(spiel, "__version__", "1")
    names = ("first", "second")
    core = ForeignCore(name, str(kind.long_name), version, names, partial(_rules, spiel, kind))
    core.Options({})
    return core


def _library() -> Any:
    try:
        import pyspiel  # noqa: PLC0415 - an optional library
    except ImportError:
        raise TempoError("OpenSpiel's games need its library: pip install open_spiel") from None
    return pyspiel


def refusal(spiel: Any, kind: Any) -> str:
    """Why a kind of game cannot be played here, to follow its name; empty if it can."""
    types = spiel.GameType
    least, most = kind.min_num_players, kind.max_num_players
    players = str(least) if least == most else f"{least} to {most}"
    faults = {
        "lets players move at the same time; here they move in turn": (
            kind.dynamics != types.Dynamics.SEQUENTIAL
        ),
        "is made from a file or from another game, which a name does not tell": (
            not kind.default_loadable
        ),
        f"is played by {players}; here two play": not least <= 2 <= most,
        "draws lots while it is played; here chance is no player": (
            kind.chance_mode != types.ChanceMode.DETERMINISTIC
        ),
        "hides something from a seat; of other libraries only open games are taken": (
            kind.information != types.Information.PERFECT_INFORMATION
        ),
        "lets one win what the other does not lose; here scores add up to zero": (
            kind.utility != types.Utility.ZERO_SUM
        ),
    }
    return next((why for why, holds in faults.items() if holds), "")


def _rules(spiel: Any, kind: Any, given: Mapping[str, str]) -> foreign.Options:
    defaults = {name: str(value) for name, value in kind.parameter_specification.items()}
    for name, value in given.items():
        if name not in defaults:
            known = ", ".join(defaults) or "none"
            raise ParseError(f"{kind.short_name} has no parameter {quoted(name)}; it has {known}")
        if not _VALUE.fullmatch(value):
            raise ParseError(f"{name} of {kind.short_name} cannot be {quoted(value)}")
    changed = {name: value for name, value in given.items() if defaults[name] != value}
    inside = ",".join(f"{name}={value}" for name, value in changed.items())
    text = f"{kind.short_name}({inside})" if inside else kind.short_name
    try:
        game = spiel.load_game(text)
        rules = _Rules(game)
    except (spiel.SpielError, RuntimeError) as error:
        raise ParseError(f"OpenSpiel refuses {quoted(text)}: {error}") from None
    if game.num_players() != 2:
        raise ParseError(f"{PREFIX}{text} has {game.num_players()} players; here it takes two")
    if not 0 < game.num_distinct_actions() <= MOST_MOVES:
        raise ParseError(f"{PREFIX}{text} has more than {MOST_MOVES} numbers of moves")
    return foreign.rules(
        PREFIX + text,
        rules.start,
        rules.parse,
        game.num_distinct_actions(),
        game.max_game_length(),
        ("first", "second"),
        rules.shape,
    )


class _Rules:
    """A game of OpenSpiel, and what all its positions share."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.scale = 1 / max(abs(game.min_utility()), abs(game.max_utility()))
        self.shape: tuple[int, int, int] | None = None
        self.position: type[_Position] = _Position
        if game.get_type().provides_observation_tensor:
            shape = tuple(game.observation_tensor_shape())
            flat = (int(np.prod(shape)),)
            planes, rows, columns = (*(1,) * (3 - len(shape)), *shape)[-3:]
            self.shape = (planes, rows, columns) if len(shape) <= 3 else (1, 1, *flat)
            self.position = _WithFeatures

    def start(self) -> _Position:
        """The first position."""
        return self.position(self, self.game.new_initial_state())

    def parse(self, text: str) -> _Position:
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


class _Position:
    """A state of OpenSpiel, which nobody changes any more."""

    reason = "the game is over"

    def __init__(self, rules: _Rules, state: Any) -> None:
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

    def play(self, move: int) -> _Position:
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


class _WithFeatures(_Position):
    """The same of a game that has a tensor of what a player sees."""

    def features(self, seat: int) -> NDArray[np.float32]:
        """The observation of a player."""
        return np.asarray(self._state.observation_tensor(seat), np.float32)
