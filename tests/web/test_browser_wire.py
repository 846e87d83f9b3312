"""The page in a real browser over a line that fails: nobody waits in vain, no move is lost."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

Visit = Callable[..., Any]


class Proxy:
    """A line to the server that can be cut: in one direction, in both, for good."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.mute = ""  # "up": nothing reaches the server; "down": nothing comes back; "both"
        self._ends: dict[socket.socket, tuple[socket.socket, str]] = {}
        self._held: list[tuple[socket.socket, bytes]] = []
        self._ready = selectors.DefaultSelector()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._ready.register(self._listening, selectors.EVENT_READ)
        self._running = True
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def heal(self) -> None:
        """What was held is delivered, late, and all works again."""
        self.mute = ""

    def drop(self) -> None:
        """Nothing that was held is delivered; all works again for new connections."""
        self._held.clear()
        self.mute = "drop"

    def close(self) -> None:
        self._running = False
        self._thread.join()
        for end in [*self._ends, self._listening]:
            end.close()

    def _run(self) -> None:
        while self._running:
            if not self.mute:
                for end, data in self._held:
                    self._send(end, data)
                self._held.clear()
            for key, _ in self._ready.select(0.02):
                if key.fileobj is self._listening:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._ends:
                    self._pass_on(key.fileobj)
            if self.mute == "drop":
                for end in list(self._ends):
                    self._forget(end)
                self.mute = ""

    def _accept(self) -> None:
        near, _ = self._listening.accept()
        far = socket.create_connection(("127.0.0.1", self.target))
        self._ends |= {near: (far, "up"), far: (near, "down")}
        for end in (near, far):
            self._ready.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        other, way = self._ends[end]
        try:
            data = end.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._forget(end)
            self._forget(other)
        elif self.mute in {way, "both"}:
            self._held.append((other, data))
        else:
            self._send(other, data)

    def _send(self, end: socket.socket, data: bytes) -> None:
        with contextlib.suppress(OSError):
            end.sendall(data)

    def _forget(self, end: socket.socket) -> None:
        if self._ends.pop(end, None):
            self._ready.unregister(end)
            end.close()


@pytest.fixture
def proxy(server: Any) -> Iterator[Proxy]:
    line = Proxy(server.port)
    yield line
    line.close()


def moves(server: Any, table: str) -> int:
    """How many stones the server's record of a game has."""
    text = server.post(f"/api/tables/{table}/record", {"format": "sgf"})["text"]
    return int(text.count(";B[") + text.count(";W["))


@pytest.mark.parametrize("way", ["up", "down"])
def test_a_move_over_a_dead_line_is_shown_at_once_and_played_once(
    visit: Visit, server: Any, proxy: Proxy, way: str
) -> None:
    made = server.table("gomoku(size=9)", ["person", "open"])
    name = made["table"]
    tokens = {name: list(made["tokens"].values())}
    guest = visit(f"#/join/{name}/{made['invites']['1']}")
    guest.get_by_role("button", name="Take the seat").click()
    page = visit(f"#/table/{name}", tokens, port=proxy.port, clock=True)
    page.locator('[data-place="e5"].may').wait_for()
    proxy.mute = way
    page.locator('[data-place="e5"]').click()
    page.locator(".piece.pending").wait_for()  # at once, and before anybody says so
    assert page.locator(".status").inner_text() == "Sending your move…"
    assert page.locator(".may").count() == 0
    assert page.locator("#banner").is_hidden()
    page.clock.fast_forward(6000)
    page.get_by_text("Connection lost – reconnecting… Your move e5 will be sent then").wait_for()
    if way == "down":
        guest.locator('[data-place="e5"][aria-label*="black stone"]').wait_for()
    proxy.heal()
    page.clock.fast_forward(2000)
    page.locator("#banner").wait_for(state="hidden")
    page.locator('[data-place="e5"][aria-label*="black stone"]').wait_for()
    guest.locator('[data-place="e6"].may').click()
    page.locator('[data-place="e6"][aria-label*="white stone"]').wait_for()
    assert page.locator(".piece.pending").count() == 0
    assert page.locator(".list li").count() == moves(server, name) == 2
    page.locator('[data-place="d5"].may').click()
    guest.locator('[data-place="d5"][aria-label*="black stone"]').wait_for()


def test_a_silent_server_is_noticed_without_a_move(sit: Visit, proxy: Proxy) -> None:
    page = sit("chess", ["person", "random"], port=proxy.port, clock=True)
    page.locator('[data-place="e2"].may').wait_for()
    proxy.mute = "both"
    for _ in range(3):
        page.clock.fast_forward(4000)
    page.get_by_text("Connection lost – reconnecting…").wait_for()
    proxy.drop()
    page.clock.fast_forward(9000)
    page.locator("#banner").wait_for(state="hidden")
    page.drag_and_drop('[data-place="e2"]', '[data-place="e4"]')
    page.locator('[data-place="e4"][aria-label^="white pawn"]').wait_for()


def test_a_move_made_while_the_line_is_down_is_sent_when_it_is_back(
    sit: Visit, proxy: Proxy
) -> None:
    page = sit("chess", ["person", "random"], port=proxy.port, clock=True)
    page.locator('[data-place="e2"].may').wait_for()
    proxy.mute = "both"
    for _ in range(3):
        page.clock.fast_forward(4000)
    page.get_by_text("Connection lost").wait_for()
    page.locator('[data-place="e2"]').click()
    page.locator('[data-place="e4"]').click()
    page.get_by_text("Your move e2e4 will be sent then").wait_for()
    box = page.locator(".piece.pending").bounding_box()
    place = page.locator('[data-place="e4"]').bounding_box()
    assert abs(box["x"] + box["width"] / 2 - place["x"] - place["width"] / 2) < 6
    proxy.drop()
    page.clock.fast_forward(9000)
    page.locator('[data-place="e4"][aria-label^="white pawn"]').wait_for()
    page.locator("#banner").wait_for(state="hidden")


def test_the_lobby_leaves_late_answers_for_another_game_alone(visit: Visit) -> None:
    page = visit("#/new/gomoku")
    page.locator("#start").wait_for()
    held: list[Any] = []
    page.route("**/api/agents?game=chess", lambda route: held.append(route))  # noqa: PLW0108
    game = page.get_by_label("Game", exact=True)
    game.select_option("chess")
    page.get_by_role("heading", name="New game: Chess").wait_for()
    game.select_option("jiu")
    page.get_by_label("Who plays").get_by_text("otherwise: places by an expert").first.wait_for()
    assert len(held) == 1
    with page.expect_response("**/api/agents?game=chess"):
        held[0].continue_()
    page.wait_for_timeout(100)
    assert "otherwise: places by an expert" in page.locator(".chairs").inner_text()
    page.get_by_role("button", name="Start the game").click()
    page.locator('svg[aria-label="Jiu board"]').wait_for()


def test_agents_of_endings_are_offered_where_there_is_an_ending(visit: Visit) -> None:
    page = visit("#/new/chess")
    page.get_by_label("Preview").get_by_text("chess-rules").wait_for()
    black = page.get_by_label("Strength of Black")
    assert black.get_attribute("max") == "9"
    black.fill("3")
    page.locator("summary", has_text="Start from").click()
    page.get_by_label("Or a random position of an ending").select_option("KRK")
    page.locator('input[aria-label="Strength of Black"][max="10"]').wait_for()
    assert black.input_value() == "3"  # what was chosen stays chosen
    black.fill("10")
    page.locator(".step", has_text="Perfect").wait_for()
    page.get_by_role("button", name="Start the game").click()
    page.locator('svg[aria-label="Chess board"]').wait_for()


def test_an_invitation_carries_the_address_that_others_can_reach(visit: Visit, server: Any) -> None:
    made = server.table("gomoku(size=9)", ["person", "open"])
    name = made["table"]
    page = visit("#/new")
    page.route(
        "**/api/server", lambda route: route.fulfill(json={"address": "http://192.168.7.7:8000/"})
    )
    kept = {name: {"tokens": [made["tokens"]["0"]], "invites": made["invites"], "at": 1}}
    page.evaluate("kept => localStorage.setItem('tempo.tables', JSON.stringify(kept))", kept)
    page.evaluate(f"location.hash = '#/table/{name}'")
    link = page.get_by_label("Invitation link")
    link.wait_for()
    page.wait_for_function("document.querySelector('.invite input').value.startsWith('http://192')")
    assert link.input_value() == f"http://192.168.7.7:8000/#/join/{name}/{made['invites']['1']}"
