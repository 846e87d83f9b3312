"""Engines that speak USI or UCI, run as child processes.

USI is shogi's UCI (http://hgm.nubati.net/usi.html): `usi`, `setoption`, `isready`, `usinewgame`,
`position startpos moves 7g7f`, `go btime 0 wtime 0 byoyomi 500`, `bestmove 3c3d`. The two are one
protocol with other words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tempo.engines.answer import RESIGN, WIN, Answer, Limits, value_of
from tempo.engines.process import EngineProcess

if TYPE_CHECKING:
    from tempo.engines.trail import Trail

GREETING = 30.0  # seconds until usiok
LOADING = 120.0  # and readyok: tables and networks are read
STOPPING = 5.0  # from `stop` to bestmove
UNTIMED = 600.0  # a search by depth or nodes

_bestmove = re.compile(r"bestmove +(\S+)(?: +ponder +(\S+))? *")


@dataclass(frozen=True)
class Words:
    """What one protocol calls things."""

    name: str
    position: str  # before a position's text
    clocks: tuple[str, ...]  # the time left, by seat
    increments: tuple[str, ...]
    move: re.Pattern[str]
    such_as: str  # a move
    gives_up: tuple[str, ...] = ()  # instead of a move


USI = Words(
    "usi", "sfen", ("btime", "wtime"), ("binc", "winc"),
    re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]"), "7g7f or P*5e",
)  # fmt: skip
UCI = Words(
    "uci", "fen", ("wtime", "btime"), ("winc", "binc"),
    re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?"), "e2e4 or e7e8q", ("(none)", "0000"),
)  # fmt: skip
UGI = Words(
    "ugi", "fen", tuple(f"p{i}time" for i in range(1, 5)), tuple(f"p{i}inc" for i in range(1, 5)),
    re.compile(r"\S+"), "the game writes them", ("(none)", "0000"),
)  # fmt: skip


class UsiEngine:
    """An engine from its handshake to its end. Any fault is an EngineError."""

    def __init__(
        self,
        command: Sequence[str],
        options: Mapping[str, str] | None = None,
        late: float = 5.0,
        words: Words = USI,
        *,
        ponder: bool = False,
    ) -> None:
        self._words = words
        self._ponders = ponder
        self._expected = ""  # the position that it ponders on, as it was said
        self._process = EngineProcess(command)
        self._late = late  # seconds past its time, until it is told to stop
        try:
            self._greet(options or {})
        except BaseException:
            self._process.close()
            raise

    def _greet(self, options: Mapping[str, str]) -> None:
        hello, ok = self._words.name, f"{self._words.name}ok"
        self._process.send(hello)
        lines = self._process.read_until(lambda line: line.strip() == ok, GREETING, ok)
        names = [line[8:].strip() for line in lines if line.startswith("id name ")]
        self.title = names[0] if names else self._process.name
        known = [found[1] for line in lines if (found := _option(line))]
        if self._ponders:
            name = "USI_Ponder" if self._words is USI else "Ponder"
            if name in known or self._words is USI:
                self._process.send(f"setoption name {name} value true")
        for name, value in options.items():
            if name not in known and not name.startswith("USI_"):
                listed = ", ".join(known) or "none"
                raise self._process.error(f"it has no option '{name}'; its options are {listed}")
            self._process.send(f"setoption name {name} value {value}")
        self._wait_ready()

    def _wait_ready(self) -> None:
        self._process.send("isready")
        self._process.read_until(lambda line: line.strip() == "readyok", LOADING, "readyok")

    def new_game(self) -> None:
        """Forgets the last game."""
        self._rest()
        self._wait_ready()
        self._process.send(f"{self._words.name}newgame")

    def go(self, trail: Trail, limits: Limits) -> Answer:
        """The engine's move where a game stands; told to stop when it is late."""
        position = self._position(trail.start, trail.moves)
        if position == self._expected:
            self._process.send("ponderhit")
        else:
            self._rest()
            self._process.send(position)
            self._process.send(f"go {go_text(limits, self._words)}")
        self._expected = ""
        info: dict[str, str] = {}
        allowed = limits.seconds + self._late if limits.seconds else UNTIMED
        said = self._await_move(allowed, info, obeys=True)
        if said is None:
            self._process.send("stop")
            said = self._await_move(STOPPING, info)
        if said is None:
            raise self._process.error(f"no bestmove within {allowed:g} s, nor after stop")
        found, reply = said
        if found in self._words.gives_up:
            found = RESIGN
        if found not in (RESIGN, WIN) and not self._words.move.fullmatch(found):
            raise self._process.error(
                f"'bestmove {found}' is no move; expected one like {self._words.such_as}"
            )
        line = tuple(info.get("pv", "").split())
        return Answer(found, _value(info), _whole(info.get("nodes")), line, reply)

    def ponder(self, trail: Trail, reply: str, limits: Limits) -> None:
        """Has it think on, as if the other side had replied so; the next `go` says if it has."""
        self._expected = self._position(trail.start, [*trail.moves, reply])
        self._process.send(self._expected)
        self._process.send(f"go ponder {go_text(limits, self._words)}")

    def _rest(self) -> None:
        """Ends its pondering, whose answer nobody wants."""
        if self._expected:
            self._expected = ""
            self._process.send("stop")
            if self._await_move(STOPPING, {}) is None:
                raise self._process.error("it ponders on after stop")

    def _position(self, start: str, moves: Sequence[str]) -> str:
        said = f"{self._words.position} {start}" if start else "startpos"
        played = f" moves {' '.join(moves)}" if moves else ""
        return f"position {said}{played}"

    def _await_move(
        self, seconds: float, info: dict[str, str], *, obeys: bool = False
    ) -> tuple[str, str] | None:
        """The move and the reply that it would ponder on; None if there is none in time."""
        until = time.monotonic() + seconds
        while (line := self._process.read(until, "bestmove", obeys=obeys)) is not None:
            if (found := _bestmove.fullmatch(line)) is not None:
                return found[1], found[2] or ""
            if line.startswith("bestmove"):
                raise self._process.error("a bestmove without a move")
            if line.startswith("info "):
                info.update(info_of(line))
        return None

    def close(self) -> None:
        """Ends the program."""
        self._process.close()


def go_text(limits: Limits, words: Words = USI) -> str:
    """What follows `go`. Engines of shogi know byoyomi; the others are UCI's, and few have all."""
    parts = []
    for name, left in zip(words.clocks, limits.clocks, strict=False):
        parts.append(f"{name} {max(round(1000 * left), 1)}")
    for name, _ in zip(words.increments, limits.clocks, strict=False):
        parts.append(f"{name} {round(1000 * limits.increment)}")
    if limits.byoyomi:
        parts.append(f"btime 0 wtime 0 byoyomi {round(1000 * limits.byoyomi)}")
    if limits.movetime:
        parts.append(f"movetime {round(1000 * limits.movetime)}")
    if limits.nodes:
        parts.append(f"nodes {limits.nodes}")
    if limits.depth:
        parts.append(f"depth {limits.depth}")
    return " ".join(parts) or "infinite"


def info_of(line: str) -> dict[str, str]:
    """The parts of an info line that we keep: cp or mate, nodes, pv. Nonsense is left out."""
    words = line.split()
    found: dict[str, str] = {}
    for i, word in enumerate(words[:-1]):
        if word == "string":
            break
        if word == "pv":
            found["pv"] = " ".join(words[i + 1 :])
            break
        if word in ("nodes", "cp", "mate"):
            found[word] = words[i + 1]
    if "cp" in found or "mate" in found:
        found.setdefault("cp", "")
        found.setdefault("mate", "")  # the newer score takes the older one's place
    return found


def _option(line: str) -> re.Match[str] | None:
    return re.match(r"option +name +(.+?) +type +\S+", line)


def _value(info: Mapping[str, str]) -> float | None:
    if mate := info.get("mate"):
        return -1.0 if mate.startswith("-") else 1.0
    try:
        return value_of(float(info["cp"]))
    except (KeyError, ValueError):
        return None


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0
