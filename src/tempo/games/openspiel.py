"""OpenSpiel's games by name, where `open_spiel` is installed: `tempo.load("openspiel:hex")`.

Parameters follow as OpenSpiel has them: `openspiel:hex(board_size=5)`. Games of two players in
turn in which one wins what the other loses are played as any other, with views where there are
chance or hidden information; the rest is refused in a sentence. A position's text is the moves from
the start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from tempo._core import foreign, foreign_hidden
from tempo.errors import ParseError, TempoError, quoted
from tempo.games.openspiel_hidden import HiddenRules
from tempo.games.openspiel_states import Rules
from tempo.games.python import ForeignCore

if TYPE_CHECKING:
    from tempo.games.protocol import Options

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
    core = ForeignCore(
        name,
        str(kind.long_name),
        version,
        ("first", "second"),
        partial(_rules, spiel, kind),
        hidden=_is_drawn(spiel, kind) or _is_hidden(spiel, kind),
        dealt=_is_drawn(spiel, kind),
        open_moves=not _is_hidden(spiel, kind),
    )
    core.Options({})
    return core


def _is_drawn(spiel: Any, kind: Any) -> bool:
    """Whether it has chance nodes."""
    return bool(kind.chance_mode != spiel.GameType.ChanceMode.DETERMINISTIC)


def _is_hidden(spiel: Any, kind: Any) -> bool:
    """Whether something is hidden from a seat besides chance outcomes to come."""
    types = spiel.GameType
    open_ = kind.information == types.Information.PERFECT_INFORMATION
    return bool(not open_ or kind.dynamics == types.Dynamics.SIMULTANEOUS)


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
        "is for a crowd without turns": kind.dynamics == types.Dynamics.MEAN_FIELD,
        "is made from a file or from another game, which a name does not tell": (
            not kind.default_loadable
        ),
        f"is played by {players}; here two play": not least <= 2 <= most,
        "samples chance outcomes without saying how likely each is": (
            kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC
        ),
        "does not tell what a player sees": (
            _is_hidden(spiel, kind)
            and not kind.provides_information_state_string
            and not kind.provides_observation_string
        ),
        "lets one win what the other does not lose; here scores add up to zero": (
            kind.utility != types.Utility.ZERO_SUM
        ),
    }
    return next((why for why, holds in faults.items() if holds), "")


def _rules(spiel: Any, kind: Any, given: Mapping[str, str]) -> Options:
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
    drawn, hidden = _is_drawn(spiel, kind), _is_drawn(spiel, kind) or _is_hidden(spiel, kind)
    try:
        in_turn = kind.dynamics == spiel.GameType.Dynamics.SEQUENTIAL
        game = spiel.load_game(text) if in_turn else spiel.load_game_as_turn_based(text)
        rules = HiddenRules(spiel, game) if hidden else Rules(game)
    except (spiel.SpielError, RuntimeError) as error:
        raise ParseError(f"OpenSpiel refuses {quoted(text)}: {error}") from None
    if game.num_players() != 2:
        raise ParseError(f"{PREFIX}{text} has {game.num_players()} players; here it takes two")
    if not 0 < game.num_distinct_actions() <= MOST_MOVES:
        raise ParseError(f"{PREFIX}{text} has more than {MOST_MOVES} numbers of moves")
    if why := rules.fault():
        raise ParseError(f"{PREFIX}{text} {why}")
    make = foreign_hidden.rules if hidden else foreign.rules
    return make(
        PREFIX + text,
        rules.start,
        rules.parse,
        game.num_distinct_actions(),
        game.max_game_length(),
        ("first", "second"),
        rules.shape,
        rules.deal if drawn else None,
    )
