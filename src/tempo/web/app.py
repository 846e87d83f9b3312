"""The server: pages, requests and WebSockets. `create_app` makes it, `tempo play` runs it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

from tempo import agents, texts
from tempo.cluster.cores import cores
from tempo.games.chess.tablebase import Tablebase
from tempo.web import (
    analysis,
    catalogue,
    dealing,
    editor,
    hinting,
    learning,
    messages,
    opening,
    replay,
    runs,
    training,
    writing,
)
from tempo.web.bodies import address_of, read_json
from tempo.web.doors import Doors
from tempo.web.hall import Hall
from tempo.web.limits import Bucket, Buckets, Limits, allow_files
from tempo.web.messages import Refused
from tempo.web.online import OnlineLearner
from tempo.web.person import Person
from tempo.web.store import Store
from tempo.web.thinking import Thinkers
from tempo.web.workers import Terms, Workers

STATIC = Path(__file__).parent / "static"
TICK = 0.2  # seconds between looks at the clocks
PACKED = 1000  # bytes of an answer from which on it is compressed
TEXTS = {"learn", "study"}  # parts of the catalogue that some rooms of the page need
FILES = 200  # open files besides connections
SWEEP = 60.0  # seconds between looks for tables that nobody uses
log = logging.getLogger("tempo.web")


@dataclass(frozen=True)
class Settings:
    """The settings of `tempo play`."""

    data: Path | str
    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "[::1]"})
    workers: int = field(default_factory=lambda: max(2, cores()))  # one for others
    runs: Path = Path("runs")
    reports: Path = Path("docs/papers")
    tablebases: Path | None = None
    limits: Limits = field(default_factory=Limits)
    allow_training: bool = False  # whether guests may start trainings
    learn: Path | None = None  # the run that learns from its games at the tables
    address: str = ""  # where other computers find the server, for invitations


class Server:
    """What the routes share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.thinkers = Thinkers(settings.workers, self.limits)
        self.studies = Workers(
            Terms(
                workers=self.limits.study_workers,
                waiting=self.limits.studies_waiting,
                of_address=self.limits.studies_of_address,
                seconds=self.limits.study_seconds,
                memory=self.limits.worker_mebibytes,
            )
        )
        self.online = OnlineLearner(settings.learn) if settings.learn else None
        ended = self.online.ended if self.online else None
        self.hall = Hall(Store(settings.data), self.thinkers, self.limits, ended=ended)
        self.tablebase = Tablebase(settings.tablebases)
        self.trainings = training.Trainings(
            settings.runs, self.limits, allowed=settings.allow_training
        )
        self.connections = 0
        self.of_address: dict[str, int] = {}
        per_minute, most = self.limits.tables_per_minute, self.limits.addresses
        self.makers = Buckets(per_minute / 60, per_minute, most)
        per_second = self.limits.messages_of_address
        self.talkers = Buckets(per_second, 4 * per_second, most)

    async def take_up(self) -> None:
        """Resumes the tables of the last server."""
        count = await self.hall.load()
        if count:
            log.info("%d tables resumed", count)

    async def run_clocks(self) -> None:
        """Watches clocks and idle tables until the server ends."""
        swept = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            try:
                self.hall.tick()
                if time.monotonic() - swept > SWEEP:
                    swept = time.monotonic()
                    self.hall.sweep()
            except Exception:  # one bad table must not stop all clocks
                log.exception("watching the clocks")

    def may_make(self, address: str) -> None:
        """Refuses an address that makes tables too fast."""
        if self.makers.take(address):
            raise Refused("tables", "too many new tables; wait a little", 429)

    async def aside(self, work: Callable[..., Any], *given: Any) -> Any:
        """Runs something slow without holding the page up."""
        return await self.thinkers.run(work, *given)


def create_app(settings: Settings) -> FastAPI:
    """The server for these settings."""
    agents.kinds()  # imported now, not in the first request
    server = Server(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        allow_files(2 * server.limits.connections + FILES)
        tables = asyncio.create_task(server.take_up())
        clocks = asyncio.create_task(server.run_clocks())
        warm = asyncio.create_task(server.thinkers.start())
        yield
        clocks.cancel()
        tables.cancel()
        server.hall.players.close()
        if server.online:
            await server.online.close()
        await server.trainings.close()
        await server.studies.close()
        await server.thinkers.close()
        await warm
        server.hall.store.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.server = server
    app.add_middleware(GZipMiddleware, minimum_size=PACKED, compresslevel=6)
    app.add_middleware(Doors, hosts=settings.hosts, limits=settings.limits)
    app.add_exception_handler(Refused, _refused)
    _add_pages(app)
    _add_requests(app, server)
    _add_tables(app, server)
    for room in (analysis, replay, runs, learning, hinting, editor, training):
        app.include_router(room.router)

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        await _talk(server, socket)

    return app


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, Refused):
        raise error
    return JSONResponse({"error": error.to_json()}, status_code=error.status)


def _add_pages(app: FastAPI) -> None:
    @app.get("/")
    async def index() -> Response:
        page = STATIC / "index.html"
        if not page.is_file():
            return PlainTextResponse("Tempo runs; its page is not installed.", status_code=404)
        return FileResponse(page)

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def _add_requests(app: FastAPI, server: Server) -> None:
    @app.get("/api/games")
    async def games() -> Response:
        return JSONResponse({"games": catalogue.games()})

    @app.get("/api/texts")
    async def words(language: str, part: str = "") -> Response:
        found = texts.catalogue(texts.known(language), part if part in TEXTS else "")
        page = {key: text for key, text in found.items() if not key.startswith("core.")}
        return JSONResponse(page)

    @app.get("/api/layout")
    async def layout(game: str, side: int = 0) -> Response:
        return JSONResponse(catalogue.layout(game, side))

    @app.get("/api/server")
    async def about_server() -> Response:
        return JSONResponse({"address": server.settings.address})

    @app.get("/api/agents")
    async def agents(game: str, start: str = "", table: str = "") -> Response:
        if table and not (found := server.hall.table(table)).game.is_hidden and found.positions:
            game, start = found.game.spec, found.position.text
        return JSONResponse(await server.aside(catalogue.agents, game, start, server.settings.runs))

    @app.get("/api/setup")
    async def setup(game: str) -> Response:
        return JSONResponse({"setup": dealing.drawn(opening.game_of(game))})

    @app.get("/api/picture")
    async def picture(game: str, start: str = "", portrait: bool = False) -> Response:
        drawn = catalogue.portrait(game) if portrait else catalogue.picture(game, start)
        return Response(drawn, media_type="image/svg+xml")


def _add_tables(app: FastAPI, server: Server) -> None:
    longest = server.limits.body_bytes

    @app.post("/api/tables")
    async def make(request: Request) -> Response:
        wish = await read_json(request, messages.NewTable, "table", longest)
        address = address_of(request)
        server.may_make(address)
        made = await server.aside(opening.make, wish, server.tablebase, server.settings.runs)
        server.hall.open(made.name, made.opened, address)
        return JSONResponse(
            {"table": made.name, "tokens": made.tokens, "invites": made.invites}, status_code=201
        )

    @app.post("/api/tables/{name}/join")
    async def join(name: str, request: Request) -> Response:
        wish = await read_json(request, messages.TakeSeat, "join", longest)
        seat, token = server.hall.take_seat(name, wish.invite, wish.name)
        return JSONResponse({"seat": seat, "token": token})

    @app.post("/api/tables/{name}/invite")
    async def invite(name: str, request: Request) -> Response:
        wish = await read_json(request, messages.Invite, "invite", longest)
        return JSONResponse({"invites": server.hall.invite(name, wish.token)})

    @app.get("/api/tables/{name}/record")
    async def public_record(name: str, format: str = "") -> Response:  # noqa: A002
        return JSONResponse(writing.record(server.hall.table(name), None, format))

    @app.post("/api/tables/{name}/record")
    async def record(name: str, request: Request) -> Response:
        wish = await read_json(request, messages.WantRecord, "record", longest)
        hall = server.hall
        table = hall.earlier(name, wish.round) if wish.round else hall.table(name)
        seat = table.seat_of(opening.digest(wish.token))
        return JSONResponse(writing.record(table, seat, wish.format))

    @app.post("/api/tables/{name}/verdict")
    async def verdict(name: str, request: Request) -> Response:
        await read_json(request, messages.Nothing, "verdict", longest)
        table = server.hall.table(name)
        if not table.positions or not table.game.description.endings:
            raise Refused("verdict", "only chess endings have exact verdicts")
        answer = await analysis.verdict(server, table, request)
        return JSONResponse({"ply": table.ply, **answer})


async def _talk(server: Server, socket: WebSocket) -> None:
    """One connection from its first message to its end."""
    address = address_of(socket)
    of_address = server.of_address.get(address, 0)
    limits = server.limits
    full = server.connections >= limits.connections or of_address >= limits.connections_of_address
    if full:
        await socket.close(1013)
        return
    await socket.accept()
    server.connections += 1
    server.of_address[address] = of_address + 1
    pace = Bucket(limits.states_per_second, 3 * limits.states_per_second)
    person = Person(socket, pace, address)
    reader = asyncio.create_task(_converse(server, person, socket, address))
    writer = asyncio.create_task(person.write())
    try:
        await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
    finally:
        reader.cancel()
        writer.cancel()
        server.connections -= 1
        server.of_address[address] -= 1
        if not server.of_address[address]:
            del server.of_address[address]
        server.hall.leave(person)
    with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
        await reader  # RuntimeError: closed while being read


async def _converse(server: Server, person: Person, socket: WebSocket, address: str) -> None:
    limits = server.limits
    bucket = Bucket(limits.messages_per_second, limits.burst)
    strikes = 0
    while True:
        wait = None if person.joined else limits.join_seconds
        try:
            raw = await asyncio.wait_for(_receive(socket), wait)
        except TimeoutError:
            await socket.close(1008)
            return
        try:
            if not bucket.take(time.monotonic()) or server.talkers.take(address):
                strikes += 1
                if strikes > limits.strikes:
                    await socket.close(1008)
                    return
                raise Refused("rate", "too many messages; slow down", 429)
            message = messages.read(raw, limits.message_bytes)
            await _carry_out(server, person, message)
        except Refused as error:
            person.refuse(error)


async def _receive(socket: WebSocket) -> str | bytes:
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    text: str | None = received.get("text")
    data: bytes | None = received.get("bytes")
    return text if text is not None else data or b""


async def _carry_out(server: Server, person: Person, message: messages.Message) -> None:
    hall = server.hall
    if isinstance(message, messages.Join) and not person.joined:
        person.table, person.digest = message.table, opening.digest(message.token)
        person.speech = texts.known(message.language), message.plain
        try:
            hall.join(person, message.have)
            person.joined = True
        finally:
            if not person.joined:
                person.table, person.digest = "", ""
        return
    if not person.joined:
        raise Refused("join", 'first say which table: {"type":"join","table":...}')
    if isinstance(message, messages.Fill | messages.Replace):
        message = await server.aside(
            catalogue.resolved, hall.table(person.table), message, server.settings.runs
        )
    hall.say(person, message)
