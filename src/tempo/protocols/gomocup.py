"""Our agents as brains of Gomoku: the protocol of Piskvork, Gomocup's manager.

`START 15`, `BEGIN`, `TURN 7,7`, `BOARD` ... `DONE`, `INFO timeout_turn 1000`, `END`. A move is
column and row from the upper left, from 0. What is not understood is answered by UNKNOWN or ERROR;
MESSAGE tells what the agent thinks, as `info` does in UCI.
While a move is thought about, `END` ends the brain without another word, and `STOP` (or Yixin's
`YXSTOP`) has the best move found so far played at once.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING

from tempo import games
from tempo.agents.base import Resigns
from tempo.agents.registry import games_of
from tempo.engines.answer import centipawns_of
from tempo.errors import ParseError, TempoError
from tempo.games.gomoku.sgf import LETTERS, game_with, move_at, point_of
from tempo.games.stones import Point, rows_text, size_of
from tempo.ledger import peak_memory
from tempo.protocols.budget import Budgeted
from tempo.protocols.searching import effort_of
from tempo.stopping import Stop

if TYPE_CHECKING:
    from tempo.agents.base import Choice
    from tempo.games import Game
    from tempo.games.protocol import Position

OVERHEAD = 0.05  # seconds of every move kept back, half of it where there is less than twice that
AT_ONCE = 0.001  # seconds for a move that is to be played as fast as possible
SHARE = 1 / 15  # of what is left of the match, at most, for one move
UNLIMITED = 2**31 - 1  # milliseconds of time_left where the match has no limit
RULES = {0: "freestyle", 1: "exactly_five"}  # Gomocup's numbers
VARIANTS = {2: "continuous games", 4: "renju", 8: "caro"}  # not played here; numbers add up
EXPECTED_RULES = "0 (freestyle) or 1 (exactly five)"
NOT_CONTINUOUS = "continuous games are not played here"
EVEN = ((0, 0), (-1, 0), (3, 1))  # rows and columns from the middle; of the stored fair openings
OWN, OTHER, FINISHED = 1, 2, 3  # in BOARD; the last in continuous games alone
MEBIBYTE = 2**20
BETWEEN = 0.2  # seconds from one MESSAGE to the next
SPARE = 16 * MEBIBYTE  # of max_memory, for what a move takes besides its table

_point = re.compile(r" *([0-9]{1,3}) *, *([0-9]{1,3}) *")
_stone = re.compile(r" *([0-9]{1,3}) *, *([0-9]{1,3}) *, *([123]) *")


class GomocupServer:
    """One brain, spoken to in lines."""

    def __init__(self, agent: str, say: Callable[[str], None]) -> None:
        game = game_with("15", RULES[0]).name
        if game not in (plays := games_of(agent)):
            raise ParseError(f"{agent} plays {', '.join(plays)}, not {game}")
        self._say = say
        self._agent = Budgeted(agent)
        self._rule = RULES[0]
        self._refusal = ""  # why the rule that the manager named is not played
        self._told: dict[str, int] = {}  # INFO's numbers
        self._memory: int | None = None  # MiB for a table beside the program itself; None: no limit
        self._past: list[Position] = []  # before each move of this game, then now
        self._games = 0
        self._lines = _ReadAhead()
        self._commands: dict[str, Callable[[str, Iterator[str]], None]] = {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": self._restart,
            "BEGIN": lambda *_: self._move(),
            "TURN": self._turn,
            "BOARD": self._board,
            "SWAP2BOARD": self._swap2_board,
            "TAKEBACK": self._take_back,
            "INFO": self._info,
            "ABOUT": self._about,
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Answers every line until END or the end of the input."""
        self._lines = source = _ReadAhead(lines)
        for line in source:
            command, _, rest = line.strip().partition(" ")
            if command:
                self._obey(command, rest, source)

    def _obey(self, command: str, rest: str, source: Iterator[str]) -> None:
        known = self._commands.get(command.upper())
        if known is None:
            there_are = f"there are {', '.join(self._commands)}, STOP and END"
            self._say(f"UNKNOWN {command[:40]}; {there_are}")
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
        self._check_rule()
        self._play(move_at(self._read_point(rest), size_of(self._game())))
        self._move()

    def _board(self, _: str, source: Iterator[str]) -> None:
        """Stones of both sides, and then it is our turn."""
        size, stones, wrong = size_of(self._game()), dict[Point, int](), ""
        for line in _data(source):
            found = _stone.fullmatch(line)
            if found is None or max(int(found[1]), int(found[2])) >= size:
                wrong = wrong or f"'{line.strip()[:20]}' is not a stone; expected column,row,1 or 2"
                continue
            point = int(found[2]), int(found[1])
            if int(found[3]) == FINISHED:
                wrong = wrong or f"'{line.strip()}' is a stone of a finished line: {NOT_CONTINUOUS}"
            elif point in stones:
                wrong = wrong or f"{found[1]},{found[2]} is given twice"
            stones[point] = int(found[3])
        if wrong:
            raise ParseError(wrong)
        own = list(stones.values()).count(OWN)
        seat = 0 if 2 * own == len(stones) else 1  # Black has moved as often, White once less
        seats = {point: seat if who == OWN else 1 - seat for point, who in stones.items()}
        self._past = [self._position_of(seats, seat)]
        self._move()

    def _swap2_board(self, _: str, source: Iterator[str]) -> None:
        """The opening of swap2: three stones to begin with, or which side to take after them.

        Black, white, black stand on the board, then perhaps white and black again; White is to
        move. The side that is better off is taken; nothing is said for two stones more.
        """
        points: list[Point] = []
        for line in _data(source):
            point = self._read_point(line)
            if point in points:
                raise ParseError(f"{line.strip()} is given twice")
            points.append(point)
        if len(points) not in (0, 3, 5):
            raise ParseError(f"{len(points)} stones; the opening of swap2 has none, 3 or 5")
        self._check_rule()
        if not points:
            self._say(" ".join(f"{column},{row}" for row, column in first_three(self._game())))
            return
        position = self._position_of({point: i % 2 for i, point in enumerate(points)}, seat=1)
        choice = self._choose(position)
        if choice.values and choice.values[position.turn] < 0:
            self._say("SWAP")
        else:
            self._say_move(choice.move)

    def _take_back(self, rest: str, _: Iterator[str]) -> None:
        move = move_at(self._read_point(rest), size_of(self._game()))
        before = self._past[-2] if len(self._past) > 1 else None
        if not before or not before.is_legal(move) or before.play(move) != self._past[-1]:
            raise ParseError(f"{rest.strip()} was not the last move")
        self._past.pop()
        self._say("OK")

    def _info(self, rest: str, _: Iterator[str]) -> None:
        """Numbers that matter are kept, and nothing is answered; but a rule may be refused."""
        key, value = rest.partition(" ")[0].lower(), rest.partition(" ")[2].strip()
        if not re.fullmatch(r"-?[0-9]{1,12}", value):
            return
        self._told[key] = int(value)
        if key == "rule":
            self._set_rule(int(value))
        elif key == "max_memory":
            left = max(int(value) - peak_memory() - SPARE, 0) // MEBIBYTE
            self._memory = left if int(value) > 0 else None

    def _set_rule(self, number: int) -> None:
        names = [name for bit, name in VARIANTS.items() if number > 0 and number & bit]
        self._refusal = ""
        if number not in RULES:
            what = " and ".join(names) or "unknown"
            self._refusal = f"rule {number} ({what}) is not played here; expected {EXPECTED_RULES}"
        self._check_rule()
        self._rule = RULES[number]
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

    def _check_rule(self) -> None:
        if self._refusal:
            raise ParseError(self._refusal)

    def _position_of(self, seats: Mapping[Point, int], seat: int) -> Position:
        """The position with these stones, a seat to move."""
        text = f"{rows_text(seats, size_of(self._game()), LETTERS)} {LETTERS[seat]}"
        return self._game().parse(text)

    def _choose(self, position: Position) -> Choice:
        remarks = _Remarks(position, self._say, self._lines.end)
        with self._lines.end, self._lines.stop:
            agent = self._agent.within(self._seconds(), memory=self._memory)
            self._agent.watch(remarks.think)
            choice = agent.choose(position)
        remarks.conclude(choice)
        return choice

    def _move(self) -> None:
        """Chooses, plays and says a move."""
        self._check_rule()
        self._game()
        position = self._past[-1]
        if position.is_over:
            raise ParseError("the game is over; expected START, RESTART or BOARD")
        move = self._choose(position).move
        self._play(move)
        self._say_move(move)

    def _say_move(self, move: int) -> None:
        self._say(_point_text(move, size_of(self._game())))

    def _seconds(self) -> float | None:
        """The time for a move; None where nothing was said: the agent's own limit counts."""
        limits = [self._told["timeout_turn"] / 1000] if "timeout_turn" in self._told else []
        left = self._told.get("time_left", UNLIMITED)
        if self._told.get("timeout_match", 1) > 0 and left < UNLIMITED:
            limits.append(left / 1000 * SHARE)
        if not limits:
            return None
        limit = min(limits)
        return max(limit - min(OVERHEAD, limit / 2), AT_ONCE)

    def _read_point(self, text: str) -> Point:
        found, size = _point.fullmatch(text), size_of(self._game())
        if found is None or max(int(found[1]), int(found[2])) >= size:
            raise ParseError(f"'{text.strip()[:20]}' is not a point; expected column,row from 0")
        return int(found[2]), int(found[1])


def first_three(game: Game) -> Iterable[Point]:
    """Black, white, black: an opening of three stones that is nearly even."""
    middle, last = size_of(game) // 2, size_of(game) - 1
    return [(min(middle + row, last), middle + column) for row, column in EVEN]


def _data(source: Iterator[str]) -> list[str]:
    """The lines up to DONE: all of them, so that none is taken for a command."""
    return [line.rstrip("\r\n") for line in takewhile(_is_data, source)]


def _is_data(line: str) -> bool:
    return line.strip().upper() != "DONE"


def _point_text(move: int, size: int) -> str:
    row, column = point_of(move, size)
    return f"{column},{row}"


class _Remarks:
    """What an agent thinks, as MESSAGE: a few a second, and nothing once END has come."""

    def __init__(self, position: Position, say: Callable[[str], None], end: Stop) -> None:
        self._position, self._say, self._end = position, say, end
        self._begun = self._last = time.monotonic()
        self._any = False

    def think(self, choice: Choice) -> None:
        """Says what is known so far, unless something was said just now."""
        if time.monotonic() - self._last >= BETWEEN:
            self._any = True
            self._remark(choice)

    def conclude(self, choice: Choice) -> None:
        """Says what the move rests on, if it took long enough for a remark before."""
        if self._any and choice.depth:
            self._remark(choice)

    def _remark(self, choice: Choice) -> None:
        if self._end.is_set:
            return
        self._last = time.monotonic()
        told = effort_of(choice, self._last - self._begun)
        if choice.values:
            told.append(f"score cp {centipawns_of(choice.values[self._position.turn])}")
        size = size_of(games.load(self._position.game))
        line = " ".join(_point_text(move, size) for move in choice.line or (choice.move,))
        self._say(f"MESSAGE {' '.join(told)} pv {line}")


class _ReadAhead:
    """The lines up to END, read while a move is being thought about.

    `end` is set when END has come, or when nothing more comes; `stop` when STOP has come after the
    line given last.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.end, self.stop = Stop(), Stop()
        self._waiting: queue.SimpleQueue[tuple[str, Stop] | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        given = self._waiting.get()
        if given is None:
            self._waiting.put(None)
            raise StopIteration
        line, self.stop = given
        return line

    def _read(self, lines: Iterable[str]) -> None:
        last = Stop()
        try:
            for line in lines:
                word = line.strip().partition(" ")[0].upper()
                if word == "END":
                    break
                if word in ("STOP", "YXSTOP"):
                    last.set()
                    continue
                last = Stop()
                self._waiting.put((line, last))
        finally:
            self.end.set()
            self._waiting.put(None)
