"""What goes over the wire: states that do not grow, moves sent twice, names, rates, dead peers."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from typer.testing import CliRunner
from web_tables import SETUP, Clock, Recorder, hall, opened, token
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tempo.cli.page import app as cli
from tempo.runs import Run
from tempo.web import messages, serve, sockets
from tempo.web.app import Settings, create_app
from tempo.web.hall import Hall
from tempo.web.limits import Bucket, Buckets, Limits, network
from tempo.web.line import Line
from tempo.web.messages import Refused
from tempo.web.person import Person
from tempo.web.plies import Ply

PERSON = {"kind": "person"}


def settings(folder: Path, **limits: Any) -> Settings:
    hosts = Settings.hosts | {"testserver"}
    data, runs = folder / "tables.sqlite", folder / "runs"
    return Settings(data=data, hosts=hosts, workers=1, runs=runs, limits=Limits(**limits))


# ---- states --------------------------------------------------------------------------------------


class Reader(Recorder):
    """A connection that puts the moves together as a client does."""

    def __init__(self, table: str, token: str = "") -> None:
        super().__init__(table, token)
        self.moves: list[str] = []
        self.state: dict[str, Any] = {}
        self.sizes: list[int] = []  # of states, without their boards

    def send(self, kind: str, text: str) -> None:
        super().send(kind, text)
        if kind == "state":
            self.state = json.loads(text)
            new = [one["text"] for one in self.state["moves"]]
            self.moves = [*self.moves[: self.state["since"]], *new]
            scene = json.dumps(self.state["scene"], separators=(",", ":"), ensure_ascii=False)
            self.sizes.append(len(text) - len(scene))


def seated(game: str, seats: int = 2) -> tuple[Hall, list[Reader]]:
    """A table of persons, and one who looks on."""
    room = hall(Clock())
    room.open("aa", opened(game, ["person"] * seats))
    readers = [Reader("aa", token(seat)) for seat in range(seats)] + [Reader("aa")]
    for reader in readers:
        room.join(reader)
    return room, readers


def play(room: Hall, readers: list[Reader], plies: int, seed: int = 1) -> None:
    """Random moves."""
    table, random = room.table("aa"), Random(seed)
    for _ in range(plies):
        turn = table.turn
        assert turn is not None
        move = random.choice(list(table.position.legal_moves))
        room.say(readers[turn], messages.Move(table.ply, move))


@pytest.mark.parametrize(("game", "seats", "plies"), [("chess", 2, 250), ("siguo", 4, 60)])
def test_a_state_does_not_grow_with_the_moves(game: str, seats: int, plies: int) -> None:
    room, readers = seated(game, seats)
    for reader in readers[:-1] if seats == 4 else []:
        room.say(reader, messages.Deploy(SETUP))
    play(room, readers, plies)
    texts = [ply.text for ply in room.table("aa").plies]
    for reader in readers:
        assert reader.moves == texts
        assert max(reader.sizes[-20:]) < reader.sizes[20] + 100
        assert len(reader.state["moves"]) == 1


def test_what_is_taken_back_or_begun_anew_is_told_from_where_it_differs() -> None:
    room, readers = seated("gomoku")
    table = room.table("aa")
    play(room, readers, 10)
    room.say(readers[1], messages.Undo())
    room.say(readers[0], messages.AnswerUndo(True))
    assert [(r.state["since"], r.state["moves"]) for r in readers] == [(9, [])] * 3
    play(room, readers, 2, seed=2)
    assert all(reader.moves == [ply.text for ply in table.plies] for reader in readers)
    room.say(readers[0], messages.Resign())
    for reader in readers[:2]:
        room.say(reader, messages.Rematch())
    play(room, [readers[1], readers[0], readers[2]], 1)
    assert [reader.moves for reader in readers] == [[table.plies[0].text]] * 3


def test_a_client_that_comes_back_is_told_what_is_new() -> None:
    room, readers = seated("gomoku")
    play(room, readers, 6)
    had = messages.Have(*(readers[2].state[name] for name in ("round", "ply", "mark")))
    play(room, readers, 3, seed=2)

    def told(have: messages.Have | None) -> tuple[int, int]:
        back = Reader("aa")
        room.join(back, have)
        return back.state["since"], len(back.state["moves"])

    assert told(None) == (0, 9)
    assert told(had) == (6, 3)
    assert told(messages.Have(had.round, 5, had.mark)) == (0, 9)  # another beginning
    assert told(messages.Have(had.round, 900, had.mark)) == (0, 9)
    assert told(messages.Have(2, had.ply, had.mark)) == (0, 9)
    for seat in (1, 0):
        room.say(readers[seat], messages.Undo())
        room.say(readers[1 - seat], messages.AnswerUndo(True))
    play(room, readers, 4, seed=3)
    assert told(had)[0] in {0, 6}


def test_a_state_that_waits_is_overtaken_and_no_move_is_missed() -> None:
    class Slow:
        """A socket that takes a message when it is told to."""

        def __init__(self) -> None:
            self.heard: list[dict[str, Any]] = []
            self.free = asyncio.Event()

        async def send_text(self, text: str) -> None:
            await self.free.wait()
            self.free.clear()
            self.heard.append(json.loads(text))

    async def trial() -> None:
        slow: Any = Slow()
        person = Person(slow, Bucket(1e9, 1e9))
        writer = asyncio.create_task(person.write())
        random = Random(1)
        plies: list[Ply] = []
        moves: list[str] = []
        for number in range(300):
            if plies and random.random() < 0.3:
                del plies[random.randrange(len(plies)) :]
            plies.append(Ply(0, number, f"m{number}"))
            person.show('{"type":"state"}', Line(1, tuple(plies)))
            if random.random() < 0.3:
                slow.free.set()
                await asyncio.sleep(0)
                await asyncio.sleep(0)
        for _ in range(2):
            slow.free.set()
            await asyncio.sleep(0.01)
        for state in slow.heard:
            moves = [*moves[: state["since"]], *(one["text"] for one in state["moves"])]
        assert moves == [ply.text for ply in plies]
        assert 20 < len(slow.heard) < 200
        writer.cancel()

    asyncio.run(trial())


# ---- a move that is sent again -------------------------------------------------------------------


def test_a_move_that_is_sent_again_is_played_once() -> None:
    room, readers = seated("gomoku")
    table = room.table("aa")
    move = messages.Move(0, 112, readers[0].state["moment"])
    room.say(readers[0], move)
    heard = len(readers[0].sent), len(readers[1].sent)
    room.say(readers[0], move)
    assert table.ply == 1
    assert (len(readers[0].sent), len(readers[1].sent)) == (heard[0] + 1, heard[1])
    assert readers[0].state["ply"] == 1  # the answer is the state, not an error
    play(room, readers, 1)
    room.say(readers[0], move)
    assert table.ply == 2


def test_a_move_of_another_moment_is_refused() -> None:
    room, readers = seated("gomoku")
    table = room.table("aa")
    move = messages.Move(0, 112, readers[0].state["moment"])
    room.say(readers[0], move)
    room.say(readers[0], messages.Undo())
    room.say(readers[1], messages.AnswerUndo(True))
    with pytest.raises(Refused, match="another moment"):
        room.say(readers[0], move)  # taken back is taken back
    room.say(readers[0], messages.Resign())
    for reader in readers[:2]:
        room.say(reader, messages.Rematch(False))
    with pytest.raises(Refused, match="another moment"):
        room.say(readers[0], move)
    assert (table.round, table.ply) == (2, 0)
    room.say(readers[0], messages.Move(0, 112))  # a client that does not say is believed
    with pytest.raises(Refused, match="not your turn"):
        room.say(readers[0], messages.Move(0, 112))


# ---- names and rates -----------------------------------------------------------------------------


def told_to_serve(monkeypatch: pytest.MonkeyPatch, *given: str) -> tuple[Settings, str]:
    """What `tempo play` would serve, and where."""
    called: list[Any] = []
    monkeypatch.setattr(serve, "serve", lambda *args, **_: called.append(args))
    answer = CliRunner().invoke(cli, list(given), catch_exceptions=False)
    assert answer.exit_code == 0, answer.output
    return called[0][0], called[0][1]


def test_beyond_this_machine_only_known_names_are_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("--host", "0.0.0.0", "--allow-host", "Games.Example", "--allow-host", "other.example")
    asked, host = told_to_serve(monkeypatch, *given, "--data", str(tmp_path / "tables.sqlite"))
    assert host == "0.0.0.0"
    with TestClient(create_app(asked), base_url="http://192.168.7.7:8000") as page:

        def status(name: str) -> int:
            return page.get("/api/games", headers={"host": name}).status_code

        assert status("192.168.7.7:8000") == 200  # the address that the connection came to
        assert status("games.example") == status("other.example:8000") == 200
        assert status("localhost:8000") == status("[::1]:8000") == 200
        refused = page.get("/api/games", headers={"host": "evil.example"})
        assert refused.status_code == 403
        assert "--allow-host" in refused.json()["error"]["text"]
        assert status("192.168.7.8") == status("") == 403
        with pytest.raises(WebSocketDisconnect):  # noqa: SIM117
            with page.websocket_connect("/ws", headers={"host": "evil.example"}):
                pass


def test_an_allowed_name_is_a_name(tmp_path: Path) -> None:
    answer = CliRunner().invoke(cli, ["--allow-host", "http://games.example/"])
    assert "takes a name such as games.example" in str(answer.exception)


def test_the_address_for_others_is_printed_with_a_warning_and_told_to_the_page(
    tmp_path: Path,
) -> None:
    assert serve.greeting("http://localhost:8000/", "") == [
        "Tempo is at http://localhost:8000/ (stop it with Ctrl-C)"
    ]
    lines = serve.greeting("http://localhost:8000/", "http://192.168.7.7:8000/")
    assert "http://192.168.7.7:8000/" in lines[1]
    assert "Warning" in lines[2]
    assert "encrypted" in lines[2]
    assert serve.shared("127.0.0.1", 8000) == serve.shared("localhost", 8000) == ""
    assert serve.shared("192.168.7.7", 8000) == "http://192.168.7.7:8000/"
    assert serve.shared("fd00::7", 8000) == "http://[fd00::7]:8000/"
    for address in sockets.own_addresses():
        assert socket.inet_aton(address)
        assert not address.startswith("127.")
    asked = Settings(data=tmp_path / "tables.sqlite", address="http://192.168.7.7:8000/")
    with TestClient(create_app(asked), base_url="http://localhost") as page:
        assert page.get("/api/server").json() == {"address": "http://192.168.7.7:8000/"}


def test_requests_are_limited_by_their_rate(tmp_path: Path) -> None:
    limits = {"requests_per_second": 0.5, "request_burst": 5, "file_burst": 8}
    with TestClient(create_app(settings(tmp_path, **limits))) as page:
        answers = [page.get("/api/games") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        assert answers[5].headers["retry-after"] == "2"
        assert "too many requests; wait 2 seconds" in answers[5].json()["error"]["text"]
        with pytest.raises(WebSocketDisconnect), page.websocket_connect("/ws"):
            pass
        files = [page.get("/static/icon.svg").status_code for _ in range(8)]
        assert files == [200] * 8  # the page itself has a limit of its own


def test_all_connections_of_an_address_share_its_messages(tmp_path: Path) -> None:
    limits = {"messages_of_address": 2, "messages_per_second": 1e9, "burst": 1e9}
    with TestClient(create_app(settings(tmp_path, **limits))) as page:
        body = {"game": "gomoku", "seats": [PERSON, PERSON]}
        made = page.post("/api/tables", json=body).json()
        join = {"type": "join", "table": made["table"]}

        def errors(*said: dict[str, str]) -> int:
            with page.websocket_connect("/ws") as line:
                for one in said:
                    line.send_text(json.dumps(one))
                while (heard := json.loads(line.receive_text()))["type"] not in {"error", "pong"}:
                    pass
                return int(heard["type"] == "error")

        assert [errors(join, {"type": "ping"}) for _ in range(4)] == [0] * 4
        assert errors(join) == 1


def test_rates_of_many_addresses_take_bounded_memory() -> None:
    now = [0.0]
    buckets = Buckets(1.0, 2.0, 100, lambda: now[0])
    assert [buckets.take("10.0.0.1") for _ in range(3)] == [0.0, 0.0, 1.0]
    for number in range(1000):
        assert buckets.take(f"10.1.{number // 250}.{number % 250}") == 0.0
        assert buckets.take("10.0.0.1") > 0  # who goes on asking is not forgotten
    assert len(buckets) == 100
    now[0] = 1.0
    assert buckets.take("10.0.0.1") == 0.0


def test_a_household_of_ipv6_is_one_address() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff:2%eth0") != network("2001:db8:0:1::1")
    assert network("::ffff:10.0.0.1") == network("10.0.0.1") == "10.0.0.1"
    assert network("testclient") == "testclient"
    assert network("no:address") == "no:address"


def test_answers_are_compressed_but_never_those_with_a_secret(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as page:
        for path in ("/static/js/table.js", "/api/games", "/api/picture?game=shogi", "/"):
            answer = page.get(path)
            assert answer.headers["content-encoding"] == "gzip", path
            assert int(answer.headers["content-length"]) < len(answer.content) / 2
        plain = page.get("/static/js/table.js", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        # A client that chooses a part of a compressed answer can guess at the rest (BREACH).
        seats = [{"kind": "person", "name": "A" * 40}, *[{"kind": "open"}] * 3]
        made = page.post("/api/tables", json={"game": "siguo", "seats": seats})
        path = f"/api/tables/{made.json()['table']}"
        body = {"token": made.json()["tokens"]["0"]}
        invites = page.post(f"{path}/invite", json=body)
        code = invites.json()["invites"]["1"]
        taken = page.post(f"{path}/join", json={"invite": code, "name": "A" * 40})
        assert taken.json()["token"]
        for answer in (made, invites, taken):
            assert "content-encoding" not in answer.headers
            assert "AAAA" not in answer.text


# ---- who fits ------------------------------------------------------------------------------------


def test_only_agents_and_runs_that_fit_are_offered(tmp_path: Path) -> None:
    for name, config in {
        "krk": {"ending": "KRK"},
        "kqkr": {"ending": "KQKR"},
        "critic": {"learner": "adp", "game": "gomoku"},
        "small": {"learner": "dqn", "game": "minishogi"},
        "terms": {"learner": "td_leaf", "game": "othello"},
        "odd": {"learner": "dqn", "game": "?("},
        "young": {"learner": "truncated"},
    }.items():
        Run.create(tmp_path / "runs" / name, config)
        if name != "young":
            (tmp_path / "runs" / name / "checkpoint-00000001.safetensors").touch()
    with TestClient(create_app(settings(tmp_path))) as page:

        def offered(**asked: str) -> set[str]:
            told = page.get("/api/agents", params=asked).json()
            levels = [level["agent"] for level in told["levels"]]
            agents = [one["name"] for one in told["agents"]]
            return {*levels, *agents, *(one["agent"] for one in told["runs"])}

        ends = {"tablebase", "endgame", "runs/krk", "runs/kqkr"}
        assert not ends & offered(game="chess")
        assert ends & offered(game="chess", start="KRK") == ends
        rook = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1"
        assert ends & offered(game="chess", start=rook) == ends
        queen = "8/8/8/3K4/8/8/8/q3k3 b - - 0 1"
        assert ends & offered(game="chess", start=queen) == ends - {"runs/krk"}
        assert "runs/critic" in offered(game="gomoku")
        assert "runs/small" in offered(game="minishogi")
        assert "runs/terms" in offered(game="othello")
        for game in ("chess", "shogi"):
            assert not {one for one in offered(game=game) if one.startswith("runs/")}, game
        seat = {"kind": "agent", "agent": "runs/critic"}
        table = page.post("/api/tables", json={"game": "gomoku", "seats": [PERSON, seat]}).json()
        assert "runs/critic" in offered(game="gomoku", table=table["table"])
        for agent, words in {
            "runs/critic": "has learnt gomoku, not chess",
            "runs/terms": "has learnt othello, not chess",
            "runs/krk": "endings of at most 4 pieces",
            "runs/none": "there is no agent",
        }.items():
            wish = {"game": "chess", "seats": [PERSON, {"kind": "agent", "agent": agent}]}
            refused = page.post("/api/tables", json=wish)
            assert refused.status_code == 400
            assert words in refused.json()["error"]["text"]


# ---- dead peers ----------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path, **limits: Any) -> Iterator[int]:
    """A real server in a thread; its port."""
    asked = settings(folder, **limits)
    with sockets.listen("127.0.0.1", 0, 20.0) as listening:
        server = serve.make_server(asked, listening)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


def silent(port: int, join: dict[str, str]) -> socket.socket:
    """A client that joins a table over a WebSocket and then neither reads nor writes."""
    line = socket.create_connection(("127.0.0.1", port), timeout=10)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade"
        f"\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    assert b"101" in line.recv(64)
    text = json.dumps(join).encode()
    line.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)
    return line


def test_a_connection_that_answers_no_ping_is_not_present(tmp_path: Path) -> None:
    with serving(tmp_path, ping_seconds=0.3, pong_seconds=0.4) as port:
        made = _post(port, "/api/tables", {"game": "gomoku", "seats": [PERSON, PERSON]})
        with connect(f"ws://127.0.0.1:{port}/ws") as here:
            join = {"type": "join", "table": made["table"]}
            here.send(json.dumps({**join, "token": made["tokens"]["0"]}))
            gone = silent(port, {**join, "token": made["tokens"]["1"]})
            seen: list[bool] = []
            begun = time.monotonic()
            while seen[-2:] != [True, False] and time.monotonic() - begun < 10:
                message = json.loads(here.recv(timeout=10))
                if message["type"] == "state":
                    seen.append(message["seats"][1]["connected"])
            assert seen == [False, True, False]
            gone.close()


def test_a_client_that_connects_too_often_or_says_nothing_is_dropped(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=3, join_seconds=0.5) as port:
        lines = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(8)]
        for line in lines[6:]:  # six connections, and no more
            with suppress(ConnectionResetError):
                assert line.recv(1) == b""
        begun = time.monotonic()
        for line in lines[:6]:
            with suppress(ConnectionResetError):
                assert line.recv(1) == b""
        assert time.monotonic() - begun < 3
        assert _post(port, "/api/tables", {"game": "gomoku", "seats": [PERSON, PERSON]})["table"]
        for line in lines:
            line.close()


def test_states_are_compressed_and_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    with serving(tmp_path) as port, connect(f"ws://127.0.0.1:{port}/ws") as line:
        assert [type(one).__name__ for one in line.protocol.extensions] == ["PerMessageDeflate"]
        line.send("0" * 10_000_000)  # ten kilobytes on the wire
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def _post(port: int, path: str, body: object) -> Any:
    import urllib.request  # noqa: PLC0415

    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return json.load(answer)
