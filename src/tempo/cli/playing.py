"""Commands that play: matches, tournaments, an agent as an engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tempo.cli import completion
from tempo.cli.common import (
    MOST_GAMES,
    MOST_THREADS,
    Bar,
    Json,
    Seed,
    WorkersText,
    cores_or,
    counted,
    game_given,
    given_workers,
    interruptible,
    print_json,
    say,
    this_command,
)

DEMONSTRATION = [
    "random", "mcts:sims=100", "mcts:sims=400", "mcts:sims=1600",
    "alphabeta:depth=1", "alphabeta:depth=2",
]  # fmt: skip

FEW_GAMES = 20
MOST_SEQUENTIAL = 4000  # games of a sequential test, if nothing else is said

app = typer.Typer()

Threads = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_THREADS, help="Games at a time; never changes them.",
        show_default="all cores, or 1 for a clock",
    ),
]  # fmt: skip
GameSpec = Annotated[
    str,
    typer.Option(
        "--game", "-g", help="Game with options: gomoku(size=9); or its Python file.",
        autocompletion=completion.games,
    ),
]  # fmt: skip


ClockText = Annotated[
    str | None, typer.Option(help="Seconds a side and seconds a move, as 60+0.6.")
]
ResignText = Annotated[
    str | None, typer.Option(help="A side that values itself so low so often loses: 4,0.95.")
]
DrawText = Annotated[
    str | None, typer.Option(help="From move 40, 8 moves each valued so near 0: 40,8,0.02.")
]
MaxMoves = Annotated[int, typer.Option(min=0, help="A draw after this many; 0: never.")]
RecordsPath = Annotated[
    Path | None, typer.Option(help="Write the games: games.pgn, .sgf, .csa or .txt.")
]
OpeningsText = Annotated[
    str | None,
    typer.Option(help="A file: openings, .pgn, .sgf, .csa, .fen, .epd, .sfen; or fair."),
]
Plies = Annotated[int, typer.Option(min=0, max=1000, help="Moves of each record in --openings.")]


@app.command(epilog="Example: tempo match mcts:sims=500 random -g 'gomoku(size=9)' --games 40")
def match(
    a: Annotated[
        str, typer.Argument(help="An agent, e.g. mcts:sims=500.", autocompletion=completion.agents)
    ],
    b: Annotated[str, typer.Argument(help="The agent it meets.", autocompletion=completion.agents)],
    game: GameSpec = "gomoku",
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=2,
            max=MOST_GAMES,
            show_default="20; 4000 with --sprt",
            help="How many, an even number; with --sprt the most.",
        ),
    ] = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: WorkersText = None,
    sprt: Annotated[
        str | None,
        typer.Option(help="End as soon as it is decided between two Elo differences, e.g. 0,10."),
    ] = None,
    openings: OpeningsText = None,
    plies: Plies = 8,
    ending: Annotated[
        str | None,
        typer.Option(help="Chess from won positions of KRK, ….", autocompletion=completion.endings),
    ] = None,
    clock: ClockText = None,
    resign: ResignText = None,
    draw: DrawText = None,
    max_moves: MaxMoves = 0,
    records: RecordsPath = None,
    log: Annotated[
        Path | None, typer.Option(help="Game log; goes on from it if it exists.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Strength with an interval, and what each side spent.

    Each opening is played twice with the sides swapped; the pair is the unit of the interval.
    With --sprt elo0,elo1 the match ends when Wald's test accepts one of the two, wrongly in one
    case of twenty.
    """
    from tempo import arena  # noqa: PLC0415
    from tempo.arena import openings as opening_files  # noqa: PLC0415
    from tempo.arena.rendering import match_table  # noqa: PLC0415
    from tempo.arena.writing import write_records  # noqa: PLC0415
    from tempo.errors import ParseError  # noqa: PLC0415
    from tempo.games import load  # noqa: PLC0415
    from tempo.games.chess.endings import Ending  # noqa: PLC0415
    from tempo.games.record_files import form_of, format_for  # noqa: PLC0415

    test = arena.SPRT.parse(sprt) if sprt is not None else None
    games = games or (MOST_SEQUENTIAL if test else FEW_GAMES)
    loaded = Ending(ending).game if ending else load(game_given(game))
    starts: Any = opening_files.named(openings, loaded, plies) if openings else None
    conditions = arena.Conditions.parse(clock, resign, draw, max_moves)
    if records:
        format_for(loaded.spec, form_of(records))  # before anything is played
    if ending and openings:
        raise ParseError("give openings or an ending, not both")
    if ending:
        starts = opening_files.from_ending(ending, games // 2, seed)

    def show(result: arena.MatchResult) -> None:
        if as_json:
            print_json(result.to_json())
        else:
            say().print(match_table(result))

    so_far = _SoFar(show, log)
    at_once = _at_once(threads, clock, [a, b])
    with (
        given_workers(workers) as others,
        interruptible(so_far.tell),
        Bar(f"{a} against {b}, {loaded.spec}", games) as bar,
    ):
        result = arena.match(
            (a, b), loaded, games=games, seed=seed, threads=at_once,
            openings=starts, log=log, progress=so_far.keeping(bar.match), sprt=test,
            conditions=conditions, workers=others,
        )  # fmt: skip
    if records:
        write_records(records, [result])
    show(result)


def _at_once(given: int | None, clock: str | None, players: list[str]) -> int:
    """Games at a time: clocks, and agents that think with more than one thread, are alone.

    Side by side, only the thread that plays is charged to an agent.
    """
    alone = clock or any(f"{own}=" in player for player in players for own in ("threads", "ponder"))
    return 1 if alone and given is None else cores_or(given)


class _SoFar:
    """The games of a match or a tournament that Ctrl-C ends."""

    def __init__(self, show: Callable[[Any], None], log: Path | None) -> None:
        self._show, self._log = show, log
        self._state: Any = None

    def keeping(self, tell: Callable[[Any], None]) -> Callable[[Any], None]:
        """Keeps where it stands, and tells it."""

        def take(state: Any) -> None:
            self._state = state
            tell(state)

        return take

    def tell(self) -> str:
        """Shows the result so far; returns how to continue."""
        if self._state is not None:
            self._show(self._state.result())
            done = f"{self._state.done} of {self._state.total} games were played."
            return f"{done} Continue: {this_command()}" if self._log else done
        return ""


@app.command(epilog="Example: tempo tournament random mcts:sims=200 alphabeta:depth=2 -g gomoku")
def tournament(
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Two agents or more.", autocompletion=completion.agents),
    ] = None,
    game: GameSpec = "gomoku(size=9)",
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, max=MOST_GAMES, help="Per pairing, even.")
    ] = 40,
    seed: Seed = 1,
    threads: Threads = None,
    workers: WorkersText = None,
    anchor: Annotated[str | None, typer.Option(help="The agent rated 0.")] = None,
    openings: OpeningsText = None,
    plies: Plies = 8,
    clock: ClockText = None,
    resign: ResignText = None,
    draw: DrawText = None,
    max_moves: MaxMoves = 0,
    records: RecordsPath = None,
    log: Annotated[Path | None, typer.Option(help="Folder of logs; goes on from them.")] = None,
    as_json: Json = False,
) -> None:
    """Everyone against everyone: ratings with intervals, and what each agent spent.

    Without agents, a short demonstration on Gomoku.
    """
    from tempo import arena  # noqa: PLC0415
    from tempo.arena import openings as opening_files  # noqa: PLC0415
    from tempo.arena.rendering import standings_table  # noqa: PLC0415
    from tempo.arena.writing import write_records  # noqa: PLC0415
    from tempo.games import load  # noqa: PLC0415
    from tempo.games.record_files import form_of, format_for  # noqa: PLC0415
    from tempo.ledger import Ledger, Machine  # noqa: PLC0415

    game = game_given(game)
    starts = opening_files.named(openings, load(game), plies) if openings else None
    conditions = arena.Conditions.parse(clock, resign, draw, max_moves)
    if records:
        format_for(game, form_of(records))  # before anything is played
    players = agents or DEMONSTRATION
    # Rated from the middle of the field: an anchor that loses every game would blur all ratings.
    middle = None if agents or anchor else DEMONSTRATION[1]
    total = games * len(players) * (len(players) - 1) // 2

    def show(result: arena.TournamentResult) -> None:
        if as_json:
            print_json(result.to_json())
        else:
            say().print(standings_table(result))

    so_far = _SoFar(show, log)
    at_once = _at_once(threads, clock, players)
    with (
        Ledger().timing() as spent,
        given_workers(workers) as others,
        interruptible(so_far.tell),
        Bar(f"{len(players)} agents on {game}", total) as bar,
    ):
        result = arena.tournament(
            players, game, games=games, seed=seed, threads=at_once, workers=others,
            anchor=anchor or middle, log=log, progress=so_far.keeping(bar.tournament),
            openings=starts, conditions=conditions,
        )  # fmt: skip
    if records:
        write_records(records, result.matches)
    show(result)
    if not as_json:
        machine = Machine.here()
        say().print(f"\nTogether {spent}, on {machine.cpu}, {machine.cores} cores.")


@app.command(epilog="Example: tempo engine usi --agent alphabeta")
def engine(
    protocol: Annotated[
        str,
        typer.Argument(
            help="uci (chess), usi (shogi), gomocup (Gomoku), ugi (any game).",
            autocompletion=completion.protocols,
        ),
    ],
    agent: Annotated[
        str,
        typer.Option(
            "--agent", "-a", help="Who plays, e.g. mcts:time=1.", autocompletion=completion.agents
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            help="Rule options of uci and usi; the game of ugi.",
            autocompletion=completion.games,
        ),
    ] = None,
) -> None:
    """An agent as an engine for any board on the screen, over standard input and output.

    The clock of each `go` sets the agent's budget; limits in its own name hold too.
    """
    from tempo.protocols import serving  # noqa: PLC0415

    serving.serve(protocol, agent, game_given(game) if game else None)


@app.command(epilog="Example: tempo convert games.kif games.csa")
def convert(
    source: Annotated[Path, typer.Argument(help="A file of records, in any format that is read.")],
    out: Annotated[Path, typer.Argument(help="The new file; its name says the format.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the new file.")] = False,
    as_json: Json = False,
) -> None:
    """Write the games of a record file in another format: PGN, KIF, CSA, SGF, PSQ, text.

    Every move is played by the rules. Of a game with variations the main line is kept.
    """
    from tempo.errors import TempoError  # noqa: PLC0415
    from tempo.games.record_files import (  # noqa: PLC0415
        form_of,
        read_file,
        record_of,
        write_file,
    )

    form = form_of(out)
    if out.exists() and not force:
        raise TempoError(f"{out} exists; choose another name or give --force")
    trees, found = read_file(source), []
    with counted(f"{source} as {form}", len(trees)) as tell:
        for tree in trees:
            found.append(record_of(tree))
            tell()
    files = write_file(out, found)
    if as_json:
        print_json({"files": [*map(str, files)], "format": form, "games": len(found)})
    else:
        last = f" to {files[-1]}" if len(files) > 1 else ""
        print(f"{files[0]}{last}: {len(found)} game{'s' * (len(found) != 1)}")
