"""Where the server listens, and how connections end whose other side is gone or reads nothing."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import socket
import struct
from contextlib import suppress
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from tempo.errors import TempoError
from tempo.web.limits import Limits, network

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})
WINDOW = 14  # bits: 16 KiB
CLOSING = 10.0  # seconds for the other side to read what was sent before the end
BACKLOG = 512  # connections that wait to be accepted
_ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation (RFC 5737): nothing is sent there
_SIOCGIFADDR = 0x8915  # Linux: the address of an interface


class Visitor(H11Protocol):
    """A connection over HTTP: one of not too many of its address, that says soon what it wants."""

    limits: Limits

    @classmethod
    def within(cls, limits: Limits) -> type[Visitor]:
        """The same with these limits."""
        return type(cls.__name__, (cls,), {"limits": limits})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected; WebSockets count as well."""
        super().connection_made(cast("asyncio.Transport", transport))
        own = self._network(self)
        of_address = sum(self._network(one) == own for one in self.connections)
        most = 2 * self.limits.connections_of_address
        if of_address > most or len(self.connections) > 2 * self.limits.connections:
            self.transport.abort()
            return
        self.loop.call_later(self.limits.join_seconds, self._hurry)

    def _hurry(self) -> None:
        """Drops a client that has not asked for anything."""
        if self.cycle is None and self in self.connections:
            self.transport.abort()

    @staticmethod
    def _network(one: Any) -> str:
        return network(one.client[0]) if one.client else ""


class Wire(WebSocketsSansIOProtocol):
    """A WebSocket that is dropped when it does not answer, whatever it has yet to read.

    It is compressed the quick way, with a window that holds the state before: a tenth of the bytes
    or less for 0.03 ms a state.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_max_window_bits=WINDOW,
                client_max_window_bits=12,
                compress_settings={"level": 1, "memLevel": 6},
            )
        ]

    def keepalive_timeout(self) -> None:
        """The other side has not answered a ping."""
        super().keepalive_timeout()
        self.transport.abort()

    async def send(self, message: Any) -> None:
        """Sends; what is still unread some seconds after the end is thrown away."""
        await super().send(message)
        if message["type"] == "websocket.close":
            self.loop.call_later(CLOSING, self.transport.abort)


def listen(host: str, port: int, patience: float) -> socket.socket:
    """A socket that listens. The system drops who is silent or takes nothing for `patience` s."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        _drop_dead(found, patience)
        found.bind((host, port))
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise TempoError(f"{host}:{port} is in use; choose another with --port") from None
        raise TempoError(f"cannot listen at {host}:{port}: {error}") from None
    return found


def _drop_dead(listening: socket.socket, patience: float) -> None:
    """What accepted connections inherit: probes of silent ones, an end of those that take nothing.

    A ping of the WebSocket finds a program that hangs; these find a machine that is gone.
    """
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", max(1, round(patience / 2))),
        ("TCP_KEEPINTVL", max(1, round(patience / 4))),
        ("TCP_KEEPCNT", 2),
        ("TCP_USER_TIMEOUT", round(1000 * patience)),
    ):
        if (option := getattr(socket, name, None)) is not None:  # not every system has them
            listening.setsockopt(socket.IPPROTO_TCP, option, value)


def own_addresses() -> list[str]:
    """This machine's addresses in its network, the usual one first. Finding them sends nothing."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ELSEWHERE)  # only chooses a route
        found.append(probe.getsockname()[0])
    for _, name in socket.if_nameindex():
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            asked = struct.pack("256s", name.encode()[:15])
            found.append(socket.inet_ntoa(fcntl.ioctl(probe, _SIOCGIFADDR, asked)[20:24]))
    return [one for one in dict.fromkeys(found) if not one.startswith(("127.", "0."))]
