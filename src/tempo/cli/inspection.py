"""Commands that look: games, move trees, the behaviour number, speed."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any

import typer

from tempo.cli import completion
from tempo.cli.common import Json, game_given, print_json, say

app = typer.Typer()


@app.command("games", epilog="Example: tempo games jiu")
def list_games(
    game: Annotated[
        str | None,
        typer.Argument(help="One game, for its rule options.", autocompletion=completion.games),
    ] = None,
    as_json: Json = False,
) -> None:
    """The games; with a name, its rule options."""
    from tempo import games  # noqa: PLC0415

    names = [game_given(game)] if game else games.names()
    known = [games.load(name) for name in names]
    for fault in games.broken().values():
        print(f"tempo: {fault}", file=sys.stderr)
    if as_json:
        print_json({"games": [_game_json(one) for one in known]})
    elif game:
        _print_options(known[0])
    else:
        width = max(len(one.name) for one in known) + 2
        for one in known:
            say().print(f"[bold]{one.name:<{width}}[/]{one.summary}", soft_wrap=True)
        say().print("\nRule options: [bold]tempo games jiu[/]. They follow the name: "
                    "[bold]gomoku(size=9)[/].")  # fmt: skip


def _print_options(game: Any) -> None:
    """Every rule option with its default, then what it may be and what it means."""
    console = say()
    console.print(f"[bold]{game.name}[/]  {game.summary}", soft_wrap=True)
    console.print(f"{len(game.seat_names)} seats: {', '.join(game.seat_names)}")
    console.print(f"rules version {game.rules_version}")
    for field in game.option_fields:
        console.print(f"  [bold]{field.name}={field.default}[/]", highlight=False)
        for line in (field.help, field.choices):
            indent = " " * 6
            print(fill(line, 80, initial_indent=indent, subsequent_indent=indent))


def _game_json(game: Any) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules_version": game.rules_version,
        "summary": game.summary,
        "seats": list(game.seat_names),
        "options": [vars(field) for field in game.option_fields],
    }


@app.command(
    epilog="Example: tempo perft chess 5 --position 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'"
)
def perft(
    game: Annotated[
        str,
        typer.Argument(
            help="The game with its options, or its Python file.", autocompletion=completion.games
        ),
    ],
    depth: Annotated[int, typer.Argument(min=0, max=1000, help="How many moves deep.")],
    position: Annotated[str | None, typer.Option("--position", "-p", help="Its text.")] = None,
    divide: Annotated[bool, typer.Option(help="Count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move tree: the standard check of a game's rules."""
    from tempo.games import load  # noqa: PLC0415

    loaded = load(game_given(game))
    start = loaded.start() if position is None else loaded.parse(position)
    if divide and depth > 0 and not as_json:
        for move, count in loaded.core.divide(start, depth):
            print(f"{move:>8} {count:>16,}")
    begun = time.perf_counter()
    nodes = loaded.perft(depth, start)
    seconds = time.perf_counter() - begun
    if as_json:
        print_json(
            {"game": loaded.spec, "position": start.text, "depth": depth, "nodes": nodes,
             "seconds": seconds}
        )  # fmt: skip
    else:
        speed = f", {nodes / seconds / 1e6:.0f} M/s" if seconds > 0.01 else ""
        print(f"{nodes:,} sequences of {depth} moves in {seconds:.2f} s{speed}")


@app.command(epilog="Example: tempo signature --verbose")
def signature(
    verbose: Annotated[bool, typer.Option(help="What it covers, a line each.")] = False,
    as_json: Json = False,
) -> None:
    """One behaviour number: perft of every game plus fixed-budget searches."""
    from tempo import signature as behaviour  # noqa: PLC0415

    if verbose and not as_json:
        for line in behaviour.lines():
            print(line)
    number = behaviour.signature()
    if as_json:
        print_json({"signature": number, "covers": list(behaviour.lines())})
    else:
        print(number)


@app.command(epilog="Example: tempo bench chess-perft --repeats 5")
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Rows; all of them if none.")] = None,
    repeats: Annotated[
        int | None, typer.Option(min=1, max=1000, help="The median of this many.")
    ] = None,
    quick: Annotated[bool, typer.Option(help="Shorter, less exact.")] = False,
    as_json: Json = False,
) -> None:
    """Our speed beside peers that are installed, as ratios measured in one run."""
    import subprocess  # noqa: PLC0415

    from tempo.errors import TempoError  # noqa: PLC0415

    script = Path(__file__).parents[3] / "benchmarks" / "run.py"
    if not script.is_file():
        raise TempoError("benchmarks need the source checkout: run `make bench` there")
    wanted = [*(names or []), *(["--quick"] if quick else []), *(["--json"] if as_json else [])]
    if repeats is not None:
        wanted += ["--repeats", str(repeats)]
    sys.exit(subprocess.run([sys.executable, str(script), *wanted], check=False).returncode)
