"""Faults of disk, clock and network: what is asked fails in one sentence, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from game_data import ROOT
from web_tables import SETUP, Clock, Recorder, hall, opened, token

from soak.subject import Subject
from soak.subjects import kills
from soak.subjects.files import put, scratch
from soak.subjects.records import libraries
from soak.subjects.web import dismiss
from tempo import games
from tempo.web import messages
from tempo.web.clock import ClockRule
from tempo.web.messages import Refused
from tempo.web.store import Store

# ---- a disk that fills up ------------------------------------------------------------------------


class Disk:
    """A small file system in memory, where we may mount one; its size can be changed."""

    def __init__(self, kib: int) -> None:
        self.folder = kills.fresh("disk")
        self.folder.mkdir()
        self._mount(kib)

    @staticmethod
    def possible() -> bool:
        """Whether this process may mount."""
        if os.geteuid() != 0:
            return False
        folder = scratch() / "try"
        folder.mkdir(exist_ok=True)
        tried = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(folder)], capture_output=True,
                               check=False)  # fmt: skip
        if tried.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)
        return tried.returncode == 0

    def _mount(self, kib: int, *more: str) -> None:
        options = ",".join([f"size={kib}k", *more])
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)], check=True
        )

    def resize(self, kib: int, *more: str) -> None:
        """More room, or less; or `ro`."""
        options = ",".join(["remount", f"size={kib}k", *more])
        subprocess.run(["mount", "-o", options, str(self.folder)], check=True)

    def fill(self, spare: int) -> None:
        """Takes all room but some KiB."""
        room = os.statvfs(self.folder)
        free = room.f_bavail * room.f_frsize
        (self.folder / "filler").write_bytes(bytes(max(0, free - 1024 * spare)))

    def empty(self) -> None:
        """Gives that room back."""
        (self.folder / "filler").unlink(missing_ok=True)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], check=True)


def refused(words: list[str], *, limit: int = 0, out: Any = subprocess.PIPE) -> str:
    """A command that must fail with one sentence; what it said. `limit`: KiB of any file."""
    prefix = ["sh", "-c", f'ulimit -f {limit}; exec "$@"', "sh"] if limit else []
    done = subprocess.run([*prefix, *words], stdout=out, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, timeout=kills.PATIENCE, check=False,
                          env={**os.environ, "JAX_PLATFORMS": "cpu"})  # fmt: skip
    said = done.stderr.strip()
    assert "Traceback" not in said, said[-1500:]
    assert done.returncode in (1, 2), (done.returncode, said[-500:])
    assert said.splitlines()[-1].startswith("tempo: "), said[-500:]
    return said


def small_disk(random: Random) -> dict[str, Any]:
    """A learner and how much room it has at first."""
    return {"kind": random.choice(("adp", "truncated", "results", "tree_strap")),
            "seed": random.choice((1, 2)), "kib": random.randrange(4, 120, 4),
            "way": random.choice(("disk", "limit"))}  # fmt: skip


def train_on_small_disk(given: dict[str, Any]) -> str:
    """A training that the disk stopped goes on when there is room, to the same end."""
    whole = kills.whole_training(given["kind"], given["seed"])
    if given["way"] == "disk" and Disk.possible():
        with Disk(given["kib"]) as disk:
            return _stopped_training(given, disk.folder / "run", whole, disk)
    return _stopped_training(given, kills.fresh("limited"), whole, None)


def _stopped_training(given: dict[str, Any], run: Path, whole: Path, disk: Disk | None) -> str:
    words = kills.train_words(given["kind"], given["seed"], run)
    try:
        refused(words, limit=0 if disk else given["kib"])
        stopped = True
    except AssertionError as error:
        if "(0, " not in str(error):
            raise
        stopped = False  # there was room enough
    if disk is not None:
        disk.resize(100_000)
    again = ["--resume"] if (run / "config.toml").exists() else []
    if stopped:
        kills.finished(
            [*kills.train_words(given["kind"], given["seed"], run), *again], scratch() / "disk"
        )
    kills.same(whole, run, last_only=True)
    return "accepted, stopped by the disk" if stopped else "accepted, room enough"


def small_server(random: Random) -> dict[str, Any]:
    """How much room a server has when others have filled the disk, and how much is played."""
    return {"spare": random.randrange(0, 64), "moves": random.randrange(10, 40)}


def serve_on_small_disk(given: dict[str, Any]) -> str:
    """What cannot be stored is not done, in words; with room again the game goes on."""
    if not Disk.possible():
        return "accepted, not tried: mounting needs root"
    with Disk(2000) as disk, _page_server()(disk.folder) as server:
        return asyncio.run(_play_on(server, disk, given["spare"], given["moves"]))


def _page_server() -> Any:
    sys.path.append(str(ROOT / "tools"))
    from page_server import PageServer  # noqa: PLC0415

    return PageServer


async def _play_on(server: Any, disk: Disk, spare: int, moves: int) -> str:
    from page_client import PERSON, Sitter, make  # noqa: PLC0415

    made = await make(server.port, "gomoku", PERSON, PERSON)
    tokens = list(made["tokens"].values())
    sitters = [await Sitter.join(server.port, made["table"], one) for one in tokens]
    disk.fill(spare)
    failed = 0
    for ply in range(moves):
        mover = sitters[ply % 2]
        while mover.state["ply"] < ply:
            await mover.wait()
        while mover.state["ply"] <= ply:
            move = mover.state["scene"]["moves"][0]["move"]
            await mover.say(type="move", ply=ply, move=move)
            try:
                while mover.state["ply"] <= ply:
                    await mover.wait()
            except RuntimeError:  # refused, in words
                failed += 1
                if failed % 3 == 0:
                    disk.empty()
    told = [one["text"] for one in sitters[(moves - 1) % 2].state["moves"]]
    assert len(told) == moves
    disk.empty()
    server.kill()
    await asyncio.to_thread(server.restart)
    again = await Sitter.join(server.port, made["table"], tokens[0])
    assert [one["text"] for one in again.state["moves"]] == told
    assert "Traceback" not in server.log.read_text(), server.log.read_text()[-1500:]
    return "accepted, the disk was full" if failed else "accepted, room enough"


# ---- folders and outputs that cannot be written --------------------------------------------------


def unwritable(random: Random) -> str:
    """A command whose place to write to does not take it."""
    return random.choice(("train", "match", "tournament", "library", "play", "output"))


def write_nowhere(what: str) -> str:
    """One sentence that says so."""
    if what == "output":
        with open("/dev/full", "w") as full:
            refused(kills.command("games"), out=full)
        return "accepted, output"
    if not Disk.possible():
        return "accepted, not tried: mounting needs root"
    with Disk(1000) as disk:
        disk.resize(1000, "ro")
        out = str(disk.folder / "there")
        words = {
            "train": kills.train_words("adp", 1, disk.folder / "run"),
            "match": kills.command("match", "random", "random", "-g", "gomoku(size=5)", "-n", "2",
                                   "--log", out),
            "tournament": kills.command("tournament", "random", "mcts:sims=2", "-g",
                                        "gomoku(size=5)", "-n", "2", "--log", out),
            "library": kills.command("library", "prune", _library(), "-o", out),
            "play": kills.command("play", "--port", str(_free_port()), "--data", out),
        }[what]  # fmt: skip
        refused(words)
    return f"accepted, {what}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _library() -> str:
    return str(put("library.sgf", libraries()[0].encode()))


# ---- clocks that jump ----------------------------------------------------------------------------


def jumps(random: Random) -> dict[str, Any]:
    """A game by the clock: how much time passes before each move, and where the server restarts.

    While a server runs its clock only goes forward, at times by hours (a machine that slept). From
    one server to the next it may be set back.
    """
    steps = [random.choice((0.5, 0.5, 2.0, 0.0, 1e-9, 31.0, 3600.0, 1e9))
             for _ in range(random.randrange(5, 30))]  # fmt: skip
    restarts = {random.randrange(len(steps)): random.choice((-1e9, -3600.0, 5.0, 3600.0, 1e6, 1e9))
                for _ in range(random.randrange(3))}  # fmt: skip
    return {
        "spec": random.choice(("gomoku", "siguo", "chess")),
        "steps": steps,
        "restarts": restarts,
        "rule": random.choice(((60, 2, 0), (0, 0, 30), (10, 0, 5))),
    }


class Evening:
    """A table by the clock and one without, over several servers."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.clock = Clock()
        self.store = Store(":memory:")
        self.room = hall(self.clock, self.store)
        seats = games.load(given["spec"]).seats
        rule = ClockRule(*given["rule"])
        timed = opened(given["spec"], ["person"] * seats, clock=rule, at=self.clock.now)
        self.room.open("timed", timed)
        self.room.open("free", opened("gomoku", ["person"] * 2, at=self.clock.now))
        self.people = [Recorder("timed", token(seat)) for seat in range(seats)]
        for person in self.people:
            self.room.join(person)
            if given["spec"] == "siguo":
                self.room.say(person, messages.Deploy(SETUP))

    def restart(self, jump: float) -> None:
        """Another server takes the tables up, by another clock."""
        dismiss(self.room)
        self.clock = Clock()
        self.clock.now += jump
        self.room = hall(self.clock, self.store)
        asyncio.run(self.room.load())
        for person in self.people:
            self.room.join(person)

    def step(self, seconds: float) -> bool:
        """Time passes, and the seat to move moves; whether one could."""
        self.clock.now += seconds
        self.room.tick()
        table = self.room.table("timed")
        turn, moved = table.turn, False
        if turn is not None:
            with contextlib.suppress(Refused):
                move = next(iter(table.position.legal_moves))
                self.room.say(self.people[turn], messages.Move(table.ply, move))
                moved = True
        self.check()
        return moved

    def check(self) -> None:
        """No time below nothing nor beyond what was granted."""
        base, increment, per_move = self.given["rule"]
        most = base + per_move + increment * (len(self.given["steps"]) + 1)
        state = json.loads(self.people[0].sent[-1][1])
        for left in state["clock"]["seats"] if state["type"] == "state" else ():
            assert left is None or 0 <= left <= most + 1e-6, (left, most)


def play_while_jumping(given: dict[str, Any]) -> str:
    """Nobody's time is more than was granted, and a table without a clock is not touched."""
    evening = Evening(given)
    try:
        moved = 0
        for number, seconds in enumerate(given["steps"]):
            if number in given["restarts"]:
                evening.restart(given["restarts"][number])
            moved += evening.step(seconds)
        free = [Recorder("free", token(seat)) for seat in range(2)]
        for person in free:
            evening.room.join(person)
        evening.room.say(free[0], messages.Move(0, 12))
        assert evening.room.table("free").ply == 1
    finally:
        dismiss(evening.room)
    return "accepted" if moved else "accepted, nobody moved"


# ---- a network that dies -------------------------------------------------------------------------


class Network:
    """A real server on this machine, kept for all inputs of a worker."""

    def __init__(self) -> None:
        folder = kills.fresh("network")
        folder.mkdir()
        self.server = _page_server()(folder)
        self.memory = self.server.memory()

    def ask(self) -> float:
        """Seconds until a request is answered."""
        import urllib.request  # noqa: PLC0415

        begun = time.monotonic()
        urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/api/games", timeout=20).read()
        return time.monotonic() - begun


_network: list[Network] = []
HELLO = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
BODY = json.dumps({"game": "gomoku", "seats": [{"kind": "person"}, {"kind": "person"}]})
POST = ("POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(BODY)}\r\n\r\n{BODY}")  # fmt: skip


def frame(payload: bytes) -> bytes:
    """A text frame of a client, masked with zeros."""
    size = len(payload)
    head = (
        bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0xFE]) + size.to_bytes(2, "big")
    )
    return head + bytes(4) + payload


def broken_lines(random: Random) -> list[tuple[bytes, int, str]]:
    """Connections: what is sent, how much of it, and how each ends."""
    made = []
    for _ in range(random.randrange(1, 12)):
        join = frame(b'{"type":"join","table":"abc"}')
        pings = b"".join(frame(b'{"type":"ping"}') for _ in range(random.randrange(40)))
        data = random.choice(
            (
                POST.encode(),
                HELLO.encode(),
                HELLO.encode() + join + pings,
                b"\x16\x03\x01\x02" * 50,
                b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 2000,
                HELLO.encode() + bytes([0x81, 0xFF]) + b"\x7f" * 8 + b"x" * 100,
            )
        )
        cut = random.randrange(len(data) + 1) if random.random() < 0.7 else len(data)
        made.append((data[:cut], cut, random.choice(("close", "reset", "half", "slow", "deaf"))))
    return made


def lose_connections(given: list[tuple[bytes, int, str]]) -> str:
    """The server goes on answering others at once, and grows no larger."""
    if not _network:
        _network.append(Network())
    network = _network[0]
    threads = [
        threading.Thread(target=_lose, args=(network.server.port, data, end))
        for data, _, end in given
    ]
    for thread in threads:
        thread.start()
    slowest = max(network.ask() for _ in range(3))
    for thread in threads:
        thread.join()
    assert network.server.process.poll() is None, "the server has ended"
    assert slowest < 5, f"a request took {slowest:.1f} s meanwhile"
    log = network.server.log.read_text(errors="replace")
    assert "Traceback" not in log, log[-1500:]
    assert network.server.memory() - network.memory < 200 * 2**20
    return "accepted"


def _lose(port: int, data: bytes, end: str) -> None:
    """One connection to its end."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 10) as link:
        if end == "slow":
            for at in range(0, len(data), 40):
                link.sendall(data[at : at + 40])
                time.sleep(0.002)
        else:
            link.sendall(data)
        if end == "reset":
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00" + bytes(4))
        elif end == "half":
            link.shutdown(socket.SHUT_WR)
            link.settimeout(0.2)
            link.recv(100)
        elif end == "deaf":  # reads nothing while states pile up
            time.sleep(0.2)


def subjects() -> Iterator[Subject]:
    """Slow ones but for the clock."""
    heavy: dict[str, Any] = {
        "slice": 0,
        "patience": 2 * kills.PATIENCE,
        "memory": 0,
        "refusals": (),
    }
    yield Subject("faults.clock", jumps, play_while_jumping, (), slice=12)
    yield Subject("faults.disk.train", small_disk, train_on_small_disk, most=200, least=20, **heavy)
    yield Subject(
        "faults.disk.server", small_server, serve_on_small_disk, most=200, least=10, **heavy
    )
    yield Subject("faults.unwritable", unwritable, write_nowhere, most=200, least=5, **heavy)
    yield Subject("faults.network", broken_lines, lose_connections, most=10_000, least=5, **heavy)
