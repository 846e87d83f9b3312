"""`tempo reproduce`: a paper's tables and figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tempo import papers
from tempo.cli import completion
from tempo.cli.common import (
    MOST_THREADS,
    Bar,
    Json,
    WorkersText,
    continued,
    cores_or,
    given_workers,
    interruptible,
    print_json,
    say,
)
from tempo.errors import ParseError

app = typer.Typer()


ALL = "all"


@app.command(epilog="Example: tempo reproduce endgames --quick")
def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            help=f"Which one: {', '.join(papers.names())}; or {ALL}.",
            autocompletion=completion.papers,
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="Three minutes, shortened.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder; goes on from what is there.")] = None,
    seeds: Annotated[
        int | None, typer.Option(min=2, max=1000, help="Trainings of each kind.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=MOST_THREADS, help="Processes; one a core if none.")
    ] = None,
    workers: WorkersText = None,
    part: Annotated[
        list[str] | None, typer.Option(help="A part of a paper that has parts; several may be.")
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Write report and figures from stored results.")
    ] = False,
    as_json: Json = False,
) -> None:
    """A paper's tables and figures, ours beside the published, with a verdict on every claim.

    Writes results.json, report.md and figures into the folder. Killed, it goes on from there. All
    papers have a folder each, and verdicts.md beside them.
    """
    from tempo.files import write_text  # noqa: PLC0415
    from tempo.papers import overview, reports  # noqa: PLC0415

    folder = out or Path("runs") / f"reproduce-{paper}{'-quick' if quick else ''}"
    if paper != ALL:
        answer = _answer(paper, folder, quick, seeds, (jobs, workers), part or [], report_only)
        if as_json:
            return print_json(answer)
        say().print(reports.summary(answer))
        return say().print(f"\n{folder / 'report.md'}", soft_wrap=True)
    if part:
        raise ParseError("parts are of one paper; name it")
    found = {
        name: _answer(name, folder / name, quick, seeds, (jobs, workers), [], report_only)
        for name in papers.names()
    }
    write_text(folder / "verdicts.md", overview.page(found))
    if as_json:
        return print_json(found)
    for name, answer in found.items():
        say().print(f"{name}: {reports.verdict_counts(answer)}")
    return say().print(f"\n{folder / 'verdicts.md'}", soft_wrap=True)


def _answer(
    paper: str, folder: Path, quick: bool, seeds: int | None,
    by: tuple[int | None, str | None], parts: list[str], report_only: bool,
) -> dict[str, Any]:  # fmt: skip
    """Does what is not done of a paper, writes its report, and gives its claims."""
    from tempo.papers import reproduction  # noqa: PLC0415

    found = papers.load(paper)
    if report_only:
        results = reproduction.read_results(found.plan, folder)
    else:
        count = seeds or (found.plan.quick_seeds if quick else found.plan.seeds)
        words = ["tempo reproduce", paper, *["--quick"] * quick, f"--seeds {count}"]
        words += [f"--part {name}" for name in parts]
        with (
            given_workers(by[1]) as others,
            interruptible(continued),
            Bar(f"{paper}: {count} seeds of each kind, into {folder}") as bar,
        ):
            results = reproduction.reproduce(
                found.plan, folder, seeds=count, quick=quick, workers=others or cores_or(by[0]),
                command=" ".join(words), parts=parts, progress=bar.running,
            )  # fmt: skip
    with Bar(f"{paper}: report of what is in {folder}", 2) as bar:
        bar.running(0, 2, "claims")
        answer = found.answer(results)
        bar.running(1, 2, "figures")
        found.report.write(folder, results, answer)
        bar.running(2, 2, "written")
    return answer
