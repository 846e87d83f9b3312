"""Other programs as agents, whatever they speak: run as child processes, a move at a time.

An engine starts with its agent's first game, before its clock does, and ends with the agent. One
that fails loses its game; one that never worked is an error of the caller.
"""

from __future__ import annotations

import shlex
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tempo.agents.base import Choice, Cloned, Cost, Resigns, played_by
from tempo.agents.settings import COUNT, SECONDS, AgentSettings, setting
from tempo.engines.answer import RESIGN, WIN, Answer, Engine, Limits
from tempo.engines.process import EngineError, NotStarted
from tempo.engines.trail import Trail
from tempo.engines.usi import UsiEngine, Words
from tempo.errors import IllegalMove, ParseError
from tempo.games.game import by_seat
from tempo.games.registry import load as load_game

if TYPE_CHECKING:
    from tempo.games.protocol import Position, View


@dataclass(frozen=True)
class EngineSettings(AgentSettings):
    """At least one limit is needed, or a clock; which of them an engine knows, it says itself."""

    path: str = setting("", "the program, with its arguments after spaces", opens="program")
    movetime: float = setting(0.0, "seconds a move, as UCI's engines know it", SECONDS)
    nodes: int = setting(0, "positions a move", COUNT)
    depth: int = setting(0, "moves below the root", (0, 1000))
    options: str = setting("", "the engine's options, as Thread:1;BookDepth:0")
    late: float = setting(5.0, "seconds past its time until it is told to stop", SECONDS)


@dataclass(frozen=True)
class PonderingSettings(EngineSettings):
    """Of protocols by which an engine may think while the other side does."""

    ponder: bool = setting(False, "thinks while the other side does, if it names a reply")


class EngineAgent(Cloned, ABC):
    """Plays what an engine answers. Any fault of the engine is an EngineError.

    After a fault the program is ended, and the next game starts it again.
    """

    limits: Limits
    plays: type[Any]  # positions of the game that it plays
    _on_clock: Limits | None = None

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
        position: Position = played_by(self.name, view, self.plays)
        if self._engine is None:
            self.reset(0)
        self._trail.follow(position, load_game(position.game).start())
        with self._ended_by_faults():
            limits = replace(self._on_clock or self.limits, turn=position.turn)
            begun = time.monotonic()
            answer = self._started().go(self._trail, limits)
        choice = self._choice(position, answer)
        if answer.reply and getattr(self.settings, "ponder", False):
            self._ponder(answer.reply, limits, time.monotonic() - begun)
        return choice

    def _ponder(self, reply: str, limits: Limits, spent: float) -> None:
        """Has the engine think on about a reply that can be made."""
        engine, position = self._engine, self._trail.position
        try:
            is_legal = position.is_legal(position.parse_move(reply))
        except (IllegalMove, ParseError):
            return
        if isinstance(engine, UsiEngine) and is_legal:
            left = list(limits.clocks)
            if left:
                left[limits.turn] = max(left[limits.turn] - spent + limits.increment, 0.001)
            with self._ended_by_faults():
                engine.ponder(self._trail, reply, replace(limits, clocks=tuple(left)))

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

    def clock(self, left: tuple[float, ...], increment: float) -> None:
        """Has the moves to come made by clocks, in seconds by seat; its own limits hold too."""
        self._on_clock = replace(self.limits, byoyomi=0.0, clocks=left, increment=increment)

    def _choice(self, position: Position, answer: Answer) -> Choice:
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


def started(agent: str, settings: Any, limits: Limits, words: Words) -> UsiEngine:
    """An engine of UCI or USI by the settings of its agent."""
    return UsiEngine(
        command_of(agent, settings.path, limits), options_of(settings.options), settings.late,
        words, ponder=settings.ponder,
    )  # fmt: skip


def command_of(agent: str, path: str, limits: Limits) -> list[str]:
    """The program with its arguments; ParseError where it is not said, or nothing limits it."""
    if not path:
        raise ParseError(f"{agent} needs the engine's path: {agent}:path=PROGRAM")
    if limits == Limits():
        raise ParseError(f"{agent} needs a limit: movetime, nodes or depth, or a clock")
    try:
        return shlex.split(path)
    except ValueError as error:
        raise ParseError(f"{agent}:path cannot be '{path}': {error}") from None


def options_of(text: str) -> dict[str, str]:
    """`name:value;name:value` as options of an engine."""
    found: dict[str, str] = {}
    for item in text.split(";") if text else []:
        name, colon, value = item.partition(":")
        if not colon or not name:
            raise ParseError(f"'{item}' is no option of an engine; expected name:value;name:value")
        found[name] = value
    return found
