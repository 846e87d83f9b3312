"""The command line. Every command says what it cost; with --json it prints exactly one object."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from tempo.cli import (
    agents,
    comparison,
    completion,
    inspection,
    learning,
    library,
    making,
    page,
    playing,
    reproduction,
)

app = typer.Typer(
    name="tempo",
    help="Board games that teach themselves, with what that learning cost.",
    invoke_without_command=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for part in (page, playing, learning, comparison, reproduction, agents, inspection, making):
    app.registered_commands += part.app.registered_commands
app.add_typer(library.app, name="library")


def _version(asked: bool) -> None:
    """Prints the version and ends."""
    if asked:
        from tempo import __version__  # noqa: PLC0415 - slow to find

        print(f"tempo {__version__}")
        raise typer.Exit


FIRST = (
    ("Play", "tempo play", "every game in your browser"),
    ("Watch it learn", "tempo demo", "a chess ending in about a minute"),
    ("Measure", "tempo match mcts random --game othello", ""),
    ("Train", "tempo train td_leaf --game othello", ""),
    ("Look around", "tempo games", "also agents, learners, recipes"),
    ("Your own game", "tempo new-game hexapawn", "a project in C++"),
)


def _first() -> None:
    """What to do first, for one who has just installed it."""
    print("Board games that teach themselves, with what that learning cost.\n")
    for what, command, result in FIRST:
        print(f"  {what:<16}{command:<26}{result}".rstrip())
    print("\nAll commands: tempo --help. Of one: tempo match --help.")


@app.callback()
def tempo(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Board games that teach themselves, with what that learning cost."""
    if context.invoked_subcommand is None:
        _first()


def main() -> None:
    """Runs the command line; bad input becomes one sentence and exit status 2."""
    if "COMP_LINE" in os.environ and os.environ.get("_TEMPO_COMPLETE") == "complete_bash":
        with completion.for_bash():
            app(prog_name="tempo")
    completion.install_bash_script()
    try:
        app(prog_name="tempo")
    except Exception as error:
        fault = _fault(error)
        if fault is None:
            raise
        print(f"tempo: {fault}", file=sys.stderr)
        sys.exit(2)


def _fault(error: Exception) -> str | None:
    """What is wrong with the input, in a sentence; None for a fault of the program."""
    from tempo.errors import ParseError, TempoError, missing_extra  # noqa: PLC0415 - the core
    from tempo.games import python  # noqa: PLC0415 - `--help` needs none

    told = isinstance(error, ParseError | TempoError)
    if not told and (place := python.place_of(error)):
        return f"{place}: {type(error).__name__}: {error}"
    match error:
        case OSError() if error.filename is not None and error.strerror:
            return f"{error.filename}: {error.strerror}"
        case OSError():
            return str(error)
        case ValueError() | MemoryError() | RecursionError() | TempoError():
            return " ".join(str(error).split()) or type(error).__name__
        case ModuleNotFoundError():
            wanted = missing_extra(error)
            return None if wanted is None else str(wanted)
    return None
