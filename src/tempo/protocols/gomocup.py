"""Our agents as brains of Gomoku: the protocol of Piskvork, Gomocup's manager.

`START 15`, `BEGIN`, `TURN 7,7`, `BOARD` ... `DONE`, `INFO timeout_turn 1000`, `END`. A move is
column and row from the upper left, from 0. What is not understood is answered by UNKNOWN or ERROR.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from tempo import games
from tempo.agents.base import Resigns
from tempo.errors import ParseError, TempoError
from tempo.games.gomoku.sgf import LETTERS, game_with, move_at, point_of
from tempo.games.stones import Point, rows_text, size_of
from tempo.protocols.budget import Budgeted
from tempo.stopping import Stop

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

OVERHEAD = 0.05  # seconds of every move kept back
SHARE = 1 / 15  # of what is left of the match, at most, for one move
RULES = {0: "freestyle", 1: "exactly_five"}  # Gomocup's numbers
OWN, OTHER = 1, 2  # in BOARD

_point = re.compile(r" *([0-9]{1,3}) *, *([0-9]{1,3}) *")
_stone = re.compile(r" *([0-9]{1,3}) *, *([0-9]{1,3}) *, *([12]) *")


class GomocupServer:
    """One brain, spoken to in lines."""

    def __init__(self, agent: str, say: Callable[[str], None]) -> None:
        self._say = say
        self._agent = Budgeted(agent)
        self._rule = RULES[0]
        self._told: dict[str, int] = {}  # INFO's numbers
        self._past: list[Position] = []  # before each move of this game, then now
        self._games = 0
        self._end = Stop()  # set when the manager has said END, or nothing more comes
        self._commands: dict[str, Callable[[str, Iterator[str]], None]] = {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": self._restart,
            "BEGIN": lambda *_: self._move(),
            "TURN": self._turn,
            "BOARD": self._board,
            "TAKEBACK": self._take_back,
            "INFO": self._info,
            "ABOUT": self._about,
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Answers every line until END or the end of the input."""
        self._end = Stop()
        source = _read_ahead(lines, self._end)
        for line in source:
            command, _, rest = line.strip().partition(" ")
            if command:
                self._obey(command, rest, source)

    def _obey(self, command: str, rest: str, source: Iterator[str]) -> None:
        known = self._commands.get(command.upper())
        if known is None:
            self._say(f"UNKNOWN {command[:40]}; there are {', '.join(self._commands)} and END")
            return
        try:
            known(rest, source)
        except (ValueError, OSError, TempoError, Resigns) as error:
            self._say(f"ERROR {' '.join(str(error).split())}")

    # ---- commands

    def _start(self, rest: str, _: Iterator[str]) -> None:
        self._begin(game_with(rest.strip(), self._rule))
        self._say("OK")

    def _start_rectangle(self, rest: str, source: Iterator[str]) -> None:
        width, _, height = (part.strip() for part in rest.partition(","))
        if width != height:
            raise ParseError(f"a board of {rest.strip()}; expected a square one")
        self._start(width, source)

    def _restart(self, *_: object) -> None:
        self._begin(self._game())
        self._say("OK")

    def _turn(self, rest: str, _: Iterator[str]) -> None:
        self._play(move_at(self._read_point(rest), size_of(self._game())))
        self._move()

    def _board(self, _: str, source: Iterator[str]) -> None:
        """Stones of both sides, and then it is our turn."""
        size, wrong = size_of(self._game()), ""
        stones: dict[Point, int] = {}
        for line in source:
            if line.strip().upper() == "DONE":
                break
            found = _stone.fullmatch(line.rstrip("\r\n"))
            if found is None or max(int(found[1]), int(found[2])) >= size:
                wrong = wrong or f"'{line.strip()[:20]}' is not a stone; expected column,row,1 or 2"
            else:
                stones[int(found[2]), int(found[1])] = int(found[3])
        if wrong:
            raise ParseError(wrong)
        own = list(stones.values()).count(OWN)
        seat = 0 if 2 * own == len(stones) else 1  # Black has moved as often, White once less
        seats = {point: seat if who == OWN else 1 - seat for point, who in stones.items()}
        text = f"{rows_text(seats, size, LETTERS)} {LETTERS[seat]}"
        self._past = [self._game().parse(text)]
        self._move()

    def _take_back(self, rest: str, _: Iterator[str]) -> None:
        move = move_at(self._read_point(rest), size_of(self._game()))
        before = self._past[-2] if len(self._past) > 1 else None
        if not before or not before.is_legal(move) or before.play(move) != self._past[-1]:
            raise ParseError(f"{rest.strip()} was not the last move")
        self._past.pop()
        self._say("OK")

    def _info(self, rest: str, _: Iterator[str]) -> None:
        """Numbers that matter are kept; nothing is answered, as the protocol has it."""
        key, value = rest.partition(" ")[0], rest.partition(" ")[2].strip()
        if not re.fullmatch(r"-?[0-9]{1,12}", value):
            return
        self._told[key] = int(value)
        if key == "rule" and int(value) in RULES:
            self._rule = RULES[int(value)]
            if self._past:
                game = game_with(str(size_of(self._game())), self._rule)
                self._past = [game.parse(position.text) for position in self._past]

    def _about(self, *_: object) -> None:
        self._say(f'name="Tempo {self._agent.spec}", author="the authors of Tempo"')

    # ---- the game

    def _game(self) -> Game:
        if not self._past:
            raise ParseError("no game yet; expected START 15 or the like")
        return games.load(self._past[-1].game)

    def _begin(self, game: Game) -> None:
        self._games += 1
        self._agent.reset(self._games)
        self._past = [game.start()]

    def _play(self, move: int) -> None:
        self._past.append(self._past[-1].play(move))

    def _move(self) -> None:
        """Chooses, plays and says a move."""
        game, position = self._game(), self._past[-1]
        if position.is_over:
            raise ParseError("the game is over; expected START, RESTART or BOARD")
        with self._end:
            move = self._agent.within(self._seconds()).choose(position).move
        self._play(move)
        row, column = point_of(move, size_of(game))
        self._say(f"{column},{row}")

    def _seconds(self) -> float | None:
        """The time for a move; None where nothing was said: the agent's own limit counts."""
        if "timeout_turn" not in self._told and "time_left" not in self._told:
            return None
        limits = [self._told["timeout_turn"] / 1000] if "timeout_turn" in self._told else []
        if self._told.get("timeout_match", 1) > 0 and "time_left" in self._told:
            limits.append(self._told["time_left"] / 1000 * SHARE)
        return max(min(limits, default=0.0) - OVERHEAD, OVERHEAD)

    def _read_point(self, text: str) -> Point:
        found, size = _point.fullmatch(text), size_of(self._game())
        if found is None or max(int(found[1]), int(found[2])) >= size:
            raise ParseError(f"'{text.strip()[:20]}' is not a point; expected column,row from 0")
        return int(found[2]), int(found[1])


def _read_ahead(lines: Iterable[str], end: Stop) -> Iterator[str]:
    """The lines up to END, read while a move is being thought about; then `end` is set."""
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        try:
            for line in lines:
                if line.strip().partition(" ")[0].upper() == "END":
                    break
                waiting.put(line)
        finally:
            end.set()
            waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := waiting.get()) is not None:
        yield line
