"""Runs the server: what `tempo play` does."""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser
from contextlib import suppress
from dataclasses import replace

import uvicorn

from tempo.errors import TempoError
from tempo.games import registry
from tempo.web.app import Settings, create_app
from tempo.web.sockets import EVERYWHERE, LOCAL, Visitor, Wire, listen, own_addresses
from tempo.web.store import default_data

__all__ = ["LOCAL", "default_data", "serve"]


def serve(
    settings: Settings, host: str, port: int, *, open_browser: bool = False, quiet: bool = False
) -> None:
    """Serves until it is told to stop. Nothing is lost when it is killed."""
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, format="%(message)s")
    limits = settings.limits
    registry.close()  # nobody who reaches the page makes this program load a library
    with listen(host, port, limits.ping_seconds + limits.pong_seconds) as listening:
        settings = replace(settings, address=shared(host, port))
        here = f"http://localhost:{port}/" if host in LOCAL | EVERYWHERE else settings.address
        if not quiet:
            print("\n".join(greeting(here, settings.address)), flush=True)
        if open_browser:
            threading.Timer(1.0, webbrowser.open, (here,)).start()
        server = make_server(settings, listening)
        with suppress(KeyboardInterrupt):  # is how it is told to stop
            server.run([listening])
        if not server.started:
            raise TempoError("the server could not start")


def make_server(settings: Settings, listening: socket.socket) -> uvicorn.Server:
    """The server for a socket that listens."""
    limits = settings.limits
    return uvicorn.Server(
        uvicorn.Config(
            create_app(settings),
            port=int(listening.getsockname()[1]),
            log_level="warning",
            access_log=False,
            http=Visitor.within(limits),
            ws=Wire,
            ws_max_size=limits.frame_bytes,
            ws_ping_interval=limits.ping_seconds,
            ws_ping_timeout=limits.pong_seconds,
            ws_per_message_deflate=False,  # Wire has its own
            server_header=False,
            timeout_graceful_shutdown=2,
        )
    )


def greeting(here: str, shared: str) -> list[str]:
    """What is said when the server starts."""
    lines = [f"Tempo is at {here} (stop it with Ctrl-C)"]
    if shared:
        if shared != here:
            lines.append(f"Other computers on your network reach it at {shared}")
        lines.append(
            "Warning: anyone who can reach that address can play and open tables here, and the "
            "traffic is not encrypted."
        )
    return lines


def shared(host: str, port: int) -> str:
    """Where other computers find this server; empty if they do not."""
    if host in LOCAL:
        return ""
    found = next(iter(own_addresses()), "") if host in EVERYWHERE else host
    return f"http://{f'[{found}]' if ':' in found else found}:{port}/" if found else ""
