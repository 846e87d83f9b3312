"""Requests of the runs room: what was trained, measured and reported on this machine.

    GET /api/runs                             every run, strength tables, reports
    GET /api/runs/detail?name=                a run's settings and cost
    GET /api/runs/log?name=&begin=&mark=      rows of its log, from where the last answer ended
    GET /api/runs/report?name=                a paper's claims beside ours
    GET /api/runs/figure?name=&figure=&language=   one of its pictures

Names are those that the first answer lists; any other is refused.
"""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from tempo import texts
from tempo.web import runs_found as found
from tempo.web import runs_strength
from tempo.web.messages import Refused

router = APIRouter(prefix="/api/runs")

KEPT = 2.0  # seconds for which what was found is believed
_lock = Lock()


# Plain functions: FastAPI runs them in threads, where reading files holds nobody up.


@router.get("")
def overview(request: Request) -> Response:
    """Everything there is, in rows."""
    runs, reports = _folders(request)
    matches = _matches(runs)
    return JSONResponse(
        {
            "folder": runs.root.as_posix(),
            "runs": [_row(request, name, path) for name, path in runs.runs.items()],
            "matches": matches,
            "reports": [found.report_summary(name, path) for name, path in reports.items()],
        }
    )


@router.get("/detail")
def detail(request: Request, name: str) -> Response:
    """One run."""
    row = found.run_detail(name, _run(request, name))
    return JSONResponse({**row, "live": row["live"] and not _has_ended(request, name)})


@router.get("/log")
def log(request: Request, name: str, begin: int = 0, mark: str = "") -> Response:
    """The rows that a run has added to its log."""
    if begin < 0 or len(mark) > 40:
        raise Refused("runs", "begin and mark are those of the last answer")
    return JSONResponse(found.read_log(_run(request, name) / "log.jsonl", begin, mark))


@router.get("/report")
def report(request: Request, name: str) -> Response:
    """One paper's claims."""
    return JSONResponse(found.report_detail(name, _report(request, name)))


@router.get("/figure")
def figure(request: Request, name: str, figure: str, language: str = "") -> Response:
    """One picture of a report; a drawing speaks the language that is asked for."""
    folder = _report(request, name)
    if figure not in found.figures(folder):
        raise Refused("runs", "this report has no such figure", 404)
    path = folder / figure
    kind = found.FIGURES[path.suffix]
    if path.suffix != ".svg" or texts.known(language) == texts.USUAL:
        return FileResponse(path, media_type=kind)
    with texts.speaking(language):
        return Response(found.drawing(path), media_type=kind)


def _row(request: Request, name: str, path: Path) -> dict[str, Any]:
    row = found.run_summary(name, path)
    return {**row, "live": row["live"] and not _has_ended(request, name)}


def _has_ended(request: Request, name: str) -> bool:
    """Whether a training that was started from the page has ended."""
    known = request.app.state.server.trainings.rows()
    return any(one["name"] == name and not one["running"] for one in known)


def _matches(runs: found.Folder) -> list[dict[str, Any]]:
    """Tables of strength, one for each folder of matches."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for name, path in runs.matches.items():
        row = runs_strength.match_row(name, path)
        if row is not None:
            groups.setdefault(name.rpartition("/")[0], []).append(row)
    return [
        {
            "folder": folder,
            "rows": runs_strength.strength(rows),
            "ratings": runs_strength.ratings(rows),
        }
        for folder, rows in groups.items()
    ]


def _run(request: Request, name: str) -> Path:
    runs, _ = _folders(request)
    if name not in runs.runs:
        raise Refused("runs", "there is no such run", 404)
    return runs.runs[name]


def _report(request: Request, name: str) -> Path:
    _, reports = _folders(request)
    if name not in reports:
        raise Refused("runs", "there is no such report", 404)
    return reports[name]


def _folders(request: Request) -> tuple[found.Folder, dict[str, Path]]:
    """What is under the two folders; looked for again every few seconds."""
    state = request.app.state
    settings = state.server.settings
    with _lock:
        kept = getattr(state, "runs_found", None)
        if kept is None or time.monotonic() - kept[0] > KEPT:
            runs = found.Folder.scan(settings.runs)
            stored = found.Folder.scan(settings.reports)
            state.runs_found = kept = (time.monotonic(), runs, {**stored.reports, **runs.reports})
    return kept[1], kept[2]
