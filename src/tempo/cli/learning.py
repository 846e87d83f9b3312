"""Commands that learn, and that list what learns and what was learnt."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from contextlib import nullcontext
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
    WorkersText,
    cores_or,
    finite,
    game_given,
    given_workers,
    interruptible,
    print_json,
    say,
    this_command,
)
from tempo.errors import ParseError

app = typer.Typer()
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_THREADS, help="Of the core; never changes a run.", show_default="all cores"
    ),
]


@app.command(epilog="Example: tempo train td_leaf --game othello --out runs/othello")
def train(
    what: Annotated[
        str,
        typer.Argument(
            help="A learner, with --game; or a recipe, an ending (krk), a .toml file.",
            autocompletion=completion.trained,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            help="What a learner learns: gomoku(size=9).",
            autocompletion=completion.games,
        ),
    ] = None,
    net: Annotated[
        str | None,
        typer.Option(
            help="What a learner moves: table, linear, dense, conv, policy, residual.",
            autocompletion=completion.nets,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A setting of a learner, name=value; as often as you like.",
            autocompletion=completion.settings,
        ),
    ] = None,
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option(help="Run folder; runs/RECIPE if none.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on from the last checkpoint.")] = False,
    device: Annotated[
        str | None, typer.Option(help="cpu or gpu; what JAX prefers if none.")
    ] = None,
    threads: Threads = None,
    workers: WorkersText = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0, callback=finite, help="After this long, no further iteration begins."),
    ] = None,
    checkpoint_seconds: Annotated[
        float, typer.Option(min=0, callback=finite, help="Least time between checkpoints.")
    ] = 10,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Write the log for TensorBoard, too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Learn from self-play into a run folder: log, curve, ledger, checkpoints.

    Killed at any moment, it resumes with --resume and ends with the same weights.
    """
    from tempo import recipes  # noqa: PLC0415
    from tempo.recipes import curve  # noqa: PLC0415

    wanted, name = wanted_recipe(what, game, net, settings or [])
    folder = out or Path("runs") / name
    if device:
        recipes.use_device(device)
    board = None
    if tensorboard:
        from tempo.recipes.boards import Board  # noqa: PLC0415

        board = Board(folder)
    begun: list[int] = []

    def stopped() -> str:
        if not begun:
            return ""
        return f"{folder} keeps the last checkpoint. Continue: {this_command('--resume')}"

    with (
        given_workers(workers) as others,
        interruptible(stopped),
        Bar(f"{wanted.get('about', what)}, into {folder}") as bar,
        board or nullcontext(),
    ):

        def begins(done: int, total: int) -> None:
            begun.append(done)
            bar.begins(done, total)
            if board:
                board.begin()

        def tell(state: recipes.Progress) -> None:
            bar.training(state)
            if board:
                board.add(state.row)

        run = recipes.train(
            wanted, seed=seed, out=folder, resume=resume, threads=cores_or(threads),
            seconds=seconds, checkpoint_seconds=checkpoint_seconds, exam=recipes.EXAM,
            begins=begins, progress=tell, workers=others,
        )  # fmt: skip
    for fault in run.passed_over:
        say("err").print(f"passed over: {fault}", markup=False, soft_wrap=True)
    figures, ledger = curve.draw(run), run.ledger()
    if as_json:
        print_json(
            {"run": str(folder), "recipe": what, "config": run.config, "last": run.rows()[-1],
             "figures": [str(path) for path in figures], "ledger": ledger.to_json()}
        )  # fmt: skip
        return
    drawn = "curve.svg" if figures else "no curve (it takes the extra `plot`)"
    say().print(f"{ledger}", markup=False)
    print(f"In {folder}: log.jsonl, ledger.json, checkpoints, {drawn}.")
    print("\n".join(_uses(run.config, folder, game)))


def wanted_recipe(
    what: str, game: str | None, net: str | None, settings: list[str]
) -> tuple[dict[str, Any], str]:
    """The recipe that the arguments stand for, and the name of its folder."""
    from tempo import recipes  # noqa: PLC0415
    from tempo.learners.registry import kinds  # noqa: PLC0415
    from tempo.recipes import general  # noqa: PLC0415

    if game is None:
        if what in kinds():
            raise ParseError(f"{what} is a learner: say what it learns, such as --game othello")
        if net or settings:
            raise ParseError("--net and --set are for learners, with --game; a recipe has its own")
        return recipes.read(what), Path(what).stem.lower()
    given = general.read_settings([*([f"net={net}"] if net else []), *settings], what)
    wanted = general.recipe_of(what, game_given(game), given)
    return wanted, re.sub(r"[^a-z0-9]+", "-", f"{what} {wanted['game']}".lower()).strip("-")


def _uses(config: Mapping[str, Any], folder: Path, given: str | None) -> list[str]:
    """The lines that play a run, rate it and plug it in."""
    from tempo.agents.registry import learnt_game, of_run  # noqa: PLC0415

    game = shlex.quote(given or str(config.get("game") or learnt_game(config)))
    further = f" --game {game}" if game.endswith(".py") else ""
    start, ending = config.get("start"), config.get("ending")
    where = f"--ending {str(start or ending).upper()}" if start or ending else f"--game {game}"
    rate = f"tempo match {folder} random {where} --games 100"
    if ending:
        rate = f"tempo evaluate {folder} {where}"
    plug = f"Plug it in  tempo match alphabeta:depth=3,eval={folder} mcts {where}"
    return [
        f"Play it     tempo play{further}   (and choose {folder})",
        f"Rate it     {rate}",
        *([plug] if callable(of_run(config)[1].evaluates) else []),
        f"In Python   agents.load({str(folder)!r}).choose(position)",
    ]


@app.command(epilog="Example: tempo learners td_leaf")
def learners(
    learner: Annotated[
        str | None,
        typer.Argument(help="One, for all its settings.", autocompletion=completion.learners),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", "-g", help="Those that learn this game.", autocompletion=completion.games
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the learners: what each learns by, and its own settings."""
    from tempo.games.registry import load, names  # noqa: PLC0415
    from tempo.learners.registry import kind, kinds  # noqa: PLC0415
    from tempo.learners.settings import Settings  # noqa: PLC0415

    chosen = [kind(learner)] if learner else [*kinds().values()]
    games = [load(game_given(game))] if game else [load(name) for name in names()]
    usual = vars(Settings())
    rows: list[dict[str, Any]] = []
    for one in chosen:
        refused = {g.spec: why for g in games if (why := one.refusal(g, one.usual))}
        own = {name: v for name, v in vars(one.usual).items() if learner or v != usual.get(name)}
        rows.append(
            {"learner": one.name, "learns": one.learns, "summary": one.summary,
             "settings": own, "refuses": refused}
        )  # fmt: skip
    if as_json:
        print_json({"learners": rows, "settings": usual})
        return
    for row in rows:
        changed = ", ".join(f"{name}={value}" for name, value in row["settings"].items())
        print(f"{row['learner']:<12}{row['learns']}  {row['summary']}")
        for line in (changed, *row["refuses"].values()):
            if line:
                print(fill(line, 80, initial_indent=" " * 15, subsequent_indent=" " * 15))
    print("\nLearn       tempo train td_leaf --game othello --net dense --set depth=2")


@app.command("recipes", epilog="Example: tempo recipes krk")
def list_recipes(
    recipe: Annotated[
        str | None,
        typer.Argument(help="One recipe, for its settings.", autocompletion=completion.recipes),
    ] = None,
    as_json: Json = False,
) -> None:
    """The recipes of `tempo train`; with a name, its settings."""
    from tempo import recipes  # noqa: PLC0415

    found = {name: recipes.read(name) for name in ([recipe] if recipe else recipes.names())}
    if as_json:
        return print_json({"recipes": [{"name": name, **one} for name, one in found.items()]})
    if recipe:
        for name, value in found[recipe].items():
            print(fill(f"{name} = {value}", 80, subsequent_indent="    "))
        return None
    for name, one in found.items():
        say().print(f"[bold]{name}[/]")
        print(fill(one["about"], 80, initial_indent="    ", subsequent_indent="    "))
    return print("\nLearn    tempo train krk")


@app.command(epilog="Example: tempo export runs/gomoku-terms --out gomoku.safetensors")
def export(
    run: Annotated[Path, typer.Argument(help="A run folder of any learner.")],
    out: Annotated[
        Path | None, typer.Option(help="File, replaced if it is there; in the run folder if none.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(min=2, max=MOST_GAMES, help="Of every match that measures; usual if none."),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(help="A JSON file of what was measured, in place of measuring.")
    ] = None,
    command: Annotated[
        str | None, typer.Option(help="How the run was made; guessed from its recipe if none.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_THREADS,
            help="Of the core; never changes a file.",
            show_default="all cores",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write what a run has learnt as a file that agents read.

    Beside it a JSON file says what it is: command, seed, recipe, figures, ledger.
    """
    import json  # noqa: PLC0415

    from tempo import arena  # noqa: PLC0415
    from tempo.recipes import exports  # noqa: PLC0415

    given = json.loads(figures.read_text()) if figures else None
    met: dict[str, str] = {}

    def stopped() -> str:
        told = "".join(f"{text}\n" for text in met.values())
        return f"{told}Nothing was written. Again: {this_command()}"

    with interruptible(stopped), Bar(f"{run} as a file, and what it is worth") as bar:

        def tell(state: arena.MatchProgress) -> None:
            met[state.b] = f"{state.result().score:.0%} of {state.done} games against {state.b}"
            bar.match(state)

        path, about = exports.export(
            run, out, games=games, threads=cores_or(threads), figures=given, command=command,
            progress=tell,
        )  # fmt: skip
    if as_json:
        print_json({"file": str(path), **about})
    else:
        print(f"{path}: {about['bytes']:,} bytes\n{path.with_suffix('.json')}: what it is")


@app.command(epilog="Example: tempo demo")
def demo(
    seed: Seed = 1,
    threads: Threads = None,
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
        showing = shown.Demo(seed, cores_or(threads))

        def stopped() -> str:
            if showing.folder is None:
                return ""
            words = f"tempo train {shown.RECIPE} --seed {seed} --out {showing.folder} --resume"
            return f"{showing.folder} keeps the last checkpoint. Continue: {words}"

        with interruptible(stopped):
            with Bar("King and rook against king, learnt from nothing but the rules") as bar:
                run = showing.learn(bar.learning)
            lines = showing.lines(run, compare=compare)
    if as_json:
        print_json(
            {"recipe": shown.RECIPE, "run": str(run.folder), "seed": seed,
             "curve": showing.curve, "lines": [line.to_json() for line in lines],
             "machine": Machine.here().to_json()}
        )  # fmt: skip
        return
    console = say()
    console.print("\nShare of won positions that are won (WCR), as CPU seconds pass")
    console.print(chart(showing.curve))
    console.print(shown.table(lines))
    console.print(shown.legend(showing, run, spent, compare=compare))
