"""`tempo engine`: the protocols by name, over standard input and output."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

from tempo.errors import ParseError
from tempo.protocols.gomocup import GomocupServer
from tempo.protocols.server import DIALECTS, EngineServer


def serve(protocol: str, agent: str, game: str | None = None) -> None:
    """Serves until the other side says goodbye; ParseError if there is no such protocol."""
    said = threading.Lock()

    def say(line: str) -> None:
        with said:
            print(line, flush=True)

    server: EngineServer | GomocupServer
    if protocol == "gomocup":
        if game is not None:
            raise ParseError("gomocup's manager says size and rule itself; --game has no place")
        server = GomocupServer(agent, say)
    elif protocol in DIALECTS:
        server = EngineServer(DIALECTS[protocol], agent, say, game)
    else:
        known = ", ".join([*DIALECTS, "gomocup"])
        raise ParseError(f"there is no protocol '{protocol}'; there are {known}")
    server.serve(_lines())
    if isinstance(server, EngineServer) and server.is_searching:
        sys.stdout.flush()
        os._exit(0)  # an agent that did not obey


def _lines() -> Iterator[str]:
    """Standard input, without Python's buffer: a thread that waits in it would spoil the end."""
    begun: list[bytes] = []  # parts of a line whose end has not come
    while part := os.read(sys.stdin.fileno(), 1 << 16):
        *ends, rest = part.split(b"\n")
        for end in ends:
            yield b"".join([*begun, end]).decode(errors="replace")
            begun.clear()
        begun.append(rest)
    yield b"".join(begun).decode(errors="replace")
