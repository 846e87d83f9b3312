"""What requests bring: an address, bytes of bounded length, and checked messages in them."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect, HTTPConnection

from tempo.web.limits import network
from tempo.web.messages import Refused, checked, parse

T = TypeVar("T")


def address_of(connection: HTTPConnection) -> str:
    """Whose share of the server a request or a socket uses."""
    return network(connection.client.host) if connection.client else ""


async def read_bytes(request: Request, longest: int, about: str) -> bytes:
    """Reads a request's body, of bounded length. A client that goes early gets no answer."""
    parts: list[bytes] = []
    left = longest
    try:
        async for part in request.stream():
            left -= len(part)
            if left < 0:
                raise Refused(about, f"more than {longest // 1024} KiB; that is the most", 413)
            parts.append(part)
    except ClientDisconnect:
        raise Refused(about, "the connection ended before the request did") from None
    return b"".join(parts)


async def read_json(request: Request, kind: type[T], about: str, longest: int) -> T:
    """The checked message in a request's body."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(about, "send application/json", 415)
    data = await read_bytes(request, longest, about)
    message: Any = kind
    found: T = checked(message, parse(data, about, longest), about)
    return found
