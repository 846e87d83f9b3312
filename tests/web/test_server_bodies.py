"""Requests whose connection ends in the middle: no error of the server, nothing in its log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tempo.web.app import Settings, create_app

PATHS = ("/api/tables", "/api/tables/abc/join", "/api/replay/open", "/api/replay/scene")


@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_breaks_off_is_a_refusal(tmp_path: Path, path: str) -> None:
    hosts = frozenset({"testserver"})
    app = create_app(Settings(tmp_path / "tables.sqlite", hosts, 1, tmp_path / "runs"))
    headers = [(b"host", b"testserver"), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "scheme": "http",
        "query_string": b"", "headers": headers, "http_version": "1.1", "root_path": "",
        "client": ("127.0.0.1", 5), "server": ("testserver", 80),
    }  # fmt: skip
    coming: list[dict[str, Any]] = [
        {"type": "http.request", "body": b'{"game": ', "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return coming.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 400
