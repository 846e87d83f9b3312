"""What a server grants: how many tables and connections, how long and how fast messages are."""

from __future__ import annotations

import ipaddress
import math
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field

KIB = 1024


@dataclass(frozen=True)
class Limits:
    """Every bound of the server in one place; tests use smaller ones."""

    tables: int = 500  # kept in memory; others wait on disk
    stored_tables: int = 50_000  # beyond it the oldest finished ones are deleted
    connections: int = 1000  # WebSockets; twice as many with those over HTTP
    connections_of_address: int = 150  # the same of one address
    connections_of_table: int = 250
    message_bytes: int = 4 * KIB  # a longer message is refused
    frame_bytes: int = 64 * KIB  # a longer frame closes the connection
    body_bytes: int = 64 * KIB  # of a request
    messages_per_second: float = 20.0
    burst: float = 60.0
    states_per_second: float = 10.0  # to one connection; of those that come faster, the newest
    messages_of_address: float = 60.0  # a second, over all its connections
    requests_per_second: float = 30.0  # over HTTP from one address, new connections included
    request_burst: float = 150.0
    files_per_second: float = 200.0  # of the page itself
    file_burst: float = 600.0
    addresses: int = 4096  # whose rates are remembered
    strikes: int = 200  # messages refused for their rate before the connection is closed
    tables_per_minute: float = 60.0  # new ones from one address
    tables_of_address: int = 200  # at which one address is at a time
    events_of_table: int = 10_000  # then only the game under way goes on to its end
    wishes_of_person: int = 500  # undos, offers, names, invitations at a table
    wishes_per_minute: float = 60.0
    wish_burst: float = 20.0
    join_seconds: float = 10.0  # from the connection to its first message
    ping_seconds: float = 10.0  # between pings of the server
    pong_seconds: float = (
        10.0  # without an answer, or unable to send, until a connection is dropped
    )
    idle_seconds: float = 3600.0  # without a connection until a finished table leaves memory
    forgotten_seconds: float = 86400.0  # the same of an unfinished one
    away_seconds: float = 60.0  # without a connection until an agent may take a person's seat
    agents: int = 12  # kept with their trees and tables
    choice_seconds: float = 60.0  # that an agent may think, whatever its settings say
    worker_mebibytes: int = 1024  # of memory, for each process that thinks
    study_workers: int = 2
    studies_waiting: int = 16
    studies_of_address: int = 4  # that work or wait
    study_seconds: float = 120.0
    trainings: int = 1  # at once, where the server allows any
    training_seconds: float = 3600.0
    training_mebibytes: int = 4096  # of memory
    training_file_mebibytes: int = 64  # the largest file
    trained_runs: int = 50  # begun from the page; then no further ones


def allow_files(most: int) -> None:
    """Lets this process open as many files as its connections need, where the system grants it.

    Without, a thousand connections (the usual limit) would keep the store and workers from opening.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@dataclass
class Bucket:
    """Lets `rate` things a second pass, and `size` at once after a quiet time."""

    rate: float
    size: float
    level: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.level = self.size

    def take(self, now: float) -> bool:
        """Whether one more may pass at this moment."""
        self.level = min(self.size, self.level + max(0.0, now - self.at) * self.rate)
        self.at = now
        if self.level < 1.0:
            return False
        self.level -= 1.0
        return True

    @property
    def wait(self) -> float:
        """Seconds from the last `take` until one more may pass."""
        return max(0.0, (1.0 - self.level) / self.rate) if self.rate else math.inf


class Buckets:
    """A bucket for each address; those not heard of for longest are forgotten first."""

    def __init__(
        self, rate: float, size: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._size, self._most, self._clock = rate, size, most, clock
        self._kept: dict[str, Bucket] = {}

    def take(self, address: str) -> float:
        """0 if one more may pass from this address; else how many seconds to wait."""
        key = network(address)
        bucket = self._kept.pop(key, None) or Bucket(self._rate, self._size)
        if len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = bucket
        return 0.0 if bucket.take(self._clock()) else bucket.wait

    def __len__(self) -> int:
        return len(self._kept)


def network(address: str) -> str:
    """What counts as one address: of IPv6 the first half, all of which one household has."""
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))
