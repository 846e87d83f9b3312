"""Our agents as engines: UCI for chess, USI for shogi, UGI for any game, in lines of text.

The three are one protocol with other words; UGI also answers what the rules say of a position. A
line that makes no sense is answered with an `info string` that says what would have, and forgotten;
nothing but `quit` and the end of the input ends the server.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tempo import games
from tempo.agents.base import Choice, Resigns
from tempo.agents.registry import games_of
from tempo.engines.answer import centipawns_of
from tempo.errors import ParseError, TempoError
from tempo.protocols.budget import Budgeted, Order
from tempo.protocols.mating import MateSearch, seconds_of
from tempo.protocols.searching import Search, effort_of

if TYPE_CHECKING:
    from tempo.games.protocol import Position

MOST_LINES = 200  # of MultiPV
OVERHEAD = 50  # milliseconds of every move kept back for the way of a line to us and back
NUMBERS = ("movetime", "byoyomi", "movestogo", "nodes", "depth")
SETTINGS = {"USI_Hash": "table", "Hash": "table", "Threads": "threads"}  # of options, in agents


@dataclass(frozen=True)
class Dialect:
    """What one protocol calls things."""

    name: str
    game: str  # empty: any, which the command line names
    position: str  # before a position's text
    clocks: tuple[str, ...]  # the time left, by seat
    increments: tuple[str, ...]
    nothing: str  # instead of a move, where there is none
    won: str  # where the side to move has won by declaring it
    ponder: str  # the option by which a board says that it has engines ponder
    book: str  # the option by which a board has engines open from their own book
    options: tuple[str, ...]  # those of SETTINGS that it knows
    mate: int = 0  # moves that are one in `score mate`; 0: a sure win is a score as others are


UCI = Dialect(
    "uci", "chess", "fen", ("wtime", "btime"), ("winc", "binc"), "(none)", "(none)", "Ponder",
    "OwnBook", ("Hash", "Threads"), 2,
)  # fmt: skip
USI = Dialect(
    "usi", "shogi", "sfen", ("btime", "wtime"), ("binc", "winc"), "resign", "win", "USI_Ponder",
    "USI_OwnBook", ("USI_Hash", "Threads"), 1,
)  # fmt: skip
UGI = Dialect(
    "ugi", "", "fen", tuple(f"p{i}time" for i in range(1, 5)),
    tuple(f"p{i}inc" for i in range(1, 5)), "(none)", "(none)", "Ponder", "OwnBook",
    ("Hash", "Threads"),
)  # fmt: skip
DIALECTS = {dialect.name: dialect for dialect in (UCI, USI, UGI)}


class EngineServer:
    """Reads commands and says answers; searches run beside it, so that it always listens."""

    def __init__(
        self, dialect: Dialect, agent: str, say: Callable[[str], None], game: str | None = None
    ) -> None:
        self.dialect = dialect
        if not (game or dialect.game):
            raise ParseError(f"{dialect.name} is for any game: say which, such as --game jiu")
        self.game = games.load(game or dialect.game)
        if dialect.game and self.game.name != dialect.game:
            raise ParseError(f"{dialect.name} is for {dialect.game}, not for {self.game.name}")
        self._check_game(agent)
        self._say = say
        self._agent = Budgeted(agent)
        self._first_agent = agent
        self._lines = 1  # MultiPV
        self._position: Position | None = self.game.start()
        self._overhead = OVERHEAD
        self._search: Search | None = None
        self._mate: MateSearch | None = None
        self._names_ponder = False  # whether answers name the reply to ponder on
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
        if dialect is UGI:
            self._commands["query"] = self._query

    def _check_game(self, agent: str) -> None:
        """Refuses an agent of another game at once, not at its first move."""
        plays = games_of(agent)
        if self.game.name not in plays:
            raise ParseError(f"{agent} plays {', '.join(plays)}, not {self.game.name}")

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
        for name, kind in self._options().items():
            self._say(f"option name {name} type {kind}")
        self._say(f"{self.dialect.name}ok")

    def _options(self) -> dict[str, str]:
        """What a board can set, with the agent as it is."""
        found = {
            "MoveOverhead": f"spin default {OVERHEAD} min 0 max 10000",
            self.dialect.ponder: "check default false",
            "Agent": f"string default {self._agent.spec}",
        }
        for name, setting in SETTINGS.items():
            if name in self.dialect.options and (known := self._agent.number(setting)):
                value, (low, high) = known
                found[name] = f"spin default {value} min {low} max {high}"
        if (on := self._agent.is_on("book")) is not None:
            found[self.dialect.book] = f"check default {str(on).lower()}"
        return {**found, "MultiPV": f"spin default 1 min 1 max {MOST_LINES}"}

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
            wanted = Budgeted(value, inside=value != self._first_agent)
            self._check_game(value)
            self._agent = wanted
        elif name == self.dialect.ponder:
            self._names_ponder = value == "true"
        elif name == self.dialect.book:
            if value not in ("true", "false"):
                raise ParseError(f"{name} takes true or false, not '{value[:20]}'")
            self._agent = self._agent.switched("book", on=value == "true")
        elif name == "MultiPV":
            if not (value.isascii() and value.isdigit() and 1 <= int(value) <= MOST_LINES):
                raise ParseError(f"MultiPV takes a number from 1 to {MOST_LINES}, not '{value}'")
            self._lines = int(value)
            # Values of moves that are not the best are bounds, unless the search is told.
            self._agent = self._agent.switched("exact", on=self._lines > 1)
        elif name in SETTINGS:
            if not (value.isascii() and value.isdigit() and len(value) < 9):
                raise ParseError(f"{name} takes a number, not '{value[:20]}'")
            self._agent = self._agent.changed(SETTINGS[name], int(value))
        elif not name.startswith("USI_"):
            known = ", ".join(self._options())
            raise ParseError(f"there is no option '{name[:40]}'; there are {known}")

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

    def _query(self, words: list[str]) -> None:
        """What the rules say: `gameover`, `result`, `p1turn` and so on, `legalmoves`, `fen`."""
        asked, position = words[0] if words else "", self._position
        if position is None:
            raise ParseError("there is no position to ask about")
        outcome = position.outcome
        answers = {
            "gameover": str(outcome is not None).lower(),
            "result": _winners(outcome.scores) if outcome else "none",
            "legalmoves": " ".join(map(position.move_text, position.legal_moves)),
            "fen": position.text,
        }
        for seat in range(self.game.seats):
            answers[f"p{seat + 1}turn"] = str(position.turn == seat).lower()
        if asked not in answers:
            raise ParseError(f"there is no query '{asked[:40]}'; there are {', '.join(answers)}")
        self._say(f"response {answers[asked]}")

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
        self._begin(position, self._order(words, position.turn))

    def _go_mate(self, words: list[str]) -> None:
        seconds = seconds_of(words)
        if self._position is None or self._position.is_over:
            self._say("checkmate nomate")
        else:
            self._mate = MateSearch(self._position, seconds, self._say)

    def _begin(self, position: Position, order: Order) -> None:
        plan = order.plan(self._overhead / 1000)
        if plan is None and not (order.nodes or order.depth):
            order = replace(order, infinite=not order.ponder)
        agent = self._free_agent()
        if order.infinite:  # an analysis: what a search thinks, not what the book says
            agent = agent.switched("book", on=False)
        self._search = Search(
            agent, position, order, plan, self._report, self._tell, replies=self._names_ponder
        )

    def _ponder_hit(self, _: list[str]) -> None:
        if self._search is None or not self._search.ponders:
            raise ParseError("ponderhit without a go ponder before it")
        self._search.hit()

    def _stop(self, _: list[str]) -> None:
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
            ponder="ponder" in words,
        )

    # ---- answers

    def _report(self, position: Position, found: Choice | Exception, seconds: float) -> None:
        """Says what a search found, or why it found nothing."""
        if isinstance(found, Exception):
            if not isinstance(found, Resigns):
                self._complain(f"{type(found).__name__}: {found}")
            self._say(f"bestmove {self.dialect.nothing}")
            return
        self._tell(position, found, seconds)
        moves = [*_line(position, found)]
        reply = f" ponder {moves[1]}" if self._names_ponder and len(moves) > 1 else ""
        self._say(f"bestmove {position.move_text(found.move)}{reply}")

    def _tell(self, position: Position, found: Choice, seconds: float) -> None:
        """Says what a search thinks."""
        parts = ["info", *effort_of(found, seconds)]
        for number, one in enumerate(self._best(found, position.turn), start=1):
            told = [*parts, f"multipv {number}"] if self._lines > 1 else list(parts)
            if one.values:
                told.append(f"score {self._score(position, one)}")
            self._say(" ".join([*told, "pv", *_line(position, one)]))

    def _score(self, position: Position, choice: Choice) -> str:
        """`mate` and in how many moves, where the line shows a sure end; else centipawns."""
        value = choice.values[position.turn]
        if self.dialect.mate and abs(value) == 1:
            moves = [*_line(position, choice)]
            for move in moves:
                position = position.play(move)
            if position.is_over:
                count = -(-len(moves) // self.dialect.mate)
                return f"mate {count if value > 0 else -count}"
        return f"cp {centipawns_of(value)}"

    def _best(self, found: Choice, seat: int) -> list[Choice]:
        """The choice, and the moves next to it in value, as many as the board wants to see."""
        others = [one for one in found.candidates if one.move != found.move and one.values]
        others.sort(key=lambda one: (-one.values[seat], -one.visits, one.move))
        return [
            found,
            *(Choice(one.move, one.values, (one.move,)) for one in others[: self._lines - 1]),
        ]

    def _ended(self, position: Position | None) -> str:
        outcome = position and position.outcome
        won = position and outcome and outcome.scores[position.turn] > 0
        return self.dialect.won if won else self.dialect.nothing


def _winners(scores: tuple[float, ...]) -> str:
    """Who has won: `p1win`, with several of a team `p1win p3win`; `draw` if nobody has."""
    best = max(scores)
    won = [f"p{seat + 1}win" for seat, score in enumerate(scores) if score == best and best > 0]
    return " ".join(won) or "draw"


def _line(position: Position, choice: Choice) -> Iterator[str]:
    """The moves of a line as text, as far as they can be played."""
    for move in choice.line or (choice.move,):
        if not position.is_legal(move):
            return
        yield position.move_text(move)
        position = position.play(move)
