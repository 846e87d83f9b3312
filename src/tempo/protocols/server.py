"""Our agents as engines: UCI for chess and USI for shogi, over standard input and output.

The two are one protocol with other words. A line that makes no sense is answered with an `info
string` that says what would have, and forgotten; nothing but `quit` and the end of the input ends
the server.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tempo import games
from tempo.agents.base import Choice, Resigns
from tempo.engines.answer import centipawns_of
from tempo.errors import ParseError, TempoError
from tempo.protocols.budget import Budgeted, Order
from tempo.protocols.mating import MateSearch, seconds_of
from tempo.stopping import Stop

if TYPE_CHECKING:
    from tempo.games.protocol import Position

FOREVER = 1e6  # seconds of a search without limit
PATIENCE = 1.0  # seconds from a stop to the answer of an agent that obeys
OVERHEAD = 50  # milliseconds of every move kept back for the way of a line to us and back
NUMBERS = ("movetime", "byoyomi", "movestogo", "nodes", "depth")


@dataclass(frozen=True)
class Dialect:
    """What one protocol calls things."""

    name: str
    game: str
    position: str  # before a position's text
    clocks: tuple[str, str]  # the time left, by seat
    increments: tuple[str, str]
    nothing: str  # instead of a move, where there is none
    won: str  # where the side to move has won by declaring it


UCI = Dialect("uci", "chess", "fen", ("wtime", "btime"), ("winc", "binc"), "(none)", "(none)")
USI = Dialect("usi", "shogi", "sfen", ("btime", "wtime"), ("binc", "winc"), "resign", "win")
DIALECTS = {dialect.name: dialect for dialect in (UCI, USI)}


class EngineServer:
    """Reads commands and says answers; searches run beside it, so that it always listens."""

    def __init__(
        self, dialect: Dialect, agent: str, say: Callable[[str], None], game: str | None = None
    ) -> None:
        self.dialect = dialect
        self.game = games.load(game or dialect.game)
        if self.game.name != dialect.game:
            raise ParseError(f"{dialect.name} is for {dialect.game}, not for {self.game.name}")
        self._say = say
        self._agent = Budgeted(agent)
        self._first_agent = agent
        self._position: Position | None = self.game.start()
        self._overhead = OVERHEAD
        self._search: _Search | None = None
        self._mate: MateSearch | None = None
        self._pondered: Order | None = None  # a search that waits for ponderhit
        self._games = 0
        self._commands: dict[str, Callable[[list[str]], None]] = {
            dialect.name: self._greet,
            f"{dialect.name}newgame": self._new_game,
            "isready": lambda _: self._say("readyok"),
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponder_hit,
            "gameover": self._stop,
            "debug": lambda _: None,
            "register": lambda _: None,
        }

    @property
    def is_searching(self) -> bool:
        """Whether a search still runs, even one that was stopped."""
        return self._search is not None and self._search.is_running

    def serve(self, lines: Iterable[str]) -> None:
        """Answers every line until `quit` or the end; a search under way is still answered."""
        try:
            for line in lines:
                words = line.split()
                if words == ["quit"]:
                    break
                if words:
                    self._obey(words)
        finally:
            self._stop([])

    def _obey(self, words: list[str]) -> None:
        command = self._commands.get(words[0])
        if command is None:
            known = ", ".join(self._commands)
            self._complain(f"there is no command '{words[0][:40]}'; there are {known}, quit")
            return
        try:
            command(words[1:])
        except (ValueError, OSError, TempoError) as error:  # ParseError is a ValueError
            self._complain(str(error))

    def _complain(self, what: str) -> None:
        self._say(f"info string error: {' '.join(what.split())}")

    # ---- commands

    def _greet(self, _: list[str]) -> None:
        self._say(f"id name Tempo {self._agent.spec}")
        self._say("id author the authors of Tempo")
        self._say(f"option name MoveOverhead type spin default {OVERHEAD} min 0 max 10000")
        self._say(f"option name Agent type string default {self._agent.spec}")
        self._say(f"{self.dialect.name}ok")

    def _new_game(self, _: list[str]) -> None:
        self._games += 1
        self._position = self.game.start()
        self._free_agent().reset(self._games)

    def _set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name == "MoveOverhead":
            if not (value.isascii() and value.isdigit() and int(value) <= 10_000):
                raise ParseError(f"MoveOverhead takes milliseconds from 0 to 10000, not '{value}'")
            self._overhead = int(value)
        elif name == "Agent":
            # The command line may start programs; what comes over the protocol may not.
            self._agent = Budgeted(value, inside=value != self._first_agent)
        elif not name.startswith("USI_") and name not in ("Hash", "Ponder", "Threads"):
            raise ParseError(f"there is no option '{name[:40]}'; there are MoveOverhead and Agent")

    def _set_position(self, words: list[str]) -> None:
        self._position = None  # better no answer than one to another position
        before, moves = words, []
        if "moves" in words:
            at = words.index("moves")
            before, moves = words[:at], words[at + 1 :]
        if before == ["startpos"]:
            position = self.game.start()
        elif before[:1] == [self.dialect.position]:
            position = self.game.parse(" ".join(before[1:]))
        else:
            raise ParseError(f"expected position startpos, or {self.dialect.position} and its text")
        for move in moves:
            position = position.play(move)
        self._position = position

    def _go(self, words: list[str]) -> None:
        if any(search is not None and not search.answered for search in (self._search, self._mate)):
            raise ParseError("a search is under way; expected stop before another go")
        if words[:1] == ["mate"] and self.dialect is USI:
            self._go_mate(words[1:])
            return
        position = self._position
        if position is None or position.is_over:
            self._say(f"bestmove {self._ended(position)}")
            return
        order = self._order(words, position.turn)
        if "ponder" in words:
            self._pondered = order
            return
        self._begin(position, order)

    def _go_mate(self, words: list[str]) -> None:
        seconds = seconds_of(words)
        if self._position is None or self._position.is_over:
            self._say("checkmate nomate")
        else:
            self._mate = MateSearch(self._position, seconds, self._say)

    def _begin(self, position: Position, order: Order) -> None:
        seconds = order.seconds(self._overhead / 1000)
        if seconds is None and not (order.nodes or order.depth):
            order = Order(infinite=True)
        self._search = _Search(self._free_agent(), position, order, seconds, self._report)

    def _ponder_hit(self, _: list[str]) -> None:
        order, self._pondered = self._pondered, None
        if order is None or self._position is None:
            raise ParseError("ponderhit without a go ponder before it")
        self._begin(self._position, order)

    def _stop(self, _: list[str]) -> None:
        if self._pondered is not None and self._position is not None:
            self._begin(self._position, Order(infinite=True))
        self._pondered = None
        for search in (self._search, self._mate):
            if search is not None:
                search.stop()

    def _free_agent(self) -> Budgeted:
        """The agent, or another if a search that was stopped still has it."""
        if self.is_searching:
            self._agent = self._agent.another()
        return self._agent

    def _order(self, words: list[str], turn: int) -> Order:
        """What follows `go`; words that are not known are passed over, as both protocols ask."""
        number: dict[str, int] = {}
        for name, value in pairwise(words):
            if name in (*NUMBERS, *self.dialect.clocks, *self.dialect.increments):
                if not re.fullmatch(r"-?[0-9]{1,12}", value):
                    raise ParseError(f"{name} takes a number, not '{value[:20]}'")
                number[name] = max(int(value), 0)
        clock = number.get(self.dialect.clocks[turn])
        return Order(
            movetime=number.get("movetime", 0) / 1000,
            clock=None if clock is None else clock / 1000,
            increment=number.get(self.dialect.increments[turn], 0) / 1000,
            byoyomi=number.get("byoyomi", 0) / 1000,
            moves_to_go=number.get("movestogo", 0),
            nodes=number.get("nodes", 0),
            depth=number.get("depth", 0),
            infinite="infinite" in words,
        )

    # ---- answers

    def _report(self, position: Position, found: Choice | Exception, seconds: float) -> None:
        """Says what a search found, or why it found nothing."""
        if isinstance(found, Exception):
            if not isinstance(found, Resigns):
                self._complain(f"{type(found).__name__}: {found}")
            self._say(f"bestmove {self.dialect.nothing}")
            return
        parts = [f"info time {round(1000 * seconds)}"]
        if found.cost.positions:
            parts.append(f"nodes {found.cost.positions}")
        if found.values:
            parts.append(f"score cp {centipawns_of(found.values[position.turn])}")
        self._say(" ".join([*parts, "pv", *_line(position, found)]))
        self._say(f"bestmove {position.move_text(found.move)}")

    def _ended(self, position: Position | None) -> str:
        outcome = position and position.outcome
        won = position and outcome and outcome.scores[position.turn] > 0
        return self.dialect.won if won else self.dialect.nothing


def _line(position: Position, choice: Choice) -> Iterator[str]:
    for move in choice.line or (choice.move,):
        yield position.move_text(move)
        position = position.play(move)


class _Search:
    """One search in a thread of its own, answered exactly once.

    Without a limit it is answered when it is stopped, however soon it has found all there is.
    """

    def __init__(
        self,
        agent: Budgeted,
        position: Position,
        order: Order,
        seconds: float | None,
        report: Callable[[Position, Choice | Exception, float], None],
    ) -> None:
        self._agent, self._position, self._order = agent, position, order
        self._seconds, self._report = FOREVER if order.infinite else seconds, report
        self._begun = time.monotonic()
        self._stop, self._stopped = Stop(), threading.Event()
        self._lock = threading.Lock()
        self.answered = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the agent is still in use."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Has it answered with the best found so far; an agent that does not obey, by any move."""
        self._stop.set()
        self._stopped.set()
        self._thread.join(PATIENCE)
        if not self.answered:
            move = next(iter(self._position.legal_moves))
            self._answer(Choice(move, values=(), line=(move,)))

    def _run(self) -> None:
        found: Choice | Exception
        try:
            with self._stop:
                agent = self._agent.within(self._seconds, self._order.nodes, self._order.depth)
                found = agent.choose(self._position)
        except Exception as error:
            found = error
        if self._order.infinite:
            self._stopped.wait()
        self._answer(found)

    def _answer(self, found: Choice | Exception) -> None:
        with self._lock:
            if self.answered:
                return
            self.answered = True
            self._report(self._position, found, time.monotonic() - self._begun)
