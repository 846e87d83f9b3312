"""Commands that look: games, move trees, endings, the behaviour number, speed."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any

import typer

from tempo.cli import completion
from tempo.cli.common import (
    MOST_GAMES,
    MOST_THREADS,
    Bar,
    Json,
    Seed,
    cores_or,
    counted,
    game_given,
    interruptible,
    print_json,
    say,
    this_command,
)

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
    firsts = start.legal_moves if depth > 1 else ()
    with counted(f"{loaded.spec}, {depth} moves deep", len(firsts)) as tell:
        nodes = 0 if firsts else loaded.perft(depth, start)
        for move in firsts:
            nodes += loaded.perft(depth - 1, start.play(move))
            tell()
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


@app.command(epilog="Example: tempo evaluate alphabeta:depth=3 --ending KRK --games 200")
def evaluate(
    agent: Annotated[
        str, typer.Argument(help="An agent that plays chess.", autocompletion=completion.agents)
    ],
    ending: Annotated[
        str,
        typer.Option(
            "--ending", "-e", help="KRK, KQK, KPK, KBNK, ...", autocompletion=completion.endings
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, max=MOST_GAMES, help="Half with each side.")
    ] = 2000,
    seed: Seed = 1,
    tables: Annotated[
        Path | None, typer.Option(help="Folder of tables; the user's cache if none.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a chess ending against perfect play, beside what random moves would win.

    WCR: won of what should be won. WE: how quickly. LHS: how long it holds out with the weak side.
    1 is perfect in each.
    """
    from tempo.arena import endings  # noqa: PLC0415
    from tempo.arena.ending_rendering import ending_table, floor_text  # noqa: PLC0415
    from tempo.arena.statistics import wilson  # noqa: PLC0415
    from tempo.games.chess.endings import Ending  # noqa: PLC0415
    from tempo.games.chess.tablebase import Tablebase  # noqa: PLC0415

    played: list[int] = []

    def stopped() -> str:
        strong = played[: games - games // 2]
        if not strong:
            return ""
        low, high = wilson(won := sum(plies > 0 for plies in strong), len(strong))
        rate = f"WCR {won / len(strong):.3f} [{low:.3f}, {high:.3f}] so far"
        return f"{rate}: {len(played)} of {games} games were played."

    with (
        interruptible(stopped),
        Bar(f"{agent} in {ending} against perfect play", games) as bar,
    ):
        loaded = Ending(ending, Tablebase(tables), bar.solving)
        result = endings.evaluate(
            agent, loaded, games=games, seed=seed, progress=bar.counting, played=played
        )  # fmt: skip
    if as_json:
        print_json(result.to_json())
    else:
        console = say()
        console.print(ending_table(result))
        console.print(f"\n{floor_text(result)}\n{result.ledger}")


@app.command(epilog="Example: tempo tablebase KBNK")
def tablebase(
    ending: Annotated[
        str,
        typer.Argument(
            help="Its pieces, White's first: KRK, KQKR, KPK.", autocompletion=completion.endings
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder of tables; the user's cache if none.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_THREADS, help="Never changes the table.", show_default="all cores"
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a chess ending exactly: the distance to mate of every legal position.

    Smaller endings that it can become are taken from the folder or solved first.
    """

    from tempo.arena.ending_rendering import counts_table  # noqa: PLC0415
    from tempo.games.chess.tablebase import Tablebase  # noqa: PLC0415
    from tempo.ledger import Ledger, peak_memory  # noqa: PLC0415

    tables, at_once = Tablebase(out), cores_or(threads)
    smaller = tables.core.needed(ending)[:-1]
    ledger = Ledger.here()

    def stopped() -> str:
        solved = ", ".join(name for name in smaller if tables.path(name).exists())
        kept = f"{solved} stay in {tables.path(ending).parent}. " if solved else ""
        return f"{kept}{ending} is not solved. Again: {this_command()}"

    with (
        ledger.timing(),
        interruptible(stopped),
        Bar(f"{ending}, every legal position") as bar,
    ):
        for needed in smaller:
            tables.need(needed, bar.solving, at_once)
        begun = time.perf_counter()
        tables.compute(ending, bar.solving, at_once)
        seconds = time.perf_counter() - begun
    ledger.peak_memory = peak_memory()
    counts, path = tables.counts(ending), tables.path(ending)
    size = path.stat().st_size
    if as_json:
        print_json(
            {"ending": ending, "white": vars(counts[0]), "black": vars(counts[1]),
             "seconds": seconds, "file": str(path), "bytes": size, "ledger": ledger.to_json()}
        )  # fmt: skip
        return
    console = say()
    console.print(counts_table(ending, counts))
    console.print(
        f"\nSolved in {seconds:.2f} s ({ledger.cpu_seconds:.2f} s CPU with all it needs), at most "
        f"{ledger.peak_memory / 2**20:.0f} MiB; {size / 2**20:.2f} MiB in {path}"
    )
