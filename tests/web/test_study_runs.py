"""Runs on the page: logs read on while they grow, strength, reports, and nothing else on disk."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tempo.runs import Run
from tempo.web import runs_found
from tempo.web.app import Settings, create_app

PAPERS = Path(__file__).resolve().parent.parent.parent / "docs" / "papers"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = Run.create(tmp_path / "runs" / "krk", {"about": "a run", "ending": "KRK", "rule": "leaf"})
    for step in range(1, 4):
        run.log({"step": step, "games": 10 * step, "won": step / 10})
    (run.folder / "ledger.json").write_text(json.dumps({"games": 30, "wall_seconds": 1.5}))
    (run.folder / "checkpoint-00000003.safetensors").write_bytes(b"x")
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path


@pytest.fixture
def page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr("tempo.web.runs.KEPT", 0.0)  # every request looks at the disk
    settings = Settings(
        folder / "t.sqlite", frozenset({"testserver"}), 1, folder / "runs", reports=PAPERS
    )
    with TestClient(create_app(settings)) as client:
        yield client


def get(page: TestClient, path: str, **given: Any) -> dict[str, Any]:
    answer = page.get(f"/api/runs{path}", params=given)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


# ---- runs ----------------------------------------------------------------------------------------


def test_a_run_is_listed_and_told(page: TestClient) -> None:
    (run,) = get(page, "")["runs"]
    assert (run["name"], run["about"], run["step"], run["live"]) == ("krk", "a run", 3, True)
    assert run["last"] == {"step": 3, "games": 30, "won": 0.3}
    detail = get(page, "/detail", name="krk")
    assert detail["ledger"]["games"] == 30
    assert detail["config"]["ending"] == "KRK"
    assert detail["checkpoints"] == ["00000003"]


def test_a_log_is_read_on_and_a_half_line_waits(page: TestClient, folder: Path) -> None:
    first = get(page, "/log", name="krk")
    assert [row["step"] for row in first["rows"]] == [1, 2, 3]
    path = folder / "runs" / "krk" / "log.jsonl"
    with path.open("a") as file:
        file.write('{"step": 4, "won"')
    more = {"begin": first["next"], "mark": first["mark"]}
    nothing = get(page, "/log", name="krk", **more)
    assert (nothing["rows"], nothing["next"]) == ([], first["next"])
    assert get(page, "")["runs"][0]["step"] == 3
    with path.open("a") as file:
        file.write(': 0.4}\n{"step": 5, "won": NaN}\nnonsense\n')
    then = get(page, "/log", name="krk", **more)
    assert then["rows"] == [{"step": 4, "won": 0.4}, {"step": 5, "won": None}]
    assert not then["again"]


def test_a_log_that_was_cut_back_is_read_anew(page: TestClient, folder: Path) -> None:
    first = get(page, "/log", name="krk")
    run = Run.open(folder / "runs" / "krk")
    (run.folder / "checkpoint-00000003.safetensors").unlink()
    run.resume()  # no checkpoint is left: the log begins again
    run.log({"step": 1, "games": 7})
    again = get(page, "/log", name="krk", begin=first["next"], mark=first["mark"])
    assert again["again"]
    assert again["rows"] == [{"step": 1, "games": 7}]


def test_long_logs_come_in_parts(
    page: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_found, "MOST_ROWS", 2)
    steps: list[int] = []
    found: dict[str, Any] = {"next": 0, "mark": "", "more": True}
    while found["more"]:
        found = get(page, "/log", name="krk", begin=found["next"], mark=found["mark"])
        steps += [row["step"] for row in found["rows"]]
    assert steps == [1, 2, 3]


def test_a_damaged_run_does_no_harm(page: TestClient, folder: Path) -> None:
    broken = folder / "runs" / "broken"
    broken.mkdir()
    (broken / "config.toml").write_bytes(b"\xff = [")
    (broken / "ledger.json").write_text("{")
    names = {run["name"]: run for run in get(page, "")["runs"]}
    assert names["broken"]["step"] is None
    assert names["broken"]["about"].endswith("invalid start byte"), "it says what is wrong"
    assert get(page, "/detail", name="broken")["ledger"] is None


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("seed = 2026-11-16\nabout = 3", '{"step": 1, "rewards": [NaN, Infinity]}'),
        ("seed = nan\n[x]\ny = [inf]", '{"step": {"a": NaN}}'),
        ("seed = 1", "[" * 10_000),
        ("seed = 1", '{"step": 1, "note": "\\ud800"}'),
        ("a = " + "[" * 3000, '{"step": 1}'),
    ],
)
def test_what_json_does_not_know_does_no_harm(
    page: TestClient, folder: Path, config: str, line: str
) -> None:
    """A date in one run's settings, or a list with NaN in its log, took the whole list away."""
    odd = folder / "runs" / "odd"
    odd.mkdir()
    (odd / "config.toml").write_text(config)
    (odd / "log.jsonl").write_text(line + "\n")
    assert {run["name"] for run in get(page, "")["runs"]} == {"krk", "odd"}
    get(page, "/detail", name="odd")
    get(page, "/log", name="odd")


# ---- nothing else --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["..", "../", "../secret.txt", "krk/..", "krk/../..", "/etc", "//etc", "", ".", "krk/",
     "%2e%2e", "..%2f", "krk\x00", "C:\\", "krk/log.jsonl", "runs/krk", "é" * 5000],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(page: TestClient, name: str) -> None:
    for path in ("/detail", "/log", "/report"):
        answer = page.get(f"/api/runs{path}", params={"name": name})
        assert answer.status_code == 404
        assert "secret" not in answer.text
    answer = page.get("/api/runs/figure", params={"name": "endgames", "figure": name})
    assert answer.status_code == 404


def test_no_figure_but_those_listed(page: TestClient) -> None:
    for figure in ("results.json", "../jiu/arms.svg", "report.md", "../../../README.md"):
        params = {"name": "endgames", "figure": figure}
        assert page.get("/api/runs/figure", params=params).status_code == 404


def test_links_that_lead_out_are_not_followed(page: TestClient, folder: Path) -> None:
    outside = folder / "outside"
    Run.create(outside / "private", {"about": "not shown"})
    (folder / "runs" / "way-out").symlink_to(outside)
    (folder / "runs" / "krk2").symlink_to(folder / "runs" / "krk")
    assert [run["name"] for run in get(page, "")["runs"]] == ["krk", "krk2"]
    (folder / "runs" / "loop").symlink_to(folder / "runs")  # ends by its depth
    assert len(get(page, "")["runs"]) < 50


def test_hidden_and_deep_folders_are_left(page: TestClient, folder: Path) -> None:
    Run.create(folder / "runs" / ".hidden", {"about": "x"})
    Run.create(folder.joinpath("runs", *"abcdefgh"), {"about": "x"})
    assert [run["name"] for run in get(page, "")["runs"]] == ["krk"]


def test_there_may_be_no_folder_at_all(page: TestClient, folder: Path) -> None:
    os.rename(folder / "runs", folder / "gone")
    assert get(page, "")["runs"] == []


# ---- strength ------------------------------------------------------------------------------------


def test_matches_become_tables_with_intervals(page: TestClient, folder: Path) -> None:
    place = folder / "runs" / "cup"
    place.mkdir()
    head = {"format": "tempo-match/1", "game": "gomoku", "a": {"name": "x", "spec": "x"}, "b": "y"}
    rows: list[dict[str, Any]] = [head]
    for game in range(20):
        seats = ["a", "b"] if game % 2 == 0 else ["b", "a"]
        won = 1 if seats[0] == "a" else -1
        rows.append({"game": game, "seats": seats, "scores": [won, -won] if game else [0, 0]})
    text = "".join(json.dumps(row) + "\n" for row in rows) + '{"game": 20, "sea'
    (place / "x-y.jsonl").write_text(text)
    (place / "y-z.json").write_text(json.dumps({"a": "y", "b": "z", "pairs": [1, 0, 2, 0, 7]}))
    (table,) = get(page, "")["matches"]
    first = next(row for row in table["rows"] if row["a"] == "x")
    assert (first["games"], first["score"]) == (20, 0.975)
    assert first["low"] < first["score"] < first["high"] <= 1
    assert [rating["name"] for rating in table["ratings"]] == ["x", "y", "z"]
    anchor = next(rating for rating in table["ratings"] if rating["name"] == "x")
    assert anchor["low"] == anchor["rating"] == anchor["high"] == 0


def test_rows_of_a_study_are_added_up_by_their_labels(page: TestClient, folder: Path) -> None:
    place = folder / "runs" / "paper"
    place.mkdir()
    for seed in (1, 2):
        stored = {
            "group": "ladder",
            "row": "beginner",
            "a": "p",
            "b": "q",
            "pairs": [0, 0, 0, 0, 5],
        }
        (place / f"{seed}.json").write_text(json.dumps(stored))
    (place / "odd.json").write_text(json.dumps({"a": 1, "b": 2, "pairs": "many"}))
    (table,) = get(page, "")["matches"]
    assert [(row["label"], row["games"]) for row in table["rows"]] == [("ladder beginner", 20)]
    assert table["ratings"] == []


# ---- reports -------------------------------------------------------------------------------------


def test_published_figures_stand_beside_ours(page: TestClient) -> None:
    report = next(one for one in get(page, "")["reports"] if one["name"] == "endgames")
    assert report["claims"] == sum(report["verdicts"].values()) > 10
    whole = get(page, "/report", name="endgames")
    row = whole["rows"][0]
    assert {"claim", "published", "ours", "low", "high", "verdict"} <= row.keys()
    assert whole["figures"]
    for figure in whole["figures"]:
        assert figure.endswith(".svg")
        answer = page.get("/api/runs/figure", params={"name": "endgames", "figure": figure})
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "default-src" in answer.headers["content-security-policy"]
        assert answer.content.lstrip().startswith(b"<")


def test_figures_speak_the_language_that_is_asked_for(page: TestClient) -> None:
    """Words are put in as the figure is sent; the stored file and all that is drawn stay."""
    path = PAPERS / "endgames" / "win-rate.svg"
    stored = path.read_bytes()
    given = {"name": "endgames", "figure": "win-rate.svg"}

    def sent(language: str) -> bytes:
        return page.get("/api/runs/figure", params={**given, "language": language}).content

    assert sent("") == sent("en") == sent("xx") == path.read_bytes() == stored
    chinese = sent("zh").decode()
    assert "自我对弈中白方获胜的比例" in chinese
    assert "self-play" not in chinese
    drawn = re.compile(r"(?<=>)[^<]*(?=</text>)")
    assert drawn.sub("", chinese) == drawn.sub("", stored.decode())
