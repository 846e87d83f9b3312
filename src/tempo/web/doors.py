"""Who may come in: requests of our own page, or of programs; never those of another site's page.

A page from elsewhere can make a browser connect to this machine. Its requests carry its origin,
and a name that was bent to point here (DNS rebinding) shows as an unknown host.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = (
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data: blob:; "
     b"style-src 'self'; connect-src 'self'; base-uri 'none'; "
     b"form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)  # fmt: skip
_PORT = re.compile(r":\d+$")


class Doors:
    """Turns away foreign origins and unknown hosts, and adds the headers of every answer."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request in, or answers it here."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        fault = self.fault(dict(scope["headers"]))
        if not fault:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": fault})
        else:
            await _turn_away(send, fault)

    def fault(self, headers: dict[bytes, bytes]) -> str:
        """Why a request is turned away; empty when it may come in."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if self.hosts is not None and _PORT.sub("", host) not in self.hosts:
            return f"this server is not called {host[:80]!r}"
        origin = headers.get(b"origin")
        if origin is None:
            return ""
        if urlsplit(origin.decode("latin-1").lower()).netloc != host:
            return "a page from elsewhere may not speak to this server"
        return ""


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return answer


async def _turn_away(send: Send, fault: str) -> None:
    body = json.dumps({"error": {"about": "origin", "text": fault}}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
