"""`tempo engine`: the protocols by name, over standard input and output."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from typing import IO

from tempo.errors import ParseError, unknown
from tempo.protocols.gomocup import GomocupServer
from tempo.protocols.server import DIALECTS, EngineServer

GOMOCUP = "gomocup"
LONGEST_LINE = 1 << 20  # bytes; no game is that long
TOO_LONG = "<a line of more than 1 MiB>"


def lines_of(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a stream as text, as they come; a remark in place of one that is too long."""
    begun = b""  # a line whose end has not come
    too_long = False
    while part := stream.read(1 << 16):
        *ends, rest = (begun + part).split(b"\n")
        for end in ends:
            yield TOO_LONG if too_long else end.decode(errors="replace")
            too_long = False
        too_long = too_long or len(rest) > LONGEST_LINE
        begun = b"" if too_long else rest
    if begun or too_long:
        yield TOO_LONG if too_long else begun.decode(errors="replace")


def names() -> list[str]:
    """The protocols there are."""
    return [*DIALECTS, GOMOCUP]


def serve(protocol: str, agent: str, game: str | None = None) -> None:
    """Serves until the other side says goodbye; ParseError if there is no such protocol."""
    said = threading.Lock()

    def say(line: str) -> None:
        with said:
            print(line, flush=True)

    server: EngineServer | GomocupServer
    if protocol == GOMOCUP:
        if game is not None:
            raise ParseError("gomocup's manager says size and rule itself; --game has no place")
        server = GomocupServer(agent, say)
    elif protocol in DIALECTS:
        server = EngineServer(DIALECTS[protocol], agent, say, game)
    else:
        raise unknown("protocol", protocol, names())
    # Without Python's buffer: a thread that waits in it would spoil the end of the program.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as given:
        server.serve(lines_of(given))
    if isinstance(server, EngineServer) and server.is_searching:
        sys.stdout.flush()
        os._exit(0)  # an agent that did not obey
