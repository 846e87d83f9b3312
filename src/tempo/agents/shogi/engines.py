"""Other programs as agents: engines of shogi, run as child processes.

    usi:path=gpsusi,byoyomi=0.5,options=Thread:1;BookDepth:0
    gnushogi:movetime=0.5

An engine starts with its agent's first game, before its clock does, and ends with the agent. One
that fails loses its game; one that never worked is an error of the caller.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo._core import shogi
from tempo.agents.base import Choice, Cloned, Cost, Resigns, played_by
from tempo.agents.registry import declare
from tempo.agents.settings import COUNT, SECONDS, AgentSettings, setting, text_of
from tempo.engines.answer import RESIGN, WIN, Answer, Engine, Limits
from tempo.engines.gnushogi import GnuShogi
from tempo.engines.process import EngineError, NotStarted
from tempo.engines.trail import Trail
from tempo.engines.usi import UsiEngine
from tempo.errors import IllegalMove, ParseError
from tempo.games.game import by_seat
from tempo.games.registry import load as load_game

if TYPE_CHECKING:
    from tempo.games.protocol import View


@dataclass(frozen=True)
class UsiSettings(AgentSettings):
    """At least one limit is needed; which of them an engine knows, it alone can tell."""

    path: str = setting("", "the program, with its arguments after spaces", opens="program")
    byoyomi: float = setting(
        0.0, "seconds a move and nothing else on the clock; all engines know it", SECONDS
    )
    movetime: float = setting(0.0, "seconds a move, as UCI's engines know it", SECONDS)
    nodes: int = setting(0, "positions a move", COUNT)
    depth: int = setting(0, "moves below the root", (0, 1000))
    options: str = setting("", "the engine's options, as Thread:1;BookDepth:0")
    late: float = setting(5.0, "seconds past its time until it is told to stop", SECONDS)


@dataclass(frozen=True)
class GnuShogiSettings(AgentSettings):
    """GNU Shogi counts in whole seconds; a shorter time is measured here."""

    path: str = setting("gnushogi", "the program", opens="program")
    movetime: float = setting(1.0, "seconds a move", (0.01, SECONDS[1]))


class EngineAgent(Cloned, ABC):
    """Plays what an engine answers. Any fault of the engine is an EngineError.

    After a fault the program is ended, and the next game starts it again.
    """

    limits: Limits

    def __init__(self, name: str) -> None:
        self.name = name
        self._trail = Trail()
        self._engine: Engine | None = None
        self._has_worked = False

    @abstractmethod
    def _start(self) -> Engine:
        """Starts the program."""

    def reset(self, seed: int) -> None:
        """Begins a new game; engines take no seed. One that has died is started again."""
        self._trail.clear()
        is_fresh = self._engine is None
        try:
            self._new_game()
        except EngineError:
            if is_fresh:
                raise
            self._new_game()

    def _new_game(self) -> None:
        with self._ended_by_faults():
            self._started().new_game()

    def choose(self, view: View) -> Choice:
        """The engine's move; Resigns if it gives up."""
        position = played_by(self.name, view, shogi.Position)
        if self._engine is None:
            self.reset(0)
        self._trail.follow(position, load_game(position.game).start())
        with self._ended_by_faults():
            answer = self._started().go(self._trail, self.limits)
        return self._choice(position, answer)

    def _started(self) -> Engine:
        if self._engine is None:
            try:
                self._engine = self._start()
            except EngineError as error:
                if self._has_worked:
                    raise
                raise NotStarted(str(error)) from error
            self._has_worked = True
        return self._engine

    @contextmanager
    def _ended_by_faults(self) -> Iterator[None]:
        try:
            yield
        except BaseException:  # a Ctrl-C, too, leaves an engine in the middle of its answer
            self.close()
            raise

    def _choice(self, position: shogi.Position, answer: Answer) -> Choice:
        if answer.move == RESIGN:
            raise Resigns(f"{self.name} resigns")
        if answer.move == WIN:
            raise IllegalMove(f"{self.name} declares a win, which {position.game} does not allow")
        move = position.parse_move(answer.move)
        if position.is_legal(move):
            self._trail.play(move)
        values = () if answer.value is None else by_seat(answer.value, position.turn)
        return Choice(move, values, (move,), Cost(positions=answer.nodes))

    def close(self) -> None:
        """Ends the program; the next move starts it again."""
        if self._engine is not None:
            self._engine.close()
        self._engine = None


@declare(
    "usi",
    UsiSettings,
    "any engine that speaks USI, run as a program of its own",
    games=("shogi",),
)
class UsiAgent(EngineAgent):
    """Any engine that speaks USI."""

    def __init__(self, settings: UsiSettings | None = None) -> None:
        self.settings = s = settings or UsiSettings()
        self.limits = Limits(s.movetime, s.byoyomi, s.nodes, s.depth)
        super().__init__(text_of("usi", s))

    def _start(self) -> Engine:
        if not self.settings.path:
            raise ParseError("usi needs the engine's path: usi:path=gpsusi,byoyomi=1")
        if self.limits == Limits():
            raise ParseError("usi needs a limit: byoyomi, movetime, nodes or depth")
        try:
            command = shlex.split(self.settings.path)
        except ValueError as error:
            raise ParseError(f"usi:path cannot be '{self.settings.path}': {error}") from None
        return UsiEngine(command, _options(self.settings.options), self.settings.late)


@declare("gnushogi", GnuShogiSettings, "GNU Shogi, where it is installed", games=("shogi",))
class GnuShogiAgent(EngineAgent):
    """GNU Shogi in its own language."""

    def __init__(self, settings: GnuShogiSettings | None = None) -> None:
        self.settings = settings or GnuShogiSettings()
        self.limits = Limits(movetime=self.settings.movetime)
        super().__init__(text_of("gnushogi", self.settings))

    def _start(self) -> Engine:
        return GnuShogi(self.settings.path)


def _options(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in text.split(";") if text else []:
        name, colon, value = item.partition(":")
        if not colon or not name:
            raise ParseError(f"'{item}' is no option of an engine; expected name:value;name:value")
        found[name] = value
    return found
