"""Runs the server: what `tempo play` does."""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser

import uvicorn

from tempo.errors import TempoError
from tempo.web.app import Settings, create_app
from tempo.web.store import default_data

__all__ = ["LOCAL", "default_data", "serve"]

LOCAL = {"127.0.0.1", "localhost", "::1"}


def serve(
    settings: Settings, host: str, port: int, *, open_browser: bool = False, quiet: bool = False
) -> None:
    """Serves until it is told to stop. Nothing is lost when it is killed."""
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, format="%(message)s")
    if not _is_free(host, port):
        raise TempoError(f"{host}:{port} is in use; choose another with --port")
    shown = "localhost" if host in LOCAL | {"0.0.0.0", "::"} else host
    address = f"http://{shown}:{port}/"
    if not quiet:
        print(f"Tempo is at {address} (stop it with Ctrl-C)", flush=True)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.limits.frame_bytes,
        ws_per_message_deflate=False,  # states are small, and packing them costs more than sending
        server_header=False,
        timeout_graceful_shutdown=2,
    )


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
