"""Who may come in, and how often: our own page and programs; never the page of another site.

A page from elsewhere can make a browser connect to this machine. Its requests carry its origin,
and a name that was bent to point here (DNS rebinding) shows as an unknown host. An address cannot
be bent: a request that names the one that the connection came to is accepted.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tempo import texts
from tempo.web.limits import Buckets, Limits

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
    """Turns away foreign origins, unknown hosts and floods; adds the headers of every answer."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], limits: Limits) -> None:
        self.app = app
        self.hosts = hosts
        most = limits.addresses
        self.files = Buckets(limits.files_per_second, limits.file_burst, most)
        self.requests = Buckets(limits.requests_per_second, limits.request_burst, most)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request in, or answers it here."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        wanted = headers.get(b"accept-language", b"").decode("latin-1")
        texts.listen(wanted, plain=headers.get(b"tempo-letters") == b"plain")
        if fault := self.fault(headers, scope):
            await _turn_away(scope, receive, send, 403, fault)
        elif wait := self.wait(scope):
            text = f"too many requests; wait {wait} second{'s' if wait > 1 else ''}"
            await _turn_away(scope, receive, send, 429, text, wait)
        else:
            await self.app(scope, receive, _with_headers(send))

    def fault(self, headers: dict[bytes, bytes], scope: Scope) -> str:
        """Why a request is turned away; empty when it may come in."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = _PORT.sub("", host)
        if name not in self.hosts and not _is_own(name, scope):
            return (
                f"this server is not called {name[:80]!r}; "
                "`tempo play --allow-host NAME` gives it a further name"
            )
        origin = headers.get(b"origin")
        if origin is None:
            return ""
        if urlsplit(origin.decode("latin-1").lower()).netloc != host:
            return "a page from elsewhere may not speak to this server"
        return ""

    def wait(self, scope: Scope) -> int:
        """Whole seconds after which this address may ask again; 0: now."""
        address = scope["client"][0] if scope.get("client") else ""
        is_file = scope["type"] == "http" and not scope["path"].startswith("/api/")
        wait = (self.files if is_file else self.requests).take(address)
        return math.ceil(min(wait, 60.0))


def _is_own(name: str, scope: Scope) -> bool:
    """Whether a name is the address of this machine that the connection came to."""
    try:
        named = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        here = ipaddress.ip_address(scope["server"][0].partition("%")[0])
    except (ValueError, TypeError, KeyError):
        return False
    return named in {here, getattr(here, "ipv4_mapped", None)}


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return answer


async def _turn_away(
    scope: Scope, receive: Receive, send: Send, status: int, fault: str, wait: int = 0
) -> None:
    """Answers with an error, to a request or to what wanted to become a WebSocket."""
    kind = "http"
    if scope["type"] == "websocket":
        await receive()
        kind = "websocket.http"
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": fault})
            return
    about = "origin" if status == 403 else "rate"
    body = json.dumps({"error": {"about": about, "text": texts.refusal(fault)}}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": f"{kind}.response.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.response.body", "body": body})
