"""`tempo new-game`: a project to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from tempo.cli.common import Json, print_json

app = typer.Typer()


@app.command("new-game", epilog="Example: tempo new-game hexapawn --into hexapawn")
def new_game(
    name: Annotated[str, typer.Argument(help="The game's name: small letters, digits and _.")],
    into: Annotated[
        Path | None, typer.Option("--into", help="A new or empty folder; tempo-NAME if not given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a project with a game of your own in C++: tic-tac-toe, until you change it."""
    from tempo import templates  # noqa: PLC0415

    folder = templates.write_game(name, into)
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    if as_json:
        print_json({"game": name, "folder": str(folder), "files": files})
        return
    path = folder if folder.is_absolute() else f"./{folder}"  # else pip takes it for a name
    print(f"{folder} holds a game that builds and passes its tests: cpp/{name}.h has the rules.")
    print(f"  pip install --no-build-isolation {shlex.quote(str(path))}")
    print(f"  tempo match alphabeta random --game {name}")
