"""One game between two sides: who sits where, what each side spent, how it ended.

A side is `a` or `b`. In a game of two seats a side is one seat; in a game of two teams it is a
team. Where more than two play, each for itself, one side has one seat and the other side the rest.
Each seat is played by an agent of its own that gets that seat's view and no other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from tempo import agents
from tempo.agents.base import Resigns, as_choice
from tempo.agents.own import named_by_file
from tempo.arena.conditions import Clock, Clocked, Conditions, Judge
from tempo.arena.openings import Opening
from tempo.arena.seeds import derive
from tempo.engines.process import EngineError, NotStarted
from tempo.errors import IllegalMove, ParseError, Stopped, quoted
from tempo.ledger import Ledger
from tempo.stopping import Stop, check

if TYPE_CHECKING:
    from tempo.agents import Agent, Choice
    from tempo.games import Game
    from tempo.games.protocol import Position

__all__ = ["Entrant", "GameRecord", "Side", "Table"]

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


FAILURE = "engine failure"  # how the reason of a game begins that was lost by one


@dataclass(frozen=True)
class Entrant:
    """One who takes part: a name, and how to get an agent that plays under it.

    An agent that was handed over as an object without `clone()` cannot be copied: one seat, one
    thread.
    """

    name: str
    spec: str
    make: Callable[[], Agent] = field(compare=False)
    copies: bool = True
    by_text: bool = False

    @property
    def in_python(self) -> bool:
        """Whether it is an agent of a Python file."""
        return self.by_text and named_by_file(":".join(self.spec.split(":")[:2]))

    @classmethod
    def of(cls, agent: Agent | str, name: str | None = None) -> Entrant:
        """From an agent's spec (`mcts:sims=400`) or an agent."""
        if isinstance(agent, str):
            spec = agent
            return cls(name or spec, spec, lambda: agents.load(spec), by_text=True)
        for needed in ("name", "choose", "reset"):
            if not hasattr(agent, needed):
                raise ParseError(
                    f"{quoted(agent)} is no agent: it has no {needed}; agents.register makes an "
                    "agent of a class with choose(view)"
                )
        clone = getattr(agent, "clone", None)
        title = agent.name
        if clone is not None:
            return cls(name or title, title, clone)
        return cls(name or title, title, lambda: agent, copies=False)


@dataclass(frozen=True)
class GameRecord:
    """A game as played: enough to replay it, to score it and to add up what it cost."""

    index: int
    opening: Opening
    seats: tuple[Side, ...]
    moves: tuple[str, ...]
    reason: str
    scores: tuple[float, ...]
    forfeit: Side | None
    ledgers: Mapping[Side, Ledger]

    @property
    def points(self) -> float:
        """What a got: 1, 1/2 or 0."""
        own = sum(s for s, side in zip(self.scores, self.seats, strict=True) if side == "a")
        other = sum(s for s, side in zip(self.scores, self.seats, strict=True) if side == "b")
        return 1.0 if own > other else 0.0 if own < other else 0.5

    @property
    def failure(self) -> Side | None:
        """The side whose engine failed, if that ended the game."""
        return self.forfeit if self.reason.startswith(f"{FAILURE} by ") else None

    @property
    def sequence(self) -> tuple[object, ...]:
        """Equal for two games exactly when the same deal and the same moves were played."""
        return (self.opening.deal, *self.opening.moves, *self.moves)

    def to_json(self) -> dict[str, Any]:
        """One line of a game log."""
        return {
            "game": self.index,
            "opening": str(self.opening),
            "seats": list(self.seats),
            "moves": " ".join(self.moves),
            "reason": self.reason,
            "scores": list(self.scores),
            "forfeit": self.forfeit,
            "ledger": {side: self.ledgers[side].to_json() for side in SIDES},
        }

    @classmethod
    def from_json(cls, data: object) -> GameRecord:
        """Reads what `to_json` wrote. Raises ValueError, KeyError or TypeError on anything else."""
        if not isinstance(data, dict):
            raise ValueError(f"a game is an object, not {data!r}")
        if any(side not in SIDES for side in data["seats"]):
            raise ValueError(f"seats are a or b, not {data['seats']}")
        if len(data["seats"]) != len(data["scores"]):
            raise ValueError("one score a seat was expected")
        if type(data["game"]) is not int or data["game"] < 0:
            raise ValueError(f"a game has a number from 0, not {data['game']!r}")
        if not all(type(score) in (int, float) and abs(score) <= 1 for score in data["scores"]):
            raise ValueError(f"scores are from -1 to 1, not {data['scores']}")
        if data["forfeit"] not in (*SIDES, None):
            raise ValueError(f"a side forfeits, not {data['forfeit']!r}")
        return cls(
            index=data["game"],
            opening=Opening.parse(data["opening"]),
            seats=tuple(data["seats"]),
            moves=tuple(data["moves"].split()),
            reason=str(data["reason"]),
            scores=tuple(float(score) for score in data["scores"]),
            forfeit=data["forfeit"],
            ledgers={side: Ledger.from_json(data["ledger"][side]) for side in SIDES},
        )


class Table:
    """Agents enough for one game at a time: as many of each side as it has seats."""

    def __init__(
        self,
        game: Game,
        entrants: Mapping[Side, Entrant],
        *,
        seed: int,
        cpu_clock: Callable[[], float] = time.process_time,
        stop: Stop | None = None,
        conditions: Conditions = Conditions(),  # noqa: B008 - never changed
    ) -> None:
        self._game = game
        self._conditions = conditions
        self._names = {side: entrants[side].name for side in SIDES}
        self._seed = seed
        self._cpu_clock = cpu_clock
        self._stop = stop or Stop()
        size = max(seating(game, index).count("a") for index in (0, 1))
        self._agents: dict[Side, list[Any]] = {
            side: [self._made(entrants[side]) for _ in range(size)] for side in SIDES
        }

    def _made(self, entrant: Entrant) -> Any:
        agent = entrant.make()
        if self._conditions.clock is None:
            return agent
        return Clocked(agent, entrant.spec if entrant.by_text else None)

    def play(self, index: int, opening: Opening) -> GameRecord:
        """Plays game `index`, with the sides where `seating` says.

        A side whose agent answers with an illegal move, or raises IllegalMove or EngineError,
        forfeits; one whose agent raises Resigns has lost. Stopped and any other exception go on to
        the caller, the latter with a note that says where it happened.
        """
        seats = seating(self._game, index)
        agents = self._seat_agents(seats)
        ledgers = {side: Ledger(games=1) for side in SIDES}
        moves: list[str] = []
        position = opening.position(self._game)
        seat = 0
        clocks = _Clocks(self._conditions.clock, len(seats))
        judge = Judge(self._conditions, seats)
        try:
            for seat, agent in enumerate(agents):
                clocks.prepare(agent)
                agent.reset(derive(self._seed, "agent", index, seat))
            while (outcome := position.outcome) is None:
                seat = position.turn
                choice = self._choose(agents[seat], position, ledgers[seats[seat]], clocks)
                if clocks.is_over(seat):
                    raise _Late
                text, position = _play(position, choice.move)
                moves.append(text)
                if position.is_over or (lost := judge.verdict(choice, seat, len(moves))) is None:
                    continue
                scores = tuple((-1.0 if side == lost else 1.0) if lost else 0.0 for side in seats)
                how = f"{self._names[cast('Side', lost)]} loses" if lost else "a draw"
                reason = f"adjudicated, {how}"
                return GameRecord(
                    index, opening, seats, tuple(moves), reason, scores, None, ledgers
                )
        except (NotStarted, Stopped):
            raise
        except _Late:
            loser = seats[seat]
            scores = tuple(-1.0 if side == loser else 1.0 for side in seats)
            reason = f"{self._names[loser]} lost on time"
            return GameRecord(index, opening, seats, tuple(moves), reason, scores, None, ledgers)
        except (IllegalMove, EngineError, Resigns) as error:
            loser = seats[seat]
            forfeit = None if isinstance(error, Resigns) else loser
            scores = tuple(-1.0 if side == loser else 1.0 for side in seats)
            reason = _reason(self._names[loser], error)
            return GameRecord(index, opening, seats, tuple(moves), reason, scores, forfeit, ledgers)
        except Exception as error:
            error.add_note(
                f"{self._names[seats[seat]]} failed on move {len(moves) + 1} of game {index} "
                f"(seat {seat}, opening '{opening}', position {position.text})"
            )
            raise
        scores = tuple(float(score) for score in outcome.scores)
        return GameRecord(
            index, opening, seats, tuple(moves), str(outcome.reason), scores, None, ledgers
        )

    def _seat_agents(self, seats: tuple[Side, ...]) -> list[Agent]:
        free = {side: iter(self._agents[side]) for side in SIDES}
        return [next(free[side]) for side in seats]

    def _choose(self, agent: Any, position: Position, ledger: Ledger, clocks: _Clocks) -> Choice:
        view = position.view(position.turn)
        with ledger.timing(self._cpu_clock), self._stop:
            check()
            choice = as_choice(clocks.choice(agent, view), view, agent.name)
            check()  # a search that was stopped has a move, but not the one it would have played
        ledger.moves += 1
        ledger.positions += choice.cost.positions
        ledger.evaluations += choice.cost.evaluations
        ledger.multiply_adds += choice.cost.multiply_adds
        return choice


class _Late(Exception):  # noqa: N818 - nothing went wrong
    """A seat whose clock is below zero."""


class _Clocks:
    """The clocks of one game, by seat; none where there is no clock."""

    def __init__(self, clock: Clock | None, seats: int) -> None:
        self._clock = clock
        self._left = [clock.seconds] * seats if clock else []

    def prepare(self, agent: Any) -> None:
        if self._clock is not None:
            agent.start(tuple(self._left), self._clock.increment)

    def choice(self, agent: Any, view: Any) -> Any:
        if self._clock is None:
            return agent.choose(view)
        begun = time.monotonic()
        answer = agent.choose(view, tuple(self._left), self._clock.increment)
        self._left[view.turn] -= time.monotonic() - begun
        return answer

    def is_over(self, seat: int) -> bool:
        if self._clock is None:
            return False
        over = self._left[seat] < 0
        self._left[seat] += self._clock.increment
        return over


def _reason(name: str, error: Exception) -> str:
    if isinstance(error, Resigns):
        return f"{name} resigned"
    what = FAILURE if isinstance(error, EngineError) else "illegal move"
    return f"{what} by {name}: {error}"


def _play(position: Position, move: Any) -> tuple[str, Position]:
    # An agent may answer anything at all; whatever the game does not take is an illegal move.
    try:
        return position.move_text(move), position.play(move)
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, IllegalMove):
            raise
        raise IllegalMove(f"{move!r} is no move ({error})") from error


def seating(game: Game, index: int) -> tuple[Side, ...]:
    """The side of each seat in game `index`; the two games of a pair swap the sides.

    Where all play for themselves, a sits alone in even games and b in odd ones, a seat further in
    every pair. Raises ValueError for a game of other teams than these.
    """
    teams = game.teams
    if teams.count(0) == teams.count(1) == len(teams) / 2:
        return tuple(SIDES[(team + index) % 2] for team in teams)
    if len(set(teams)) < len(teams):
        raise ValueError(f"a match needs two equal teams; the seats of {game.spec} are in {teams}")
    alone = index // 2 % len(teams)
    return tuple(SIDES[(index + (seat != alone)) % 2] for seat in range(len(teams)))
