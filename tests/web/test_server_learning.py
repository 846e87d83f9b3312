"""Exercises, hints, the editor and trainings over HTTP: what a guest gets, and what not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import tempo
from tempo import texts
from tempo.games import scene
from tempo.recipes.watched import is_round
from tempo.runs import Run
from tempo.web import hinting
from tempo.web.app import Settings, create_app
from tempo.web.limits import Limits

SMALL: Any = {"learner": "td", "game": "othello(size=4)"}


def server(folder: Path, *, allowed: bool = True, **limits: Any) -> TestClient:
    settings = Settings(
        folder / "t.sqlite", frozenset({"testserver"}), 1, folder / "runs",
        limits=Limits(**limits), allow_training=allowed,
    )  # fmt: skip
    return TestClient(create_app(settings))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with server(tmp_path_factory.mktemp("learning"), training_seconds=60) as client:
        yield client


def post(page: TestClient, path: str, status: int = 200, **body: Any) -> Any:
    answer = page.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


# ---- exercises -----------------------------------------------------------------------------------


def test_an_exercise_is_tried_move_by_move(page: TestClient) -> None:
    step: Any = {"game": "jiu", "part": "tutorial", "id": "square"}
    first = post(page, "learn/try", **step, layout=True)
    assert first["state"] == "open"
    assert "layout" in first
    moves = {one["text"]: one["move"] for one in first["scene"]["moves"]}
    after = post(page, "learn/try", **step, moves=[moves["D3-C3"]])
    assert after["state"] == "open"
    taken = [one["move"] for one in after["scene"]["moves"]]
    assert post(page, "learn/try", **step, moves=[moves["D3-C3"], taken[0]])["state"] == "solved"
    assert post(page, "learn/try", **step, moves=[moves["B2-A2"]])["state"] == "failed"
    assert post(page, "learn/try", 400, **step, moves=[moves["B2-A2"], 0])["error"]["text"]
    post(page, "learn/try", 404, game="jiu", part="tutorial", id="../practice")
    post(page, "learn/try", 404, game="nothing", part="tutorial", id="square")
    post(page, "learn/try", 400, game="jiu", part="rules", id="square")
    post(page, "learn/try", 400, **step, moves=[0] * 201)


def test_practice_answers_with_the_best_defence(page: TestClient) -> None:
    one: Any = {"game": "gomoku", "part": "practice", "id": "fours3-1"}
    line = post(page, "learn/try", **one, solution=True)["moves"]
    tried = post(page, "learn/try", **one, moves=[line[0]["move"]])
    assert tried["state"] == "open"
    assert len(tried["line"]) == 2  # the own four, and the stone that stops it
    whole = [row["move"] for row in line]
    assert post(page, "learn/try", **one, moves=whole)["state"] == "solved"


def test_the_game_behind_a_question_is_told_as_its_seat_saw_it(page: TestClient) -> None:
    step: Any = {"game": "siguo", "part": "practice", "id": "deduce-1"}
    first = post(page, "learn/try", **step, layout=True)
    past = first["past"]
    assert [row["text"] for row in past if row["about"] and "x" in row["text"]]
    assert {row["seat"] for row in past if row["native"]} == {0}  # foreign ranks are not told
    start = post(page, "learn/try", **step, look=0)["scene"]
    assert all(not piece["text"] for piece in start["pieces"] if piece["seat"] != 0)
    assert len([piece for piece in start["pieces"] if piece["seat"] == 0]) == 25
    assert post(page, "learn/try", **step, look=len(past))["scene"]["mover"] == past[-1]["seat"]
    assert "moves yet" in post(page, "learn/try", 400, **step, look=len(past) + 1)["error"]["text"]
    post(page, "learn/try", 400, **step, look=-1)


def test_what_an_exercise_hides_stays_on_the_server(page: TestClient) -> None:
    for part in ("", "/game?name=siguo"):
        assert "E.9" not in page.get(f"/api/learn{part}").text
    asked: Any = {"game": "siguo", "part": "tutorial", "id": "deduce"}
    shown = json.dumps(post(page, "learn/try", **asked))
    assert "General" not in shown.replace("Lieutenant General", "")
    assert post(page, "learn/try", **asked, answer="M")["state"] == "failed"
    assert post(page, "learn/try", **asked, answer="9")["state"] == "solved"


# ---- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "start", "key"),
    [
        ("gomoku(size=9)", "9/9/9/3o5/2xxxx3/3oo4/9/5o3/9 x", "win"),
        ("gomoku(size=9)", "9/9/9/3o5/2xxxx3/3oo4/9/9/9 o", "stops"),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", "win"),
        ("siguo", "S.9@C5 S.F@S62 E.F@E62 E.8@C6 N.F@N62 N.5@N31 W.F@W62 W.5@W31 turn=S", "attack"),
    ],
)
def test_a_hint_has_a_reason(game: str, start: str, key: str) -> None:
    position = tempo.load(game).parse(start)
    agent = "siguo-heuristic" if game == "siguo" else "alphabeta:depth=2"
    found = hinting.found(position.view(position.turn), agent)
    assert found["key"] == key
    assert found["touches"]


def test_a_hint_in_a_quiet_position_has_its_worth_and_the_answer_to_it() -> None:
    start: Any = tempo.load("chess").start()
    found: Any = hinting.found(start, "alphabeta:depth=4")
    assert (found["key"], found["n"], found["unit"]) == ("best_reply", 20, ("pawns", 4.0))
    assert -0.5 < found["value"] < 0.5
    assert found["reply"] in {
        after.san(m) for after in [start.play(found["move"])] for m in after.legal_moves
    }
    gomoku: Any = tempo.load("gomoku").start().play("h8")
    assert hinting.found(gomoku, "alphabeta:depth=1")["unit"] is None


def test_the_chance_of_an_attack_is_that_of_the_piece_in_every_language() -> None:
    others = "S.F@S62 E.F@E62 N.F@N62 N.5@N31 W.F@W62 W.5@W31 turn=S"
    chances = []
    for kind, language in (("9", "en"), ("8", "en"), ("8", "zh"), ("4", "en")):
        position: Any = tempo.load("siguo").parse(f"S.{kind}@C5 E.2@C6 E.9@E11 E.8@E12 {others}")
        with texts.speaking(language):
            view = position.view(0)
            move = next(m for m in view.legal_moves if view.move_text(m) == "C5xC6")
            found: Any = scene.describe(view).reason(view, move)
        chances.append(found["chance"])
    assert chances[0] > chances[1] == chances[2] > chances[3] > 0


def test_a_hint_is_the_same_whatever_is_hidden() -> None:
    position: Any = tempo.load("siguo").start(seed=3)
    for _ in range(40):
        position = position.play(position.legal_moves[len(position.legal_moves) // 2])
    view = position.view(position.turn)
    dealt = [position, *(view.sample(seed) for seed in (1, 2))]
    assert len({one.text for one in dealt}) == 3
    hints = [hinting.found(one.view(position.turn), "siguo-heuristic") for one in dealt]
    assert hints[0] == hints[1] == hints[2]


def test_hints_are_for_the_seat_to_move_and_not_against_people(page: TestClient) -> None:
    seats: Any = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]
    made = post(page, "tables", 201, game="gomoku(size=9)", seats=seats)
    table, token = made["table"], made["tokens"]["0"]
    found = post(page, "hint", table=table, token=token)
    assert found["touches"]
    post(page, "hint", 403, table=table, token="another")
    seats[1] = {"kind": "open"}
    made = post(page, "tables", 201, game="gomoku(size=9)", seats=seats)
    post(page, "tables/" + made["table"] + "/join", invite=made["invites"]["1"])
    refused = post(page, "hint", 403, table=made["table"], token=made["tokens"]["0"])
    assert "people" in refused["error"]["text"]


# ---- the editor ----------------------------------------------------------------------------------


def test_the_editor_makes_positions_and_says_what_is_wrong(page: TestClient) -> None:
    start = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    found = page.get("/api/editor", params={"game": "chess", "start": start}).json()
    assert found["placed"]["a1"] == ["R", 1]
    made = post(page, "editor", game="chess", placed=found["placed"], side="w")
    assert made["start"] == start
    wrong = post(page, "editor", 422, game="chess", placed={"a1": ["R", 1]}, side="w")
    assert "king" in wrong["error"]["text"]
    damaged: list[Any] = [{"a1": "R"}, {"a1": ["R", "x"]}, [], {"a1": [1, 1]}]
    for placed in damaged:
        post(page, "editor", 400, game="chess", placed=placed, side="w")


# ---- trainings -----------------------------------------------------------------------------------


def test_a_server_trains_only_where_it_was_told_to(tmp_path: Path) -> None:
    with server(tmp_path, allowed=False) as page:
        assert page.get("/api/training").json() == {"allowed": False, "trainings": []}
        assert "allow-training" in post(page, "training/start", 403, **SMALL)["error"]["text"]
        post(page, "training/stop", 403, name="x")
        assert page.get("/api/training/games?learner=td").status_code == 403
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "wish",
    [
        {"learner": "nothing"},
        {"learner": "../td"},
        {"game": "../../etc"},
        {"game": "openspiel:chess"},
        {"seconds": 61},
        {"seconds": -1},
        {"start": "KRK"},
        {"settings": {"out": "/tmp/x"}},
        {"settings": {"games": 10**9}},
        {"settings": {"games": -1}},
        {"settings": {"games": 0}},
        {"settings": {"hidden": [4096]}},
        {"settings": {"hidden": [8] * 9}},
        {"settings": {"net": "/etc/passwd"}},
        {"settings": {"exploration": "__import__"}},
        {"settings": []},
    ],
)
def test_a_guest_sets_nothing_beyond_the_bounds(page: TestClient, wish: dict[str, Any]) -> None:
    refused = post(page, "training/start", 400, **{**SMALL, **wish})
    assert refused["error"]["text"]
    assert not page.get("/api/training").json()["trainings"]


def test_a_training_is_started_stopped_and_resumed_by_its_owner(page: TestClient) -> None:
    settings: Any = {"iterations": 3000, "games": 4, "exam": 4, "hidden": [8]}
    made = post(page, "training/start", 201, **SMALL, seconds=40, settings=settings)
    name = made["name"]
    app: Any = page.app
    root = app.state.server.settings.runs
    folder = root / name
    busy = post(page, "training/start", 409, **SMALL)
    assert "under way" in busy["error"]["text"]
    post(page, "training/stop", 403, name=name, token="x")
    post(page, "training/stop", 403, name=name)
    post(page, "training/stop", 404, name=f"../{root.name}/{name}", token=made["token"])
    wait((folder / "steps" / "00000005").is_dir)
    post(page, "training/stop", **made)
    wait(lambda: not page.get("/api/training").json()["trainings"][0]["running"])
    stopped = Run.open(folder).trained().step
    assert stopped >= 5
    assert Run.open(folder).rows()[-1]["step"] == stopped  # nothing that was learnt is lost
    detail = page.get("/api/runs/detail", params={"name": name}).json()
    assert detail["steps"][:3] == [1, 2, 5]
    post(page, "training/resume", **made, seconds=30)
    wait(lambda: Run.open(folder).rows()[-1]["step"] > stopped)
    post(page, "training/stop", **made)
    wait(lambda: not page.get("/api/training").json()["trainings"][-1]["running"])
    agents = [f"runs/{name}/steps/00000001", f"runs/{name}"]
    seats = [{"kind": "agent", "agent": agent} for agent in agents]
    assert post(page, "tables", 201, game="othello(size=4)", seats=seats)["table"]


def test_few_runs_are_kept(tmp_path: Path) -> None:
    with server(tmp_path, trained_runs=0) as page:
        assert "no room" in post(page, "training/start", 409, **SMALL)["error"]["text"]


def test_round_steps_are_kept() -> None:
    kept = [step for step in range(1, 1200) if is_round(step)]
    assert kept == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]


def wait(condition: Any) -> None:
    """Waits for something that a process of its own does."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it does not happen")
