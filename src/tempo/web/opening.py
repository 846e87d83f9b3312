"""New tables: what is asked for, checked, as the first event of a table with its secrets."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path

from tempo.arena.seeds import derive
from tempo.errors import ParseError, TempoError
from tempo.games import Game, load
from tempo.games.chess.endings import Ending
from tempo.games.chess.tablebase import Tablebase
from tempo.games.registry import parse_spec
from tempo.web import events, fitting
from tempo.web.clock import ClockRule
from tempo.web.events import SeatPlan
from tempo.web.messages import ClockWish, EndingWish, NewTable, Refused
from tempo.web.skipping import can_skip
from tempo.web.strength import agent_for

SECRET_BITS = 256  # of the seed of a hidden game
LOT = "first"  # the option that is drawn by lot unless it is chosen


@dataclass(frozen=True)
class Made:
    """A new table: its name, its first event, and the secrets of its seats, told once."""

    name: str
    opened: events.Opened
    tokens: dict[int, str]
    invites: dict[int, str]


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest() if secret else ""


def new_secret() -> str:
    """A token or an invitation: nobody guesses it."""
    return secrets.token_urlsafe(24)


def make(wish: NewTable, tablebase: Tablebase, runs: Path | None) -> Made:
    """The table that was asked for; Refused says what is wrong. May take a while (endings)."""
    game = game_of(wish.game)
    if len(wish.seats) != game.seats:
        raise Refused("seats", f"{game.name} has {game.seats} seats, not {len(wish.seats)}")
    seed = _seed(game, wish)
    game = _with_lot(game, wish, seed)
    tokens: dict[int, str] = {}
    invites: dict[int, str] = {}
    plans = []
    for number, seat in enumerate(wish.seats):
        if seat.kind == "agent":
            plans.append(SeatPlan("agent", agent=agent_for(game, seat.agent, runs)))
            continue
        kept = tokens if seat.kind == "person" else invites
        kept[number] = new_secret()
        plans.append(SeatPlan(seat.kind, seat.name, digest=digest(kept[number])))
    _check_persons(game, wish, tokens, invites)
    start = _start(game, wish, seed, tablebase)
    _check_endings(game, start, plans, runs)
    opened = events.Opened(
        at=0.0,  # the hall says when
        game=game.spec,
        rules=game.rules_version,
        start=start,
        seats=tuple(plans),
        clock=_clock(game, wish.clock),
        seed=seed,
        host=digest(next(iter(tokens.values()), "")),
    )
    return Made(secrets.token_hex(8), opened, tokens, invites)


def game_of(spec: str) -> Game:
    """The game that a request names."""
    try:
        return load(spec)
    except ParseError as error:
        raise Refused("game", str(error)) from None


def _seed(game: Game, wish: NewTable) -> int:
    """Where lots and agents' randomness come from; nobody chooses or guesses it in hidden games."""
    if game.is_hidden and wish.seed is not None:
        raise Refused("seed", f"the server alone draws the seed of a game of {game.name}")
    if wish.seed is not None:
        return wish.seed
    return secrets.randbits(SECRET_BITS if game.is_hidden else 53)


def _with_lot(game: Game, wish: NewTable, seed: int) -> Game:
    """The lot says who moves first where the rules have a choice and nobody has made it."""
    choice = next((one for one in game.option_fields if one.name == LOT), None)
    if choice is None or wish.start or LOT in parse_spec(wish.game)[1]:
        return game
    seats = choice.choices.split(", ")
    return game.with_options(**{LOT: seats[derive(seed, LOT) % len(seats)]})


def _check_persons(
    game: Game, wish: NewTable, tokens: dict[int, str], invites: dict[int, str]
) -> None:
    if game.is_hidden and len(tokens) > 1:
        raise Refused("seats", f"nobody sits on two chairs in {game.name}; leave others open")
    if game.is_hidden and wish.start and invites:
        raise Refused("start", "a position shows what is hidden; nobody can be invited to it")
    if invites and not tokens:
        raise Refused("seats", "a host who invites must sit at the table")


def _check_endings(game: Game, start: str, plans: list[SeatPlan], runs: Path | None) -> None:
    """Some agents know endings alone; elsewhere they could only fail."""
    if game.is_hidden:
        return
    position = game.parse(start) if start else game.start()
    for plan in plans:
        if why := fitting.position_misfit(plan.agent, position, runs):
            raise Refused("agent", why)


def _start(game: Game, wish: NewTable, seed: int, tablebase: Tablebase) -> str:
    if isinstance(wish.start, EndingWish):
        if not game.description.endings:
            raise Refused("start", f"{game.name} has no endings by name")
        return _drawn(game, wish.start.ending, seed, tablebase)
    if not wish.start:
        return ""
    try:
        position = game.parse(wish.start)
    except ParseError as error:
        raise Refused("start", str(error)) from None
    if position.is_over:
        raise Refused("start", "the game is over in this position")
    return position.text


def _drawn(game: Game, name: str, seed: int, tablebase: Tablebase) -> str:
    """A position of an ending that White, to move, can win: all distances are equally likely."""
    known = game.description.endings
    if name not in known:
        raise Refused("start", f"the endings are {', '.join(known)}, not {name}")
    try:
        ending = Ending(name, tablebase)
        number = ending.starts(1, seed)[0]
        return ending.family.position(int(number)).text
    except (ParseError, TempoError) as error:
        raise Refused("start", str(error)) from None


def _clock(game: Game, wish: ClockWish | None) -> ClockRule | None:
    if wish is None:
        return None
    if wish.base + wish.per_move < 1:
        raise Refused("clock", "a clock grants a second at least")
    if can_skip(game) and wish.per_move < 1:
        raise Refused("clock", f"{game.name} is played with time for each move (per_move)")
    return ClockRule(wish.base, wish.increment, wish.per_move)
