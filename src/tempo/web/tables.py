"""A table: who sits there, the game so far, its clock; a state machine without input or output.

Only `apply` changes a table, and only by an event. So a table is the sum of its events, and the
same events make the same table again. What may be asked of a table stands in `asking`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tempo import games
from tempo.arena.seeds import derive
from tempo.errors import IllegalMove, ParseError
from tempo.games.public import can_open, laid_open, public_view
from tempo.web import events
from tempo.web.clock import DEPLOYING, SKIPS
from tempo.web.events import Event, SeatPlan
from tempo.web.plies import Ply, written
from tempo.web.skipping import SKIP, can_skip, skipped

if TYPE_CHECKING:
    from tempo.games.protocol import Position, View


@dataclass(frozen=True)
class Result:
    """How a game ended: what each seat got, and why."""

    scores: tuple[float, ...]
    reason: str


@dataclass(frozen=True)
class Offer:
    """What a seat has asked for, and who has not answered yet."""

    what: str
    by: int
    waiting: frozenset[int]
    swap: bool = False


class Table:
    """A table as its events have made it."""

    def __init__(self, opened: events.Opened) -> None:
        self.opened = opened
        self.game = games.load(opened.game)
        self.seats = list(opened.seats)
        self.round = 1
        self.count = 1  # events so far
        self.wishes: Counter[str] = Counter()  # of each person, by the digest of the token
        self.touched = opened.at
        self.last_offer: dict[int, tuple[int, str]] = {}
        self._begin(opened.at)
        self._start_if_ready(opened.at)

    @classmethod
    def replay(cls, log: Iterable[Event]) -> Table:
        """The table that events have made."""
        table: Table | None = None
        for event in log:
            if table is None:
                if not isinstance(event, events.Opened):
                    raise ParseError("the first event of a table opens it")
                table = cls(event)
            else:
                table.apply(event)
        if table is None:
            raise ParseError("a table has at least one event")
        return table

    @classmethod
    def of_round(cls, log: Sequence[Event], number: int) -> Table | None:
        """The table as it was at the end of a game; None if another has not followed it."""
        table = cls.replay(log[:1])
        for count, event in enumerate(log[1:], start=1):
            table.apply(event)
            if table.round > number:
                return cls.replay(log[:count])
        return None

    def _begin(self, at: float) -> None:
        """Puts up the board of a new game."""
        seats = len(self.seats)
        self.moment = getattr(self, "moment", 0) + 1  # counts changes of the board
        self.setups: list[str | None] = [None] * seats
        self.late: set[int] = set()  # seats whose time to deploy is over
        self.positions: list[Position] = []
        self.plies: list[Ply] = []
        self.ruling: Result | None = None
        self.offer: Offer | None = None
        base = self.opened.clock.base if self.opened.clock else 0.0
        self.left = [base] * seats
        self.timeouts = [0] * seats
        self.began = at  # the turn, for the clock
        if self.opened.start:
            self.positions = [self.game.parse(self.opened.start)]
        elif not self.deploys:
            deal = derive(self.opened.seed, "deal", self.round) if self.game.is_dealt else None
            self.positions = [self.game.start(deal)]

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def deploys(self) -> bool:
        """Whether the seats put up their pieces before the game."""
        return hasattr(self.game.core, "of_setups") and not self.opened.start

    @property
    def phase(self) -> str:
        """waiting (for persons), deploy, play or over."""
        if self.result is not None:
            return "over"
        if any(seat.kind == "open" for seat in self.seats):
            return "waiting"
        return "play" if self.positions else "deploy"

    @property
    def position(self) -> Position:
        """The position with all that is hidden. Never sent: seats get views."""
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many things have happened on the board."""
        return len(self.plies)

    @property
    def turn(self) -> int | None:
        """The seat to move, while the game goes on."""
        return self.position.turn if self.phase == "play" else None

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        if self.ruling is not None:
            return self.ruling
        end = self.positions[-1].outcome if self.positions else None
        return None if end is None else Result(tuple(end.scores), end.reason)

    def in_play(self, seat: int) -> bool:
        """Whether a seat is still in the game."""
        living = getattr(self.positions[-1], "in_play", None) if self.positions else None
        return True if living is None else bool(living[seat])

    def seat_of(self, digest: str) -> int | None:
        """Where the person sits to whom this token belongs."""
        for number, seat in enumerate(self.seats):
            if digest and seat.kind == "person" and seat.digest == digest:
                return number
        return None

    def persons(self) -> list[int]:
        """The seats of persons."""
        return [i for i, seat in enumerate(self.seats) if seat.kind == "person"]

    def view(self, seat: int | None, back: int = 0) -> View | None:
        """What a seat or a spectator may know, `back` plies ago. None before the start."""
        if len(self.positions) <= back:
            return None
        position = self.positions[-1 - back]
        if self.game.is_hidden and self.result is not None and can_open(self.game):
            position = laid_open(self.game, position)
            seat = 0 if seat is None else seat
        if seat is None:
            return public_view(self.game, position)
        view: View = position.view(seat)
        return view

    def line(self) -> tuple[str, list[int | str]]:
        """The game so far to be replayed: its start, and what happened on the board."""
        steps: list[int | str] = []
        for ply in self.plies:
            other = f"resign:{ply.seat}" if ply.is_exit else SKIP
            steps.append(other if ply.move is None else ply.move)
        return self.first_text, steps

    @property
    def first_text(self) -> str:
        """The start of the game, hidden parts and all; empty if it is the usual one."""
        usual = not (self.opened.start or self.deploys or self.game.is_dealt)
        return "" if usual else self.positions[0].text

    def told(self, seat: int | None) -> tuple[Ply, ...]:
        """What has happened on the board, as a seat or a spectator may know of it."""
        if not self.game.is_hidden:
            return tuple(self.plies)
        if self.result is not None:
            return tuple(ply.mine for ply in self.plies)
        hides = self.game.hides_moves
        return tuple(
            ply.mine if ply.seat == seat else ply.hidden if hides and ply.move is not None else ply
            for ply in self.plies
        )

    def agent_due(self) -> int | None:
        """The seat whose agent must choose now."""
        turn = self.turn
        return turn if turn is not None and self.seats[turn].kind == "agent" else None

    def undealt(self) -> list[int]:
        """The seats that wait for a setup and have nobody to choose one."""
        if not self.deploys or self.positions:
            return []
        agents = {i for i, seat in enumerate(self.seats) if seat.kind == "agent"}
        return [i for i in sorted(agents | self.late) if self.setups[i] is None]

    def seed_of(self, seat: int) -> int:
        """Where the randomness of a seat's agent comes from, in this game."""
        return derive(self.opened.seed, "agent", self.round, seat)

    # ---- time ------------------------------------------------------------------------------------

    def deadline(self) -> tuple[int, float] | None:
        """Who must act, and until when; None if nobody is timed."""
        clock = self.opened.clock
        if clock is None:
            return None
        if self.phase == "deploy":
            waiting = [i for i in self.persons() if self.setups[i] is None and i not in self.late]
            return (waiting[0], self.began + DEPLOYING) if waiting else None
        turn = self.turn
        if turn is None or self.seats[turn].kind != "person":
            return None
        return turn, self.began + clock.granted(self.left[turn])

    def overdue(self, now: float) -> events.TimedOut | None:
        """The timeout that is due."""
        due = self.deadline()
        return events.TimedOut(now, due[0]) if due and now >= due[1] else None

    def undo_to(self, seat: int) -> int | None:
        """How many plies remain when a seat's last move is taken back."""
        for number in reversed(range(len(self.plies))):
            if self.plies[number].seat == seat and self.plies[number].move is not None:
                return number
        return None

    def is_host(self, seat: int | None) -> bool:
        """Whether the person who made the table sits there."""
        return seat is not None and self.seats[seat].digest == self.opened.host != ""

    def wisher(self, event: Event) -> str | None:
        """Who asked for what a game does not need, as a digest; None for all that it does."""
        match event:
            case events.Renamed() | events.Offered():
                return self.seats[event.seat].digest
            case events.Deployed() if self.setups[event.seat] is not None:
                return self.seats[event.seat].digest
            case events.Invited() | events.Replaced():
                return self.opened.host
        return None

    # ---- what happens ----------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Changes the table as an event says. Events come from this table, or from its log."""
        self.count += 1
        self.touched = event.at
        if (person := self.wisher(event)) is not None:
            self.wishes[person] += 1
        match event:
            case events.Moved():
                self._charge(event.seat, event.at)
                self._play(event.seat, event.move)
                self.began = event.at
            case events.Deployed():
                self.setups[event.seat] = event.setup
                self._start_if_ready(event.at)
            case events.TimedOut():
                self._time_out(event.seat, event.at)
            case events.Resigned():
                self._resign(event.seat)
                self.began = event.at
            case events.Offered():
                self._offered(event)
            case events.Answered():
                self._answered(event)
            case events.Resumed():
                self.began = event.at
            case events.Opened():
                raise ParseError("a table is opened once")
            case _:
                self._sit(event)

    def _sit(self, event: Event) -> None:
        """Who sits where has changed."""
        if isinstance(event, events.Filled):
            for number, seat in enumerate(self.seats):
                if seat.kind == "open":
                    self.seats[number] = SeatPlan("agent", agent=event.agent)
        elif isinstance(event, events.Replaced):
            self._replace(event.seat, event.agent, event.at)
        elif isinstance(event, events.Invited):
            self.seats[event.seat] = replace(self.seats[event.seat], digest=event.digest)
        elif isinstance(event, events.Seated):
            self.seats[event.seat] = SeatPlan("person", event.name, digest=event.digest)
        elif isinstance(event, events.Renamed):
            self.seats[event.seat] = replace(self.seats[event.seat], name=event.name)
        if isinstance(event, events.Seated | events.Filled):
            self._start_if_ready(event.at)

    def _replace(self, seat: int, agent: str, at: float) -> None:
        """An agent goes on; nobody waits any longer for an answer of a person who was there."""
        was_person = self.seats[seat].kind == "person"
        self.seats[seat] = SeatPlan("agent", agent=agent)
        self.moment += 1
        if was_person:
            self._start_if_ready(at)
            self.began = at
            if self.offer is not None and self.offer.what != "draw":
                self.offer = replace(self.offer, waiting=self.offer.waiting - {seat})
                self._settle(at)

    def _start_if_ready(self, at: float) -> None:
        if not self.positions:
            if self.opened.derived:
                self._derive_setups()
            if self.phase == "deploy" and all(self.setups):
                self.positions = [self.game.core.of_setups(self.setups, self.game.options)]
                self.moment += 1
                self.began = at
        elif not self.plies:
            self.began = at  # the first move is timed from when everybody is there

    def _derive_setups(self) -> None:
        """What older versions gave to seats without a person, once all the others are ready."""
        waiting = self.undealt()
        if self.setups.count(None) > len(waiting):
            return
        for seat in waiting:
            seed = derive(self.opened.seed, "setup", self.round, seat)
            dealt: Any = self.game.with_options(deal="sound").start(seed)
            self.setups[seat] = str(dealt.setup(seat))

    def _charge(self, seat: int, at: float) -> None:
        clock = self.opened.clock
        if clock is not None and self.seats[seat].kind == "person":
            self.left[seat] = clock.after(self.left[seat], at - self.began)

    def _play(self, seat: int, move: int) -> None:
        before = self.position
        try:
            self._add(written(self.game, before, seat, move), before.play(move))
        except (IllegalMove, ValueError) as error:
            raise IllegalMove(f"move {self.ply + 1}: {error}") from error

    def _add(self, ply: Ply, position: Position) -> None:
        self.plies.append(ply)
        self.positions.append(position)
        self.offer = None  # a move is an answer, too
        self.moment += 1

    def _time_out(self, seat: int, at: float) -> None:
        if self.phase == "deploy":
            self.late.add(seat)
            self._start_if_ready(at)
            return
        self.began = at
        self.left[seat] = 0.0
        if not can_skip(self.game):
            self._lose(seat, "time")
            return
        self.timeouts[seat] += 1
        if self.timeouts[seat] >= SKIPS:
            gone: Any = self.position
            self._add(Ply(seat, None, "timeout", is_exit=True), gone.resign(seat))
        else:
            self._add(Ply(seat, None, "timeout"), skipped(self.game, self.position))

    def _resign(self, seat: int) -> None:
        table_game: Any = self.position
        if hasattr(table_game, "resign"):
            self._add(Ply(seat, None, "resign", is_exit=True), table_game.resign(seat))
        else:
            self._lose(seat, "resignation")

    def _lose(self, seat: int, reason: str) -> None:
        teams = self.game.teams
        share = 1 / (len(set(teams)) - 1)
        self._rule(Result(tuple(-1.0 if t == teams[seat] else share for t in teams), reason))

    def _rule(self, result: Result) -> None:
        self.ruling = result
        self.offer = None
        self.moment += 1

    def _offered(self, event: events.Offered) -> None:
        everybody = [i for i in range(len(self.seats)) if self.in_play(i)]
        asked = set(everybody if event.what == "draw" else self.persons())
        self.last_offer[event.seat] = (self.moment, event.what)
        self.offer = Offer(event.what, event.seat, frozenset(asked - {event.seat}), event.swap)
        self._settle(event.at)

    def _answered(self, event: events.Answered) -> None:
        if self.offer is None:
            raise ParseError("there is no offer to answer")
        if not event.accept:
            self.offer = None
            return
        self.offer = replace(self.offer, waiting=self.offer.waiting - {event.seat})
        self._settle(event.at)

    def _settle(self, at: float) -> None:
        """Carries out what was offered once nobody is left to answer."""
        offer = self.offer
        if offer is None or offer.waiting:
            return
        self.offer = None
        if offer.what == "draw":
            self._rule(Result((0.0,) * len(self.seats), "agreed"))
        elif offer.what == "undo":
            self._take_back(offer.by, at)
        else:
            self._restart(offer.swap, at)

    def _take_back(self, seat: int, at: float) -> None:
        kept = self.undo_to(seat)
        if kept is None:
            raise ParseError("there is no move to take back")
        del self.plies[kept:], self.positions[kept + 1 :]
        self.ruling = None
        self.moment += 1
        self.began = at

    def _restart(self, swap: bool, at: float) -> None:
        self.round += 1
        if swap:
            self.seats = [*self.seats[1:], self.seats[0]]
        self._begin(at)
        self._start_if_ready(at)
