"""`tempo engine`: the protocols by name, over standard input and output."""

from __future__ import annotations

import os
import sys
import threading

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
    server.serve(line.decode(errors="replace") for line in sys.stdin.buffer)
    if isinstance(server, EngineServer) and server.is_searching:
        sys.stdout.flush()
        os._exit(0)  # nobody waits for a search that was stopped
