"""Who is stronger: matches on disk as tables of scores and Elo with intervals, and ratings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tempo.arena.log import FORMAT
from tempo.arena.ratings import connected, rate
from tempo.arena.statistics import Pairs, elo, elo_interval, pair_interval

MOST_BYTES = 2 * 2**20  # of a log in one answer; files read whole may have eight times that
_NO_MATCHES = frozenset({"answer.json", "ledger.json", "log.jsonl", "results.json"})


def is_match(path: Path) -> bool:
    """Whether a file is the log of a match, or JSON with two sides and counts of pairs."""
    if path.suffix not in (".json", ".jsonl") or path.name in _NO_MATCHES:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    if path.suffix == ".jsonl":
        return FORMAT.encode() in head
    return all(name in head for name in (b'"a"', b'"b"', b'"pairs"'))


_read_before: dict[Path, tuple[int, int, dict[str, Any] | None]] = {}


def match_row(name: str, path: Path) -> dict[str, Any] | None:
    """What a file tells of a match; read again only when it has changed."""
    try:
        stat = path.stat()
    except OSError:
        return None
    before = _read_before.get(path)
    if before is None or before[:2] != (stat.st_mtime_ns, stat.st_size):
        before = (stat.st_mtime_ns, stat.st_size, _match(path))
        _read_before[path] = before
    return None if before[2] is None else {"name": name, **before[2]}


@dataclass(frozen=True)
class Meeting:
    """Two sides and the pairs of games they played; a label where a table has several such."""

    game: str
    a: str
    b: str
    pairs: Pairs
    label: str = ""


def _match(path: Path) -> dict[str, Any] | None:
    found = _log_pairs(path) if path.suffix == ".jsonl" else _stored_pairs(path)
    if found is None or not found.pairs.number:
        return None
    return {**vars(found), "pairs": list(found.pairs)}


def strength(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Matches of the same sides added up, each with score and Elo and their 95 % intervals."""
    added: dict[tuple[str, str, str, str], list[int]] = {}
    for row in rows:
        key = (row["game"], row["label"], row["a"], row["b"])
        before = added.get(key, [0] * 5)
        added[key] = [x + y for x, y in zip(before, row["pairs"], strict=True)]
    return [_row(*key, Pairs(*counts)) for key, counts in added.items()]


def _row(game: str, label: str, a: str, b: str, pairs: Pairs) -> dict[str, Any]:
    games = 2 * pairs.number
    interval = pair_interval(pairs)
    low, high = elo_interval(interval, games)
    return {
        "game": game,
        "label": label,
        "a": a,
        "b": b,
        "games": games,
        "score": pairs.mean,
        "low": interval[0],
        "high": interval[1],
        "elo": elo(pairs.mean, games),
        "elo_low": low,
        "elo_high": high,
        "pairs": list(pairs),
    }


def _side(data: object) -> str:
    """A side's name; logs tell it with its exact text."""
    return str(data.get("name", "?")) if isinstance(data, dict) else str(data)


def _stored_pairs(path: Path) -> Meeting | None:
    data = read_json(path)
    if not isinstance(data, dict):
        return None
    pairs = data.get("pairs")
    if not isinstance(pairs, list) or len(pairs) != 5 or not all(type(n) is int for n in pairs):
        return None
    label = " ".join(str(data[key]) for key in ("group", "row") if key in data)
    a, b = _side(data.get("a")), _side(data.get("b"))
    return Meeting(str(data.get("game", "")), a, b, Pairs(*pairs), label)


def _log_pairs(path: Path) -> Meeting | None:
    """A match from its log of games; read by hand, as each line also holds moves and costs."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
        head = json.loads(lines[0])
        points: dict[int, float] = {}
        for line in lines[1:]:
            row = json.loads(line)
            own, other = (
                sum(s for s, side in zip(row["scores"], row["seats"], strict=True) if side == who)
                for who in "ab"
            )
            points[row["game"]] = 1.0 if own > other else 0.0 if own < other else 0.5
        whole = [i for i in points if i % 2 == 0 and i + 1 in points]
        pairs = Pairs.of(points[i] + points[i + 1] for i in whole)
        return Meeting(str(head.get("game", "")), _side(head["a"]), _side(head["b"]), pairs)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None


def ratings(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ratings of all who met in matches of one folder, the first named as the anchor.

    Not where rows have labels: there a name stands for several settings.
    """
    if any(row["label"] for row in rows):
        return []
    results: dict[tuple[str, str], Pairs] = {}
    for row in rows:
        key = (row["a"], row["b"])
        sums = [a + b for a, b in zip(results.get(key, Pairs()), row["pairs"], strict=True)]
        results[key] = Pairs(*sums)
    names = {name for pairing in results for name in pairing}
    if len(names) < 3:
        return []
    anchor = rows[0]["a"]
    joined = set(connected(results, anchor))
    try:
        found = rate({k: v for k, v in results.items() if set(k) <= joined}, anchor)
    except (ValueError, ArithmeticError):
        return []
    ordered = sorted(found.values(), key=lambda rating: -rating.rating)
    return [{"name": r.name, "rating": r.rating, "low": r.low, "high": r.high} for r in ordered]


def read_json(path: Path) -> Any:
    """A file of JSON; None where there is none, or none that can be read."""
    try:
        if path.stat().st_size > 8 * MOST_BYTES:
            return None
        return json.loads(path.read_bytes(), parse_constant=lambda name: None)
    except (OSError, ValueError, RecursionError):
        return None
