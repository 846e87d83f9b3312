"""`tempo play`: the page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


@app.command(epilog="Example: tempo play --port 8080")
def play(
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0: everywhere.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
    data: Annotated[Path | None, typer.Option(help="The file that keeps the tables.")] = None,
    runs: Annotated[Path, typer.Option(help="Runs to play against and to look at.")] = Path("runs"),
    reports: Annotated[
        Path, typer.Option(help="Reports of papers to look at, as a checkout has them.")
    ] = Path("docs/papers"),
    workers: Annotated[int | None, typer.Option(min=1, help="Agents that think at a time.")] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A further name under which the server is reached.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = False,
) -> None:
    """Open a page to play and to study all games."""
    from tempo.errors import TempoError  # noqa: PLC0415 - `tempo --help` needs no server

    try:
        from tempo.web.app import Settings  # noqa: PLC0415
        from tempo.web.serve import LOCAL, default_data, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tempo"):
            raise
        raise TempoError("the page needs more: pip install 'tempo-games[web]'") from error
    names = {"localhost", "127.0.0.1", "[::1]", *(allow_host or [])}
    settings = Settings(
        data=data or default_data(),
        hosts=frozenset(names) if host in LOCAL or allow_host else None,
        workers=workers or max(1, os.cpu_count() or 1),
        runs=runs,
        reports=reports,
    )
    serve(settings, host, port, open_browser=browser)
