"""Brains of Gomoku as agents: programs that speak the protocol of Piskvork, Gomocup's manager.

    gomocup:path=pbrain-rapfi,movetime=1

The whole board is sent with every move (`BOARD`), so that a brain needs no memory of the game.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from tempo._core import gomoku
from tempo.agents.engines import EngineAgent, EngineSettings, command_of, options_of
from tempo.agents.registry import declare
from tempo.agents.settings import text_of
from tempo.engines.answer import Answer, Engine, Limits
from tempo.engines.process import EngineProcess
from tempo.engines.trail import Trail
from tempo.errors import IllegalMove
from tempo.games.gomoku.sgf import LETTERS, move_at
from tempo.games.registry import load
from tempo.games.stones import parse_rows, size_of

GREETING = 30.0  # seconds until OK
UNTIMED = 600.0
RULES = {"freestyle": 0, "exactly_five": 1}
_point = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")


class Brain:
    """A brain from START to END. Any fault is an EngineError."""

    def __init__(self, command: list[str], options: dict[str, str], late: float) -> None:
        self._process = EngineProcess(command, farewell="END")
        self._options, self._late = options, late
        self._spec = ""

    def new_game(self) -> None:
        """Forgets the last game: the next move says which board it is played on."""
        self._spec = ""

    def go(self, trail: Trail, limits: Limits) -> Answer:
        """Its move where a game stands."""
        position = trail.position
        if position.game != self._spec:
            self._begin(position.game)
        size = size_of(load(position.game))
        seconds = limits.movetime or limits.seconds
        self._tell("timeout_turn", round(1000 * seconds))
        if limits.clocks:
            self._tell("time_left", round(1000 * limits.clocks[limits.turn]))
        stones = parse_rows(position.text.split(maxsplit=1)[0], LETTERS)
        if stones:
            lines = [
                f"{x},{y},{1 if seat == position.turn else 2}" for (y, x), seat in stones.items()
            ]

            for line in ("BOARD", *lines, "DONE"):
                self._process.send(line)
        else:
            self._process.send("BEGIN")
        allowed = (seconds or UNTIMED) + self._late
        row, column = self._await_point(time.monotonic() + allowed, allowed)
        if max(row, column) >= size:
            raise IllegalMove(f"{column},{row} is not on the board")
        move = move_at((row, column), size)
        return Answer(position.move_text(move) if position.is_legal(move) else f"{column},{row}")

    def _begin(self, spec: str) -> None:
        game = load(spec)
        self._process.send(f"START {size_of(game)}")
        answer = self._answer(time.monotonic() + GREETING, "OK", GREETING)
        if not answer.upper().startswith("OK"):
            raise self._process.error(f"'{answer[:60]}' in place of OK after START")
        self._tell("rule", RULES[game.chosen["rule"]])
        self._tell("timeout_match", 0)
        for name, value in self._options.items():
            self._process.send(f"INFO {name} {value}")
        self._spec = spec

    def _tell(self, name: str, value: int) -> None:
        self._process.send(f"INFO {name} {value}")

    def _await_point(self, until: float, allowed: float) -> tuple[int, int]:
        line = self._answer(until, "a move", allowed)
        found = _point.fullmatch(line)
        if found is None:
            raise self._process.error(f"'{line[:60]}' is no move; expected column,row")
        return int(found[2]), int(found[1])

    def _answer(self, until: float, awaited: str, allowed: float) -> str:
        """The next line that is no remark."""
        while (line := self._process.read(until, awaited, obeys=True)) is not None:
            word = line.partition(" ")[0].upper()
            if word in ("ERROR", "UNKNOWN"):
                raise self._process.error(f"it answered '{line[:80]}'")
            if line.strip() and word not in ("MESSAGE", "DEBUG", "SUGGEST"):
                return line
        raise self._process.error(f"no {awaited} within {allowed:g} s")

    def close(self) -> None:
        """Ends the program."""
        self._process.close()


@dataclass(frozen=True)
class GomocupSettings(EngineSettings):
    """At least one limit is needed, or a clock; brains know movetime. Options are sent as INFO."""


@declare(
    "gomocup",
    GomocupSettings,
    "any brain that speaks Gomocup's protocol, run as a program of its own",
    games=("gomoku",),
)
class GomocupAgent(EngineAgent):
    """Any brain of Gomoku that speaks the protocol of Piskvork."""

    plays = gomoku.Position

    def __init__(self, settings: GomocupSettings | None = None) -> None:
        self.settings = s = settings or GomocupSettings()
        self.limits = Limits(s.movetime, 0.0, s.nodes, s.depth)
        super().__init__(text_of("gomocup", s))

    def _start(self) -> Engine:
        s = self.settings
        command = command_of("gomocup", s.path, self._on_clock or self.limits)
        return Brain(command, options_of(s.options), s.late)
