"""The server as a browser meets it: requests, WebSockets, limits, doors, agents that answer."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocketDisconnect
from web_tables import SETUP

from tempo import agents, games
from tempo.errors import TempoError
from tempo.runs import Run
from tempo.web import bodies, strength, writing
from tempo.web.app import Settings, create_app
from tempo.web.limits import Limits
from tempo.web.messages import Refused
from tempo.web.serve import serve

PERSON: dict[str, object] = {"kind": "person"}
OPEN: dict[str, object] = {"kind": "open"}
PERFECT: dict[str, object] = {"kind": "agent", "agent": "perfect"}
LEARNT: dict[str, object] = {"kind": "agent", "agent": "endgame"}
AGENT: dict[str, object] = {"kind": "agent", "agent": "random"}
KRKB = "8/8/8/3k4/8/1b6/8/R3K3 w - - 0 1"


def settings(folder: Path, limits: Limits | None = None) -> Settings:
    return Settings(
        data=folder / "tables.sqlite",
        hosts=frozenset({"testserver"}),
        workers=1,
        runs=folder / "runs",
        limits=limits or Limits(),
    )


@pytest.fixture
def page(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(settings(tmp_path))) as client:
        yield client


def make(page: TestClient, game: str, *seats: dict[str, object], **more: object) -> dict[str, Any]:
    answer = page.post("/api/tables", json={"game": game, "seats": list(seats), **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def a_run(folder: Path, *, checkpoint: bool = True, **config: object) -> None:
    """A run that can be asked for, and whose checkpoint is torn."""
    Run.create(folder, config)
    if checkpoint:
        (folder / "checkpoint-00000001.safetensors").write_bytes(b"torn")


class Talk:
    """A connection of a test."""

    def __init__(self, socket: Any, table: str, token: str = "") -> None:
        self.socket = socket
        self.moves: list[dict[str, Any]] = []
        self.say(type="join", table=table, **({"token": token} if token else {}))

    def say(self, **message: object) -> None:
        self.socket.send_text(json.dumps(message))

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; others are passed over."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.receive_text())
            if message["type"] == "state":  # with the moves that were not told before
                message["moves"] = [*self.moves[: message["since"]], *message["moves"]]
                self.moves = message["moves"]
                assert len(self.moves) == message["ply"]
            if message["type"] == kind:
                return message

    def state(self, **wanted: object) -> dict[str, Any]:
        """The next state in which these fields have these values."""
        while True:
            state = self.hear("state")
            if all(state[name] == value for name, value in wanted.items()):
                return state


def test_an_agent_answers_and_moves_can_be_taken_back(page: TestClient) -> None:
    made = make(page, "gomoku(size=9)", PERSON, AGENT)
    with page.websocket_connect("/ws") as socket:
        talk = Talk(socket, made["table"], made["tokens"]["0"])
        assert talk.hear("joined")["seat"] == 0
        assert len(talk.hear("layout")["layout"]["places"]) == 81
        first = talk.state(ply=0)
        assert "move" in first["can"]
        talk.say(type="move", ply=0, move=first["scene"]["moves"][40]["move"])
        talk.hear("thinking")
        second = talk.state(ply=2)
        assert (second["turn"], len(second["moves"])) == (0, 2)
        talk.say(type="undo")
        assert talk.state(ply=0)["turn"] == 0
        talk.say(type="resign")
        over = talk.state(phase="over")
        assert over["result"]["words"] == "White wins: resignation"
        talk.say(type="rematch")
        assert talk.state(round=2)["seat"] == 1


def test_four_persons_sit_down_by_invitation_and_come_back_by_token(page: TestClient) -> None:
    made = make(page, "siguo(first=S)", PERSON, OPEN, OPEN, OPEN)
    table, host = made["table"], made["tokens"]["0"]
    path = f"/api/tables/{table}"
    tokens = {0: host}
    with page.websocket_connect("/ws") as socket:
        talk = Talk(socket, table, host)
        assert talk.state()["phase"] == "waiting"
        for seat in (1, 2):
            code = made["invites"][str(seat)]
            taken = page.post(f"{path}/join", json={"invite": code, "name": f"P{seat}"}).json()
            assert taken["seat"] == seat
            tokens[seat] = taken["token"]
            again = page.post(f"{path}/join", json={"invite": code})
            assert again.status_code == 403
        old = made["invites"]["3"]
        assert page.post(f"{path}/invite", json={"token": tokens[1]}).status_code == 403
        new = page.post(f"{path}/invite", json={"token": host}).json()["invites"]
        assert list(new) == ["3"]
        assert page.post(f"{path}/join", json={"invite": old}).status_code == 403
        talk.say(type="fill", agent="club")
        state = talk.state(phase="deploy")
        assert state["seats"][3]["agent"] == "siguo-heuristic"
        assert state["seats"][3]["level"] == "Club player"
        talk.say(type="deploy", setup=SETUP.replace("F", "9"))
        assert "not legal" in talk.hear("error")["text"]
        talk.say(type="deploy", setup=SETUP)
        assert talk.state(version=state["version"] + 1)["deploy"]["setup"] == SETUP
    for seat in (1, 2):
        with page.websocket_connect("/ws") as socket:
            talk = Talk(socket, table, tokens[seat])
            talk.state()
            talk.say(type="deploy", setup=SETUP)
            talk.state(phase="deploy" if seat == 1 else "play")
    with page.websocket_connect("/ws") as socket:
        back = Talk(socket, table, host).state()
        assert (back["phase"], back["seat"], back["turn"]) == ("play", 0, 0)
        assert back["deploy"] is None
        assert len(back["scene"]["moves"]) == 41
    with page.websocket_connect("/ws") as socket:
        looker = Talk(socket, table)
        state = looker.state()
        assert (state["seat"], state["can"], state["scene"]["moves"]) == (None, [], [])
        looker.say(type="resign")
        assert "only watches" in looker.hear("error")["text"]


def test_bad_messages_get_an_answer_and_the_connection_stays(page: TestClient) -> None:
    made = make(page, "chess", PERSON, PERSON)
    with page.websocket_connect("/ws") as socket:
        for raw, words in (
            ("{", "not JSON"),
            ("[" * 3000, "not JSON"),
            ("[]", "a message is an object"),
            ('{"type":"fly"}', "there is no message 'fly'"),
            ('{"type":"move","ply":0,"move":3}', "first say which table"),
            ('{"type":"join","table":"nosuchtable"}', "no such table"),
            ('{"type":"join","table":"../etc"}', "the name of a table"),
            (json.dumps({"type": "join", "table": made["table"], "token": "wrong"}), "no seat"),
            (json.dumps({"type": "join", "table": "a" * 5000}), "too many"),
            ('{"type":"ping","x":NaN}', "not JSON"),
        ):
            socket.send_text(raw)
            error = json.loads(socket.receive_text())
            assert error["type"] == "error"
            assert words in error["text"]
        talk = Talk(socket, made["table"], made["tokens"]["0"])
        assert talk.state()["ply"] == 0
        for message, words in (
            ({"type": "move", "ply": True, "move": 1}, "whole number"),
            ({"type": "move", "ply": 0}, "needs the field 'move'"),
            ({"type": "move", "ply": 0, "move": 1, "more": 1}, "no field 'more'"),
            ({"type": "move", "ply": 0, "move": 1}, "no legal move"),
            ({"type": "deploy", "setup": SETUP}, "nobody deploys"),
            ({"type": "name", "name": "a\x00b"}, "control characters"),
            ({"type": "name", "name": "x" * 41}, "at most 40"),
            ({"type": "replace", "seat": 1, "agent": "random"}, "may come back"),
        ):
            socket.send_text(json.dumps(message))
            assert words in talk.hear("error")["text"]
        socket.send_bytes(b"\xff\xfe")
        assert "not JSON" in talk.hear("error")["text"]
        talk.say(type="ping")
        assert talk.hear("pong")


def test_requests_that_make_no_sense_are_refused(page: TestClient) -> None:
    for body, words in (
        ({"game": "ludo", "seats": [PERSON, AGENT]}, "there is no game 'ludo'"),
        ({"game": "gomoku", "seats": [PERSON]}, "has 2 seats"),
        ({"game": "gomoku", "seats": [OPEN, AGENT]}, "must sit at the table"),
        ({"game": "siguo", "seats": [PERSON, PERSON, AGENT, AGENT]}, "two chairs"),
        ({"game": "gomoku", "seats": [PERSON, AGENT], "start": "nonsense"}, "gomoku"),
        ({"game": "jiu", "seats": [PERSON, AGENT], "start": {"ending": "KRK"}}, "no endings"),
        ({"game": "chess", "seats": [PERSON, AGENT], "start": {"ending": "KNNK"}}, "endings are"),
        ({"game": "chess", "seats": [PERSON, AGENT], "clock": {"base": 0}}, "a second"),
        ({"game": "chess", "seats": [PERSON, AGENT], "clock": {"base": "1"}}, "takes a number"),
        ({"game": "siguo", "seats": [PERSON] + [AGENT] * 3, "clock": {"base": 60}}, "per_move"),
        ({"game": "chess", "seats": [PERSON, PERFECT]}, "at most 4 pieces"),
        ({"game": "chess", "seats": [PERSON, LEARNT], "start": KRKB}, "not KRKB"),
        ({"game": "chess", "seats": "many"}, "a list of one to 4"),
        ({"game": "chess", "seats": [{"kind": "ghost"}, AGENT]}, "person, open or agent"),
    ):
        answer = page.post("/api/tables", json=body)
        assert answer.status_code == 400, body
        assert words in answer.json()["error"]["text"]
    assert page.post("/api/tables", content="{}").status_code == 415
    headers = {"content-type": "application/json"}
    assert page.post("/api/tables", content="x" * 70_000, headers=headers).status_code == 413
    assert page.get("/api/tables/none/record").status_code == 404


def test_refusals_come_in_the_language_of_the_browser(page: TestClient) -> None:
    """A dead link, a used invitation, an editor's board and a position were refused in English."""
    chinese = {"accept-language": "zh-CN,zh;q=0.9"}
    with page.websocket_connect("/ws") as socket:
        socket.send_text(json.dumps({"type": "join", "table": "gone", "language": "zh"}))
        assert json.loads(socket.receive_text())["text"] == "没有这张棋桌"
    seats = [PERSON, PERSON]
    over = {"game": "gomoku(size=5)", "seats": seats, "start": "ooooo/xxxx1/1xxxx/x2x1/5 o"}
    board = {"game": "chess", "placed": {"e1": ["K", 1]}, "side": "w"}
    used = make(page, "gomoku", PERSON, {"kind": "open"})["table"]
    for path, body, said in (
        ("/api/tables", {**over, "start": "3"}, "走棋方"),
        ("/api/tables", {**over, "start": "xxxxx/oooo1/5/5/5 o"}, "终局"),
        (f"/api/tables/{used}/join", {"invite": "x"}, "邀请无效"),
        ("/api/editor", board, "有 0 个王"),
        ("/api/editor", {**board, "placed": {"e9": ["K", 1]}}, "不能"),
    ):
        answer = page.post(path, json=body, headers=chinese)
        assert said in answer.json()["error"]["text"], answer.json()


def test_other_sites_and_other_names_are_turned_away(page: TestClient) -> None:
    evil = {"origin": "http://evil.example"}
    assert page.get("/api/games", headers=evil).status_code == 403
    assert page.post("/api/tables", json={}, headers=evil).status_code == 403
    assert page.get("/api/games", headers={"host": "evil.example"}).status_code == 403
    assert page.get("/api/games", headers={"origin": "http://testserver"}).status_code == 200
    for headers in (evil, {"host": "evil.example"}):
        with pytest.raises(WebSocketDisconnect), page.websocket_connect("/ws", headers=headers):
            pass
    answer = page.get("/api/games")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_too_many_messages_tables_and_connections_are_refused(tmp_path: Path) -> None:
    limits = Limits(burst=5, messages_per_second=0.1, strikes=3, tables_per_minute=2, connections=1)
    with TestClient(create_app(settings(tmp_path, limits))) as page:
        made = make(page, "gomoku", PERSON, PERSON)
        make(page, "gomoku", PERSON, PERSON)
        more = page.post("/api/tables", json={"game": "gomoku", "seats": [PERSON, PERSON]})
        assert more.status_code == 429
        with page.websocket_connect("/ws") as socket:
            talk = Talk(socket, made["table"])
            with pytest.raises(WebSocketDisconnect), page.websocket_connect("/ws"):
                pass
            for _ in range(4):
                talk.say(type="ping")
            for _ in range(4):
                talk.say(type="ping")
            assert "slow down" in talk.hear("error")["text"]
            with pytest.raises(WebSocketDisconnect):
                talk.hear("the end")


def test_a_full_hall_lets_tables_wait_on_disk(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path, Limits(tables=2)))) as page:
        tables = [make(page, "gomoku", PERSON, PERSON) for _ in range(4)]
        for made in tables:
            with page.websocket_connect("/ws") as socket:
                assert Talk(socket, made["table"], made["tokens"]["1"]).state()["seat"] == 1


def test_a_server_that_comes_back_has_every_table(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as page:
        made = make(page, "gomoku", PERSON, PERSON, clock={"base": 60})
        with page.websocket_connect("/ws") as socket:
            talk = Talk(socket, made["table"], made["tokens"]["0"])
            talk.state()
            talk.say(type="move", ply=0, move=112)
            before = talk.state(ply=1)
    with (
        TestClient(create_app(settings(tmp_path))) as page,
        page.websocket_connect("/ws") as socket,
    ):
        after = Talk(socket, made["table"], made["tokens"]["0"]).state()
        assert after["moves"] == before["moves"] == [{"seat": 0, "text": "h8"}]
        assert after["clock"]["seats"][1] == pytest.approx(60, abs=5)


def test_secrets_are_not_on_disk(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as page:
        made = make(page, "siguo", PERSON, OPEN, AGENT, AGENT)
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    assert made["table"].encode() in kept
    for secret in (made["tokens"]["0"], made["invites"]["1"]):
        assert secret.encode() not in kept


def test_an_agent_that_fails_is_replaced(
    page: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    a_run(tmp_path / "runs/torn", learner="adp", game="gomoku")
    made = make(page, "gomoku", PERSON, {"kind": "agent", "agent": "runs/torn"})
    with page.websocket_connect("/ws") as socket:
        talk = Talk(socket, made["table"], made["tokens"]["0"])
        first = talk.state()
        talk.say(type="move", ply=0, move=first["scene"]["moves"][0]["move"])
        while not (state := talk.state(ply=1))["trouble"]:
            pass
        assert "runs/torn cannot go on" in state["trouble"]
        talk.say(type="replace", seat=1, agent="random")
        assert talk.state(ply=2)["trouble"] == ""


def test_a_chess_ending_has_a_verdict(page: TestClient) -> None:
    start = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1"
    made = make(page, "chess", PERSON, AGENT, start=start)
    verdict = page.post(f"/api/tables/{made['table']}/verdict", json={}).json()
    assert verdict["text"].startswith("White mates in 1")
    assert {row["verdict"].partition(" in")[0] for row in verdict["moves"]} <= {"wins", "draws"}
    ending = make(page, "chess", PERSON, AGENT, start={"ending": "KQK"}, seed=3)
    verdict = page.post(f"/api/tables/{ending['table']}/verdict", json={}).json()
    assert verdict["text"].startswith("White mates in")
    board = make(page, "chess", PERSON, AGENT)
    assert page.post(f"/api/tables/{board['table']}/verdict", json={}).status_code == 400


def test_records_can_be_had_in_every_format(page: TestClient) -> None:
    expected = {"gomoku": "sgf psq", "jiu": "sgf", "shogi": "kif csa", "chess": "pgn",
                "siguo": "siguo"}  # fmt: skip
    for game in games.names():
        loaded = games.load(game)
        known = writing.formats(loaded)
        assert set(known) >= {*expected.get(game, "txt").split()}
        other = AGENT if loaded.is_hidden else PERSON
        made = make(page, game, PERSON, *[other] * (loaded.seats - 1))
        with page.websocket_connect("/ws") as socket:
            talk = Talk(socket, made["table"], made["tokens"]["0"])
            state = talk.state()
            if state["turn"] == 0:
                talk.say(type="move", ply=0, move=state["scene"]["moves"][0]["move"])
                talk.state(ply=1)
        for name in known:
            answer = page.get(f"/api/tables/{made['table']}/record?format={name}")
            assert answer.status_code == 200, answer.text
            assert answer.json()["text"]
    assert page.get(f"/api/tables/{made['table']}/record?format=doc").status_code == 400


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(TempoError, match=f"{port} is in use"):
            serve(settings(tmp_path), "127.0.0.1", port)


@pytest.mark.parametrize("game", games.names())
def test_every_level_names_an_agent_that_may_play(game: str) -> None:
    loaded = games.load(game)
    levels = strength.levels(loaded)
    assert len(levels) >= 10
    for level in levels:
        if "jiu-" not in level.agent:  # libraries take a second to read, and one is enough
            assert strength.agent_for(loaded, level.name) == level.spec
            assert strength.agent_for(loaded, level.spec)  # under its own name


@pytest.mark.parametrize(
    "agent",
    [
        "usi:path=/bin/sh", "gnushogi:path=/bin/sh", "endgame:weights=/etc/passwd", "runs/../etc",
        "tablebase:folder=/tmp", "mcts:sims=10000000", "alphabeta:depth=99", "alphabeta:time=1e9",
        "alphabeta:time=nan", "alphabeta:eval=runs/x", "jiu-strong", "mcts:memory=99999", "",
        "nobody", "mcts:", "mcts:threads=64", "critic",
    ],
)  # fmt: skip
def test_an_agent_may_not_read_files_run_programs_or_think_for_ever(agent: str) -> None:
    with pytest.raises(Refused):
        strength.agent_for(games.load("chess"), agent)


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("gomoku", "stand-in:depth=12"), ("gomoku", "gomoku-candidate:depth=12"),
        ("siguo", "mcts:determinizations=5000,time=60"),
        ("siguo", "alphabeta:determinizations=1e3"),
        ("jiu", "jiu-expert:battle=search:999999999"), ("jiu", "jiu-bayes:battle=search:99999999"),
        ("jiu", "jiu-bayes:tables=../x"), ("jiu", "jiu-strong:nodes=99999999999"),
        ("gomoku", "gomoku-strong:fours=100000"), ("gomoku", "gomoku-strong:inner=99999999999"),
        ("shogi", "shogi-strong:table=4096"), ("shogi", "shogi-strong:mate=inf"),
        ("shogi", "shogi-uct:constant=nan"), ("gomoku", "uct:c=1e999"), ("chess", "mcts:rule=7"),
        ("gomoku", "gomoku-strong:eval=/etc"), ("siguo", "siguo-strong:eval=runs/x"),
        ("siguo", "siguo-strong:tells=runs/x"),
    ],
)  # fmt: skip
def test_every_setting_has_a_ceiling(game: str, agent: str) -> None:
    with pytest.raises(Refused):
        strength.agent_for(games.load(game), agent)


def test_sensible_settings_are_let_in() -> None:
    for game, agent in (
        ("gomoku", "stand-in:depth=4,slips=0.1"), ("siguo", "siguo-strong:determinizations=4000"),
        ("jiu", "jiu-expert:battle=search:5000,temperature=0.5"), ("chess", "mcts:rule=tuned,c=2"),
        ("jiu", "jiu-bayes:tables=bayes-3000"), ("shogi", "shogi-strong:eval=static,leaf=3"),
    ):  # fmt: skip
        assert strength.agent_for(games.load(game), agent)


def test_no_number_of_an_agent_is_without_an_opinion() -> None:
    """A new setting that is a number must be said to be bounded, or to cost nothing."""
    listed = set()
    for kind in agents.kinds().values():
        if kind.starts_program:  # which no table does
            continue
        for one in fields(kind.settings):
            if one.type in {"int", "float"}:
                listed.add((kind.settings, one.name))
                known = strength.most_of(kind.name, one.name) is not None
                assert known or one.name in strength._FREE, f"{kind.name}: {one.name}"
    assert len(listed) > 40


def test_an_agent_is_told_to_keep_little() -> None:
    assert strength.bounded("random") == "random"
    assert strength.bounded("alphabeta") == "alphabeta"
    assert strength.bounded("alphabeta:depth=9") == "alphabeta:depth=9"
    assert strength.bounded("mcts:time=2") == "mcts:time=2,memory=64"
    assert strength.bounded("runs/krk") == "runs/krk"


def test_the_catalogue_tells_what_the_page_needs(page: TestClient) -> None:
    listed = page.get("/api/games").json()["games"]
    assert [game["name"] for game in listed] == list(games.names())
    assert next(g for g in listed if g["name"] == "jiu")["profiles"]["competition"]
    told = page.get("/api/agents?game=gomoku").json()
    assert {"levels", "agents", "runs"} == set(told)
    strong = next(row for row in told["agents"] if row["name"] == "gomoku-strong")
    assert any(one["name"] == "time" and one["most"] == 60 for one in strong["settings"])
    assert page.get("/api/agents?game=ludo").status_code == 400
    assert page.get("/api/picture?game=siguo").text.startswith("<svg")
    assert page.get("/api/picture?game=chess&start=zzz").status_code == 400
    assert len({page.get("/api/setup?game=siguo").json()["setup"] for _ in range(5)}) == 5
    assert page.get("/api/setup?game=siguo(hq=one)").json()["setup"].split("/")[5][1] == "F"
    for other in ("gomoku", "ludo"):
        assert page.get(f"/api/setup?game={other}").status_code == 400


def test_the_page_goes_on_while_an_agent_thinks(page: TestClient) -> None:
    slow = make(page, "gomoku", PERSON, {"kind": "agent", "agent": "gomoku-strong:time=1.5"})
    with page.websocket_connect("/ws") as socket:
        talk = Talk(socket, slow["table"], slow["tokens"]["0"])
        talk.state()
        talk.say(type="move", ply=0, move=112)
        talk.hear("thinking")
        begun = time.monotonic()
        for _ in range(5):
            talk.say(type="ping")
            talk.hear("pong")
        assert time.monotonic() - begun < 1.0
        talk.say(type="undo")  # the answer to a move that was taken back is dropped
        assert talk.state(ply=0)["turn"] == 0
        talk.say(type="move", ply=0, move=100)
        assert talk.state(ply=2)["moves"][0]["text"] != "h8"


@pytest.mark.parametrize(
    ("host", "share"),
    [
        ("192.0.2.7", "192.0.2.7"), ("::1", "::/64"), ("testclient", "testclient"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)  # fmt: skip
def test_a_host_has_one_share_whatever_address_it_takes(host: str, share: str) -> None:
    scope = {"type": "http", "headers": [], "client": (host, 1)}
    assert bodies.address_of(HTTPConnection(scope)) == share


def test_a_client_that_hangs_up_in_a_request_is_no_error() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    request = Request({"type": "http", "headers": [], "method": "POST"}, receive)
    with pytest.raises(Refused, match="ended before"):
        asyncio.run(bodies.read_bytes(request, 100, "table"))
