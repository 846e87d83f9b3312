"""Records on the page: recognised by content, played, branched, written; damaged ones refused."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from mutations import mutated

import tempo
from tempo import games
from tempo._core import siguo as core
from tempo.games.chess import pgn
from tempo.games.formats import MOST_GAMES, MOST_LINES
from tempo.games.gomoku import psq
from tempo.games.gomoku import sgf as gomoku
from tempo.games.jiu import sgf as jiu
from tempo.games.record import Record
from tempo.games.shogi import csa, kif
from tempo.games.siguo import record as siguo
from tempo.games.siguo.formats import MAGIC
from tempo.web import replay, replay_files
from tempo.web.app import Settings, create_app
from tempo.web.limits import Limits
from tempo.web.messages import Refused

DATA = Path(__file__).resolve().parent.parent / "data" / "records"
PGN = '[White "Ann"]\n\n1. e4 e5 2. Bc4?! {early} (2. Nf3 Nc6 (2... d6)) 2... Nc6 3. Qh5 *\n'
SGF = "(;FF[4]GM[4]SZ[9]RU[freestyle];B[ee];W[dd](;B[ef];W[ed])(;B[fe]))"
KIF = """手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)
   2 ３四歩(33)
   3 ２六歩(27)

変化：2手
   2 ８四歩(83)
"""
FILES = {
    "gomoku_game.sgf": ("sgf", "gomoku"),
    "gomoku_judge.psq": ("psq", "gomoku"),
    "master_game.sgf": ("sgf", "jiu"),
    "book_master_game.txt": ("book", "jiu"),
    "shogi_game.kif": ("kif", "shogi"),
    "shogi_game.csa": ("csa", "shogi"),
}


BUSY = Limits(request_burst=1e9)  # one client asks for all tests


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("page")
    settings = Settings(
        folder / "t.sqlite", frozenset({"testserver"}), 1, folder / "runs", limits=BUSY
    )
    with TestClient(create_app(settings)) as client:
        yield client


def siguo_text(plies: int = 30, resigned: bool = False) -> str:
    """A game of Siguo by random moves."""
    stream = random.Random(5)
    position: Any = tempo.load("siguo").start(4)
    start, moves = position, []
    for _ in range(plies):
        moves.append(stream.choice(list(position.legal_moves)))
        position = position.play(moves[-1])
    record = siguo.of_moves(start, moves)
    text = siguo.write(record)
    if resigned:
        loser = siguo.SEATS[(position.turn + 1) % 4]
        text = text.replace("end ongoing", f"{plies + 1} {loser} resign\nend ongoing")
    return text


def opened(page: TestClient, data: bytes) -> dict[str, Any]:
    answer = page.post("/api/replay/open", content=data)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def line_of(game: dict[str, Any]) -> list[Any]:
    """The moves of a game's main line."""
    found, at = [], -1
    nodes = game["nodes"]
    while (at := next((i for i, n in enumerate(nodes) if n["parent"] == at), -2)) >= 0:
        found.append(nodes[at]["move"])
    return found


# ---- opening -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_recognised_by_what_is_in_it(page: TestClient, name: str) -> None:
    found = opened(page, (DATA / name).read_bytes())
    form, game = FILES[name]
    assert found["format"] == form
    assert found["games"][0]["game"].startswith(game)
    assert len(found["games"][0]["nodes"]) > 5
    first = found["games"][0]
    look = {"game": first["game"], "start": first["start"], "moves": line_of(first)}
    assert page.post("/api/replay/scene", json=look).status_code == 200


def test_variations_are_branches(page: TestClient) -> None:
    chess = opened(page, PGN.encode())["games"][0]
    assert [(n["text"], n["parent"]) for n in chess["nodes"]] == [
        ("e4", -1), ("e5", 0), ("Bc4", 1), ("Nf3", 1), ("Nc6", 3), ("d6", 3), ("Nc6", 2),
        ("Qh5", 6),
    ]  # fmt: skip
    assert chess["nodes"][2]["note"] == "?! early"
    stones = opened(page, SGF.encode())["games"][0]
    assert [n["text"] for n in stones["nodes"]] == ["e5", "d6", "e4", "e6", "f5"]
    assert [n["parent"] for n in stones["nodes"]] == [-1, 0, 1, 2, 1]


def test_shift_jis_latin_and_several_games(page: TestClient) -> None:
    data = (DATA / "shogi_game.kif").read_bytes()
    assert opened(page, data)["games"] == opened(page, data.decode("cp932").encode())["games"]
    latin = '[White "Müller"]\n\n1. e4 *\n'.encode("latin-1")
    assert opened(page, latin)["games"][0]["headers"]["PW"] == "Müller"
    several = opened(page, ("1. e4 *\n" * (MOST_GAMES + 1)).encode())
    assert (len(several["games"]), several["more"]) == (MOST_GAMES, True)


def test_games_of_people_may_pass_a_draw_that_nobody_claimed(page: TestClient) -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *"
    assert opened(page, shuffle.encode())["games"][0]["game"] == pgn.CLAIMED


def test_siguo_with_all_its_ends(page: TestClient) -> None:
    game = opened(page, siguo_text(resigned=True).encode())["games"][0]
    moves = line_of(game)
    assert str(moves[-1]).startswith("resign:")
    shown = page.post(
        "/api/replay/scene", json={"game": game["game"], "start": game["start"], "moves": moves}
    )
    assert shown.status_code == 200
    assert all(piece["text"] for piece in shown.json()["scene"]["pieces"])  # a record hides nothing
    east = {"game": game["game"], "start": game["start"], "moves": moves[:-1], "seat": 1}
    pieces = page.post("/api/replay/scene", json=east).json()["scene"]["pieces"]
    assert all(bool(piece["text"]) == (piece["seat"] == 1) for piece in pieces)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 e5\n2. Ke3 *", "line 2, column 4: 2. Ke3 is not legal"),
        ("(;FF[4]GM[4]SZ[15];B[hh];B[hg])", "line 1, column 25"),
        ("(;FF[4]GM[1]SZ[19];B[hh])", "expected GM[4], Gomoku, or GM[140], Jiu"),
        ("(;FF[4]GM[4]SZ[15]", "line 1, column"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n-1\n", "line 3"),
        ("V3.0\nPI\n+\n+7775FU\n", "line 4"),
        ("手合割：平手\n   1 ７五歩(77)\n", "line 2"),
        ("siguo 1\nnonsense\n", "line 2"),
        ("hello", "line 1: 'hello'; expected SGF"),
        ("", "line 1"),
        (siguo.write(siguo.read(siguo_text()).seen_by("E")), "cannot be played again"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(page: TestClient, text: str, said: str) -> None:
    answer = page.post("/api/replay/open", content=text.encode())
    assert answer.status_code == 422
    assert said in answer.json()["error"]["text"]


def test_too_much_is_refused(page: TestClient) -> None:
    answer = page.post("/api/replay/open", content=b"1" * (replay_files.MOST_BYTES + 1))
    assert answer.status_code == 413
    answer = page.post("/api/replay/open", content=b"\xff\x00\xfe" * 10)
    assert "no text" in answer.json()["error"]["text"]
    branchy = "(;FF[4]GM[4]SZ[15];B[hh]" + "(;W[aa])" * (MOST_LINES + 1) + ")"
    assert "variations" in page.post("/api/replay/open", content=branchy).json()["error"]["text"]


def test_nothing_but_an_answer_or_a_refusal_comes_of_damage(page: TestClient) -> None:
    stream = random.Random(3)
    texts = [
        PGN,
        SGF,
        siguo_text(6),
        *(replay_files.decode((DATA / name).read_bytes()) for name in FILES),
    ]
    for _ in range(400):
        pieces = ["(", ")", ";", "[", "]", "\n", "1.", "siguo 1", "手合割", "\\", "B[aa]", "é", "0"]
        text = mutated(stream.choice(texts), pieces, stream)
        answer = page.post("/api/replay/open", content=text.encode())
        assert answer.status_code in (200, 422), text
        if answer.status_code == 422:
            assert answer.json()["error"]["text"]


# ---- moments -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games.names())
def test_a_line_can_be_gone_on_with_in_every_game(page: TestClient, game: str) -> None:
    moves: list[int] = []
    for _ in range(4):
        asked = {"game": game, "moves": moves, "layout": not moves}
        found = page.post("/api/replay/scene", json=asked).json()
        assert ("layout" in found) == (not moves)
        assert found["ply"] == len(moves)
        steps = found["scene"]["moves"]
        assert steps
        assert found["turn"] is not None
        moves.append(steps[len(steps) // 2]["move"])
    assert page.post("/api/replay/scene", json={"game": game, "moves": moves}).json()["text"]


def test_the_last_turn_of_jiu_is_marked_whole(page: TestClient) -> None:
    game = opened(page, (DATA / "master_game.sgf").read_bytes())["games"][0]
    moves = line_of(game)
    asked = {"game": game["game"], "start": game["start"], "moves": moves}
    scene = page.post("/api/replay/scene", json=asked).json()["scene"]
    assert len(scene["last"]) > 2  # the last turn jumps, lands and takes


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"game": "nonsense"}, "there is no game"),
        ({"game": "chess", "start": "x"}, "FEN"),
        ({"game": "gomoku", "moves": [1, 1]}, "move 2"),
        ({"game": "gomoku", "moves": [10**9]}, "move 1"),
        ({"game": "gomoku", "moves": ["resign:0"]}, "nobody resigns"),
        ({"game": "siguo", "moves": ["resign:9"]}, "move 1"),
        ({"game": "gomoku", "moves": [True]}, "numbers of moves"),
        ({"game": "gomoku", "moves": "x"}, "a list"),
        ({"game": "gomoku", "moves": [0] * 5001}, "at most 5000"),
        ({"game": "gomoku", "seat": 7}, "a seat"),
        ({"game": "gomoku", "seat": 3}, "2 seats"),
        ({"game": "gomoku", "more": 1}, "no field"),
        ({}, "needs the field"),
    ],
)
def test_what_is_no_line_is_refused(page: TestClient, asked: dict[str, Any], said: str) -> None:
    answer = page.post("/api/replay/scene", json=asked)
    assert answer.status_code == 400
    assert said in answer.json()["error"]["text"]


def test_any_json_at_all_is_answered_or_refused(page: TestClient) -> None:
    stream = random.Random(11)
    values: list[Any] = [None, True, -1, 0, 3, 10**30, 0.5, "", "x", "siguo", "chess", [], [0], {}]
    names = ["game", "start", "moves", "seat", "layout", "format", "headers", "result", "table"]
    names += ["token", "agent", "seconds", "want", "tree", "é"]
    for _ in range(120):
        body: Any = {name: stream.choice(values) for name in stream.sample(names, 4)}
        body = stream.choice([body, body, body, [body], "x", 7])
        for path in ("replay/scene", "replay/write", "analysis/table"):
            answer = page.post(f"/api/{path}", json=body)
            assert answer.status_code in (200, 400, 404, 422), (path, body)
    answer = page.post("/api/analysis", json={"game": "chess", "moves": [[]]})
    assert answer.status_code == 400


def test_requests_must_say_that_they_are_json(page: TestClient) -> None:
    assert page.post("/api/replay/scene", content=b'{"game":"chess"}').status_code == 415


# ---- writing -------------------------------------------------------------------------------------


def test_every_format_is_written_as_it_is_read(page: TestClient) -> None:
    for name, (_, game) in FILES.items():
        found = opened(page, (DATA / name).read_bytes())["games"][0]
        readers = {"sgf": jiu.read if game == "jiu" else gomoku.read, "psq": psq.read}
        readers |= {"kif": kif.read, "csa": csa.read}
        for form in found["formats"]:
            asked = {key: found[key] for key in ("game", "start", "result")}
            headers = {k: v for k, v in found["headers"].items() if form == "sgf" or k[:1] == "P"}
            asked |= {"moves": line_of(found), "format": form, "headers": headers}
            written = page.post("/api/replay/write", json=asked)
            assert written.status_code == 200, (name, form, written.text)
            record: Record = readers[form](written.json()["text"])
            assert list(record.moves) == line_of(found)
            assert written.json()["name"] == f"{game}.{form}"


def test_siguo_and_chess_are_written_as_they_are_read(page: TestClient) -> None:
    for text in (siguo_text(), siguo_text(resigned=True)):
        found = opened(page, text.encode())["games"][0]
        asked = {"game": found["game"], "start": found["start"], "moves": line_of(found)}
        written = page.post("/api/replay/write", json={**asked, "format": "siguo"}).json()["text"]
        assert siguo.read(written) == siguo.read(text)
    found = opened(page, PGN.encode())["games"][0]
    asked = {"game": "chess", "moves": line_of(found), "format": "pgn", "headers": {"PW": "Ann"}}
    assert pgn.read(page.post("/api/replay/write", json=asked).json()["text"]) == pgn.read(PGN)


def rows_of(found: dict[str, Any]) -> list[list[object]]:
    """A game with its branches as a request has it."""
    return [[node["move"], node["parent"], node.get("note", "")] for node in found["nodes"]]


@pytest.mark.parametrize("name", ["pgn", "sgf", "jiu", "kif"])
def test_branches_are_written_where_a_format_has_them(page: TestClient, name: str) -> None:
    texts = {"pgn": PGN.encode(), "sgf": SGF.encode(), "kif": KIF.encode()}
    if name == "jiu":
        position: Any = tempo.load("jiu").start()
        rows: list[list[object]] = []
        for number in range(6):
            rows.append([position.legal_moves[0], number - 1, ""])
            position = position.play(position.legal_moves[0])
        rows.append([rows[5][0], 3, ""])  # the sixth stone earlier
        found = {"game": "jiu", "start": ""}
    else:
        found = opened(page, texts[name])["games"][0]
        rows = rows_of(found)
    assert len({parent for _, parent, _ in rows}) < len(rows)
    asked = {key: found[key] for key in ("game", "start")} | {"tree": rows, "moves": []}
    form = "sgf" if name == "jiu" else name
    written = page.post("/api/replay/write", json={**asked, "format": form, "result": "?"})
    assert written.status_code == 200, written.text
    again = opened(page, written.json()["text"].encode())["games"][0]
    assert tree_of(rows_of(again)) == tree_of(rows)


def tree_of(rows: list[list[object]]) -> set[tuple[object, ...]]:
    """Each move with all before it and what is said of it, in whatever order."""
    paths: list[tuple[object, ...]] = []
    for move, parent, _ in rows:
        before = paths[parent] if isinstance(parent, int) and parent >= 0 else ()
        paths.append((*before, move))
    return {(path, row[2]) for path, row in zip(paths, rows, strict=True)}


def test_a_format_without_branches_takes_the_line(page: TestClient) -> None:
    tree = [[0, -1, ""], [1, 0, ""], [2, 0, ""]]
    asked = {"game": "gomoku(size=9)", "moves": [0, 2], "tree": tree, "format": "psq"}
    text = page.post("/api/replay/write", json=asked).json()["text"]
    assert psq.read(text).moves == (0, 2)
    for bad in ([[0, 0, ""]], [[0, -1]], [[0, -1, 5]], ["x"], [[0, -1, ""], [0, 0, ""]]):
        answer = page.post("/api/replay/write", json={**asked, "tree": bad, "format": "sgf"})
        assert answer.status_code in (400, 422), bad


def test_what_cannot_be_written_is_refused(page: TestClient) -> None:
    for asked in (
        {"game": "chess", "format": "sgf"},
        {"game": "minishogi", "format": "kif"},
        {"game": "chess", "format": "pgn", "result": "W+X"},
        {"game": "chess", "format": "pgn", "headers": {"FEN": "x"}},
    ):
        assert page.post("/api/replay/write", json=asked).status_code == 422
    later: Any = tempo.load("siguo").start(1)
    later = later.play(next(iter(later.legal_moves)))
    asked = {"game": "siguo", "start": later.text, "format": "siguo"}
    assert "begins later" in page.post("/api/replay/write", json=asked).json()["error"]["text"]


def test_a_replay_of_another_program_is_read_from_its_bytes(page: TestClient) -> None:
    setup = core.sound_setups()[0]
    letters = {
        ".": 0,
        "F": 2,
        "M": 3,
        "B": 4,
        **{kind: 5 + i for i, kind in enumerate("987654321")},
    }
    line_up = bytes(letters[letter] for letter in setup.replace("/", ""))
    data = MAGIC + (0).to_bytes(4, "little") + 4 * line_up
    found = opened(page, data)
    assert (found["format"], found["games"][0]["nodes"]) == ("junqi", [])


def test_few_records_are_read_at_a_time_and_few_of_one_address() -> None:
    async def main() -> None:
        readers = replay.Readers(threads=1, waiting=2, of_address=2)
        gate = threading.Event()
        greedy = [asyncio.ensure_future(readers.run("a", gate.wait, 10)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too much"):
            await readers.run("a", len, "")
        modest = asyncio.ensure_future(readers.run("b", len, "abc"))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too much"):
            await readers.run("c", len, "")
        gate.set()
        assert await asyncio.gather(*greedy, modest) == [True, True, 3]
        assert await readers.run("a", len, "ab") == 2

    asyncio.run(main())
