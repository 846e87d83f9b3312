"""`tempo compare`: learners with the same CPU seconds on the same games."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from tempo.cli import completion
from tempo.cli.common import (
    MOST_GAMES,
    MOST_THREADS,
    Bar,
    Json,
    WorkersText,
    continued,
    cores_or,
    finite,
    game_given,
    given_workers,
    interruptible,
    print_json,
    say,
)
from tempo.errors import ParseError

app = typer.Typer()


@app.command(epilog="Example: tempo compare td td_leaf --game othello --budget 60 --seeds 3")
def compare(
    learners: Annotated[
        list[str] | None,
        typer.Argument(
            help="Which ones (`tempo learners`); all if none.", autocompletion=completion.learners
        ),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            help="What they learn, as often as you like: chess:KRK.",
            autocompletion=completion.games,
        ),
    ] = None,
    budget: Annotated[
        float, typer.Option(min=0.01, callback=finite, help="CPU seconds of every training.")
    ] = 60,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="Trainings of each pair.")] = 3,
    match_games: Annotated[
        int, typer.Option("--games", "-n", min=2, max=MOST_GAMES, help="Of a match, in pairs.")
    ] = 100,
    match_seconds: Annotated[
        float, typer.Option(min=0, callback=finite, help="CPU seconds of a match, about.")
    ] = 30,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A setting of all learners, name=value; see `tempo learners`.",
            autocompletion=completion.settings,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder; goes on from what is there.")] = Path(
        "runs/compare"
    ),
    jobs: Annotated[
        int | None, typer.Option(min=1, max=MOST_THREADS, help="At a time; all cores if none.")
    ] = None,
    workers: WorkersText = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0, callback=finite, help="On the wall, after which no job begins."),
    ] = None,
    onto: Annotated[
        Path | None,
        typer.Option(
            help="A stored comparison to add the learners to: its games, budget and seeds."
        ),
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Write the report of what is there.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Train learners side by side, and rate them on one scale.

    Each has the same CPU seconds on each game; random moves, one-ply search and alpha-beta are
    fixed rungs. Run the same command again to resume it.
    """
    from tempo.compare import contest, report  # noqa: PLC0415
    from tempo.compare.plan import Plan, place  # noqa: PLC0415
    from tempo.learners.registry import kinds  # noqa: PLC0415
    from tempo.recipes.general import read_settings  # noqa: PLC0415

    if report_only:
        results = contest.read_results(out)
    else:
        words, stored = ["tempo compare", *(learners or [])], None
        if onto is not None:
            if games or settings:
                raise ParseError("--onto takes games and settings from the stored comparison")
            stored = contest.read_results(onto)
            plan = contest.added(stored, tuple(dict.fromkeys(learners or ())))
            words += [f"--onto {shlex.quote(str(onto))}"]
        else:
            if not games:
                raise ParseError("say what is learnt, such as --game othello --game chess:KRK")
            if match_games % 2:
                raise ParseError(f"games come in pairs: an even number, not {match_games}")
            plan = Plan(
                tuple(dict.fromkeys(learners or kinds())),
                tuple(dict.fromkeys(place(game_given(text)) for text in games)),
                budget, seeds, match_games, match_seconds,
                settings=tuple(read_settings(settings or []).items()),
            )  # fmt: skip
            words += [f"--game {shlex.quote(g)}" for g in games]
            words += [f"--budget {budget:g} --seeds {seeds} --games {match_games}"]
            words += [f"--match-seconds {match_seconds:g}"]
            words += [f"--set {shlex.quote(word)}" for word in settings or []]
        counts = {"learner": len(plan.learners), "game": len(plan.places), "seed": plan.seeds}
        told = [f"{count} {word}{'s' * (count > 1)}" for word, count in counts.items()]
        title = f"{', '.join(told)}, into {out}"
        with given_workers(workers) as others, interruptible(continued), Bar(title) as bar:
            results = contest.compare(
                plan, out, workers=others or cores_or(jobs), command=" ".join(words),
                seconds=seconds, progress=bar.running, stored=stored,
            )  # fmt: skip
    report.write(out, results)
    if as_json:
        print_json(results)
        return
    say().print("Ratings with 95 % intervals, random moves being 0")
    say().print(report.summary(results))
    missing = results["trainings_planned"] - len(results["trainings"])
    missing += results["meetings_planned"] - len(results["meetings"])
    if missing:
        say().print(f"\n{missing} jobs are left: run the same command again to resume")
    say().print(f"\n{out / 'report.md'}", soft_wrap=True)
