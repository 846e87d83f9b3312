"""The command line. Every command says what it cost; with --json it prints exactly one object."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tempo import cli_library, cli_play

if TYPE_CHECKING:
    from rich.console import Console

    from tempo import recipes
    from tempo.arena import MatchProgress, TournamentProgress

DEMONSTRATION = [
    "random", "mcts:sims=100", "mcts:sims=400", "mcts:sims=1600",
    "alphabeta:depth=1", "alphabeta:depth=2",
]  # fmt: skip

app = typer.Typer(
    name="tempo",
    help="Board games that teach themselves, with what that learning cost.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(cli_library.app, name="library")
app.command(epilog="Example: tempo play --port 8080")(cli_play.play)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[int, typer.Option(help="Where all randomness comes from.")]
Threads = Annotated[int, typer.Option(min=1, help="Games played at a time; never changes them.")]
GameSpec = Annotated[str, typer.Option("--game", "-g", help="Game with options: gomoku(size=9).")]


def main() -> None:
    """Runs the command line; bad input becomes one sentence and exit status 2."""
    from tempo.errors import TempoError  # noqa: PLC0415 - `tempo --help` needs no core

    try:
        app(prog_name="tempo")
    except (ValueError, OSError, TempoError) as error:
        print(f"tempo: {error}", file=sys.stderr)
        sys.exit(2)


def _say(console_kind: str = "out") -> Console:
    from rich.console import Console  # noqa: PLC0415

    return Console(stderr=console_kind == "err", highlight=False)


def _print_json(data: Any) -> None:
    print(json.dumps(data))


@app.command("games", epilog="Example: tempo games --json")
def list_games(as_json: Json = False) -> None:
    """The games and their rule options."""
    from tempo import games  # noqa: PLC0415

    known = [games.load(name) for name in games.names()]
    if as_json:
        _print_json({"games": [_game_json(game) for game in known]})
        return
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "option", "default", "choices", "meaning"):
        table.add_column(heading, no_wrap=heading in {"game", "option", "default"})
    for game in known:
        table.add_row(f"[bold]{game.name}[/]", "", "", "", game.summary, end_section=False)
        for field in game.option_fields:
            table.add_row("", field.name, field.default, field.choices, field.help)
    _say().print(table)
    _say().print("\nOptions follow the name: [bold]gomoku(size=9,rule=exactly_five)[/]")


def _game_json(game: Any) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules_version": game.rules_version,
        "summary": game.summary,
        "seats": list(game.seat_names),
        "options": [vars(field) for field in game.option_fields],
    }


@app.command("agents", epilog="Example: tempo agents")
def list_agents(as_json: Json = False) -> None:
    """The agents and their settings."""
    from dataclasses import fields  # noqa: PLC0415

    from tempo import agents  # noqa: PLC0415
    from tempo.agents.settings import shown  # noqa: PLC0415

    rows = []
    for name, summary in agents.names().items():
        settings = getattr(agents.load(name), "settings", None)
        known = fields(settings) if settings else ()
        details = [(f.name, getattr(settings, f.name), f.metadata["help"]) for f in known]
        rows.append((name, summary, details))
    if as_json:
        _print_json(
            {"agents": [
                {"name": name, "summary": summary,
                 "settings": [{"name": n, "default": d, "help": h} for n, d, h in details]}
                for name, summary, details in rows
            ]}
        )  # fmt: skip
        return
    console = _say()
    for name, summary, details in rows:
        console.print(f"[bold]{name}[/]  {summary}")
        for setting, default, meaning in details:
            console.print(f"  {setting + '=' + shown(default):<16}{meaning}")
    console.print("\nSettings follow a colon: [bold]mcts:sims=2000,rule=tuned[/]")


@app.command(epilog="Example: tempo match mcts:sims=500 random -g 'gomoku(size=9)' --games 40")
def match(
    a: Annotated[str, typer.Argument(help="An agent, e.g. mcts:sims=500.")],
    b: Annotated[str, typer.Argument(help="The agent it meets.")],
    game: GameSpec = "gomoku",
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="How many, an even number.")
    ] = 20,
    seed: Seed = 1,
    threads: Threads = 1,
    openings: Annotated[
        str | None, typer.Option(help="A file of openings, one a line; or fair, for stored ones.")
    ] = None,
    ending: Annotated[str | None, typer.Option(help="Chess from won positions of KRK, ….")] = None,
    log: Annotated[
        Path | None, typer.Option(help="Game log; goes on from it if it exists.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Strength with an interval, and what each side spent.

    Each opening is played twice with the sides swapped; the pair is the unit of the interval.
    """
    from tempo import arena  # noqa: PLC0415
    from tempo.arena import openings as opening_files  # noqa: PLC0415
    from tempo.arena.rendering import match_table  # noqa: PLC0415
    from tempo.errors import ParseError  # noqa: PLC0415
    from tempo.games import load  # noqa: PLC0415

    loaded = load("chess" if ending else game)
    starts: Any = opening_files.named(openings, loaded) if openings else None
    if ending and openings:
        raise ParseError("give openings or an ending, not both")
    if ending:
        starts = opening_files.from_ending(ending, games // 2, seed)
    with _Bar(f"{a} against {b}") as bar:
        result = arena.match(
            (a, b), loaded, games=games, seed=seed, threads=threads,
            openings=starts, log=log, progress=bar.match,
        )  # fmt: skip
    if as_json:
        _print_json(result.to_json())
    else:
        _say().print(match_table(result))


@app.command(epilog="Example: tempo tournament random mcts:sims=200 alphabeta:depth=2 -g gomoku")
def tournament(
    agents: Annotated[list[str] | None, typer.Argument(help="Two agents or more.")] = None,
    game: GameSpec = "gomoku(size=9)",
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Per pairing, even.")] = 40,
    seed: Seed = 1,
    threads: Threads = 2,
    anchor: Annotated[str | None, typer.Option(help="The agent rated 0.")] = None,
    log: Annotated[Path | None, typer.Option(help="Folder of logs; goes on from them.")] = None,
    as_json: Json = False,
) -> None:
    """Everyone against everyone: ratings with intervals, and what each agent spent.

    Without agents, a short demonstration on Gomoku.
    """
    from tempo import arena  # noqa: PLC0415
    from tempo.arena.rendering import standings_table  # noqa: PLC0415
    from tempo.ledger import Ledger, Machine  # noqa: PLC0415

    players = agents or DEMONSTRATION
    # Rated from the middle of the field: an anchor that loses every game would blur all ratings.
    middle = None if agents or anchor else DEMONSTRATION[1]
    with Ledger().timing() as spent, _Bar(f"{len(players)} agents on {game}") as bar:
        result = arena.tournament(
            players, game, games=games, seed=seed, threads=threads,
            anchor=anchor or middle, log=log, progress=bar.tournament,
        )  # fmt: skip
    if as_json:
        _print_json(result.to_json())
    else:
        console = _say()
        console.print(standings_table(result))
        machine = Machine.here()
        console.print(f"\nTogether {spent}, on {machine.cpu}, {machine.cores} cores.")


class _Bar:
    """A progress bar on standard error: games done, rate, time left, and who leads."""

    def __init__(self, title: str) -> None:
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._title = title
        self._progress = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=_say("err"),
        )
        self._task = self._progress.add_task("", total=None)
        self._told = 0.0
        self._first: tuple[float, int] | None = None

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None or self._told > 0:
            self._progress.stop()
            return
        # Bad input shows before the first game ends: the sentence that says so stands alone.
        self._progress.live.transient = True
        self._progress.live.stop()

    def match(self, state: MatchProgress) -> None:
        """One more game of a match."""
        self._show(state.done, state.total, lambda: f"{state.result().score:.0%} for {state.a}")

    def tournament(self, state: TournamentProgress) -> None:
        """One more game of a tournament."""
        self._show(state.done, state.total, lambda: f"{state.match.a} - {state.match.b}")

    def solving(self, ending: str, phase: str, done: int, total: int) -> None:
        """One more part of a tablebase."""
        self._show(done, total, lambda: f"{ending}: {phase}")

    def training(self, state: recipes.Progress) -> None:
        """One more iteration of a training."""
        from tempo.ledger import quantity  # noqa: PLC0415

        row, now = state.row, time.monotonic()
        first = self._first = self._first or (now, row["games"])
        speed = (row["games"] - first[1]) / (now - first[0]) if now > first[0] else 0.0
        text = f"won {row['won']:.0%} loss {row['loss']:.1g} {quantity(speed)} games/s"
        self._show(state.done, state.total, lambda: text)
        if "exam_won" in row:
            self._progress.console.print(_exam_line(row))

    def learning(self, state: recipes.Progress, wcr: float) -> None:
        """One more iteration of the demonstration."""
        text = f"{state.row['games']:,} games, WCR {wcr:.3f}"
        self._show(state.done, state.total, lambda: text)

    def running(self, done: int, total: int, what: str) -> None:
        """One more iteration of several trainings."""
        self._show(done, total, lambda: what)

    def counting(self, done: int, total: int) -> None:
        """One more of many."""
        self._show(done, total, lambda: "")

    def _show(self, done: int, total: int, describe: Callable[[], str]) -> None:
        now = time.monotonic()
        if self._told == 0:
            self._progress.console.print(self._title)
        if now - self._told > 0.2 or done == total:
            self._progress.update(self._task, description=describe())
            self._told = now
        self._progress.update(self._task, completed=done, total=total)


def _exam_line(row: Mapping[str, Any]) -> str:
    """How a Q-learner stands: an examination against random moves, and its speed."""
    from tempo.ledger import quantity  # noqa: PLC0415

    return (
        f"{row['wall_seconds']:7.0f} s  {quantity(row['moves'])} moves, "
        f"{quantity(row['updates'])} updates: against random {row['exam_won']:.1%} won, "
        f"{row['exam_drawn']:.1%} drawn, {row['exam_lost']:.1%} lost in {row['exam_length']:.0f} "
        f"moves; loss {row['loss']:.2g}, {quantity(row['moves_per_second'])} moves/s, "
        f"{row['updates_per_second']:.0f} updates/s"
    )


@app.command(epilog="Example: tempo tablebase KBNK")
def tablebase(
    ending: Annotated[str, typer.Argument(help="Its pieces, White's first: KRK, KQKR, KPK.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of tables; the user's cache if none.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Never changes the table.")] = 1,
    as_json: Json = False,
) -> None:
    """Solve a chess ending exactly: the distance to mate of every legal position.

    Smaller endings that it can become are taken from the folder or solved first.
    """
    import resource  # noqa: PLC0415

    from tempo.arena.ending_rendering import counts_table  # noqa: PLC0415
    from tempo.games.tablebase import Tablebase  # noqa: PLC0415
    from tempo.ledger import Ledger  # noqa: PLC0415

    tables = Tablebase(out)
    smaller = tables.core.needed(ending)[:-1]
    ledger = Ledger.here()
    with ledger.timing(), _Bar(f"{ending}, every legal position") as bar:
        for needed in smaller:
            tables.need(needed, bar.solving, threads)
        begun = time.perf_counter()
        tables.compute(ending, bar.solving, threads)
        seconds = time.perf_counter() - begun
    ledger.peak_memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts, path = tables.counts(ending), tables.path(ending)
    size = path.stat().st_size
    if as_json:
        _print_json(
            {"ending": ending, "white": vars(counts[0]), "black": vars(counts[1]),
             "seconds": seconds, "file": str(path), "bytes": size, "ledger": ledger.to_json()}
        )  # fmt: skip
        return
    console = _say()
    console.print(counts_table(ending, counts))
    console.print(
        f"\nSolved in {seconds:.2f} s ({ledger.cpu_seconds:.2f} s CPU with all it needs), at most "
        f"{ledger.peak_memory / 2**20:.0f} MiB; {size / 2**20:.2f} MiB in {path}"
    )


@app.command(epilog="Example: tempo train krk --seed 1 --out runs/krk")
def train(
    recipe: Annotated[str, typer.Argument(help="A recipe, an ending (krk, KRKN) or a .toml file.")],
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option(help="Run folder; runs/RECIPE if none.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on from the last checkpoint.")] = False,
    device: Annotated[
        str | None, typer.Option(help="cpu or gpu; what JAX prefers if none.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Of the core; never changes a run.")] = 2,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Of learning, for learners that look at the clock.")
    ] = None,
    checkpoint_seconds: Annotated[
        float, typer.Option(min=0, help="Least time between checkpoints.")
    ] = 10,
    as_json: Json = False,
) -> None:
    """Learn from self-play into a run folder: log, curve, ledger, checkpoints.

    Killed at any moment, it goes on with --resume and ends with the same weights.
    """
    from tempo import recipes  # noqa: PLC0415
    from tempo.recipes import curve  # noqa: PLC0415

    wanted = recipes.read(recipe)
    folder = out or Path("runs") / Path(recipe).stem.lower()
    if device:
        recipes.use_device(device)
    with _Bar(f"{wanted.get('about', recipe)}, into {folder}") as bar:
        run = recipes.train(
            wanted, seed=seed, out=folder, resume=resume, threads=threads, seconds=seconds,
            checkpoint_seconds=checkpoint_seconds, progress=bar.training,
        )  # fmt: skip
    figures, ledger, ending = curve.draw(run), run.ledger(), run.config.get("ending")
    if as_json:
        _print_json(
            {"run": str(folder), "recipe": recipe, "config": run.config, "last": run.rows()[-1],
             "figures": [str(path) for path in figures], "ledger": ledger.to_json()}
        )  # fmt: skip
        return
    drawn = "curve.svg" if figures else "no curve (it takes the extra `plot`)"
    print(f"{ledger}\nIn {folder}: log.jsonl, ledger.json, checkpoints, {drawn}.")
    if ending is None:
        return
    print(f"Rate it     tempo evaluate {folder} --ending {ending}")
    print(f"Meet it     tempo match {folder} tablebase --ending {ending}")
    print(f"In Python   agents.load({str(folder)!r}).choose(position)")


@app.command(epilog="Example: tempo demo")
def demo(
    seed: Seed = 1,
    threads: Annotated[int, typer.Option(min=1, help="Of the core; never changes a run.")] = 2,
    compare: Annotated[
        bool, typer.Option(help="Train the paper's rules here too, for as much CPU time each.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Learn king and rook against king from nothing, in about a minute.

    Then: what it is worth in every position, and what it cost, beside others.
    """
    from tempo.ledger import Ledger, Machine  # noqa: PLC0415
    from tempo.recipes import demo as shown  # noqa: PLC0415
    from tempo.recipes.curve import chart  # noqa: PLC0415

    with Ledger().timing() as spent:
        showing = shown.Demo(seed, threads)
        with _Bar("King and rook against king, learnt from nothing but the rules") as bar:
            run = showing.learn(bar.learning)
        lines = showing.lines(run, compare=compare)
    if as_json:
        _print_json(
            {"recipe": shown.RECIPE, "run": str(run.folder), "seed": seed,
             "curve": showing.curve, "lines": [line.to_json() for line in lines],
             "machine": Machine.here().to_json()}
        )  # fmt: skip
        return
    console = _say()
    console.print("\nShare of won positions that are won (WCR), as CPU seconds pass")
    console.print(chart(showing.curve))
    console.print(shown.table(lines))
    console.print(shown.legend(showing, run, spent, compare=compare))


@app.command(epilog="Example: tempo engine usi --agent alphabeta")
def engine(
    protocol: Annotated[str, typer.Argument(help="uci (chess), usi (shogi) or gomocup (Gomoku).")],
    agent: Annotated[str, typer.Option("--agent", "-a", help="Who plays, e.g. mcts:time=1.")],
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Rule options, where uci or usi have any.")
    ] = None,
) -> None:
    """An agent as an engine for any board on the screen, over standard input and output.

    The clock of each `go` sets the agent's budget; limits in its own name hold too.
    """
    from tempo.protocols import serving  # noqa: PLC0415

    serving.serve(protocol, agent, game)


@app.command(epilog="Example: tempo evaluate alphabeta:depth=3 --ending KRK --games 200")
def evaluate(
    agent: Annotated[str, typer.Argument(help="An agent that plays chess.")],
    ending: Annotated[str, typer.Option("--ending", "-e", help="KRK, KQK, KPK, KBNK, ...")],
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Half with each side.")] = 2000,
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
    from tempo.games.endings import Ending  # noqa: PLC0415
    from tempo.games.tablebase import Tablebase  # noqa: PLC0415

    with _Bar(f"{agent} in {ending} against perfect play") as bar:
        loaded = Ending(ending, Tablebase(tables), bar.solving)
        result = endings.evaluate(
            agent, loaded, games=games, seed=seed, progress=bar.counting
        )  # fmt: skip
    if as_json:
        _print_json(result.to_json())
    else:
        console = _say()
        console.print(ending_table(result))
        console.print(f"\n{floor_text(result)}\n{result.ledger}")


@app.command(epilog="Example: tempo reproduce endgames --quick")
def reproduce(
    paper: Annotated[str, typer.Argument(help="Which one: endgames, jiu, gomoku, shogi, siguo.")],
    quick: Annotated[bool, typer.Option("--quick", help="Three minutes, shortened.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder; goes on from what is there.")] = None,
    seeds: Annotated[int | None, typer.Option(min=2, help="Trainings of each kind.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; one a core if none.")] = None,
    literal: Annotated[
        bool, typer.Option("--literal", help="TD-Stem as printed too, anchored at the state.")
    ] = False,
    only: Annotated[
        str | None, typer.Option(help="One part of shogi: search, dqn, longer, improved, ladder.")
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Write report and figures from stored results.")
    ] = False,
    as_json: Json = False,
) -> None:
    """A paper's tables and figures, ours beside the published, with a verdict on every claim.

    Writes results.json, report.md and figures into the folder. Killed, it goes on from there.
    """
    import os  # noqa: PLC0415

    from tempo.errors import ParseError  # noqa: PLC0415
    from tempo.papers import PAPERS, load, working, writing  # noqa: PLC0415

    if paper not in PAPERS:
        raise ParseError(f"there is no paper '{paper}'; there are {', '.join(PAPERS)}")
    if literal and paper != "endgames":
        raise ParseError("--literal is a switch of endgames")
    if only and paper != "shogi":
        raise ParseError("--only is a switch of shogi")
    work, verdicts, report = load(paper)
    folder = out or Path("runs") / f"reproduce-{paper}{'-quick' if quick else ''}"
    if report_only:
        collect = getattr(work, "collect", None)  # from files that may come from several machines
        results = collect(folder) if collect else working.read_results(folder, paper)
    else:
        count = seeds or (work.QUICK_SEEDS if quick else work.FULL_SEEDS)
        switches = " --quick" * quick + " --literal" * literal
        further = {"literal": literal, "only": only}
        command = f"tempo reproduce {paper}{switches} --seeds {count}"
        with _Bar(f"{paper}: {count} seeds of each kind, into {folder}") as bar:
            results = work.reproduce(
                folder, seeds=count, quick=quick, workers=jobs or os.cpu_count() or 1,
                command=command, progress=bar.running, **{k: v for k, v in further.items() if v},
            )  # fmt: skip
    answer = verdicts.answer(results)
    report.write(folder, results, answer)
    if as_json:
        _print_json(answer)
    else:
        _say().print(writing.summary(answer))
        _say().print(f"\n{folder / 'report.md'}", soft_wrap=True)


@app.command(
    epilog="Example: tempo perft chess 5 --position 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'"
)
def perft(
    game: Annotated[str, typer.Argument(help="The game with its options.")],
    depth: Annotated[int, typer.Argument(min=0, help="How many moves deep.")],
    position: Annotated[str | None, typer.Option("--position", "-p", help="Its text.")] = None,
    divide: Annotated[bool, typer.Option(help="Count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move tree: the standard check of a game's rules."""
    from tempo.games import load  # noqa: PLC0415

    loaded = load(game)
    start = loaded.start() if position is None else loaded.parse(position)
    if divide and depth > 0 and not as_json:
        for move, count in loaded.core.divide(start, depth):
            print(f"{move:>8} {count:>16,}")
    begun = time.perf_counter()
    nodes = loaded.perft(depth, start)
    seconds = time.perf_counter() - begun
    if as_json:
        _print_json(
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
        _print_json({"signature": number, "covers": list(behaviour.lines())})
    else:
        print(number)


@app.command(epilog="Example: tempo bench chess-perft --repeats 5")
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Rows; all of them if none.")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="The median of so many.")] = None,
    quick: Annotated[bool, typer.Option(help="Shorter, less exact.")] = False,
    as_json: Json = False,
) -> None:
    """Our speed beside peers that are installed, as ratios measured in one run."""
    import subprocess  # noqa: PLC0415

    from tempo.errors import TempoError  # noqa: PLC0415

    script = Path(__file__).parents[2] / "benchmarks" / "run.py"
    if not script.is_file():
        raise TempoError("benchmarks need the source checkout: run `make bench` there")
    wanted = [*(names or []), *(["--quick"] if quick else []), *(["--json"] if as_json else [])]
    if repeats is not None:
        wanted += ["--repeats", str(repeats)]
    sys.exit(subprocess.run([sys.executable, str(script), *wanted], check=False).returncode)


if __name__ == "__main__":
    main()
