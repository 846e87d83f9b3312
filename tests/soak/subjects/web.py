"""The page's server: messages, requests over HTTP, a hall with tables, and stored events."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import lru_cache, partial
from random import Random
from typing import Any

from web_tables import SETUP, Clock, Recorder, hall, opened, token

from soak.mutating import VALUES, changed, json_bytes
from soak.subject import REFUSALS, Subject
from soak.subjects.files import scratch
from soak.subjects.records import all_texts
from soak.subjects.texts import positions_of
from tempo import games, web
from tempo.web import messages, showing
from tempo.web.clock import ClockRule
from tempo.web.hall import Hall
from tempo.web.messages import Refused
from tempo.web.store import Store
from tempo.web.tables import Table
from tempo.web.thinking import Pool

REFUSED: tuple[type[Exception], ...] = (*REFUSALS, Refused)
SPECS = (*games.names(), "gomoku(size=5)", "jiu(size=6)", "siguo(info=double_open)",
         "siguo(pass_limit=2)")  # fmt: skip
AGENTS = (
    "random",
    "mcts:sims=4",
    "alphabeta:depth=1",
    "club",
    "beginner",
    "mcts:determinizations=2,sims=4",
)
# What fields of messages may hold, by name; a new field without an example fails.
EXAMPLES: Mapping[str, tuple[Any, ...]] = {
    "table": ("abc",),
    "token": ("token-0", "token-1"),
    "invite": ("code",),
    "ply": (0, 1, 2),
    "move": (0, 1, 12, 300),
    "setup": (SETUP,),
    "accept": (True, False),
    "swap": (True, False),
    "agent": AGENTS,
    "seat": (0, 1, None),
    "name": ("Ada",),
    "kind": ("person", "open", "agent"),
    "base": (60, 0.5),
    "increment": (2,),
    "per_move": (30,),
    "ending": ("KRK", "KQK"),
    "game": SPECS,
    "start": ("", {"ending": "KRK"}),
    "clock": (None, {"base": 60}),
    "seats": (
        [{"kind": "person"}, {"kind": "open"}],
        [{"kind": "person"}] * 4,
        [{"kind": "person"}, {"kind": "agent", "agent": "random"}],
    ),
    "seed": (1,),
    "format": ("sgf", "siguo", "pgn", "kif"),
    "round": (0, 1),
    "moves": ([], [0, 1], ["e2e4"], [112, "resign:0"]),
    "seconds": (0.05,),
    "want": (["candidates"],),
    "layout": (True,),
    "tree": ([], [{"move": 112, "parent": -1, "note": "!"}]),
    "headers": (None, {"PB": "Ada"}),
    "result": ("?", "B+"),
    "about": ("Ada",),
}


def dismiss(room: Hall) -> None:
    """Ends the threads of a hall, and choices before they begin: halls are made by the thousand."""
    with contextlib.suppress(RuntimeError):  # where no loop runs there are none
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
    thinkers = room.players._thinkers
    for pool in vars(thinkers).values():
        if isinstance(pool, Pool):
            pool.close()


def example(kind: Any, random: Random) -> dict[str, Any]:
    """A sound message of a kind, as an object of JSON."""
    made = {}
    for item in fields(kind):
        if item.default is MISSING or random.random() < 0.5:
            made[item.name] = random.choice(EXAMPLES.get(item.name, VALUES))
    return made


@lru_cache
def requests() -> list[Any]:
    """Every dataclass of the server whose fields are checked."""
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(web.__path__):
        for thing in vars(importlib.import_module(f"tempo.web.{module.name}")).values():
            if not is_dataclass(thing) or not isinstance(thing, type):
                continue
            if any("check" in item.metadata for item in fields(thing)):
                found[thing.__qualname__] = thing
    return list(found.values())


# ---- messages ------------------------------------------------------------------------------------


def make_message(random: Random) -> bytes | str:
    """A message over the WebSocket, mostly with something wrong."""
    name = random.choice(list(messages._KINDS))
    data: Any = {"type": name, **example(messages._KINDS[name], random)}
    while random.random() < 0.6:
        data = changed(data, random)
    raw = json_bytes(data, random)
    return raw if random.random() < 0.3 else raw.decode("utf-8", "replace")


def read_message(raw: bytes | str) -> str:
    """A message, checked."""
    found = messages.read(raw, 4096)
    assert type(found) in messages._KINDS.values()
    return "accepted"


def make_request(random: Random) -> tuple[int, bytes]:
    """The body of a request, mostly with something wrong."""
    number = random.randrange(len(requests()))
    data: Any = example(requests()[number], random)
    while random.random() < 0.6:
        data = changed(data, random)
    return number, json_bytes(data, random)


def read_request(given: tuple[int, bytes]) -> str:
    """A request, checked."""
    number, raw = given
    kind = requests()[number]
    assert isinstance(
        messages.checked(kind, messages.parse(raw, "request", 65536), "request"), kind
    )
    return "accepted"


# ---- a hall --------------------------------------------------------------------------------------

Deed = tuple[int, float, bytes]  # who, after how many seconds, says what


def make_visit(random: Random) -> tuple[str, tuple[str, ...], bool, list[Deed]]:
    """A table, and what those who are there say."""
    spec = random.choice(SPECS)
    seats = games.load(spec).seats
    kinds = tuple(random.choices(("person", "open", "agent"), (6, 1, 1), k=seats))
    deeds = []
    for _ in range(random.randrange(1, 25)):
        pause = random.choice((0.0, 0.1, 1.0, 40.0, -5.0, 4000.0)) if random.random() < 0.3 else 0.1
        raw = make_message(random)
        deeds.append((random.randrange(seats + 1), pause,
                      raw.encode() if isinstance(raw, str) else raw))  # fmt: skip
    return spec, kinds, random.random() < 0.5, deeds


def visit(given: tuple[str, tuple[str, ...], bool, list[Deed]]) -> str:
    """Everybody is told what they may know, and what was stored gives the same table."""
    return asyncio.run(_visit(*given))  # a loop, for agents that are asked


async def _visit(spec: str, kinds: tuple[str, ...], timed: bool, deeds: list[Deed]) -> str:
    clock = Clock()
    room = hall(clock)
    rule = ClockRule(60, 1, 5) if timed else None
    room.open("aa", opened(spec, kinds, clock=rule, at=clock.now))
    people = [Recorder("aa", token(i) if k == "person" else "") for i, k in enumerate(kinds)]
    people.append(Recorder("aa"))
    for person in people:
        room.join(person)
    done = 0
    try:
        for who, pause, raw in deeds:
            clock.now += pause
            room.tick()
            with contextlib.suppress(Refused):
                room.say(people[who], _meant(room.table("aa"), messages.read(raw, 4096)))
                done += 1
        _same_again(room.table("aa"), Table.replay(room.store.events("aa")), clock.now)
        for person in people:
            assert all(json.loads(text)["type"] == kind.split()[0] for kind, text in person.sent)
            room.leave(person)
    finally:
        dismiss(room)
    return "accepted" if done else "refused: all"


def _meant(table: Table, message: messages.Message) -> messages.Message:
    """Moves are mostly meant for the board at hand; else games would never get anywhere."""
    if isinstance(message, messages.Move) and table.turn is not None and message.move != 300:
        moves = list(table.position.legal_moves)
        return messages.Move(table.ply, moves[message.move % len(moves)])
    return message


def _same_again(one: Table, two: Table, now: float) -> None:
    for seat in (None, *range(len(one.seats))):
        assert showing.state(one, seat, set(), now) == showing.state(two, seat, set(), now)


# ---- stored events -------------------------------------------------------------------------------


Row = tuple[str, int, str]  # a table, the number of an event, its text


@lru_cache
def stored_rows() -> list[Row]:
    """The events of three tables of three games, with some moves each."""
    store, clock = Store(":memory:"), Clock()

    async def play() -> None:
        room = hall(clock, store)
        for number, spec in enumerate(("gomoku", "chess", "siguo")):
            seats = games.load(spec).seats
            first = opened(spec, ["person"] * seats, clock=ClockRule(600, 0, 0), at=clock.now)
            room.open(f"t{number}", first)
            people = [Recorder(f"t{number}", token(seat)) for seat in range(seats)]
            for person in people:
                room.join(person)
                if spec == "siguo":
                    room.say(person, messages.Deploy(SETUP))
            for ply in range(8):
                table = room.table(f"t{number}")
                assert table.turn is not None
                move = list(table.position.legal_moves)[7 * ply % 20]
                room.say(people[table.turn], messages.Move(ply, move))
            room.say(people[0], messages.Name("Ada"))
        dismiss(room)

    asyncio.run(play())
    return list(store._base.execute("SELECT id, number, body FROM events ORDER BY id, number"))


def make_rows(random: Random) -> list[Row]:
    """Events of one table, changed as an older or newer Tempo, or a bad disk, may leave them."""
    name = f"t{random.randrange(3)}"
    rows = [row for row in stored_rows() if row[0] == name]
    made = []
    for _ in range(random.choice((1, 1, 2))):
        _, number, body = random.choice(rows)
        wrong = json_bytes(changed(json.loads(body), random), random)
        made.append((name, number, wrong.decode("utf-8", "replace")))
    return made


def load_rows(rows: list[Row]) -> str:
    """The other tables are served as ever, and so is a new one."""
    store = Store(":memory:")
    whole = {(name, number): body for name, number, body in (*stored_rows(), *rows)}
    found = [(*key, body) for key, body in whole.items()]
    store._base.executemany("INSERT INTO events VALUES (?, ?, ?)", found)
    names = [(name, Clock().now) for name in ("t0", "t1", "t2")]
    store._base.executemany("INSERT INTO tables (id, touched) VALUES (?, ?)", names)
    return asyncio.run(_load(store, rows[0][0]))


async def _load(store: Store, broken: str) -> str:
    clock = Clock()
    room = hall(clock, store)
    await room.load()
    room.tick()
    whole = 0
    for name in ("t0", "t1", "t2"):
        person = Recorder(name, token(0))
        try:
            room.join(person)
            assert json.loads(person.sent[-1][1])["type"] == "state"
            whole += 1
        except Refused:
            if name != broken:
                raise AssertionError(f"{broken} is broken, and {name} is not served") from None
    room.open("new", opened("gomoku", ["person", "person"], at=clock.now))
    dismiss(room)
    store.close()
    return "accepted" if whole == 3 else "set aside"


# ---- over HTTP -----------------------------------------------------------------------------------


@lru_cache
def client() -> Any:
    """The whole application, as a browser meets it; an error within is raised here."""
    from fastapi.testclient import TestClient  # noqa: PLC0415

    from tempo.web.app import Settings, create_app  # noqa: PLC0415
    from tempo.web.limits import Limits  # noqa: PLC0415

    folder = scratch() / "server"
    (folder / "runs").mkdir(parents=True)
    rates = ("per_second", "per_minute", "burst", "messages_of", "strikes")
    wide = Limits(
        **{item.name: 10**9 for item in fields(Limits) if any(r in item.name for r in rates)}
    )
    wide = replace(wide, tables=50, stored_tables=200)
    settings = Settings(folder / "t.sqlite", frozenset({"testserver"}), 1, folder / "runs",
                        folder, None, wide)  # fmt: skip
    found = TestClient(create_app(settings))
    found.__enter__()
    return found


@lru_cache
def routes() -> list[tuple[str, str]]:
    """Every method and path that answers, but those that start programs of their own."""
    known = [
        (method, route.path)
        for route in client().app.routes
        for method in sorted(getattr(route, "methods", None) or ())
    ]
    return [one for one in known if one[0] != "HEAD" and one != ("POST", "/api/analysis")]


def make_call(random: Random) -> tuple[str, str, bytes, dict[str, str]]:
    """A request: method, path with its query, body and headers."""
    method, path = random.choice(routes())
    path = path.replace("{name}", random.choice(("abc", "aa", "t0", "%00", "..", "ü", "a" * 200)))
    query = {
        name: str(random.choice((*EXAMPLES.get(name, ("x",)), *VALUES)))
        for name in ("game", "start", "format", "name", "begin", "mark", "figure")
        if random.random() < 0.3
    }
    body = b""
    if method == "POST":
        _, body = make_request(random)
        if "open" in path:
            body = random.choice(all_texts()).encode("utf-8", "replace")[:4000]
        elif path == "/api/tables" and random.random() < 0.7:
            data: Any = example(messages.NewTable, random)
            body = json_bytes(changed(data, random) if random.random() < 0.7 else data, random)
        elif "replay" in path and random.random() < 0.5:
            position = random.choice(positions_of(random.choice(games.names())))
            line = {"game": position.game, "start": position.text, "moves": []}
            body = json_bytes(changed(line, random) if random.random() < 0.5 else line, random)
    kind = "application/json" if random.random() < 0.95 else "text/plain"
    asked = "&".join(f"{key}={_quoted(value)}" for key, value in query.items())
    return method, f"{path}?{asked}", body, {"content-type": kind}


def _quoted(text: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415

    return quote(text[:2000].encode("utf-8", "surrogatepass"))


def call(given: tuple[str, str, bytes, dict[str, str]]) -> str:
    """Whatever is asked is answered: what was asked for, or what is wrong with it."""
    method, path, body, headers = given
    answer = client().request(method, path, content=body, headers=headers)
    assert answer.status_code < 500 or answer.status_code == 503, answer.text[:500]
    if answer.status_code >= 400:
        return f"refused: {answer.status_code}"
    return "accepted"


# ---- over the WebSocket --------------------------------------------------------------------------


def make_talk(random: Random) -> tuple[str, list[bytes | str]]:
    """A connection: which seat it takes, if any, and what it says."""
    return random.choice(("", "watch", "sit")), [make_message(random) for _ in range(12)]


@lru_cache
def socket_table() -> tuple[str, str]:
    """A table over HTTP, and the token of one of its seats."""
    wish = {"game": "gomoku(size=5)", "seats": [{"kind": "person"}, {"kind": "person"}]}
    made = client().post("/api/tables", json=wish).json()
    return made["table"], made["tokens"]["0"]


def talk(given: tuple[str, list[bytes | str]]) -> str:
    """Every message is answered, and the connection stays."""
    role, said = given
    table, secret = socket_table()
    if client().app.state.server.hall.table(table).count > 10_000:
        socket_table.cache_clear()
    with client().websocket_connect("/ws") as socket:
        if role:
            first = {"type": "join", "table": table}
            socket.send_text(json.dumps({**first, "token": secret} if role == "sit" else first))
            assert json.loads(socket.receive_text())["type"] == "joined"
        for raw in said:
            socket.send_text(raw) if isinstance(raw, str) else socket.send_bytes(raw)
        socket.send_text('{"type":"ping"}')
        refused = 0
        while True:
            answer = json.loads(socket.receive_text())
            if answer["type"] == "error":
                refused += 1
            if answer["type"] == "pong" or (not role and answer.get("about") == "join"):
                break
    return "accepted" if role else "accepted, stranger"


def subjects() -> Iterator[Subject]:
    """Cheap ones first."""
    made = partial(Subject, refusals=REFUSED)
    yield made("web.messages", make_message, read_message, slice=500)
    yield made("web.requests", make_request, read_request, slice=500)
    yield made("web.hall", make_visit, visit, slice=20, weight=3)
    yield made("web.stored", make_rows, load_rows, slice=25, weight=2)
    yield made("web.http", make_call, call, slice=40, weight=3, patience=30, memory=0)
    yield made("web.socket", make_talk, talk, slice=4, weight=2, patience=30, memory=0)
