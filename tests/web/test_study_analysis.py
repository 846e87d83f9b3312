"""Analyses: candidates, verdicts, beliefs, shapes; in processes that end when nobody listens."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import tempo
from tempo import _core, agents
from tempo.games import scene
from tempo.games.jiu import sgf as jiu
from tempo.games.siguo.study import belief
from tempo.web import analysis_work as work
from tempo.web import studying
from tempo.web import workers as workers_module
from tempo.web.app import Settings, create_app
from tempo.web.limits import Limits
from tempo.web.messages import Refused
from tempo.web.replay_line import Line, Played
from tempo.web.workers import Terms, Workers

DATA = Path(__file__).resolve().parent.parent / "data" / "records"
KRK = "8/8/8/8/4k3/8/R7/4K3 w - - 0 1"
MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"


def answers(game: str, **asked: Any) -> dict[str, dict[str, Any]]:
    """What a worker says, the last answer of each kind."""
    request = {
        "game": game, "start": "", "moves": [], "seat": None, "agent": "random", "seconds": 0.1,
        "want": ["candidates", "exact", "belief", "shapes"], "language": "en", "plain": True,
        **asked,
    }  # fmt: skip
    found: dict[str, dict[str, Any]] = {}
    for answer in studying.answers(request):
        json.dumps(answer)
        found[str(answer["kind"])] = answer
    return found


def gomoku(*texts: str) -> list[int]:
    position: Any = tempo.load("gomoku").start()
    moves = []
    for text in texts:
        moves.append(position.parse_move(text))
        position = position.play(moves[-1])
    return moves


# ---- what is said --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("gomoku", "gomoku-strong:nodes=2000"),
        ("chess", "alphabeta:depth=2"),
        ("jiu(size=8)", "mcts:sims=60"),
        ("shogi", "shogi-strong:nodes=2000"),
        ("minishogi", "alphabeta:depth=2"),
        ("siguo", "mcts:sims=20,determinizations=2,rollout=20"),
    ],
)
def test_candidates_have_values_for_every_seat_and_places_to_touch(game: str, agent: str) -> None:
    found = answers(game, agent=agent)["candidates"]
    seats = tempo.load(game).seats
    assert found["candidates"]
    for row in found["candidates"]:
        assert row["touches"]
        assert len(row["values"]) == seats
        assert all(-1 <= value <= 1 for value in row["values"])
    assert found["line"][0]["move"] == found["move"]
    assert found["move"] in {row["move"] for row in found["candidates"]}


@pytest.mark.parametrize(
    ("game", "agent"), [("chess", "alphabeta:depth=2"), ("gomoku(size=9)", "mcts:sims=60")]
)
def test_the_next_best_moves_have_lines_that_can_be_played(game: str, agent: str) -> None:
    found = answers(game, agent=agent, seconds=0.4)
    lines = found["replies"]["lines"]
    best = found["candidates"]["move"]
    assert 2 <= len(lines) <= work.REPLIES
    assert str(best) not in lines
    for move, line in lines.items():
        assert line[0]["move"] == int(move)
        assert len(line) > 1  # a reply at least
        position: Any = tempo.load(game).start()
        for step in line:
            position = position.play(step["move"])


def test_moves_are_named_in_the_letters_that_are_wanted() -> None:
    for plain, name in ((True, "G*5b"), (False, "☗５二金打")):
        mate = answers("shogi", start=MATE, plain=plain)["exact"]
        assert mate["line"][0]["text"] == name


def test_a_view_with_hidden_ranks_is_not_played_on() -> None:
    assert "replies" not in answers("siguo", agent="mcts:sims=20,determinizations=2,rollout=20")


def test_values_belong_to_seats_and_not_to_the_mover() -> None:
    four = gomoku("h8", "a1", "h9", "a3", "h10", "a5", "h11")  # an open three, then an open four
    for moves in (four[:-1], four):
        found = answers("gomoku", agent="gomoku-strong:nodes=3000", moves=moves)["candidates"]
        assert found["values"][0] == 1
        assert found["values"][1] == -1


def test_every_root_move_of_alpha_beta_has_its_own_value() -> None:
    found = answers("chess", agent="alphabeta:depth=2")["candidates"]
    assert len(found["candidates"]) == 20
    assert len({row["values"][0] for row in found["candidates"]}) > 5
    assert "exact=yes" in found["agent"]


def test_a_time_is_spent_in_slices_each_longer() -> None:
    view = Played(Line("gomoku")).view()
    found = list(work.candidates(view, "mcts", 0.5))
    assert [one["agent"] for one in found] == ["mcts:time=0.1", "mcts:time=0.3"]
    # How many positions each saw is the machine's business; one that saw none was not asked.
    assert all(int(str(one["positions"])) > 0 for one in found)


def test_an_ending_has_exact_verdicts_and_a_perfect_line() -> None:
    found = answers("chess", start=KRK, agent="random")["exact"]
    assert found["text"] == "White mates in 13 moves"
    assert found["values"] == (1.0, -1.0)
    best = min(row["plies"] for row in found["moves"])
    assert best == 25
    assert len(found["line"]) == 25
    assert all(len(row["line"]) > 1 for row in found["moves"])
    position: Any = tempo.load("chess").parse(KRK)
    for step in found["line"]:
        position = position.play(step["move"])
    assert position.outcome.reason == "checkmate"
    assert "exact" not in answers("chess")


def test_mates_of_shogi_and_fours_of_gomoku_are_proved() -> None:
    mate = answers("shogi", start=MATE)["exact"]
    assert (mate["source"], mate["line"][0]["text"]) == ("mate search", "G*5b")
    wins = answers("gomoku", moves=gomoku("h8", "a1", "h9", "a3", "h10", "a5"))["exact"]
    assert wins["source"] == "continuous fours"
    assert "Black wins by fours" in str(wins["text"])
    assert "exact" not in answers("gomoku", moves=gomoku("h8", "a1"))


def test_what_is_proved_is_said_in_the_language_of_the_page() -> None:
    four = gomoku("h8", "a1", "h9", "a3", "h10", "a5")
    found = [
        answers("chess", language="zh", start=KRK, agent="random")["exact"],
        answers("shogi", language="zh", start=MATE)["exact"],
        answers("gomoku", language="zh", moves=four)["exact"],
    ]
    assert "13 步胜" in [row["verdict"] for row in found[0]["moves"]]
    for one in found:
        said = f"{one['source']} {one['text']}"
        assert re.search("[\u4e00-\u9fff]", said)
        assert not re.search("[A-Za-z]{2,}", said)


def test_shapes_are_those_of_the_core() -> None:
    threats = answers("gomoku", moves=gomoku("h8", "a1", "h9", "a3", "h10", "a5"))["shapes"]
    wins = {
        s["waits"] for s in threats["shapes"] if s["name"] == "four that wins" and not s["seat"]
    }
    assert wins == {"h7", "h11"}
    record = jiu.read_all((DATA / "master_game.sgf").read_text())[0]
    last: Any = record.last()
    found = answers("jiu", start=record.start, moves=list(record.moves))["shapes"]["shapes"]
    dalians = [shape for shape in found if shape["name"] == "Dalian"]
    told = [s for seat in (0, 1) for s in last.shapes(seat) if "dalian" in s[0]]
    assert len(dalians) == len(told) > 0
    stones = dict(enumerate(last.board.split("\n")[1:15]))
    for shape in dalians:  # every place holds a stone of that seat
        for place in shape["places"]:
            row = stones[ord(place[0]) - ord("A")].split()
            assert row[int(place[1:])] == "ox"[shape["seat"]]
        row = stones[ord(shape["waits"][0]) - ord("A")].split()
        assert row[int(shape["waits"][1:])] not in "xo"


def test_beliefs_follow_from_one_view_alone() -> None:
    game = tempo.load("siguo")
    truth: Any = game.start(7)
    for _ in range(24):
        truth = truth.play(next(iter(truth.legal_moves)))
    view = truth.view(0)
    other = view.sample(99)  # a determinization that south cannot tell from this one
    assert other.text != truth.text
    one, two = (answers("siguo", start=t.text, seat=0, want=["belief"]) for t in (truth, other))
    assert one == two
    pieces = {piece["home"]: piece for piece in one["belief"]["pieces"]}
    assert not any(home.startswith("S") for home in pieces)
    belief = _core.siguo.Belief(view)
    for home, piece in pieces.items():
        assert sum(chance["chance"] for chance in piece["chances"]) == pytest.approx(1, abs=0.01)
        assert {chance["letter"] for chance in piece["chances"]} <= set(belief.candidates(home))


def test_beliefs_are_about_the_pieces_on_the_board() -> None:
    player = agents.load("siguo-heuristic")
    player.reset(1)
    truth: Any = tempo.load("siguo").start(3)
    for _ in range(90):  # with losses at home and pieces that stand where others were deployed
        truth = truth.play(player.choose(truth.view(truth.turn)).move)
    setups = [truth.setup(seat).replace("/", "") for seat in range(4)]
    for seat in range(4):
        view = truth.view(seat)
        found: Any = belief(view)
        told = {piece["place"]: piece["seat"] for piece in found["pieces"]}
        assert told == {p.place: p.seat for p in scene.scene(view, seat).pieces if p.seat != seat}
        for piece in found["pieces"]:  # the truth is never thought impossible
            at = 5 * (int(piece["home"][1]) - 1) + int(piece["home"][2]) - 1
            letters = {chance["letter"] for chance in piece["chances"]}
            assert setups[piece["seat"]][at] in letters


def test_only_the_seat_to_move_gets_candidates_of_a_hidden_game() -> None:
    assert "candidates" not in answers("siguo", seat=1, want=["candidates"])
    assert "candidates" in answers("siguo", seat=0, want=["candidates"])


def test_a_game_has_a_value_at_every_ply() -> None:
    line = Played(Line("chess", KRK, (1544,)))
    views = [position.view(position.turn) for position in line.positions]
    found = list(work.values(views, "alphabeta", 0.2))
    assert [one["ply"] for one in found] == [0, 1]
    assert found[0]["values"] == (1.0, -1.0)
    moves = tuple(gomoku("h8", "a1", "h9", "a3", "h10", "a5", "h11", "a7", "h12"))
    ended = Played(Line("gomoku", "", moves))
    views = [position.view(position.turn) for position in ended.positions]
    told = list(work.values(views, "gomoku-strong:nodes=200", 0.2))
    assert told[-1]["values"] == (1.0, -1.0)
    assert len(told) == 10


# ---- processes -----------------------------------------------------------------------------------


REQUEST: dict[str, Any] = {
    "do": "study", "game": "gomoku", "start": "", "moves": [], "seat": None, "agent": "random",
    "seconds": 0.1, "want": ["candidates"], "language": "en", "plain": True,
}  # fmt: skip
LONG = {**REQUEST, "agent": "mcts:time=60"}
ONE = Terms(workers=1)


def test_work_ends_with_its_listener_and_with_its_worker() -> None:
    async def try_out() -> float:
        workers = Workers(ONE)
        gone = False

        async def is_gone() -> bool:
            return gone

        began = time.monotonic()
        async for answer in workers.ask(LONG, is_gone=is_gone):
            assert answer["kind"] == "beat"
            gone = True  # nobody listens any more
        assert await _kinds(workers) == ["candidates", "end"]  # the place is free again
        spent = time.monotonic() - began

        pid = workers._all[0].pid
        assert pid is not None
        busy = workers.ask(LONG)
        waiting = asyncio.ensure_future(anext(busy))
        await asyncio.sleep(0.1)
        os.kill(pid, 9)  # as the system does with a process that takes too much
        died = [await waiting, *[answer async for answer in busy]][-1]
        assert "the worker ended" in died["text"]
        assert await _kinds(workers) == ["candidates", "end"]
        await workers.close()
        assert workers._all[0].pid is None
        assert not workers._asked
        return spent

    assert asyncio.run(try_out()) < 20  # not the sixty seconds that were asked for


async def _kinds(workers: Workers) -> list[str]:
    found = [answer["kind"] async for answer in workers.ask(REQUEST)]
    return [kind for kind in found if kind != "beat"]


def test_work_is_bounded_in_number_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "BEAT", 0.3)

    async def fill() -> list[dict[str, Any]]:
        workers = Workers(Terms(workers=1, waiting=0, seconds=1.5, late=0.1))
        busy = workers.ask(LONG)
        await anext(busy)
        with pytest.raises(Refused, match="too many"):
            await anext(workers.ask(REQUEST))
        rest = [answer async for answer in busy]
        await workers.close()
        assert not workers._asked
        return rest

    assert asyncio.run(fill())[-1]["text"].startswith("stopped ")


# ---- requests ------------------------------------------------------------------------------------


BUSY = Limits(request_burst=1e9)  # one client asks for all tests


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("page")
    settings = Settings(
        folder / "t.sqlite", frozenset({"testserver"}), 1, folder / "runs", limits=BUSY
    )
    with TestClient(create_app(settings)) as client:
        yield client


def ask(page: TestClient, **asked: Any) -> list[dict[str, Any]]:
    answer = page.post("/api/analysis", json=asked)
    assert answer.status_code == 200, answer.text
    found = [json.loads(text) for text in answer.text.splitlines()]
    return [one for one in found if one["kind"] != "beat"]


def test_answers_come_as_lines(page: TestClient) -> None:
    found = ask(page, game="chess", start=KRK, agent="alphabeta:depth=1")
    assert [one["kind"] for one in found] == ["exact", "candidates", "replies", "end"]
    wrong = ask(page, game="gomoku", moves=[5, 5])
    assert wrong[0]["kind"] == "error"
    assert "move 2" in wrong[0]["text"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"game": "nonsense"}, "there is no game"),
        ({"game": "chess", "agent": "gomoku-strong"}, "does not play chess"),
        ({"game": "chess", "agent": "mcts:sims=99999999"}, "at most"),
        ({"game": "chess", "agent": "endgame:weights=/etc/passwd"}, "at this table"),
        ({"game": "chess", "seconds": 1e9}, "from 0.05 to 3600"),
        ({"game": "chess", "want": ["secrets"]}, "some of"),
        ({"game": "chess", "want": ["values", "exact"]}, "alone"),
        ({"game": "chess", "seat": 2}, "2 seats"),
        ({"table": "abc"}, "no such table"),
    ],
)
def test_what_cannot_be_studied_is_refused(
    page: TestClient, asked: dict[str, Any], said: str
) -> None:
    answer = page.post("/api/analysis", json=asked)
    assert 400 <= answer.status_code < 500
    assert said in answer.json()["error"]["text"]


def siguo_table(page: TestClient) -> tuple[str, str]:
    """A running game of Siguo: south is a person, the others are agents."""
    agent = {"kind": "agent", "agent": "random"}
    made = page.post(
        "/api/tables",
        json={"game": "siguo(first=S)", "seats": [{"kind": "person"}, agent, agent, agent]},
    ).json()
    table, token = made["table"], made["tokens"]["0"]
    with page.websocket_connect("/ws") as socket:
        socket.send_text(json.dumps({"type": "join", "table": table, "token": token}))
        setup = _core.siguo.sound_setups()[0]
        socket.send_text(json.dumps({"type": "deploy", "setup": setup}))
        for _ in range(20):
            if json.loads(socket.receive_text()).get("phase") == "play":
                break
    return table, token


def test_a_running_hidden_game_is_studied_by_its_own_view_only(page: TestClient) -> None:
    table, token = siguo_table(page)
    found = {one["kind"]: one for one in ask(page, table=table, token=token, agent="random")}
    assert found["belief"]["seat"] == 0
    assert found["candidates"]["candidates"]
    application: Any = page.app
    truth = application.state.server.hall.table(table).position
    assert found["belief"] == json.loads(json.dumps(belief(truth.view(0))))
    looked = page.post("/api/analysis/table", json={"table": table, "token": token}).json()
    assert looked["line"] is None
    hidden = [piece for piece in looked["scene"]["pieces"] if piece["seat"] != 0]
    assert hidden
    assert not any(piece["text"] for piece in hidden)
    for right in ({}, {"token": "x" * 32}):
        assert page.post("/api/analysis", json={"table": table, **right}).status_code == 403
    values = {"table": table, "token": token, "want": ["values"]}
    assert page.post("/api/analysis", json=values).status_code == 403
    public = page.post("/api/analysis/table", json={"table": table}).json()
    assert not any(piece["text"] for piece in public["scene"]["pieces"])


def test_an_open_game_is_studied_whole(page: TestClient) -> None:
    seats = [{"kind": "person"}, {"kind": "person"}]
    made = page.post("/api/tables", json={"game": "gomoku", "seats": seats}).json()
    with page.websocket_connect("/ws") as socket:
        socket.send_text(
            json.dumps({"type": "join", "table": made["table"], "token": made["tokens"]["0"]})
        )
        socket.send_text(json.dumps({"type": "move", "ply": 0, "move": 112}))
        for _ in range(20):
            if json.loads(socket.receive_text()).get("ply") == 1:
                break
    looked = page.post("/api/analysis/table", json={"table": made["table"]}).json()
    assert looked["line"] == {"start": "", "moves": [112], "texts": ["h8"], "seats": [0]}
    found = ask(page, table=made["table"], want=["shapes"])
    assert [one["kind"] for one in found] == ["shapes", "end"]
