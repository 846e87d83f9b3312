"""The command line. Every command says what it cost; with --json it prints exactly one object."""

from __future__ import annotations

import sys

import typer

from tempo.cli import (
    agents,
    comparison,
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
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for part in (page, playing, learning, comparison, reproduction, agents, inspection, making):
    app.registered_commands += part.app.registered_commands
app.add_typer(library.app, name="library")


def main() -> None:
    """Runs the command line; bad input becomes one sentence and exit status 2."""
    from tempo.errors import TempoError, missing_extra  # noqa: PLC0415 - `--help` needs no core

    try:
        app(prog_name="tempo")
    except OSError as error:
        named = error.filename is not None and error.strerror
        fault = f"{error.filename}: {error.strerror}" if named else str(error)
    except (ValueError, MemoryError, RecursionError, TempoError) as error:
        fault = " ".join(str(error).split()) or type(error).__name__
    except ModuleNotFoundError as error:
        told = missing_extra(error)
        if told is None:
            raise
        fault = str(told)
    else:
        return
    print(f"tempo: {fault}", file=sys.stderr)
    sys.exit(2)
