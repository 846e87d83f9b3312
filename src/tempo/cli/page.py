"""`tempo play`: the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from tempo.cli.common import cores_or, game_given

app = typer.Typer()


@app.command(epilog="Example: tempo play --port 8080")
def play(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0: for other computers, too.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
    data: Annotated[Path | None, typer.Option(help="The file that keeps the tables.")] = None,
    runs: Annotated[Path, typer.Option(help="Runs to play against and to look at.")] = Path("runs"),
    reports: Annotated[
        Path, typer.Option(help="Reports of papers to look at, as a checkout has them.")
    ] = Path("docs/papers"),
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Agents that think at a time.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A further name under which the server is reached; may be repeated."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(help="A further game: its Python file, or openspiel:NAME; may be repeated."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="An agent of your own, as corner.py:Corner; may be repeated."),
    ] = None,
    allow_training: Annotated[
        bool, typer.Option("--allow-training", help="Let visitors of the page start trainings.")
    ] = False,
    learn: Annotated[
        str | None,
        typer.Option(help="A run in --runs that learns from the games it plays here: its name."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = False,
) -> None:
    """Open a page to play and to study all games."""
    from tempo.agents.own import offer  # noqa: PLC0415
    from tempo.games import load  # noqa: PLC0415
    from tempo.web.app import Settings  # noqa: PLC0415 - `tempo --help` needs no server
    from tempo.web.serve import default_data, serve  # noqa: PLC0415

    for one in game or []:
        load(game_given(one))
    for one in agent or []:
        offer(str(Path(one).absolute()))
    settings = Settings(
        data=data or default_data(),
        hosts=Settings.hosts | {_host_name(name) for name in allow_host or []},
        workers=workers or max(2, cores_or(None)),
        runs=runs,
        reports=reports,
        allow_training=allow_training,
        learn=runs / learn if learn else None,
    )
    serve(settings, host, port, open_browser=browser)


def _host_name(text: str) -> str:
    """A name as requests carry it: small letters, without a scheme, a port or a path."""
    from tempo.errors import TempoError  # noqa: PLC0415

    name = text.strip().lower()
    if not re.fullmatch(r"[a-z0-9_.-]+|\[[0-9a-f:.]+\]", name):
        raise TempoError(f"--allow-host takes a name such as games.example, not {text!r}")
    return name
