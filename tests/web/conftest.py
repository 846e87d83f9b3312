"""A real server and a real Chromium for the tests of the page.

Fixtures last for a module and no longer: the browser's driver keeps an event loop running in its
thread, which other tests must not find there.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tempo.runs import Run

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 30_000  # milliseconds; this machine may be busy


class Server:
    """`tempo play` in a process of its own, which may be killed and started again."""

    def __init__(self, data: Path, *given: str) -> None:
        self.data, self.given = data, given
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Starts, and waits until it answers."""
        given = ["play", "--port", str(self.port), "--data", str(self.data), "--workers", "1"]
        given += self.given
        command = [sys.executable, "-c", "from tempo.cli import main; main()", *given]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=self.data.parent)
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{self.url}/api/games", timeout=5).read()
                return
            except OSError:
                assert self.process.poll() is None, "the server has ended"
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Ends it without a word, as a power cut would."""
        self.process.kill()
        self.process.wait()

    def post(self, path: str, body: object) -> Any:
        """The answer to a request."""
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        return json.load(urllib.request.urlopen(request, timeout=20))

    def table(self, game: str, seats: list[str], start: str = "") -> Any:
        """A new table; a seat is `person`, `open` or an agent's name."""
        wishes = [
            {"kind": seat} if seat in {"person", "open"} else {"kind": "agent", "agent": seat}
            for seat in seats
        ]
        return self.post("/api/tables", {"game": game, "seats": wishes, "start": start})


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    """One server for the tests of a module, with the options that its GIVEN names."""
    given = getattr(request.module, "GIVEN", ())
    running = Server(tmp_path_factory.mktemp("page") / "tables.sqlite", *given)
    yield running
    running.kill()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for the tests of a module."""
    if CHROMIUM is None:
        missing = pytest.fail if os.environ.get("CI") else pytest.skip
        missing("Chromium is not installed: apt-get install chromium")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only here

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens the page as a new person: in a context of its own, whose errors fail the test.

    `port` is that of a line to the server; with `clock` the test moves the page's time on.
    """
    contexts, faults = [], []

    def come(
        address: str = "#/new",
        tokens: dict[str, list[str]] | None = None,
        *,
        port: int = 0,
        clock: bool = False,
        **how: Any,
    ) -> Any:
        size = {"width": 1100, "height": 850}
        context = chromium.new_context(**{"viewport": size, "reduced_motion": "reduce", **how})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        kept = {
            table: {"tokens": secrets, "invites": {}, "title": "", "at": 1}
            for table, secrets in (tokens or {}).items()
        }
        if kept:
            text = json.dumps(json.dumps(kept))
            page.add_init_script(f"localStorage.setItem('tempo.tables', {text})")
        if clock:
            page.clock.install()
        page.goto(f"http://127.0.0.1:{port or server.port}/{address}")
        return page

    yield come
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="module")
def run(server: Server) -> Run:
    """A run that has begun, and a report beside it."""
    folder = server.data.parent / "runs"
    young = Run.create(folder / "young", {"about": "learns", "game": "gomoku"})
    for step in range(1, 30):
        young.log({"step": step, "games": 10 * step, "won": step / 60})
    shutil.copytree(ROOT / "docs" / "papers" / "endgames", folder / "paper")
    return young


@pytest.fixture
def sit(visit: Callable[..., Any], server: Server) -> Callable[..., Any]:
    """Opens a new table in a browser that holds all its persons' seats."""

    def open_table(game: str, seats: list[str], start: str = "", **how: Any) -> Any:
        made = server.table(game, seats, start)
        name = made["table"]
        return visit(f"#/table/{name}", {name: list(made["tokens"].values())}, **how)

    return open_table
