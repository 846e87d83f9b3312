"""Runs, matches and reports on disk, found again at every look; nothing outside the folders.

A run, a match or a report is known by a name that this module found, never by a path from outside:
whatever is asked for is looked up among what was found.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import Any

from tempo.errors import TempoError
from tempo.runs import Run
from tempo.texts import translated
from tempo.web.runs_strength import MOST_BYTES, is_match, read_json

DEEPEST = 5  # folders below the one that is shown
MOST = 3000  # entries looked at
FRESH = 60.0  # seconds without a new line after which a run is thought to rest
MOST_ROWS = 4000  # of a log in one answer
STEPS = "steps"  # a run's folder of what it had learnt on the way: no runs of their own
FIGURES = {".svg": "image/svg+xml", ".png": "image/png"}
WORDS = re.compile(
    r"(<text\b[^>]*>)([^<]+)(</text>)"
)  # of a drawing: matplotlib writes them as text


@dataclass
class Folder:
    """What is under a folder: runs by name, files of matches, reports of papers."""

    root: Path
    runs: dict[str, Path] = field(default_factory=dict)
    matches: dict[str, Path] = field(default_factory=dict)
    reports: dict[str, Path] = field(default_factory=dict)

    @classmethod
    def scan(cls, root: Path) -> Folder:
        """Looks through a folder, at most DEEPEST deep; links that lead out of it are left."""
        found = cls(root)
        if not root.is_dir():
            return found
        real = root.resolve()
        for count, (folder, names) in enumerate(_walk(root, real)):
            if count > MOST:
                break
            found._add(folder, names)
        return found

    def _add(self, folder: Path, names: set[str]) -> None:
        name = folder.relative_to(self.root).as_posix()
        if name != "." and "config.toml" in names:
            self.runs[name] = folder
        if {"answer.json", "results.json"} & names:
            self.reports[name if name != "." else self.root.name] = folder
        for file in sorted(names):
            path = folder / file
            if len(self.matches) < MOST and is_match(path):
                self.matches[path.relative_to(self.root).as_posix()] = path


def _walk(root: Path, real: Path) -> Iterator[tuple[Path, set[str]]]:
    """Folders with the names of their plain files, nearest first."""
    waiting = [(root, 0)]
    while waiting:
        folder, depth = waiting.pop(0)
        files: set[str] = set()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name == STEPS:
                continue
            if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(real):
                continue
            if entry.is_dir() and depth < DEEPEST:
                waiting.append((Path(entry.path), depth + 1))
            elif entry.is_file():
                files.add(entry.name)
        yield folder, files


# ---- runs ----------------------------------------------------------------------------------------


def run_summary(name: str, folder: Path) -> dict[str, Any]:
    """A run in one row: what it learns, how far it is, whether it goes on; or what is damaged."""
    config, fault = read_config(folder)
    log = folder / "log.jsonl"
    changed = _changed(log) or _changed(folder / "config.toml")
    last = last_row(log)
    return {
        "name": name,
        "about": fault or str(config.get("about", "")),
        "game": str(config.get("game", config.get("ending", ""))),
        "learner": str(config.get("learner", config.get("rule", ""))),
        "seed": config.get("seed"),
        "step": last.get("step") if last else None,
        "last": last,
        "changed": changed,
        "live": bool(last) and time.time() - changed < FRESH,
    }


def run_detail(name: str, folder: Path) -> dict[str, Any]:
    """A run with its settings, its cost and its checkpoints."""
    checkpoints = sorted(folder.glob("checkpoint-*.safetensors"))
    return {
        **run_summary(name, folder),
        "config": read_config(folder)[0],
        "ledger": _finite(read_json(folder / "ledger.json")),
        "checkpoints": [path.stem.removeprefix("checkpoint-") for path in checkpoints],
        "steps": sorted(int(path.name) for path in folder.glob(f"{STEPS}/[0-9]*")),
        "agent": "" if "/" in name else f"{folder.parent.name}/{folder.name}",
    }


def read_config(folder: Path) -> tuple[dict[str, Any], str]:
    """A run's settings, and why they cannot be read."""
    try:
        return _finite(Run.open(folder).config), ""
    except TempoError as error:
        return {}, str(error)


def read_log(path: Path, begin: int = 0, mark: str = "") -> dict[str, Any]:
    """Rows of a log from a byte on, whole lines only: a half-written last one waits.

    `mark` names the file that `begin` belongs to. A run that goes on from a checkpoint writes its
    log anew, so with another mark, or with less in the file, all is read from its beginning.
    """
    try:
        with path.open("rb") as file:
            stat = os.fstat(file.fileno())
            now = f"{stat.st_ino}"
            again = bool(mark) and (mark != now or stat.st_size < begin)
            begin = 0 if again or not mark else begin
            file.seek(begin)
            data = file.read(MOST_BYTES)
    except OSError:
        return {"rows": [], "next": 0, "mark": "", "again": bool(mark), "more": False}
    rows, used = _whole_rows(data)
    return {
        "rows": rows,
        "next": begin + used,
        "mark": now,
        "again": again,
        "more": begin + used < stat.st_size and bool(rows),
    }


def _whole_rows(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The objects of whole lines, at most MOST_ROWS, and how many bytes they took."""
    rows: list[dict[str, Any]] = []
    used = 0
    for line in data.splitlines(keepends=True):
        if not line.endswith(b"\n") or len(rows) == MOST_ROWS:
            break
        used += len(line)
        if (row := _row_of(line)) is not None:
            rows.append(row)
    return rows, used


def _row_of(line: bytes) -> dict[str, Any] | None:
    """The object of a line; None if it holds none."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return _finite(row) if isinstance(row, dict) else None


def _finite(value: Any) -> Any:
    """As JSON can send it: a loss may be NaN, and TOML has dates."""
    if isinstance(value, dict):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if value is None or isinstance(value, bool | int):
        return value
    return str(value).encode(errors="replace").decode()  # half a character cannot be sent


def last_row(path: Path) -> dict[str, Any] | None:
    """The last whole row of a log."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 16384))
            tail = file.read()
    except OSError:
        return None
    rows = map(_row_of, reversed(tail.split(b"\n")[:-1]))
    return next((row for row in rows if row is not None), None)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


# ---- reports -------------------------------------------------------------------------------------


def report_summary(name: str, folder: Path) -> dict[str, Any]:
    """A report in one row: which paper, and how many of its claims came out how."""
    data = read_json(folder / "answer.json") or {}
    rows = data.get("rows") or []
    verdicts: dict[str, int] = {}
    for row in rows:
        verdict = str(row.get("verdict", "?"))
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
    return {
        "name": name,
        "paper": str(data.get("paper", folder.name)),
        "commit": str(data.get("commit", "")),
        "seeds": data.get("seeds"),
        "quick": bool(data.get("quick", False)),
        "claims": len(rows),
        "verdicts": verdicts,
        "figures": figures(folder),
    }


def report_detail(name: str, folder: Path) -> dict[str, Any]:
    """A report with every claim: the published figure beside ours, its interval, the verdict."""
    data = read_json(folder / "answer.json") or {}
    kept = ("claim", "published", "ours", "low", "high", "games", "verdict", "reason", "kind",
            "by_seed")  # fmt: skip
    rows = [{key: row.get(key) for key in kept} for row in data.get("rows") or []]
    for row in rows:
        row["claim"] = translated(str(row["claim"] or ""), "claims")
        row["reason"] = translated(str(row["reason"] or ""))
    return {
        **report_summary(name, folder),
        "command": str(data.get("command", "")),
        "ledger": data.get("ledger"),
        "rows": rows,
        "text": _text(folder / "report.md"),
    }


def figures(folder: Path) -> list[str]:
    """The pictures of a report: as drawings where there are any, else as photographs of them."""
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix in FIGURES)
    except OSError:
        return []
    drawn = {name.removesuffix(".svg") for name in names if name.endswith(".svg")}
    return [n for n in names if n.endswith(".svg") or n.removesuffix(".png") not in drawn]


def drawing(path: Path) -> str:
    """A stored drawing with its words in the language of now; nothing else in it changes."""

    def said(found: re.Match[str]) -> str:
        begin, words, end = found.groups()
        return begin + escape(translated(unescape(words), "figures"), quote=False) + end

    return WORDS.sub(said, path.read_text("utf-8"))


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")[:MOST_BYTES]
    except OSError:
        return ""
