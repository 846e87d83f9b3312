"""A process that thinks: one request a line on its input, answers as lines of JSON.

    {"do": "choose", ...}    an agent's move at a table
    {"do": "study", ...}     what can be said of a position, better and better
    {"do": "verdict", ...}   what tables say of a chess ending
    {"do": "hint", ...}      a good move of a view, and why
    {"do": "exercise", ...}  a try of an exercise against the best defence
    {"do": "stop"}           ends what is under way, with the best answer so far

Its memory is bounded, and it ends itself when its time is long over, even if nobody is left to end
it. `tempo.web.workers` runs it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from tempo import texts
from tempo.agents import kinds
from tempo.games import load
from tempo.games.chess.study import verdict
from tempo.games.chess.tablebase import Tablebase
from tempo.stopping import Stop
from tempo.web import hinting, studying, trying
from tempo.web.choosing import Chooser

Data = dict[str, object]
Tell = Callable[[Data], None]  # says something while an answer is being made
LATE = 15  # seconds past its time until a worker that nobody has ended ends itself


class Desk:
    """What a worker can do; keeps agents and tables from one request to the next."""

    def __init__(self, kept: int) -> None:
        self._chooser = Chooser(kept)
        self._tables: dict[str | None, Tablebase] = {}

    def answers(self, request: dict[str, Any], tell: Tell) -> Iterator[Data]:
        """Everything that a request asks for, one answer after another."""
        work: dict[str, Callable[[dict[str, Any]], Iterator[Data]]] = {
            "choose": lambda asked: self._chooser.answers(asked, tell),
            "study": studying.answers,
            "verdict": self._verdict,
            "hint": hinting.answers,
            "exercise": lambda asked: iter([{"kind": "exercise", **trying.answers(asked)}]),
        }
        yield from work[request["do"]](request)

    def _verdict(self, request: dict[str, Any]) -> Iterator[Data]:
        folder = request["folder"]
        tables = self._tables.setdefault(folder, Tablebase(folder))
        position = load(request["game"]).parse(request["start"])
        with texts.speaking(request["language"]):
            found = verdict(tables, position)
        yield {"kind": "verdict", **found}

    def make_room(self) -> None:
        """Forgets what is kept; it was too much."""
        self._chooser.forget()
        self._tables.clear()


class Inbox:
    """Requests as they come. Ends the process with its input, whatever is under way."""

    def __init__(self, lines: IO[str]) -> None:
        self._lines = lines
        self._waiting: SimpleQueue[tuple[dict[str, Any], Stop]] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            self._take_in()
        finally:  # an input that breaks is one that has ended
            os._exit(0)

    def _take_in(self) -> None:
        last = Stop()
        for line in self._lines:
            request = json.loads(line)
            if request["do"] == "stop":
                last.set()
            else:
                last = Stop(seconds=request["limit"])
                self._waiting.put((request, last))

    def __iter__(self) -> Iterator[tuple[dict[str, Any], Stop]]:
        while True:
            yield self._waiting.get()


def serve(desk: Desk, requests: Iterable[tuple[dict[str, Any], Stop]], replies: IO[str]) -> None:
    """Says that it is ready, and answers requests. The last line of each is `end` or `error`."""

    def tell(line: Data) -> None:
        print(json.dumps(line), file=replies, flush=True)

    tell({"kind": "ready"})
    for request, stop in requests:
        signal.alarm(int(request["limit"]) + LATE)
        with stop:
            for line in _replies(desk, request, tell):
                tell(line)
        signal.alarm(0)


def _replies(desk: Desk, request: dict[str, Any], tell: Tell) -> Iterator[Data]:
    for attempt in range(2):
        told = False
        try:
            for answer in desk.answers(request, tell):
                told = True
                yield answer
            yield {"kind": "end"}
            return
        except Exception as error:  # an agent may be wrong in any way
            if not _is_of_memory(error):
                yield {"kind": "error", "text": str(error) or type(error).__name__}
                return
            desk.make_room()
            if told or attempt:
                yield {"kind": "error", "text": "it takes too much memory", "fatal": "memory"}
                return


def _is_of_memory(error: BaseException | None) -> bool:
    """Whether memory was too little, whatever was made of that on the way."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__context__
    return error is not None


def _bound_memory(mebibytes: int) -> None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    most = mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Serves on standard input and output, at a low priority; nothing else may print there."""
    memory, niceness, kept = (int(text) for text in sys.argv[1:4])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's; it ends its workers
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    os.nice(niceness)
    kinds()  # imports the agents now, not while a clock runs
    _bound_memory(memory)
    serve(Desk(kept), Inbox(sys.stdin), replies)


if __name__ == "__main__":
    main()
